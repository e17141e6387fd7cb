"""The forwarder of a call's events, and the examples that feed it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from conftest import FaultyServer, hang_up, never, problem, reply, serving
from doubles import AgentSession, livekit_example, pipecat_example
from turnkeeper import AsyncTurnkeeper
from turnkeeper.forwarding import CallForwarder, with_memory

TAKEN = reply({"received": True, "duplicate": False})


def during_a_call(
    url: str, work: Callable[[CallForwarder], Awaitable[None]], within: float = 30, **options: Any
) -> list[Exception]:
    """What could not be forwarded."""
    errors: list[Exception] = []

    async def run() -> None:
        async with AsyncTurnkeeper(url, "key") as turnkeeper:
            place = {"secret": "a-secret", "actor_id": "linh", "session_id": "room-1", "call_id": "RM_1"}
            options.update(linger=0.005, first_wait=0.01, on_error=errors.append)
            forwarder = CallForwarder(turnkeeper, "livekit", "c-1", **place, **options)
            await work(forwarder)
            await forwarder.close(within=within)

    asyncio.run(run())
    return errors


def taken(server: FaultyServer) -> list[Any]:
    """The events of the requests that the server has seen, each request once, in order."""
    requests = list(dict.fromkeys(json.dumps(each.body) for each in server.sent))
    bodies = [json.loads(each) for each in requests]
    events = [event for body in bodies for event in body["events"]]
    # The positions say how many events came before, and only the last request ends the call.
    assert [body["position"] for body in bodies] == [
        sum(len(each["events"]) for each in bodies[:number]) for number in range(len(bodies))
    ]
    assert [body["ended"] for body in bodies] == [False] * (len(bodies) - 1) + [True]
    return events


async def three_events(forwarder: CallForwarder) -> None:
    for number in range(3):
        forwarder.add({"type": "one", "n": number})
        await asyncio.sleep(0.02)


THREE = [{"type": "one", "n": number} for number in range(3)]


def test_requests_name_the_call_and_carry_the_secret(server: FaultyServer) -> None:
    server.gives(TAKEN)
    assert during_a_call(server.url, three_events) == []
    assert taken(server) == THREE
    first = server.sent[0]
    assert (first.method, first.path) == ("POST", "/connectors/livekit/c-1")
    assert first.headers["authorization"] == "Bearer a-secret"
    place = {"actor_id": "linh", "session_id": "room-1", "call_id": "RM_1"}
    assert {name: first.body[name] for name in place} == place


def test_the_order_survives_broken_connections_and_a_busy_server(server: FaultyServer) -> None:
    busy = problem(503, "server.busy"), problem(429, "rate.limited", {"retry-after": "0"}), problem(500, "server.error")
    server.gives(hang_up, *busy, TAKEN, hang_up, *busy, hang_up, TAKEN)
    assert during_a_call(server.url, three_events) == []
    assert taken(server) == THREE
    assert len(server.sent) > 10


def test_a_server_that_comes_later_and_restarts_gets_everything() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    first, second = FaultyServer([TAKEN]), FaultyServer([TAKEN])

    async def call(forwarder: CallForwarder) -> None:
        forwarder.add(THREE[0])
        await asyncio.sleep(0.05)  # refused meanwhile
        with serving(first, port):
            while not first.sent:
                await asyncio.sleep(0.005)
        for event in THREE[1:]:
            forwarder.add(event)
        await asyncio.sleep(0.05)  # refused again

        async def restart() -> None:
            with serving(second, port):
                while not any(each.body["ended"] for each in second.sent):
                    await asyncio.sleep(0.005)
                await asyncio.sleep(0.05)

        nonlocal restarted
        restarted = asyncio.create_task(restart())
        await asyncio.sleep(0)

    restarted: asyncio.Task[None] | None = None

    async def whole(forwarder: CallForwarder) -> None:
        await call(forwarder)
        await forwarder.close()
        assert restarted is not None
        await restarted

    assert during_a_call(f"http://127.0.0.1:{port}", whole) == []
    both = FaultyServer(sent=first.sent + second.sent)
    assert taken(both) == THREE


def test_what_is_refused_is_told_and_the_rest_follows(server: FaultyServer) -> None:
    server.gives(problem(400, "payload.invalid"), TAKEN)
    errors = during_a_call(server.url, three_events)
    assert [error.code for error in errors] == ["payload.invalid"]  # type: ignore[attr-defined]
    assert taken(server) == THREE


def test_the_end_waits_no_longer_than_it_may(server: FaultyServer) -> None:
    server.gives(problem(503, "server.busy"))
    errors = during_a_call(server.url, three_events, within=0.1)
    assert [str(error) for error in errors] == ["3 events were left after 0.1 seconds."]


def test_a_session_of_livekit(server: FaultyServer) -> None:
    server.gives(TAKEN)
    forward_events = livekit_example()

    async def call(forwarder: CallForwarder) -> None:
        session = AgentSession()
        forward_events(session, forwarder)
        session.emit("user_input_transcribed", transcript="I moved", is_final=False)
        session.emit("user_input_transcribed", transcript="I moved to Hue.", is_final=True)
        session.say("item_1", "user", "I moved to Hue.")
        tool = SimpleNamespace(id="item_2", call_id="c1", name="rain", arguments="{}", created_at=1.5, extra={})
        output = SimpleNamespace(id="item_3", call_id="c1", output="much", is_error=False, created_at=2.5)
        session.emit("function_tools_executed", function_calls=[tool, tool], function_call_outputs=[output, None])
        session.say("item_4", "assistant", "How is", interrupted=True)
        session.say("item_5", "", "", kind="agent_handoff")
        session.emit("close", reason=SimpleNamespace(value="user_initiated"), error=None)

    assert during_a_call(server.url, call) == []
    transcribed, said, executed, answered, handoff, closed = taken(server)
    assert (transcribed["transcript"], transcribed["is_final"]) == ("I moved to Hue.", True)
    assert said["item"]["content"] == ["I moved to Hue."]
    assert answered["item"] == {
        **{"id": "item_4", "type": "message", "role": "assistant", "content": ["How is"], "interrupted": True},
        "created_at": 1_760_000_004.5,
    }
    assert executed["function_calls"][0] == {
        **{"id": "item_2", "call_id": "c1", "name": "rain", "arguments": "{}", "created_at": 1.5},
    }
    assert [output and output["output"] for output in executed["function_call_outputs"]] == ["much", None]
    assert handoff["item"] == {"type": "agent_handoff"}
    assert (closed["type"], closed["reason"]) == ("close", "user_initiated")


def test_a_pipeline_of_pipecat(server: FaultyServer) -> None:
    server.gives(TAKEN)
    memory_observer = pipecat_example()

    async def call(forwarder: CallForwarder) -> None:
        observer = memory_observer(forwarder)
        assert observer.params.function_call_report_level == {"*": "full"}
        await observer.told("bot-ready", {"version": "2.0.0"})
        await observer.told("user-transcription", {"text": "I moved to Hue.", "user_id": "", "final": True})
        await observer.told("metrics", {"ttfb": []})
        await observer.told("bot-tts-text", {"text": "How"})
        await observer.told("bot-interrupted")

    assert during_a_call(server.url, call) == []
    kinds = ["user-transcription", "bot-tts-text", "bot-interrupted"]
    assert [message["type"] for message in taken(server)] == kinds
    assert taken(server)[1] == {"label": "rtvi-ai", "type": "bot-tts-text", "data": {"text": "How"}}


def test_instructions_have_what_is_known_or_stay_as_they_are(server: FaultyServer) -> None:
    async def asked() -> str:
        async with AsyncTurnkeeper(server.url, "key") as turnkeeper:
            return await with_memory(turnkeeper.memory("m").actor("linh"), "You are kind.")

    server.gives(reply({"text": "She moved to Hue.", "tokens": 6}))
    assert asyncio.run(asked()) == "You are kind.\n\nShe moved to Hue."
    for answer in (reply({"text": "", "tokens": 0}), problem(503, "server.busy"), hang_up, never):
        server.gives(answer)
        assert asyncio.run(asked()) == "You are kind."
        assert len(server.sent) == 1
