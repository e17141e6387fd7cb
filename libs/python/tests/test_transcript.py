"""The transcript of a call, and the examples that fill it, with scripted sessions of LiveKit and Pipecat."""

from __future__ import annotations

import asyncio
import os
import runpy
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from conftest import FaultyServer, hang_up, problem, reply
from turnkeeper import AsyncTurnkeeper, Retry
from turnkeeper.transcript import Transcript

EXAMPLES = Path(os.environ.get("TURNKEEPER_EXAMPLES", Path(__file__).parents[3] / "examples"))
STORED = reply({"eventId": "e", "sequence": 1})


def during_a_call(server: FaultyServer, work: Callable[[Transcript], Awaitable[None]], **options: Any) -> None:
    async def run() -> None:
        async with AsyncTurnkeeper(server.url, "key", retry=Retry(base_delay=0.001)) as turnkeeper:
            transcript = Transcript(turnkeeper.memory("m").session("linh", "room-1"), **options)
            await work(transcript)
            await transcript.close()

    asyncio.run(run())


def texts(server: FaultyServer) -> list[str]:
    return [each.body["payload"]["message"] for each in server.sent]


def test_keeps_the_order_and_goes_on_after_a_refusal(server: FaultyServer) -> None:
    server.gives(hang_up, STORED, problem(400, "payload.invalid"), STORED)
    errors: list[Exception] = []

    async def talk(transcript: Transcript) -> None:
        for text in ("one", "refused", "three"):
            transcript.add({"role": "user", "content": text})
        assert server.sent == []  # nothing was waited for

    during_a_call(server, talk, on_error=errors.append)
    assert texts(server) == ["one", "one", "refused", "three"]
    assert [error.code for error in errors] == ["payload.invalid"]  # type: ignore[attr-defined]


def test_a_session_of_livekit(server: FaultyServer) -> None:
    server.gives(STORED)
    remember = runpy.run_path(str(EXAMPLES / "livekit-agent/remember.py"))["remember_conversation"]
    listeners: list[Any] = []
    livekit = SimpleNamespace(
        on=lambda event, listener: listeners.append(listener), off=lambda event, listener: listeners.remove(listener)
    )

    def said(item_id: str, role: str, text: str | None, kind: str = "message", interrupted: bool = False) -> None:
        item = SimpleNamespace(
            id=item_id, type=kind, role=role, text_content=text, interrupted=interrupted, created_at=1_760_000_000.5
        )
        for listener in listeners:
            listener(SimpleNamespace(item=item))

    async def call(transcript: Transcript) -> None:
        stop = remember(livekit, transcript)
        said("i1", "user", "I moved to Hue.")
        said("i2", "assistant", "How is", interrupted=True)
        said("i3", "system", "Be brief.")
        said("i4", "user", " ")
        said("i5", "user", None)
        said("i6", "assistant", "handoff", kind="agent_handoff")
        await stop()
        said("i7", "user", "after the end")

    during_a_call(server, call)
    assert texts(server) == ["I moved to Hue.", "How is"]
    assert server.keys() == ["livekit-i1", "livekit-i2"]
    assert server.sent[1].body["metadata"] == {"livekitItemId": "i2", "interrupted": True}
    assert server.sent[0].body["eventTimestamp"] == "2025-10-09T08:53:20.500Z"


def test_a_pipeline_of_pipecat(server: FaultyServer) -> None:
    server.gives(STORED)
    remember = runpy.run_path(str(EXAMPLES / "pipecat-agent/remember.py"))["remember_conversation"]
    handlers: dict[str, Any] = {}

    def event_handler(name: str) -> Any:
        return lambda handler: handlers.setdefault(name, handler)

    aggregator = SimpleNamespace(event_handler=event_handler)

    async def call(transcript: Transcript) -> None:
        remember(aggregator, aggregator, transcript)
        at = "2026-01-02T03:04:05.000+00:00"
        user = SimpleNamespace(content="I moved to Hue.", timestamp=at)
        await handlers["on_user_turn_stopped"](aggregator, None, user)
        for content, interrupted in (("How is", True), ("", False), (None, False)):
            message = SimpleNamespace(content=content, timestamp=None, interrupted=interrupted)
            await handlers["on_assistant_turn_stopped"](aggregator, message)

    during_a_call(server, call)
    assert texts(server) == ["I moved to Hue.", "How is"]
    assert server.sent[0].body["eventTimestamp"] == "2026-01-02T03:04:05.000+00:00"
    assert [each.body["metadata"]["interrupted"] for each in server.sent] == [False, True]
