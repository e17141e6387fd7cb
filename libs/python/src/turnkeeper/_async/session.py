"""Actors and their sessions."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal, Unpack, overload

from .. import types
from .._messages import Message, event_of
from .._requests import CallOptions, given, patient, with_key
from .transport import AsyncList, AsyncTransport

ACTOR = "/memory/memories/{memoryId}/actors/{actorId}"
ACTOR_V1 = "/v1/memories/{memoryId}/actors/{actorId}"
SESSION = ACTOR + "/sessions/{sessionId}"
SHORT_TERM = ACTOR_V1 + "/sessions/{sessionId}"
EVENTS = SESSION + "/events"


class AsyncActorHandle:
    """One user of a memory."""

    def __init__(self, transport: AsyncTransport, memory_id: str, actor_id: str) -> None:
        self._transport = transport
        self._path = {"memoryId": memory_id, "actorId": actor_id}
        self.memory_id = memory_id
        self.actor_id = actor_id

    def session(self, session_id: str) -> AsyncSessionHandle:
        return AsyncSessionHandle(self._transport, self.memory_id, self.actor_id, session_id)

    def sessions(self, **call: Unpack[CallOptions]) -> AsyncList[types.Session]:
        return self._transport.pages(
            ACTOR + "/sessions", call, path=self._path, query={"size": 100}, items="listData"
        )

    async def get(self, **call: Unpack[CallOptions]) -> types.ActorDetails:
        return await self._transport.request("GET", ACTOR, call, path=self._path)

    async def delete(self, **call: Unpack[CallOptions]) -> types.ErasureReceipt:
        """Erases everything about the actor in this memory."""
        return await self._transport.request("DELETE", ACTOR, call, path=self._path)

    async def profile(
        self,
        *,
        session_id: str | None = None,
        after_sequence: int | None = None,
        wait_ms: int | None = None,
        **call: Unpack[CallOptions],
    ) -> types.ActorProfile:
        """The current typed values (phone number, plan, appointment, …), each with the record that states it."""
        options = patient(call, after_sequence, wait_ms)
        query = given(sessionId=session_id, afterSequence=after_sequence, waitMs=wait_ms)
        return await self._transport.request("GET", ACTOR_V1 + "/profile", options, path=self._path, query=query)

    async def context(
        self,
        *,
        query: str | None = None,
        budget: int | None = None,
        session_id: str | None = None,
        **call: Unpack[CallOptions],
    ) -> types.Context:
        """Records and turns as text for a prompt, within a budget of tokens (default 800), with its sources."""
        body = given(query=query, budget=budget, sessionId=session_id)
        options: CallOptions = {**call, "repeatable": True}
        return await self._transport.request("POST", ACTOR + "/context", options, path=self._path, body=body)

    async def search_turns(
        self,
        query: str,
        *,
        limit: int | None = None,
        score_threshold: float | None = None,
        window: int | None = None,
        explain: bool | None = None,
        **call: Unpack[CallOptions],
    ) -> list[types.TurnHit]:
        """The turns of the actor that match, best first; `window` neighbouring turns with each."""
        body = given(query=query, limit=limit, scoreThreshold=score_threshold, window=window, explain=explain)
        options: CallOptions = {"repeatable": True, **call}
        return await self._transport.request("POST", ACTOR + "/events:search", options, path=self._path, body=body)

    async def exact_match(
        self, query: str, *, prefer: Literal["newest", "oldest"] = "newest", **call: Unpack[CallOptions]
    ) -> str | None:
        """The assistant's answer directly after a user message with exactly this text; None if there is none."""
        path, body = ACTOR_V1 + "/exact-match", {"query": query, "prefer": prefer}
        return (await self._transport.request("POST", path, call, path=self._path, body=body))["answer"]


class AsyncSessionHandle:
    """One conversation of an actor. It exists from its first message on."""

    def __init__(self, transport: AsyncTransport, memory_id: str, actor_id: str, session_id: str) -> None:
        self._transport = transport
        self._path = {"memoryId": memory_id, "actorId": actor_id, "sessionId": session_id}
        self.memory_id = memory_id
        self.actor_id = actor_id
        self.session_id = session_id

    @overload
    async def append(
        self,
        messages: Message,
        *,
        idempotency_key: str | None = None,
        expected_sequence: int | None = None,
        **call: Unpack[CallOptions],
    ) -> types.AppendedEvent: ...
    @overload
    async def append(
        self,
        messages: Sequence[Message],
        *,
        idempotency_key: str | None = None,
        expected_sequence: int | None = None,
        **call: Unpack[CallOptions],
    ) -> list[types.AppendedEvent]: ...
    async def append(
        self,
        messages: Message | Sequence[Message],
        *,
        idempotency_key: str | None = None,
        expected_sequence: int | None = None,
        **call: Unpack[CallOptions],
    ) -> types.AppendedEvent | list[types.AppendedEvent]:
        """Appends one message, or up to 1,000 atomically.

        When it returns they are stored; failures are retried, and a message is never stored twice. The same
        `idempotency_key` and messages again give the first response. With `expected_sequence` it appends only if that
        is the newest sequence of the session (0: it is empty), otherwise it raises `session.sequence_conflict`.
        """
        body: dict[str, Any]
        if isinstance(messages, dict):
            body = event_of(messages)
        else:
            body = {"events": [event_of(each) for each in messages]}
        if expected_sequence is not None:
            body["expectedSequence"] = expected_sequence
        options = with_key(call, idempotency_key)
        appended = await self._transport.request("POST", EVENTS, options, path=self._path, body=body)
        if "events" in appended:
            return appended["events"]
        return appended if isinstance(messages, dict) else [appended]

    def events(
        self,
        *,
        order: Literal["asc", "desc"] = "asc",
        after: int | None = None,
        page_size: int = 100,
        from_timestamp: str | None = None,
        to_timestamp: str | None = None,
        **call: Unpack[CallOptions],
    ) -> AsyncList[types.Event]:
        """The events, oldest first by default; with `after`, only those behind this sequence in the chosen order."""
        query = given(order=order, size=page_size, fromTimestamp=from_timestamp, toTimestamp=to_timestamp)
        # After a cursor the server does not count the session, which would cost more than the page.
        first = 0 if after is None and order == "asc" else after
        return self._transport.pages(EVENTS, call, path=self._path, query=query, items="listData", first=first)

    async def follow(
        self, *, after: int = 0, poll_seconds: float = 1.0, **call: Unpack[CallOptions]
    ) -> AsyncIterator[types.Event]:
        """The events, and then new ones as they are appended, without end."""
        cursor = after
        while True:
            before = cursor
            async for event in self.events(after=cursor, **call):
                cursor = max(cursor, event["sequence"] or 0)
                yield event
            if cursor == before:
                await sleep(poll_seconds)

    async def event(self, event_id: str, **call: Unpack[CallOptions]) -> types.Event:
        path = {**self._path, "eventId": event_id}
        return await self._transport.request("GET", EVENTS + "/{eventId}", call, path=path)

    async def delete_event(self, event_id: str, **call: Unpack[CallOptions]) -> None:
        """Erases one event, and the records whose only source it is."""
        path = {**self._path, "eventId": event_id}
        await self._transport.request("DELETE", EVENTS + "/{eventId}", call, path=path)

    async def get(self, **call: Unpack[CallOptions]) -> types.SessionDetails:
        return await self._transport.request("GET", SESSION, call, path=self._path)

    async def delete(self, **call: Unpack[CallOptions]) -> types.ErasureReceipt:
        """Erases the session, and the records whose only sources are in it."""
        return await self._transport.request("DELETE", SESSION, call, path=self._path)

    async def search_turns(
        self,
        query: str,
        *,
        limit: int | None = None,
        score_threshold: float | None = None,
        window: int | None = None,
        explain: bool | None = None,
        after_sequence: int | None = None,
        **call: Unpack[CallOptions],
    ) -> list[types.TurnHit]:
        """The turns of this session that match, best first."""
        body = given(
            query=query,
            limit=limit,
            scoreThreshold=score_threshold,
            window=window,
            explain=explain,
            afterSequence=after_sequence,
        )
        options: CallOptions = {"repeatable": True, **call}
        return await self._transport.request("POST", EVENTS + ":search", options, path=self._path, body=body)

    async def window(self, limit: int = 10, **call: Unpack[CallOptions]) -> list[types.ContextMessage]:
        """The newest messages since the session was last cleared, oldest first; 1 to 1,000."""
        path, query = SHORT_TERM + "/context", {"limit": limit}
        return (await self._transport.request("GET", path, call, path=self._path, query=query))["messages"]

    async def format(self, limit: int = 10, **call: Unpack[CallOptions]) -> str:
        """The same as text: `ROLE: content`, separated by blank lines."""
        path, query = SHORT_TERM + "/format", {"limit": limit}
        return (await self._transport.request("GET", path, call, path=self._path, query=query))["text"]

    async def exact_match(
        self, query: str, *, prefer: Literal["newest", "oldest"] = "newest", **call: Unpack[CallOptions]
    ) -> str | None:
        """The assistant's answer directly after a user message with exactly this text; None if there is none."""
        path, body = SHORT_TERM + "/exact-match", {"query": query, "prefer": prefer}
        return (await self._transport.request("POST", path, call, path=self._path, body=body))["answer"]

    async def clear(self, **call: Unpack[CallOptions]) -> None:
        """Hides the messages so far from `window`, `format` and `exact_match`. The events stay; see `delete`."""
        await self._transport.request("POST", SHORT_TERM + "/clear", call, path=self._path)

    async def extraction(self, **call: Unpack[CallOptions]) -> types.SessionExtraction:
        """How far each strategy has read the session."""
        return await self._transport.request("GET", SHORT_TERM + "/extraction", call, path=self._path)
