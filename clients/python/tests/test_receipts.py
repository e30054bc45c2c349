"""Whole and tampered receipts. RECEIPT_CASES names the file that the suite in TypeScript wrote, with its results."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from plimsoll import verify_receipt


@pytest.fixture(scope="session")
def cases() -> list[dict[str, Any]]:
    file = os.environ.get("RECEIPT_CASES")
    if not file:
        pytest.fail("RECEIPT_CASES is not set. Run npm run tool -- python-client without PLIMSOLL_URL.")
    return list(json.loads(Path(file).read_text(encoding="utf-8")))


def test_agrees_with_the_verifier_in_typescript(cases: list[dict[str, Any]]) -> None:
    wrong = []
    for case in cases:
        outcome = verify_receipt(case["text"], keys=case["keys"], rpc_url=case["rpcUrl"])
        if (outcome.code, outcome.is_equal) != (case["code"], case["isEqual"]):
            wrong.append((case["name"], outcome.code, case["code"], outcome.steps[-1]))
    assert wrong == []
    assert len(cases) >= 300


def test_takes_bytes_that_are_no_text() -> None:
    assert verify_receipt(b"\xff", keys=[]).code == "not_json"
