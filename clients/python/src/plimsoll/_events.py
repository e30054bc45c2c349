"""Follows the webhook events of the account with requests to GET /v1/events."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Optional, Union

from ._retry import can_pass, utc_now, wait_before
from ._transport import CallOptions
from .errors import ApiError
from .generated import models
from .generated.resources import AsyncEvents, Events

INTERVAL_SECONDS = 5.0
GIVE_UP_AFTER_SECONDS = 600.0
_PAGE = 200
#: Events that are received in the same millisecond may appear in the list one after the other.
_OVERLAP = timedelta(seconds=10)
#: The API lists the events of 30 days.
_LISTED = timedelta(days=30)
#: Events that a cursor names, so that they are not repeated after a restart.
_MOST_IN_CURSOR = 200
#: The end of an id is random, so this much of it distinguishes the events of seconds.
_TAIL = 8
_ONCE = CallOptions(max_retries=0)


@dataclass(frozen=True)
class FollowedEvent:
    """One event, with the cursor to continue after it."""

    event: models.WebhookEventItem
    cursor: str


@dataclass(frozen=True)
class Gap:
    """Events before this moment are no longer listed."""

    reason: str


class Follower:
    """What was read, without the reading."""

    def __init__(self, since: Optional[str]) -> None:
        self.is_behind = False
        self._seen: set[str] = set()
        self._from = datetime.fromtimestamp(0, timezone.utc)
        self._first: Optional[datetime] = None
        if since is not None:
            self._start_at(since)

    def _start_at(self, since: str) -> None:
        cursor = re.fullmatch(r"([0-9]{1,14})\.((?:\w{8})*)", since)
        if cursor:
            self._from = datetime.fromtimestamp(int(cursor[1]) / 1000, timezone.utc)
            self._seen = set(re.findall(".{8}", cursor[2]))
        else:
            self._from = datetime.fromisoformat(since.replace("Z", "+00:00"))
            self._first = self._from
        self.is_behind = self._from < utc_now() - _LISTED

    def start_after(self, newest: list[models.WebhookEventItem]) -> None:
        """Start now. No clock is compared: the start is the newest event of the service."""
        for item in newest:
            self._from = max(self._from, item.timestamp)
            self._seen.add(item.event_id[-_TAIL:])

    def since(self) -> str:
        start = self._from - _OVERLAP if self._from.timestamp() > 10 else self._from
        if self._first is not None:
            start = max(start, self._first)
        return start.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def take(self, found: list[models.WebhookEventItem]) -> Iterator[FollowedEvent]:
        """Yield the events that are new, the oldest first."""
        oldest_first = found[::-1]
        yielded = [tail for item in oldest_first if (tail := item.event_id[-_TAIL:]) in self._seen]
        for item in oldest_first:
            tail = item.event_id[-_TAIL:]
            if tail in self._seen:
                continue
            self._from = max(self._from, item.timestamp)
            yielded.append(tail)
            ms = int(self._from.timestamp() * 1000)
            yield FollowedEvent(item, f"{ms}.{''.join(yielded[-_MOST_IN_CURSOR:])}")
        self._seen = set(yielded)


def _wait_after(error: Exception, failures: int, started: float, give_up_after: float) -> Optional[float]:
    if not can_pass(error) or time.monotonic() - started > give_up_after:
        return None
    stated = error.retry_after_seconds if isinstance(error, ApiError) else None
    return wait_before(failures, stated, random.random())


def follow(
    events: Events,
    since: Optional[str],
    type: Optional[str],
    interval: float,
    give_up_after: float,
) -> Iterator[Union[FollowedEvent, Gap]]:
    def read(start: Optional[str]) -> list[models.WebhookEventItem]:
        failures, started = 0, time.monotonic()
        while True:
            failures += 1
            try:
                found = events.list(type=type, since=start, limit=_PAGE, options=_ONCE)
                return list(found.first_page().events) if start is None else list(found)
            except Exception as error:
                wait = _wait_after(error, failures, started, give_up_after)
                if wait is None:
                    raise
            time.sleep(wait)

    follower = Follower(since)
    if since is None:
        follower.start_after(read(None))
    if follower.is_behind:
        yield Gap("window_passed")
    while True:
        yield from follower.take(read(follower.since()))
        time.sleep(interval)


async def follow_async(
    events: AsyncEvents,
    since: Optional[str],
    type: Optional[str],
    interval: float,
    give_up_after: float,
) -> AsyncIterator[Union[FollowedEvent, Gap]]:
    async def read(start: Optional[str]) -> list[models.WebhookEventItem]:
        failures, started = 0, time.monotonic()
        while True:
            failures += 1
            try:
                found = events.list(type=type, since=start, limit=_PAGE, options=_ONCE)
                if start is None:
                    return list((await found.first_page()).events)
                return [item async for item in found]
            except Exception as error:
                wait = _wait_after(error, failures, started, give_up_after)
                if wait is None:
                    raise
            await asyncio.sleep(wait)

    follower = Follower(since)
    if since is None:
        follower.start_after(await read(None))
    if follower.is_behind:
        yield Gap("window_passed")
    while True:
        for each in follower.take(await read(follower.since())):
            yield each
        await asyncio.sleep(interval)
