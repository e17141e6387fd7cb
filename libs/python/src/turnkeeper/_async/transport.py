"""Sends requests: authentication, time limits, retries, errors."""

from __future__ import annotations

import json
from asyncio import TimeoutError as KeyTimeout, wait_for  # async only
from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from inspect import isawaitable  # async only
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeVar

import httpx

from .._requests import CallOptions, File, Request, Retry, checked_base_url, delay_before, may_retry, request_of
from ..errors import TurnkeeperConnectionError, TurnkeeperError, error_of

T = TypeVar("T")
CHUNK = 65_536


class AsyncList(Generic[T]):
    """A list of any length: pages are requested while it is iterated."""

    def __init__(self, fetch: Callable[[Any], Awaitable[tuple[list[T], Any]]], first: Any = None) -> None:
        self._fetch = fetch
        self._first = first

    async def pages(self, after: Any = None) -> AsyncIterator[tuple[list[T], Any]]:
        """The pages, as the server sends them, each with the cursor behind which the next one begins; None on the last.

        `after`: the cursor to continue behind.
        """
        cursor = self._first if after is None else after
        while True:
            items, cursor = await self._fetch(cursor)
            yield items, cursor
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page, _ in self.pages():
            for item in page:
                yield item

    async def to_list(self, limit: int | None = None) -> list[T]:
        """The items as a list, at most `limit` of them."""
        items: list[T] = []
        if limit is not None and limit <= 0:
            return items
        async for page, _ in self.pages():
            items += page
            if limit is not None and len(items) >= limit:
                return items[:limit]
        return items


class AsyncTransport:
    def __init__(
        self,
        base_url: str,
        api_key: str | Callable[[], str | Awaitable[str]],
        *,
        timeout: float,
        retry: Retry,
        headers: Mapping[str, str],
        http: httpx.AsyncClient | None,
    ) -> None:
        self._base_url = checked_base_url(base_url)
        self._api_key = api_key
        self._timeout = timeout
        self._retry = retry
        self._headers = dict(headers)
        self._http = httpx.AsyncClient() if http is None else http
        self._owns_http = http is None

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def request(
        self,
        method: str,
        template: str,
        call: CallOptions,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Any = None,
        file: File | None = None,
    ) -> Any:
        """Calls an operation, and returns the JSON of its response; None if it has no body."""
        request = self._request_of(method, template, call, path=path, query=query, body=body, file=file)

        async def read(response: httpx.Response, deadline: float) -> Any:
            text = await _body_of(response, deadline)
            await response.aclose()
            if not text:
                return None
            try:
                return json.loads(text)
            except ValueError:
                raise TurnkeeperError(response.status_code, {"title": "The response is not JSON."}) from None

        return await self._send(request, read)

    async def chunks(
        self, method: str, template: str, call: CallOptions, *, path: Mapping[str, str]
    ) -> AsyncIterator[bytes]:
        """The body of the response while it arrives. The time limit is that of its headers, and of each wait for more."""
        request = self._request_of(method, template, call, path=path, query={}, body=None, file=None)

        async def unread(response: httpx.Response, _: float) -> httpx.Response:
            return response

        response = await self._send(request, unread)
        try:
            with _named(request):
                async for chunk in response.aiter_bytes():
                    yield chunk
        finally:
            await response.aclose()

    def pages(
        self,
        template: str,
        call: CallOptions,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        items: str = "items",
        first: Any = None,
    ) -> AsyncList[Any]:
        """A list whose pages have the cursor of the next one."""

        async def fetch(after: Any) -> tuple[list[Any], Any]:
            page = await self.request("GET", template, call, path=path, query={**query, "after": after})
            return page[items], page.get("next")

        return AsyncList(fetch, first)

    def _request_of(self, method: str, template: str, call: CallOptions, **input: Any) -> Request:
        return request_of(
            self._base_url,
            method,
            template,
            headers=self._headers,
            timeout=self._timeout,
            retry=self._retry,
            call=call,
            **input,
        )

    async def _send(self, request: Request, read: Callable[[httpx.Response, float], Awaitable[T]]) -> T:
        attempt = 1
        while True:
            try:
                return await self._attempt(request, read)
            except (TurnkeeperError, TurnkeeperConnectionError) as error:
                error.attempts = attempt
                again = attempt < request.max_attempts and may_retry(error, request.repeatable)
                wait = delay_before(attempt, error, self._retry) if again else None
                if wait is None:
                    raise
            await sleep(wait)
            attempt += 1

    async def _attempt(self, request: Request, read: Callable[[httpx.Response, float], Awaitable[T]]) -> T:
        token = self._api_key if isinstance(self._api_key, str) else self._api_key()
        if isawaitable(token):  # async only
            try:  # async only
                token = await wait_for(token, request.timeout)  # async only
            except KeyTimeout:  # async only
                message = f"No key from api_key within {request.timeout:g} seconds."  # async only
                raise TurnkeeperConnectionError("client.timeout", message) from None  # async only
        deadline = monotonic() + request.timeout
        with _named(request):
            response = await self._http.send(
                self._http.build_request(
                    request.method,
                    request.url,
                    # A connector's callback takes its own secret instead of the key.
                    headers={"authorization": f"Bearer {token}", **request.headers},
                    content=_chunks_of(request.content) if isinstance(request.content, Path) else request.content,
                    timeout=request.timeout,
                ),
                stream=True,
                # A redirect could take the key to another host.
                follow_redirects=False,
            )
            try:
                if response.has_redirect_location:
                    place = f"{response.url.scheme}://{response.url.netloc.decode()}"
                    message = f"{place} redirects to {response.headers['location']}. Set base_url to the address that answers."
                    raise TurnkeeperConnectionError("client.redirected", message)
                if not response.is_success:
                    raise error_of(response, await _body_of(response, deadline))
                return await read(response, deadline)
            except BaseException:
                await response.aclose()
                raise


async def _body_of(response: httpx.Response, deadline: float) -> bytes:
    """The whole body. The timeout of httpx is that of each part of it."""
    body = b""
    async for chunk in response.aiter_bytes():
        body += chunk
        if monotonic() > deadline:
            raise httpx.ReadTimeout("The body did not end in time.")
    return body


async def _chunks_of(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


@contextmanager
def _named(request: Request) -> Generator[None, None, None]:
    """Failures of httpx under the names of this client."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise TurnkeeperConnectionError(
            "client.timeout", f"No response within {request.timeout:g} seconds."
        ) from error
    except httpx.RequestError as error:
        url = httpx.URL(request.url)
        raise TurnkeeperConnectionError(
            "client.unreachable", f"{url.scheme}://{url.netloc.decode()} cannot be reached: {error}."
        ) from error
