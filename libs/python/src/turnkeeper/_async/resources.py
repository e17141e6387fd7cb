"""Memories, and the records and strategies of one."""

from __future__ import annotations

import builtins
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal, Unpack

from .. import types
from .._requests import CallOptions, File, RecordFilters, given, patient, without_filters
from .session import AsyncActorHandle, AsyncSessionHandle
from .transport import AsyncList, AsyncTransport

MEMORIES = "/memory/memories"
MEMORY = MEMORIES + "/{memoryId}"
STRATEGIES = MEMORY + "/long-term-memory-strategies"
STRATEGY = STRATEGIES + "/{strategyId}"
RECORDS = MEMORY + "/memory-records"
RECORD = RECORDS + "/{recordId}"
DELETIONS = "/v1/memories/{memoryId}/record-deletions"


class AsyncMemories:
    """Memories of the tenant."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, body: types.CreateMemoryBody, **call: Unpack[CallOptions]) -> types.CreatedMemory:
        return await self._transport.request("POST", MEMORIES, call, body=body)

    def list(self, **call: Unpack[CallOptions]) -> AsyncList[types.Memory]:
        async def fetch(page: int) -> tuple[builtins.list[types.Memory], int | None]:
            found = await self._transport.request("GET", MEMORIES, call, query={"page": page, "size": 100})
            return found["listData"], page + 1 if page < found["totalPage"] else None

        return AsyncList(fetch, 1)

    async def import_(
        self, ndjson: File, *, ids: Literal["keep", "new"] = "keep", **call: Unpack[CallOptions]
    ) -> types.ImportedMemory:
        """Imports an exported memory: the file's text, or its `Path`, which is streamed.

        Sending the same file again resumes an interrupted import.
        """
        options: CallOptions = {"repeatable": ids == "keep", **call}
        return await self._transport.request("POST", "/v1/memories:import", options, query={"ids": ids}, file=ndjson)


class AsyncMemoryHandle:
    """One memory: its events, records and strategies. Making a handle sends nothing."""

    def __init__(self, transport: AsyncTransport, memory_id: str) -> None:
        self._transport = transport
        self._path = {"memoryId": memory_id}
        self.id = memory_id
        self.records = AsyncRecords(transport, memory_id)
        self.strategies = AsyncStrategies(transport, memory_id)

    def actor(self, actor_id: str) -> AsyncActorHandle:
        return AsyncActorHandle(self._transport, self.id, actor_id)

    def session(self, actor_id: str, session_id: str) -> AsyncSessionHandle:
        return AsyncSessionHandle(self._transport, self.id, actor_id, session_id)

    async def get(self, **call: Unpack[CallOptions]) -> types.Memory:
        return await self._transport.request("GET", MEMORY, call, path=self._path)

    async def change(self, body: types.ChangeMemoryBody, **call: Unpack[CallOptions]) -> types.Memory:
        return await self._transport.request("PATCH", MEMORY, call, path=self._path, body=body)

    async def delete(self, **call: Unpack[CallOptions]) -> None:
        """Deletes the memory with everything in it."""
        await self._transport.request("DELETE", MEMORY, call, path=self._path)

    async def usage(self, **call: Unpack[CallOptions]) -> types.MemoryUsage:
        return await self._transport.request("GET", MEMORY + "/usage", call, path=self._path)

    def actors(self, **call: Unpack[CallOptions]) -> AsyncList[types.Actor]:
        return self._transport.pages(
            MEMORY + "/actors", call, path=self._path, query={"size": 100}, items="listData"
        )

    def recent_sessions(
        self, *, actor_id: str | None = None, **call: Unpack[CallOptions]
    ) -> AsyncList[types.RecentSession]:
        """Sessions of the memory, or of one actor, most recently used first."""
        path = "/v1/memories/{memoryId}/sessions"
        return self._transport.pages(path, call, path=self._path, query={"actorId": actor_id})

    async def exact_match(
        self, query: str, *, prefer: Literal["newest", "oldest"] = "newest", **call: Unpack[CallOptions]
    ) -> str | None:
        """The assistant's answer directly after a user message with exactly this text, of any actor."""
        path, body = "/v1/memories/{memoryId}/exact-match", {"query": query, "prefer": prefer}
        return (await self._transport.request("POST", path, call, path=self._path, body=body))["answer"]

    async def search_turns(
        self,
        query: str,
        *,
        limit: int | None = None,
        score_threshold: float | None = None,
        window: int | None = None,
        explain: bool | None = None,
        **call: Unpack[CallOptions],
    ) -> builtins.list[types.TurnHit]:
        """The turns of all actors that match, best first; `window` neighbouring turns with each."""
        body = given(query=query, limit=limit, scoreThreshold=score_threshold, window=window, explain=explain)
        options: CallOptions = {"repeatable": True, **call}
        return await self._transport.request("POST", MEMORY + "/events:search", options, path=self._path, body=body)

    async def extraction(self, **call: Unpack[CallOptions]) -> types.ExtractionProgress:
        """How far the strategies have read."""
        return await self._transport.request("GET", "/v1/memories/{memoryId}/extraction", call, path=self._path)

    def parked_windows(self, **call: Unpack[CallOptions]) -> AsyncList[types.ParkedWindow]:
        """Parts of sessions whose extraction failed permanently."""
        return self._transport.pages("/v1/memories/{memoryId}/extraction/parked", call, path=self._path)

    async def replay_parked_windows(
        self, body: types.ReplayParkedWindowsBody, **call: Unpack[CallOptions]
    ) -> int:
        """Tries parked windows again, and returns how many."""
        path = "/v1/memories/{memoryId}/extraction/parked:replay"
        return (await self._transport.request("POST", path, call, path=self._path, body=body))["replayed"]

    def export(self, **call: Unpack[CallOptions]) -> AsyncIterator[bytes]:
        """The whole memory as lines of JSON, for `memories.import_`, in parts as they arrive."""
        return self._transport.chunks("GET", "/v1/memories/{memoryId}/export", call, path=self._path)


class AsyncStrategies:
    """How a memory turns what is said into records."""

    def __init__(self, transport: AsyncTransport, memory_id: str) -> None:
        self._transport = transport
        self._path = {"memoryId": memory_id}

    async def list(self, **call: Unpack[CallOptions]) -> builtins.list[types.Strategy]:
        return await self._transport.request("GET", STRATEGIES, call, path=self._path)

    async def get(self, strategy_id: str, **call: Unpack[CallOptions]) -> types.Strategy:
        return await self._transport.request("GET", STRATEGY, call, path={**self._path, "strategyId": strategy_id})

    async def add(self, body: types.AddStrategyBody, **call: Unpack[CallOptions]) -> types.Strategy:
        return await self._transport.request("POST", STRATEGIES, call, path=self._path, body=body)

    async def change(
        self, strategy_id: str, body: types.ChangeStrategyBody, **call: Unpack[CallOptions]
    ) -> types.Strategy:
        path = {**self._path, "strategyId": strategy_id}
        return await self._transport.request("PATCH", STRATEGY, call, path=path, body=body)

    async def delete(
        self, strategy_id: str, *, records: Literal["keep", "delete"], **call: Unpack[CallOptions]
    ) -> types.DeletedStrategy:
        """Deletes a strategy. Its records are kept or, in the background, deleted."""
        path = {**self._path, "strategyId": strategy_id}
        return await self._transport.request("DELETE", STRATEGY, call, path=path, query={"records": records})


class AsyncRecords:
    """Long-term memory: facts, each with the turns that it cites."""

    def __init__(self, transport: AsyncTransport, memory_id: str) -> None:
        self._transport = transport
        self._path = {"memoryId": memory_id}

    async def search(
        self,
        query: str,
        *,
        namespace: str,
        limit: int | None = None,
        score_threshold: float | None = None,
        include_superseded: bool | None = None,
        actor_id: str | None = None,
        session_id: str | None = None,
        after_sequence: int | None = None,
        wait_ms: int | None = None,
        **filters: Unpack[RecordFilters],
    ) -> builtins.list[types.MemoryRecord]:
        """The records of a namespace, e.g. `/facts/linh`, that match, best first.

        With `actor_id`, `session_id` and `after_sequence` it waits until the session is extracted up to this sequence,
        at most `wait_ms` (default 10,000), and then raises `memory.not_caught_up`.
        """
        call, conditions = without_filters(filters)
        return await self._transport.request(
            "POST",
            RECORDS + ":search",
            {**patient(call, after_sequence, wait_ms), "repeatable": True},
            path=self._path,
            query=given(
                namespace=namespace,
                actorId=actor_id,
                sessionId=session_id,
                afterSequence=after_sequence,
                waitMs=wait_ms,
            ),
            body=conditions
            | given(query=query, limit=limit, scoreThreshold=score_threshold, includeSuperseded=include_superseded),
        )

    def list(
        self,
        *,
        namespace: str | None = None,
        include_superseded: bool | None = None,
        actor_id: str | None = None,
        session_id: str | None = None,
        after_sequence: int | None = None,
        wait_ms: int | None = None,
        page_size: int = 100,
        **filters: Unpack[RecordFilters],
    ) -> AsyncList[types.MemoryRecord]:
        """All records, newest first; `page_size` (at most 1,000) of them per request."""
        call, conditions = without_filters(filters)
        if "sourceMetadata" in conditions:
            conditions["sourceMetadata"] = json.dumps(conditions["sourceMetadata"])
        query = conditions | given(
            namespace=namespace,
            includeSuperseded=include_superseded,
            actorId=actor_id,
            sessionId=session_id,
            afterSequence=after_sequence,
            waitMs=wait_ms,
            limit=page_size,
        )
        options = patient(call, after_sequence, wait_ms)

        async def fetch(after: str | None) -> tuple[builtins.list[types.MemoryRecord], str | None]:
            page = {**query, "after": after}
            items = await self._transport.request("GET", RECORDS, options, path=self._path, query=page)
            return items, items[-1]["id"] if len(items) >= page_size else None

        return AsyncList(fetch)

    async def get(self, record_id: str, **call: Unpack[CallOptions]) -> types.MemoryRecord:
        return await self._transport.request("GET", RECORD, call, path={**self._path, "recordId": record_id})

    async def explain(self, record_id: str, **call: Unpack[CallOptions]) -> types.RecordExplanation:
        """Where a record comes from: its turns, the runs of the model, what it replaced."""
        path = {**self._path, "recordId": record_id}
        return await self._transport.request("GET", RECORD + "/explain", call, path=path)

    async def insert(
        self, records: str | Sequence[str], *, namespace: str, **call: Unpack[CallOptions]
    ) -> builtins.list[types.InsertedRecordsRecord]:
        """Stores facts as they are, without a model and without sources. The same fact is not stored twice."""
        body = {"memoryRecords": [records] if isinstance(records, str) else [*records]}
        # The same fact of a namespace has the same id, so a repetition changes nothing.
        options: CallOptions = {"repeatable": True, **call}
        path, query = RECORDS + ":insert-directly", {"namespace": namespace}
        response = await self._transport.request("POST", path, options, path=self._path, query=query, body=body)
        return response["records"]

    async def correct(self, record_id: str, memory: str, **call: Unpack[CallOptions]) -> types.MemoryRecord:
        """Replaces the text of a record."""
        path = {**self._path, "recordId": record_id}
        return await self._transport.request("PATCH", RECORD, call, path=path, body={"memory": memory})

    async def reinstate(self, record_id: str, **call: Unpack[CallOptions]) -> types.MemoryRecord:
        """Makes a superseded record current again."""
        path = {**self._path, "recordId": record_id}
        return await self._transport.request("POST", RECORD + ":reinstate", call, path=path)

    async def delete(self, record_id: str, **call: Unpack[CallOptions]) -> None:
        await self._transport.request("DELETE", RECORD, call, path={**self._path, "recordId": record_id})

    async def delete_many(
        self, filter: types.DeleteRecordsBody, **call: Unpack[CallOptions]
    ) -> types.RecordDeletion:
        """Deletes the records that match a filter, in the background; `deletion` tells how far it is."""
        return await self._transport.request("POST", DELETIONS, call, path=self._path, body=filter)

    async def deletion(self, deletion_id: str, **call: Unpack[CallOptions]) -> types.RecordDeletion:
        path = {**self._path, "deletionId": deletion_id}
        return await self._transport.request("GET", DELETIONS + "/{deletionId}", call, path=path)

    def deletions(self, **call: Unpack[CallOptions]) -> AsyncList[types.RecordDeletion]:
        """Deletions of many records, newest first."""
        return self._transport.pages(DELETIONS, call, path=self._path)

    async def generate_from_session(
        self, *, actor_id: str, session_id: str, long_term_memory_strategy_id: str, **call: Unpack[CallOptions]
    ) -> None:
        """Asks for the extraction of a session by one strategy; the records follow later."""
        query = {
            "actorId": actor_id,
            "sessionId": session_id,
            "longTermMemoryStrategyId": long_term_memory_strategy_id,
        }
        await self._transport.request("POST", RECORDS + ":generate-from-session", call, path=self._path, query=query)

    async def generate_from_content(
        self,
        chat_messages: Sequence[Mapping[str, Any]],
        *,
        long_term_memory_strategy_id: str,
        actor_id: str | None = None,
        session_id: str | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Asks for the extraction of messages that are in no session; the records follow later."""
        query = given(
            longTermMemoryStrategyId=long_term_memory_strategy_id, actorId=actor_id, sessionId=session_id
        )
        body = {"chatMessages": [*chat_messages]}
        path = RECORDS + ":generate-from-content"
        await self._transport.request("POST", path, call, path=self._path, query=query, body=body)
