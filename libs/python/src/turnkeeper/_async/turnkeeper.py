from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Self, Unpack

import httpx

from .. import types
from .._requests import DEFAULT_TIMEOUT, CallOptions, Retry
from .administration import AsyncAdmin, AsyncWebhooks
from .agents import AsyncAgents
from .resources import AsyncMemories, AsyncMemoryHandle
from .transport import AsyncList, AsyncTransport


class AsyncTurnkeeper:
    """Client of a Turnkeeper server. Close it, or use it as a context manager.

    `base_url`: of the ingest service, e.g. `http://localhost:8080`. `api_key`: `tk_…`, or a token of the configured
    issuer; a function is called for each request, e.g. to refresh a token. `timeout`: seconds for each request.
    `headers` are sent with every request. `http`: your own client of httpx, e.g. for a proxy, which you close.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | Callable[[], str | Awaitable[str]],
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry: Retry = Retry(),
        headers: Mapping[str, str] = {},
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._transport = AsyncTransport(
            base_url, api_key, timeout=timeout, retry=retry, headers=headers, http=http
        )
        self.memories = AsyncMemories(self._transport)
        self.agents = AsyncAgents(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.admin = AsyncAdmin(self._transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._transport.aclose()

    def memory(self, memory_id: str) -> AsyncMemoryHandle:
        """A memory by its id. Sends nothing."""
        return AsyncMemoryHandle(self._transport, memory_id)

    async def delete_actor(self, actor_id: str, **call: Unpack[CallOptions]) -> types.ErasureReceiptEverywhere:
        """Erases everything about an actor in all memories of the tenant."""
        return await self._transport.request("DELETE", "/v1/actors/{actorId}", call, path={"actorId": actor_id})

    async def caller(self, **call: Unpack[CallOptions]) -> types.Caller:
        """Whose key this is, and what it may do."""
        return await self._transport.request("GET", "/v1/auth/caller", call)

    async def limits(self, **call: Unpack[CallOptions]) -> list[types.Limit]:
        """The tenant's limits, and how much of them is used."""
        return (await self._transport.request("GET", "/v1/limits", call))["limits"]

    def audit_log(self, **call: Unpack[CallOptions]) -> AsyncList[types.AuditEntry]:
        """Who changed and exported what, oldest first. Needs a key with the scope `audit:read`."""
        return self._transport.pages("/v1/audit-log", call, query={"limit": 100})

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Any = None,
        **call: Unpack[CallOptions],
    ) -> Any:
        """Calls any operation of the API by method and path template.

        `await turnkeeper.request("GET", "/v1/connectors/{connectorId}", params={"connectorId": id})`
        """
        return await self._transport.request(method, path, call, path=params, query=query, body=body)
