"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, Optional, TypeVar

from pydantic import BaseModel

from ._transport import AsyncTransport, Call, CallOptions, Transport

P = TypeVar("P", bound=BaseModel)
T = TypeVar("T")


def _next_cursor(page: BaseModel) -> Optional[str]:
    cursor: Any = getattr(page, "next_cursor", None)
    return cursor if isinstance(cursor, str) else None


class List(Generic[P, T]):
    """A list of the API. Iterating reads the items of every page; ``pages()`` reads the pages."""

    def __init__(
        self,
        transport: Transport,
        call: Call,
        model: type[P],
        items: Callable[[P], Sequence[T]],
        options: Optional[CallOptions],
    ) -> None:
        self._transport, self._call, self._model = transport, call, model
        self._items, self._options = items, options

    def first_page(self) -> P:
        """Return the first page as the API sends it."""
        return self._transport.send(self._call, self._model, self._options)

    def pages(self) -> Iterator[P]:
        page = self.first_page()
        yield page
        while cursor := _next_cursor(page):
            page = self._transport.send(self._call.with_cursor(cursor), self._model, self._options)
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from self._items(page)

    def take(self, most: int) -> list[T]:
        """Return the first items, at most ``most``."""
        return list(islice(self, max(0, most)))


class AsyncList(Generic[P, T]):
    """A list of the API, read with ``async for``."""

    def __init__(
        self,
        transport: AsyncTransport,
        call: Call,
        model: type[P],
        items: Callable[[P], Sequence[T]],
        options: Optional[CallOptions],
    ) -> None:
        self._transport, self._call, self._model = transport, call, model
        self._items, self._options = items, options

    async def first_page(self) -> P:
        """Return the first page as the API sends it."""
        return await self._transport.send(self._call, self._model, self._options)

    async def pages(self) -> AsyncIterator[P]:
        page = await self.first_page()
        yield page
        while cursor := _next_cursor(page):
            page = await self._transport.send(
                self._call.with_cursor(cursor), self._model, self._options
            )
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in self._items(page):
                yield item

    async def take(self, most: int) -> list[T]:
        """Return the first items, at most ``most``."""
        taken: list[T] = []
        if most <= 0:
            return taken
        async for item in self:
            taken.append(item)
            if len(taken) >= most:
                break
        return taken
