"""The clients against a running server, with its worker."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Client
from doubles import AgentSession, livekit_example, pipecat_example
from turnkeeper import AsyncTurnkeeper, Turnkeeper, TurnkeeperError
from turnkeeper.forwarding import CallForwarder, with_memory
from turnkeeper.sqlite_memory import ServerShortTermMemory

URL = os.environ.get("TURNKEEPER_URL", "")
KEY = os.environ.get("TURNKEEPER_API_KEY", "")
pytestmark = pytest.mark.skipif(URL == "", reason="needs a server: TURNKEEPER_URL and TURNKEEPER_API_KEY")
README = Path(__file__).parent.parent / "README.md"

FACTS = {"name": "facts", "type": "SEMANTIC", "namespaceTemplate": "/facts/{actorId}"}


def call(client: Client, work: Any) -> Any:
    return client(URL, work, api_key=KEY)


@pytest.fixture
def memory_id(client: Client) -> str:
    return call(client, lambda t: t.memories.create({"name": "python", "longTermMemoryStrategies": [FACTS]}))["id"]


def test_the_readme_does_what_it_says() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    program = "\n".join(blocks)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        "1 user I moved to Hue last month.",
        "2 assistant How do you like it?",
        "3 user It rains a lot.",
        "found: I moved to Hue last month.",
        "record: Linh prefers to be called in the morning.",
        "context: True",
        "error: session.not_found 404 Append an event to it first.",
        "4 Do you have an umbrella?",
        "extracted: True",
        "USER: What is the capital of Andorra?",
        "",
        "ASSISTANT: Andorra la Vella.",
        "Andorra la Vella.",
        "Hello!",
    ]


def test_ids_and_texts_survive(client: Client, memory_id: str) -> None:
    said = {"role": "user", "content": "Xin chào 🌊 \u2028", "metadata": {"id": 2**63 + 1, "b": [None, True]}}
    actor, session = "Đạt/1 %2F", "a b?#&"
    call(client, lambda t: t.memory(memory_id).session(actor, session).append(said))
    [event] = call(client, lambda t: t.memory(memory_id).session(actor, session).events().to_list())
    assert (event["payload"]["message"], event["metadata"]) == (said["content"], said["metadata"])
    assert [each["actorId"] for each in call(client, lambda t: t.memory(memory_id).actors().to_list())] == [actor]


def test_an_append_with_the_same_key_is_stored_once(client: Client, memory_id: str) -> None:
    message = {"role": "user", "content": "Once."}
    first, again = (
        call(client, lambda t: t.memory(memory_id).session("a", "s").append(message, idempotency_key="k"))
        for _ in range(2)
    )
    assert first == again
    assert len(call(client, lambda t: t.memory(memory_id).session("a", "s").events().to_list())) == 1


def test_pages_of_a_long_session(client: Client, memory_id: str) -> None:
    messages = [{"role": "user", "content": f"Message {number}"} for number in range(1, 251)]
    appended = call(client, lambda t: t.memory(memory_id).session("a", "s").append(messages))
    assert [each["sequence"] for each in appended] == list(range(1, 251))
    events = call(client, lambda t: t.memory(memory_id).session("a", "s").events(order="desc").to_list())
    assert [each["sequence"] for each in events] == list(range(250, 0, -1))
    behind = call(client, lambda t: t.memory(memory_id).session("a", "s").events(after=249).to_list())
    assert [each["sequence"] for each in behind] == [250]


def test_a_conflict_names_what_it_is(client: Client, memory_id: str) -> None:
    message = {"role": "user", "content": "Hi."}
    with pytest.raises(TurnkeeperError) as raised:
        call(client, lambda t: t.memory(memory_id).session("a", "s").append(message, expected_sequence=7))
    assert (raised.value.status, raised.value.code) == (409, "session.sequence_conflict")
    assert raised.value.request_id


def test_an_invalid_field_is_named(client: Client, memory_id: str) -> None:
    messages = [{"role": "user", "content": "Hi."}, {"role": "r" * 65, "content": "Hi."}]
    with pytest.raises(TurnkeeperError) as raised:
        call(client, lambda t: t.memory(memory_id).session("a", "s").append(messages))
    assert (raised.value.status, raised.value.field) == (400, "events.1.payload.role")
    assert raised.value.rule


def test_what_was_said_becomes_a_record_with_its_source(client: Client, memory_id: str) -> None:
    said = {"role": "user", "content": "My policy number is NG44712B."}
    appended = call(client, lambda t: t.memory(memory_id).session("linh", "one").append(said))
    fresh = {"session_id": "one", "after_sequence": appended["sequence"], "wait_ms": 30_000}
    [record, *_] = call(
        client,
        lambda t: t.memory(memory_id).records.search(
            "policy number", namespace="/facts/linh", actor_id="linh", **fresh
        ),
    )
    assert "NG44712B" in record["memory"]
    explained = call(client, lambda t: t.memory(memory_id).records.explain(record["id"]))
    assert explained["sources"]
    profile = call(client, lambda t: t.memory(memory_id).actor("linh").profile(**fresh))
    assert "NG44712B" in [each["value"] for each in profile["attributes"]]
    context = call(client, lambda t: t.memory(memory_id).actor("linh").context(query="policy", budget=200))
    assert "NG44712B" in context["text"]


def test_an_agent_from_its_start_to_its_history(client: Client, memory_id: str) -> None:
    body = {"memoryId": memory_id, "actorId": "linh", "sessionId": "call", "name": f"desk-{memory_id}"}
    agent = call(client, lambda t: t.agents.start(body))["id"]
    turns = [{"role": "user", "content": "Hello?"}, {"role": "assistant", "content": "Good morning, Linh."}]
    call(client, lambda t: t.agents.append(agent, turns))
    call(client, lambda t: t.agents.interrupt(agent, {"content": "Good morning"}))
    request = call(client, lambda t: t.agents.llm_request(agent))
    assert [each["content"] for each in request["messages"]][-2:] == ["Hello?", "Good morning"]
    running = call(client, lambda t: t.agents.list(memory_id=memory_id, status="running").to_list())
    assert [each["id"] for each in running] == [agent]
    assert call(client, lambda t: t.agents.stop(agent))["status"] == "stopped"
    contents = call(client, lambda t: t.agents.history(agent))["contents"]
    assert [each["content"] for each in contents] == ["Hello?", "Good morning"]


def test_a_memory_moves_and_is_deleted(client: Client, memory_id: str, tmp_path: Path) -> None:
    call(client, lambda t: t.memory(memory_id).session("a", "s").append({"role": "user", "content": "Keep me."}))
    file = tmp_path / "memory.ndjson"
    file.write_bytes(b"".join(call(client, lambda t: t.memory(memory_id).export())))
    imported = call(client, lambda t: t.memories.import_(file, ids="new"))
    assert imported["events"] == 1
    copies = call(client, lambda t: t.memory(imported["memoryId"]).session("a", "s").events().to_list())
    assert [each["payload"]["message"] for each in copies] == ["Keep me."]
    call(client, lambda t: t.memory(memory_id).delete())
    with pytest.raises(TurnkeeperError) as raised:
        call(client, lambda t: t.memory(memory_id).get())
    assert raised.value.code == "memory.not_found"


def test_an_actor_is_erased(client: Client, memory_id: str) -> None:
    call(client, lambda t: t.memory(memory_id).session("gone", "s").append({"role": "user", "content": "Forget me."}))
    receipt = call(client, lambda t: t.memory(memory_id).actor("gone").delete())
    assert receipt["receipt"]["erased"]["events"] == 1
    assert call(client, lambda t: t.memory(memory_id).search_turns("forget")) == []


def test_the_key_the_limits_and_any_other_operation(client: Client) -> None:
    assert call(client, lambda t: t.caller())["scopes"]
    assert call(client, lambda t: t.limits())
    assert call(client, lambda t: t.request("GET", "/v1/connectors", query={"limit": 1}))["items"] == []


def test_the_small_class_on_the_server() -> None:
    with Turnkeeper(URL, KEY) as turnkeeper:
        memory = turnkeeper.memory(turnkeeper.memories.create({"name": "small"})["id"])
        ours, theirs = (ServerShortTermMemory(memory.actor(actor)) for actor in ("ours", "theirs"))
        for answer in ("First.", "Second."):
            ours.add_memory("s", "user", "Which?")
            ours.add_memory("s", "assistant", answer, {"model": "m"})
        assert ours.format_as_string("s", limit=2) == "USER: Which?\n\nASSISTANT: Second."
        assert ours.get_context("s")[1]["metadata"] == {"model": "m"}
        assert ours.get_exact_match_answer("Which?") == "First."
        assert ours.get_exact_match_answer("Which?", prefer="newest") == "Second."
        assert theirs.get_exact_match_answer("Which?") is None
        ours.clear_session("s")
        assert (ours.get_context("s"), ours.get_exact_match_answer("Which?")) == ([], None)


@pytest.mark.parametrize("vendor", ["livekit", "pipecat"])
def test_the_second_call_of_an_example(vendor: str) -> None:
    """Two calls of one user and one of another, all in rooms of the same name."""

    async def say_on_livekit(forwarder: CallForwarder, user: str, heard: str) -> None:
        session = AgentSession()
        livekit_example()(session, forwarder)
        session.emit("user_input_transcribed", transcript=user, is_final=True)
        session.say("item_1", "user", user)
        session.say("item_2", "assistant", heard, interrupted=True)
        session.emit("close", reason="participant_disconnected", error=None)

    async def say_on_pipecat(forwarder: CallForwarder, user: str, heard: str) -> None:
        observer = pipecat_example()(forwarder)
        await observer.told("user-transcription", {"text": user, "user_id": "", "final": True})
        await observer.told("bot-transcription", {"text": f"{heard} 38 euros."})
        for word in heard.split():
            await observer.told("bot-tts-text", {"text": word})
        await observer.told("bot-interrupted")

    say = {"livekit": say_on_livekit, "pipecat": say_on_pipecat}[vendor]

    async def calls() -> list[str]:
        async with AsyncTurnkeeper(URL, KEY) as turnkeeper:
            memory = turnkeeper.memory((await turnkeeper.memories.create({
                "name": vendor, "longTermMemoryStrategies": [FACTS]
            }))["id"])
            connector = {"vendor": vendor, "memoryId": memory.id, "secret": "a-secret-of-ours"}
            connector_id = (await turnkeeper.request("POST", "/v1/connectors", body=connector))["id"]

            async def call(actor: str, user: str) -> None:
                forwarder = CallForwarder(
                    turnkeeper, vendor, connector_id, secret="a-secret-of-ours", actor_id=actor, session_id="room"
                )
                await say(forwarder, user, "It costs")
                await forwarder.close()

            async def instructions(actor: str, expected: str) -> str:
                for _ in range(200):
                    text = await with_memory(memory.actor(actor), "You are kind.")
                    if expected in text:
                        break
                    await asyncio.sleep(0.1)
                return text

            await call("linh", "I am allergic to walnuts.")
            await call("minh", "I moved to Hue last month.")
            return [await instructions("linh", "walnuts"), await instructions("minh", "Hue")]

    of_linh, of_minh = asyncio.run(calls())
    assert of_linh.startswith("You are kind.\n\n") and "walnuts" in of_linh
    assert "Hue" in of_minh
    assert "Hue" not in of_linh and "walnuts" not in of_minh
    assert "38 euros" not in of_linh + of_minh
