"""The steps of a verification."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, TypeVar, Union

import httpx

from ._calls import Calls
from ._canonical import canonical_bytes
from ._crossing import check_blocks, check_crossing, check_readings
from ._differences import Difference, Step, Verification
from ._figures import Stated, check_figures
from ._forecast import check_forecasts
from ._keys import ReceiptKey, check_signed, known_keys, receipt_text
from ._liquidation import check_liquidation
from ._node import TIMEOUT_SECONDS, Node
from ._schema import (
    AnyReceipt,
    Content,
    CrossingContent,
    CrossingReceipt,
    ForecastReceipt,
    FullReceipt,
    Receipt,
    read_receipt,
)
from ._simulation import SimulationReceipt, check_data, check_model, check_rerun

T = TypeVar("T")


def verify_receipt(
    text: Union[str, bytes],
    *,
    keys: Sequence[Union[ReceiptKey, Mapping[str, Any]]],
    rpc_url: Optional[str] = None,
    timeout: float = TIMEOUT_SECONDS,
) -> Verification:
    """Verify a receipt step by step, up to the first difference.

    ``text`` is the receipt exactly as it was received. ``keys`` are those of ``/.well-known/plimsoll-keys.json``.
    ``rpc_url`` is your node. Without it, the results of a full receipt are used, which proves that the figures follow
    from them, and not that a chain gives them. ``timeout`` is the deadline of each request in seconds.

    Never raises for a receipt or a node. Needs the extra ``plimsoll[verify]``.
    """
    known = known_keys(keys)
    outcome = Verification()
    name = "form"

    def step(of: str, work: Callable[[], T], detail: Callable[[T], str]) -> T:
        nonlocal name
        name = of
        value = work()
        outcome.steps.append(Step(of, True, detail(value)))
        return value

    try:
        value, receipt = step("form", lambda: read_receipt(text), lambda _: "canonical, and of the published schema")
        step("hash", lambda: _check_hash(value, receipt), lambda _: receipt.hash)
        signature = receipt.signature
        signed = receipt_text(receipt)
        step("signature", lambda: check_signed(signed, signature, known), lambda _: signature.keyId)
        if isinstance(receipt, CrossingReceipt):
            crossing = receipt.content
            if rpc_url is not None:
                with httpx.Client(timeout=timeout) as client:
                    node = Node(client, rpc_url)
                    step("block", lambda: check_blocks(crossing, node), lambda _: crossing.after.block.hash)
                    step("figures", lambda: check_readings(crossing, node), lambda _: _formula(crossing))
            step("crossing", lambda: check_crossing(crossing), lambda text: text)
            outcome.is_read = outcome.is_recomputed = rpc_url is not None and crossing.formula is not None
            return outcome
        if isinstance(receipt, ForecastReceipt):
            forecast = receipt
            if rpc_url is not None:
                with httpx.Client(timeout=timeout) as client:
                    node, block = Node(client, rpc_url), forecast.content.block
                    step("block", lambda: node.check_block(forecast.content.chainId, block), lambda _: block.hash)
            step("forecast", lambda: check_forecasts(forecast), lambda text: text)
            outcome.is_read = rpc_url is not None
            return outcome
        if isinstance(receipt, SimulationReceipt):
            simulation = receipt
            step("data", lambda: check_data(value, simulation), lambda _: simulation.content.data.hash)
            step("model", lambda: check_model(simulation), lambda _: simulation.content.model.name)
            step("rerun", lambda: check_rerun(simulation), lambda _: "the same bits")
            outcome.is_recomputed = True
            return outcome
        reading, content = receipt, receipt.content
        if rpc_url is None:
            results = step("calls", lambda: _stored_results(reading), _size)
        else:
            with httpx.Client(timeout=timeout) as client:
                node = Node(client, rpc_url)
                step("block", lambda: node.check_block(content.chainId, content.block), lambda _: content.block.hash)
                results = step("calls", lambda: _compared(content, node.results(content)), _size)
            outcome.is_read = True
        if results is not None:
            step("figures", lambda: _check_figures(content, results or []), lambda _: _figures(content))
        step("liquidation", lambda: check_liquidation(content), lambda level: level)
        outcome.is_recomputed = results is not None and content.formula is not None
    except Difference as difference:
        outcome.steps.append(Step(name, False, str(difference)))
        outcome.code = difference.code
    return outcome


def _check_hash(value: Any, receipt: AnyReceipt) -> None:
    own = hashlib.sha256(canonical_bytes(value["content"])).hexdigest()
    if own != receipt.hash:
        raise Difference("hash_differs", f"the content has {own}, the receipt states {receipt.hash}")


def _check_figures(content: Content, results: Sequence[Optional[str]]) -> None:
    stated = Stated(
        formula=content.formula,
        position=content.position,
        contracts=content.contracts,
        block=content.block,
        prices=content.prices,
        inputs=content.inputs,
        outputs=content.outputs,
    )
    check_figures(stated, Calls({(call.to, call.data): result for call, result in zip(content.calls, results)}))


def _stored_results(receipt: Receipt) -> Optional[list[Optional[str]]]:
    if not isinstance(receipt, FullReceipt):
        return None
    calls = receipt.content.calls
    if len(receipt.results) != len(calls):
        raise Difference("result_differs", f"{len(receipt.results)} results of {len(calls)} calls")
    stored = [result if call.ok else None for call, result in zip(calls, receipt.results)]
    return _compared(receipt.content, stored)


def _compared(content: Content, results: list[Optional[str]]) -> list[Optional[str]]:
    for index, (call, result) in enumerate(zip(content.calls, results)):
        digest = hashlib.sha256(bytes.fromhex((result or "0x")[2:])).hexdigest()
        if call.ok != (result is not None) or call.resultHash != digest:
            raise Difference("result_differs", f"call {index}: {call.data} of {call.to}")
    return results


def _size(results: Optional[list[Optional[str]]]) -> str:
    return "not made: no node was given" if results is None else f"{len(results)} calls have the same results"


def _formula(content: CrossingContent) -> str:
    if content.formula is None:
        return "not recomputed: no formula is published for this position"
    return f"both readings by {content.formula.name} version {content.formula.version}"


def _figures(content: Content) -> str:
    if content.formula is None:
        return "not recomputed: no formula is published for this position"
    factor = content.outputs.healthFactor or "none"
    return f"health factor {factor} by {content.formula.name} version {content.formula.version}"
