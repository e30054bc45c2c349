"""The node of the user."""

from __future__ import annotations

import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Optional

import httpx

from ._differences import Difference
from ._schema import Block, Call, Content

MOST_AT_ONCE = 8
#: The default deadline of each request.
TIMEOUT_SECONDS = 20.0
_REVERTED = 3
_TEXT_OF_REVERT = re.compile("revert|invalid opcode|out of gas|stack underflow", re.IGNORECASE)
_NO_ACCOUNT = "0x" + "0" * 40


class _RpcError(Exception):
    def __init__(self, error: Any) -> None:
        stated = error if isinstance(error, dict) else {}
        super().__init__(str(stated.get("message", error)))
        self.code = stated.get("code")


class Node:
    """Makes the calls of a receipt at its blocks."""

    def __init__(self, client: httpx.Client, url: str) -> None:
        self._client = client
        self._url = url

    def check_block(self, chain_id: int, stated: Block) -> None:
        """Raises Difference for another chain or block."""
        self._check_chain(chain_id)
        block = self._stated("eth_getBlockByHash", stated.hash, False)
        if not isinstance(block, dict) or block.get("hash") != stated.hash:
            raise Difference("block_unknown", f"the node has no block {stated.hash}")
        number, timestamp = self._number(block.get("number")), self._number(block.get("timestamp"))
        if number != stated.number:
            raise Difference("block_number_differs", f"{number}, the receipt states {stated.number}")
        if timestamp != stated.timestamp:
            raise Difference("block_timestamp_differs", f"{timestamp}, the receipt states {stated.timestamp}")

    def results(self, content: Content) -> list[Optional[str]]:
        """Return the results of the calls in their order, None for a revert."""

        def make(call: Call) -> Optional[str]:
            transaction = {"from": content.caller, "to": call.to, "data": call.data}
            return self.call(transaction, content.block)

        with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
            made: Iterable[Optional[str]] = pool.map(make, content.calls)
            return list(made)

    def call(self, transaction: Any, block: Block) -> Optional[str]:
        """Return the result of a call at a block, None for a revert."""
        pin = {"blockHash": block.hash, "requireCanonical": True}
        try:
            result = self._request("eth_call", transaction, pin)
        except _RpcError as error:
            if error.code == _REVERTED or _TEXT_OF_REVERT.search(str(error)):
                return None
            self._require_state(pin, block.number)
            raise Difference("node_failed", f"eth_call: {error}") from error
        if not isinstance(result, str):
            raise Difference("node_failed", "eth_call: no result")
        return result.lower()

    def transaction(self, chain_id: int, transaction_hash: str) -> tuple[str, str, int]:
        """Return sender, data and block of a transaction. Raises Difference for one that is in no block."""
        self._check_chain(chain_id)
        found = self._stated("eth_getTransactionByHash", transaction_hash)
        if not isinstance(found, dict) or found.get("blockHash") is None:
            raise Difference("anchor_unknown", f"the node has no block with the transaction {transaction_hash}")
        return str(found.get("from")).lower(), str(found.get("input")).lower(), self._number(found.get("blockNumber"))

    def _check_chain(self, chain_id: int) -> None:
        chain = self._number(self._stated("eth_chainId"))
        if chain != chain_id:
            raise Difference("chain_differs", f"the node has chain {chain}, the receipt {chain_id}")

    def _require_state(self, pin: Any, number: int) -> None:
        """Raises Difference for a node that cannot state a balance at the block."""
        try:
            self._request("eth_getBalance", _NO_ACCOUNT, pin)
        except _RpcError as pruned:
            try:
                self._request("eth_getBalance", _NO_ACCOUNT, hex(number))
            except _RpcError:
                raise Difference("state_unavailable", str(pruned)) from pruned
            # It has the state of the block, and not by its hash.
            raise Difference("node_failed", "the node takes no block hash (EIP-1898)") from pruned

    def _stated(self, method: str, *params: Any) -> Any:
        try:
            return self._request(method, *params)
        except _RpcError as error:
            raise Difference("node_failed", f"{method}: {error}") from error

    def _request(self, method: str, *params: Any) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        try:
            answer = self._client.post(self._url, json=body).json()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise Difference("node_failed", f"{method}: {error}") from error
        if isinstance(answer, dict):
            if answer.get("error") is not None:
                raise _RpcError(answer["error"])
            if "result" in answer:
                return answer["result"]
        raise Difference("node_failed", f"{method}: no result")

    @staticmethod
    def _number(value: Any) -> int:
        try:
            return int(value, 16)
        except (TypeError, ValueError) as error:
            raise Difference("node_failed", f"{value} is no number") from error
