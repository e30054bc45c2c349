"""The readings of a crossing. Its receipt has no calls: the formula names them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional

from ._calls import Calls
from ._differences import Difference
from ._figures import Stated, check_figures
from ._liquidation import level_of, number
from ._node import Node
from ._schema import Block, CrossingContent, Reading

#: Calls of one reading.
MOST_CALLS = 1_000


class _NodeCalls(Calls):
    """Makes each call when the formula reads it."""

    def __init__(self, node: Node, block: Block) -> None:
        super().__init__({})
        self._made: dict[tuple[str, str], Optional[str]] = {}
        self._node = node
        self._block = block

    def result(self, to: str, data: str) -> Optional[str]:
        if (to, data) not in self._made:
            if len(self._made) >= MOST_CALLS:
                raise Difference("call_missing", f"the formula needs more than {MOST_CALLS} calls")
            self._made[to, data] = self._node.call({"to": to, "data": data}, self._block)
        return self._made[to, data]


def check_blocks(content: CrossingContent, node: Node) -> None:
    """Raises Difference for another chain or block."""
    for name, reading in _readings(content):
        with _Named(name):
            node.check_block(content.chainId, reading.block)


def check_readings(content: CrossingContent, node: Node) -> None:
    """Raises Difference for the first figure that the formula does not give at its block."""
    for name, reading in _readings(content):
        stated = Stated(
            formula=content.formula,
            position=content.position,
            contracts=content.contracts,
            block=reading.block,
            prices=reading.prices,
            inputs=reading.inputs,
            outputs=reading.outputs,
        )
        with _Named(name):
            check_figures(stated, _NodeCalls(node, reading.block))


def check_crossing(content: CrossingContent) -> str:
    """Return the crossing as text. Raises Difference for another level or order."""
    for name, reading in _readings(content):
        own = level_of(number(reading.outputs.healthFactor), number(reading.probability7d))
        if own != reading.level:
            raise Difference("level_differs", f"{name}: {reading.level}, the figures give {own}")
    before, after = content.before, content.after
    if before is not None and before.block.number >= after.block.number:
        raise Difference("order_differs", f"block {before.block.number} and block {after.block.number}")
    return ", then ".join(
        f"health factor {reading.outputs.healthFactor or 'none'} ({reading.level}) at block {reading.block.number}"
        for _, reading in _readings(content)
    )


def _readings(content: CrossingContent) -> Iterable[tuple[str, Reading]]:
    if content.before is not None:
        yield "before", content.before
    yield "after", content.after


class _Named:
    """Adds the name of the reading to a difference."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: Optional[BaseException], _trace: object) -> None:
        if isinstance(error, Difference):
            raise Difference(error.code, f"{self._name}: {error}") from error
