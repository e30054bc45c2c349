"""The form of a receipt of a simulation, as docs/simulation-receipt.schema.json states it."""

from __future__ import annotations

import hashlib
import math
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional, Union

from pydantic import AfterValidator, Field

from ._canonical import canonical_bytes
from ._differences import Difference
from ._fhs import Result, simulate
from ._gbm import simulate_gbm
from ._schema import Hex32, Part, Sha256, Signature, Text, Whole
from ._task import Amount, FhsTask, GbmTask

MAX_EXPONENT = 21
MIN_EXPONENT = -6
#: The newest version of each model.
MODEL_VERSIONS = {"fhs": "2", "gbm": "1"}


def number_text(value: float) -> str:
    """Return a double as ECMAScript writes it."""
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    sign, parts, exponent = Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, parts))
    point = len(digits) + int(exponent)
    digits = digits.rstrip("0")
    if MIN_EXPONENT < point <= 0:
        text = "0." + "0" * -point + digits
    elif 0 < point <= MAX_EXPONENT:
        text = digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    else:
        power = point - 1
        mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
        text = f"{mantissa}e{'-' if power < 0 else '+'}{abs(power)}"
    return "-" + text if sign else text


def _is_number(text: str) -> str:
    value = float(text)
    if not math.isfinite(value) or number_text(value) != text:
        raise ValueError("it is not the shortest form of a double")
    return text


Number = Annotated[str, AfterValidator(_is_number)]
Rows = list[list[Number]]
Days = Optional[Annotated[int, Field(ge=0, le=365)]]


class Model(Part):
    name: Literal["fhs", "gbm"]
    version: Text


class BlockOfFigures(Part):
    number: Whole
    hash: Hex32


class SimulatedPosition(Part):
    id: Text
    chainId: Whole
    block: BlockOfFigures
    isHypothetical: bool


class Parameters(Part):
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)]
    paths: Annotated[int, Field(ge=0, le=100_000)]
    horizonDays: Annotated[int, Field(ge=0, le=365)]
    drift: list[Number]


class SimulatedDebt(Part):
    asset: Text
    amount: Number
    priceUsd: Number


class SimulatedCollateral(SimulatedDebt):
    liquidationThreshold: Number


class SimulatedInputs(Part):
    collateral: list[SimulatedCollateral]
    debt: list[SimulatedDebt]


class DataSource(Part):
    hash: Sha256
    sources: list[Text]
    from_: Annotated[Text, Field(alias="from")]
    to: Text


class Percentiles(Part):
    p5: Number
    p50: Number
    p95: Number


class PassageDays(Part):
    p5: Days
    p10: Days
    p25: Days
    p50: Days
    p75: Days


class SimulatedOutputs(Part):
    liquidationProbability: Number
    standardError: Number
    upperBound95: Optional[Number]
    percentiles: Optional[Percentiles]
    method: Literal["closed_form", "quasi_monte_carlo", "monte_carlo"]
    firstPassageDays: Optional[PassageDays]


class SimulationContent(Part):
    version: Literal[1]
    kind: Literal["simulation"]
    build: Text
    model: Model
    position: SimulatedPosition
    parameters: Parameters
    inputs: SimulatedInputs
    data: DataSource
    outputs: SimulatedOutputs


class History(Part):
    assets: list[Text]
    close: Rows
    low: Rows
    high: Rows


class Covariances(Part):
    assets: list[Text]
    dailyCovariance: Rows


class SimulationReceipt(Part):
    content: SimulationContent
    hash: Sha256
    signature: Signature
    data: Union[History, Covariances]


def check_data(value: Any, receipt: SimulationReceipt) -> None:
    """Compare the prices beside the signed part with their hash. Raises Difference."""
    own = hashlib.sha256(canonical_bytes(value["data"])).hexdigest()
    stated = receipt.content.data.hash
    if own != stated:
        raise Difference("data_differs", f"the data have {own}, the receipt states {stated}")


def check_model(receipt: SimulationReceipt) -> None:
    """Compare the version of the model with the newest one. Raises Difference."""
    model = receipt.content.model
    if model.version != MODEL_VERSIONS[model.name]:
        raise Difference("model_unknown", f"{model.name} version {model.version}")


def check_rerun(receipt: SimulationReceipt) -> None:
    """Run the simulation again and compare every bit. Raises Difference."""
    try:
        own = _rerun(receipt)
    except (ValueError, ArithmeticError) as error:
        raise Difference("rerun_differs", str(error)) from error
    stated = receipt.content.outputs
    _compare("liquidationProbability", stated.liquidationProbability, number_text(own.probability))
    _compare("standardError", stated.standardError, number_text(own.standard_error))
    bound = None if own.upper_bound is None else number_text(own.upper_bound)
    _compare("upperBound95", stated.upperBound95, bound)
    percentiles = None if own.percentiles is None else {name: number_text(at) for name, at in own.percentiles.items()}
    _compare("percentiles", stated.percentiles and stated.percentiles.model_dump(), percentiles)
    _compare("method", stated.method, own.method)
    _compare("firstPassageDays", stated.firstPassageDays and stated.firstPassageDays.model_dump(), own.passage_days)


def _rerun(receipt: SimulationReceipt) -> Result:
    content, data = receipt.content, receipt.data
    parameters = content.parameters
    collateral, debt = _amounts(content.inputs)
    given: dict[str, Any] = {
        "collateral": collateral,
        "debt": debt,
        "assets": data.assets,
        "drift": [float(each) for each in parameters.drift],
        "seed": parameters.seed,
        "paths": parameters.paths,
        "days": parameters.horizonDays,
    }
    if content.model.name == "fhs":
        if not isinstance(data, History):
            raise ValueError("the data have no prices")
        close, low, high = (_numbers(rows) for rows in (data.close, data.low, data.high))
        return simulate(FhsTask(**given, close=close, low=low, high=high))
    if not isinstance(data, Covariances):
        raise ValueError("the data have no covariances")
    return simulate_gbm(GbmTask(**given, covariance=_numbers(data.dailyCovariance)))


def _amounts(inputs: SimulatedInputs) -> tuple[list[Amount], list[Amount]]:
    collateral = [
        Amount(leg.asset, float(leg.amount), float(leg.priceUsd), float(leg.liquidationThreshold))
        for leg in inputs.collateral
    ]
    return collateral, [Amount(leg.asset, float(leg.amount), float(leg.priceUsd)) for leg in inputs.debt]


def _numbers(rows: Rows) -> list[list[float]]:
    return [[float(each) for each in row] for row in rows]


def _compare(name: str, stated: object, own: object) -> None:
    if stated != own:
        raise Difference("rerun_differs", f"{name} is {stated}, the rerun gives {own}")
