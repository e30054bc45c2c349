"""Sends requests with retries. The synchronous and the asynchronous transport share everything but the waiting."""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, TypeVar, overload
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from ._retry import can_pass, stated_wait, utc_now, wait_before
from .errors import ApiError, ConnectionFailed, PlimsollError, TimedOut

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class CallOptions:
    """Settings of one call, in place of those of the client."""

    timeout: Optional[float] = None
    max_retries: Optional[int] = None
    idempotency_key: Optional[str] = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """A request without its credentials."""

    method: str
    route: str
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Optional[Mapping[str, Any]]
    takes_idempotency_key: bool

    def url(self) -> str:
        """Return the path of the request. An empty segment would be another route."""
        filled = self.route
        for name, value in self.path.items():
            if value is None or value == "":
                raise ValueError(f"{name} is missing.")
            filled = filled.replace("{" + name + "}", quote(str(value), safe=""))
        return filled

    def params(self) -> dict[str, str]:
        return {name: _text(value) for name, value in self.query.items() if value is not None}

    def content(self) -> Optional[bytes]:
        if self.body is None:
            return None
        given = {name: value for name, value in self.body.items() if value is not None}
        return json.dumps(given, default=_plain).encode()

    def with_cursor(self, cursor: Optional[str]) -> Call:
        query = {**self.query, "cursor": cursor}
        return Call(self.method, self.route, self.path, query, self.body, self.takes_idempotency_key)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_text(each) for each in value)
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str
    timeout: float
    max_retries: int


class _Shared:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def headers(self, call: Call, options: CallOptions) -> dict[str, str]:
        headers = {"accept": "application/json", "x-api-key": self.settings.api_key}
        if call.body is not None:
            headers["content-type"] = "application/json"
        # One key for all attempts, so that a write whose response was lost happens once.
        if call.takes_idempotency_key:
            headers["idempotency-key"] = options.idempotency_key or str(uuid.uuid4())
        return {**headers, **options.headers}

    def retries(self, options: CallOptions) -> int:
        return self.settings.max_retries if options.max_retries is None else options.max_retries

    def seconds(self, options: CallOptions) -> float:
        return self.settings.timeout if options.timeout is None else options.timeout

    def failure(self, error: Exception, seconds: float) -> PlimsollError:
        """Return the error of a request without a complete response."""
        if isinstance(error, (httpx.TimeoutException, asyncio.TimeoutError)):
            return TimedOut(seconds)
        return ConnectionFailed(
            f"{self.settings.base_url} cannot be reached. Check the URL and the network."
        )

    def value(self, call: Call, response: httpx.Response, model: Optional[type[M]]) -> Optional[M]:
        if not response.is_success:
            wait = stated_wait(response.status_code, response.headers, utc_now())
            request_id = response.headers.get("x-request-id")
            raise ApiError(response.status_code, _problem(response), request_id, wait)
        if model is None or response.content == b"":
            return None
        try:
            json.loads(response.content)
        except ValueError as error:
            raise ConnectionFailed(f"The response of {call.route} is no complete JSON.") from error
        return model.model_validate_json(response.content)

    def wait(self, error: Exception, attempt: int, retries: int) -> Optional[float]:
        if attempt > retries or not can_pass(error):
            return None
        stated = error.retry_after_seconds if isinstance(error, ApiError) else None
        return wait_before(attempt, stated, random.random())


def _problem(response: httpx.Response) -> Mapping[str, Any]:
    """Return the problem of an error response. A proxy in between may send HTML."""
    try:
        value = response.json()
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


class Transport(_Shared):
    """Sends requests and waits for them."""

    def __init__(self, settings: Settings, client: Optional[httpx.Client] = None) -> None:
        super().__init__(settings)
        self._client = client or httpx.Client()

    def close(self) -> None:
        self._client.close()

    @overload
    def send(self, call: Call, model: type[M], options: Optional[CallOptions] = None) -> M: ...
    @overload
    def send(self, call: Call, model: None, options: Optional[CallOptions] = None) -> None: ...
    def send(
        self, call: Call, model: Optional[type[M]], options: Optional[CallOptions] = None
    ) -> Optional[M]:
        given = options or CallOptions()
        headers, seconds = self.headers(call, given), self.seconds(given)
        attempt = 0
        while True:
            attempt += 1
            try:
                return self.value(call, self._exchange(call, headers, seconds), model)
            except PlimsollError as error:
                wait = self.wait(error, attempt, self.retries(given))
                if wait is None:
                    raise
            time.sleep(wait)

    def _exchange(self, call: Call, headers: Mapping[str, str], seconds: float) -> httpx.Response:
        url = self.settings.base_url + call.url()
        try:
            return self._client.request(
                call.method,
                url,
                params=call.params(),
                content=call.content(),
                headers=headers,
                timeout=seconds,
            )
        except httpx.HTTPError as error:
            raise self.failure(error, seconds) from error


class AsyncTransport(_Shared):
    """Sends requests on the event loop."""

    def __init__(self, settings: Settings, client: Optional[httpx.AsyncClient] = None) -> None:
        super().__init__(settings)
        self._client = client or httpx.AsyncClient()

    async def close(self) -> None:
        await self._client.aclose()

    @overload
    async def send(self, call: Call, model: type[M], options: Optional[CallOptions] = None) -> M: ...
    @overload
    async def send(self, call: Call, model: None, options: Optional[CallOptions] = None) -> None: ...
    async def send(
        self, call: Call, model: Optional[type[M]], options: Optional[CallOptions] = None
    ) -> Optional[M]:
        given = options or CallOptions()
        headers, seconds = self.headers(call, given), self.seconds(given)
        attempt = 0
        while True:
            attempt += 1
            try:
                return self.value(call, await self._exchange(call, headers, seconds), model)
            except PlimsollError as error:
                wait = self.wait(error, attempt, self.retries(given))
                if wait is None:
                    raise
            await asyncio.sleep(wait)

    async def _exchange(self, call: Call, headers: Mapping[str, str], seconds: float) -> httpx.Response:
        url = self.settings.base_url + call.url()
        try:
            # The deadline covers the body too.
            return await asyncio.wait_for(
                self._client.request(
                    call.method,
                    url,
                    params=call.params(),
                    content=call.content(),
                    headers=headers,
                    timeout=seconds,
                ),
                seconds,
            )
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            raise self.failure(error, seconds) from error
