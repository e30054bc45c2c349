"""Whole and tampered receipts. RECEIPT_CASES names the file that the suite in TypeScript wrote, with its results."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from plimsoll import leaf_of, verify_anchor, verify_consistency, verify_inclusion, verify_receipt


@pytest.fixture(scope="session")
def all_cases() -> dict[str, list[dict[str, Any]]]:
    file = os.environ.get("RECEIPT_CASES")
    if not file:
        pytest.fail("RECEIPT_CASES is not set. Run npm run tool -- python-client without PLIMSOLL_URL.")
    return dict(json.loads(Path(file).read_text(encoding="utf-8")))


def test_agrees_with_the_verifier_in_typescript(all_cases: dict[str, list[dict[str, Any]]]) -> None:
    wrong = []
    for case in all_cases["receipts"]:
        outcome = verify_receipt(case["text"], keys=case["keys"], rpc_url=case["rpcUrl"])
        if (outcome.code, outcome.is_equal) != (case["code"], case["isEqual"]):
            wrong.append((case["name"], outcome.code, case["code"], outcome.steps[-1]))
    assert wrong == []
    assert len(all_cases["receipts"]) >= 300


def test_agrees_about_the_log(all_cases: dict[str, list[dict[str, Any]]]) -> None:
    wrong = []
    for case in all_cases["log"]:
        keys, proof = case["keys"], case["proof"]
        if case["text"] is None:
            outcome = verify_consistency(case["kept"], proof, keys=keys)
        else:
            outcome = verify_inclusion(case["text"], proof, keys=keys)
        if outcome.code != case["code"] or outcome.ok != (case["code"] is None):
            wrong.append((case["name"], outcome, case["code"]))
    assert wrong == []
    assert len(all_cases["log"]) >= 80


def test_agrees_about_roots_on_a_chain(all_cases: dict[str, list[dict[str, Any]]]) -> None:
    wrong = []
    for case in all_cases["anchors"]:
        outcome = verify_anchor(case["root"], keys=case["keys"], rpc_url=case["rpcUrl"])
        if outcome.code != case["code"] or outcome.ok != (case["code"] is None):
            wrong.append((case["name"], outcome, case["code"]))
    assert wrong == []
    assert len(all_cases["anchors"]) >= 14


def test_runs_simulations_again_to_the_same_bits(all_cases: dict[str, list[dict[str, Any]]]) -> None:
    wrong = []
    for case in all_cases["simulations"]:
        outcome = verify_receipt(case["text"], keys=case["keys"])
        if (outcome.code, outcome.is_recomputed) != (case["code"], case["code"] is None):
            wrong.append((case["name"], outcome.code, case["code"], outcome.steps[-1]))
    assert wrong == []
    assert len(all_cases["simulations"]) >= 70


def test_has_no_leaf_of_what_is_no_receipt() -> None:
    with pytest.raises(ValueError, match="not_json"):
        leaf_of(b"\xff")


def test_takes_bytes_that_are_no_text() -> None:
    assert verify_receipt(b"\xff", keys=[]).code == "not_json"
