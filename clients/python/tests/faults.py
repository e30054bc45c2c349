"""A transport that fails on demand in front of the one that reaches the platform."""

from __future__ import annotations

import httpx

#: Failures of the next requests, in order: reset, reset-after, truncated, stall, bad-gateway, limited.
FAULTS = ("reset", "reset-after", "truncated", "bad-gateway", "limited")


class Faults:
    def __init__(self) -> None:
        self.next: list[str] = []
        #: Requests that reached the platform.
        self.forwarded: list[str] = []

    def before(self, request: httpx.Request) -> httpx.Response | str | None:
        """Return a response in place of the platform's, or the fault to apply to its response."""
        fault = self.next.pop(0) if self.next else None
        if fault == "reset":
            raise httpx.ReadError("reset", request=request)
        if fault == "stall":
            raise httpx.ReadTimeout("stall", request=request)
        if fault == "bad-gateway":
            return httpx.Response(502, html="<h1>Bad gateway</h1>", request=request)
        if fault == "limited":
            return httpx.Response(429, headers={"retry-after": "0"}, json={}, request=request)
        self.forwarded.append(f"{request.method} {request.url.path}")
        return fault

    def after(self, fault: str | None, request: httpx.Request, response: httpx.Response, body: bytes) -> httpx.Response:
        if fault == "reset-after":
            raise httpx.ReadError("reset", request=request)
        if fault == "truncated":
            body = body[: len(body) // 2]
        headers = {
            name: value
            for name, value in response.headers.items()
            if name not in ("content-encoding", "content-length", "transfer-encoding")
        }
        return httpx.Response(response.status_code, headers=headers, content=body, request=request)


class FaultyTransport(httpx.BaseTransport):
    def __init__(self, faults: Faults) -> None:
        self._faults, self._inner = faults, httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        fault = self._faults.before(request)
        if isinstance(fault, httpx.Response):
            return fault
        response = self._inner.handle_request(request)
        return self._faults.after(fault, request, response, response.read())


class AsyncFaultyTransport(httpx.AsyncBaseTransport):
    def __init__(self, faults: Faults) -> None:
        self._faults, self._inner = faults, httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        fault = self._faults.before(request)
        if isinstance(fault, httpx.Response):
            return fault
        response = await self._inner.handle_async_request(request)
        return self._faults.after(fault, request, response, await response.aread())
