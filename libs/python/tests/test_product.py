"""The clients against a running server, with its worker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Client
from turnkeeper import Turnkeeper, TurnkeeperError
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
