"""The clients: one method for each endpoint."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Optional, Union

import httpx

from . import _events
from ._transport import AsyncTransport, Settings, Transport
from .generated.resources import AsyncResources, Resources

#: Where ``npm start`` serves the API.
LOCAL_URL = "http://127.0.0.1:4000"
TIMEOUT_SECONDS = 30.0
MAX_RETRIES = 3


def _settings(api_key: Optional[str], base_url: str, timeout: float, max_retries: int) -> Settings:
    if not api_key:
        raise ValueError(
            "api_key is missing. Create a key in the portal or with POST /account/v1/keys."
        )
    return Settings(re.sub(r"(/v1)?/*$", "", base_url), api_key, timeout, max_retries)


class Plimsoll(Resources):
    """A client of the API. ``base_url`` may end in /v1, ``timeout`` is in seconds."""

    def __init__(
        self,
        api_key: Optional[str],
        base_url: str = LOCAL_URL,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        super().__init__(Transport(_settings(api_key, base_url, timeout, max_retries), http_client))

    def follow_events(
        self,
        *,
        since: Optional[str] = None,
        type: Optional[str] = None,
        interval: float = _events.INTERVAL_SECONDS,
        give_up_after: float = _events.GIVE_UP_AFTER_SECONDS,
    ) -> Iterator[Union[_events.FollowedEvent, _events.Gap]]:
        """Yield the webhook events of the account as they happen, the oldest first and each once.

        ``since`` is the cursor of the last event that was handled, or an ISO 8601 time. The default is now. It
        continues after every interruption, and raises the last failure after ``give_up_after`` seconds.
        """
        return _events.follow(self.events, since, type, interval, give_up_after)

    def close(self) -> None:
        self.transport.close()

    def __enter__(self) -> Plimsoll:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


class AsyncPlimsoll(AsyncResources):
    """The client for asyncio, with the same methods as ``Plimsoll``."""

    def __init__(
        self,
        api_key: Optional[str],
        base_url: str = LOCAL_URL,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        super().__init__(
            AsyncTransport(_settings(api_key, base_url, timeout, max_retries), http_client)
        )

    def follow_events(
        self,
        *,
        since: Optional[str] = None,
        type: Optional[str] = None,
        interval: float = _events.INTERVAL_SECONDS,
        give_up_after: float = _events.GIVE_UP_AFTER_SECONDS,
    ) -> AsyncIterator[Union[_events.FollowedEvent, _events.Gap]]:
        """Yield the webhook events of the account as they happen, as in ``Plimsoll``."""
        return _events.follow_async(self.events, since, type, interval, give_up_after)

    async def close(self) -> None:
        await self.transport.close()

    async def __aenter__(self) -> AsyncPlimsoll:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()
