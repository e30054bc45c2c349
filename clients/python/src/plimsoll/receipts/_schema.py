"""The form of a receipt, as docs/receipt.schema.json states it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional, Union

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from ._canonical import MAX_SAFE, read_canonical
from ._differences import Difference

if TYPE_CHECKING:
    from ._simulation import SimulationReceipt

Address = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-f]{40}$")]
Hex32 = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-f]{64}$")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Bytes = Annotated[str, StringConstraints(pattern=r"^0x([0-9a-f]{2})*$")]
Digits = Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,77})$")]
Text = Annotated[str, StringConstraints(max_length=256)]
Whole = Annotated[int, Field(ge=0, le=MAX_SAFE)]


class Part(BaseModel):
    """A part with exactly these fields."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Block(Part):
    number: Whole
    hash: Hex32
    timestamp: Whole


class Position(Part):
    id: Text
    protocol: Text
    family: Text
    market: Text
    subId: Text
    wallet: Address


class Call(Part):
    to: Address
    data: Bytes
    ok: bool
    resultHash: Sha256


class Price(Part):
    asset: Address
    symbol: Text
    oracle: Address
    price: Digits
    decimals: Whole


class Input(Part):
    asset: Address
    side: Literal["collateral", "debt"]
    amount: Digits
    decimals: Annotated[int, Field(ge=0, le=36)]
    liquidationThresholdBps: Digits
    usedAsCollateral: bool


class NamedFormula(Part):
    name: Text
    version: Whole


class Outputs(Part):
    totalCollateral: Digits
    totalDebt: Digits
    healthFactor: Optional[Digits]


Level = Literal["none", "low", "moderate", "high", "critical", "liquidatable"]


class LiquidationPrice(Part):
    asset: Address
    price: Optional[Digits]


class PositionOutputs(Outputs):
    liquidationPrices: list[LiquidationPrice]
    level: Level
    probability7d: Optional[Digits]


class Content(Part):
    version: Literal[1]
    kind: Literal["position"]
    build: Text
    chainId: Whole
    block: Block
    position: Position
    contracts: dict[str, Address]
    caller: Address
    calls: list[Call]
    prices: list[Price]
    inputs: list[Input]
    formula: Optional[NamedFormula]
    outputs: PositionOutputs


class Reading(Part):
    block: Block
    prices: list[Price]
    inputs: list[Input]
    outputs: Outputs
    level: Level
    probability7d: Optional[Digits]


class CrossingContent(Part):
    version: Literal[1]
    kind: Literal["crossing"]
    build: Text
    chainId: Whole
    position: Position
    contracts: dict[str, Address]
    formula: Optional[NamedFormula]
    before: Optional[Reading]
    after: Reading


class Signature(Part):
    keyId: Text
    signedAt: Whole
    value: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{86}$")]


class Receipt(Part):
    content: Content
    hash: Sha256
    signature: Signature


class FullReceipt(Receipt):
    results: list[Bytes]


class CrossingReceipt(Part):
    content: CrossingContent
    hash: Sha256
    signature: Signature


class ForecastPosition(Part):
    id: Text
    protocol: Text
    market: Text
    subId: Text
    wallet: Address


class ForecastModel(Part):
    name: Text
    version: Text


class Forecast(Part):
    horizonDays: Annotated[int, Field(ge=0, le=365)]
    expiresAt: Whole
    probability: Digits
    standardError: Digits


class ForecastContent(Part):
    version: Literal[1]
    kind: Literal["forecast"]
    build: Text
    chainId: Whole
    position: ForecastPosition
    block: Block
    healthFactor: Digits
    model: ForecastModel
    madeAt: Whole
    forecasts: list[Forecast]


class ForecastReceipt(Part):
    content: ForecastContent
    hash: Sha256
    signature: Signature


AnyReceipt = Union[Receipt, CrossingReceipt, ForecastReceipt, "SimulationReceipt"]


def receipt_of(value: Any) -> AnyReceipt:
    """Return the receipt of a value. Raises Difference for a part that no receipt has."""
    content = value.get("content") if isinstance(value, dict) else None
    version = content.get("version") if isinstance(content, dict) else None
    if isinstance(version, int) and not isinstance(version, bool) and version != 1:
        raise Difference("version_unknown", f"version {version}")
    try:
        if isinstance(content, dict) and content.get("kind") == "crossing":
            return CrossingReceipt.model_validate(value)
        if isinstance(content, dict) and content.get("kind") == "forecast":
            return ForecastReceipt.model_validate(value)
        if isinstance(content, dict) and content.get("kind") == "simulation":
            # Imported here, because it has parts of this module.
            from ._simulation import SimulationReceipt

            return SimulationReceipt.model_validate(value)
        is_full = isinstance(value, dict) and "results" in value
        return FullReceipt.model_validate(value) if is_full else Receipt.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise Difference("schema_invalid", ".".join(map(str, ("receipt", *first["loc"])))) from error


def read_receipt(text: Union[str, bytes]) -> tuple[Any, AnyReceipt]:
    """Return the value of a text and its receipt. Raises Difference for a text that is no receipt."""
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            raise Difference("not_json", "the text is not UTF-8") from error
    value = read_canonical(text)
    return value, receipt_of(value)
