"""Compares the figures of a receipt with what its formula gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from ._calls import Calls
from ._differences import Difference
from ._formulas import FORMULAS, Market
from ._schema import Block, Input, NamedFormula, Outputs, Position, Price


@dataclass(frozen=True)
class Stated:
    """The figures of a position at a block, and what they are computed from."""

    formula: Optional[NamedFormula]
    position: Position
    contracts: Mapping[str, str]
    block: Block
    prices: Sequence[Price]
    inputs: Sequence[Input]
    outputs: Outputs


def check_figures(content: Stated, calls: Calls) -> None:
    """Raises Difference for the first input, price or output that the formula does not give."""
    if content.formula is None:
        return
    name, version = content.formula.name, content.formula.version
    formula = FORMULAS.get((name, version))
    if formula is None or name != content.position.family:
        raise Difference("formula_unknown", f"{name} version {version} of {content.position.family}")
    market = Market(
        contracts=content.contracts,
        wallet=content.position.wallet,
        sub_id=content.position.subId,
        timestamp=content.block.timestamp,
    )
    try:
        figures = formula(market, calls)
    except ArithmeticError as error:
        raise Difference("contract_missing", f"a contract is not of the family: {error}") from error
    inputs = [
        (each.asset, each.side, each.amount, each.decimals, each.liquidationThresholdBps, each.usedAsCollateral)
        for each in content.inputs
    ]
    own_inputs = [
        (leg.asset, leg.side, str(leg.amount), leg.decimals, str(leg.threshold_bps), leg.used_as_collateral)
        for leg in figures.legs
    ]
    _compare("input_differs", inputs, own_inputs)
    prices = [(each.asset, each.oracle, each.price, each.decimals) for each in content.prices]
    own_prices = [(leg.asset, leg.oracle, str(leg.price), leg.price_decimals) for leg in figures.legs]
    _compare("price_differs", prices, own_prices)
    factor = None if figures.health_factor is None else str(figures.health_factor)
    outputs = content.outputs
    _compare(
        "output_differs",
        [(outputs.totalCollateral, outputs.totalDebt, outputs.healthFactor)],
        [(str(figures.total_collateral), str(figures.total_debt), factor)],
    )


def _compare(code: str, stated: Sequence[Any], own: Sequence[Any]) -> None:
    if len(stated) != len(own):
        raise Difference(code, f"the receipt has {len(stated)} entries, the calls give {len(own)}")
    for theirs, ours in zip(stated, own):
        if theirs != ours:
            raise Difference(code, f"the receipt has {theirs}, the calls give {ours}")
