"""What the clients do when a server or the network fails, as the TypeScript client does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import Answer, Client, FaultyServer, break_off, dribble, hang_up, never, problem, reply
from turnkeeper import AsyncTurnkeeper, Retry, Turnkeeper, TurnkeeperConnectionError, TurnkeeperError

APPENDED = {"eventId": "e", "sequence": 1, "position": 1, "recordedAt": "2026-01-01T00:00:00Z"}
HTML = reply(b"<html>nope</html>", 502)


def append(turnkeeper: Any, **options: Any) -> Any:
    return turnkeeper.memory("m").session("a", "s").append({"role": "user", "content": "hi"}, **options)


def get(turnkeeper: Any, **options: Any) -> Any:
    return turnkeeper.memory("m").get(**options)


class TestRequest:
    def test_has_the_key_and_escapes_what_is_in_the_path(self, client: Client, server: FaultyServer) -> None:
        server.gives(reply({}))
        client(server.url + "/base//", lambda t: t.memory("m").session("Đạt/1", "a b?").get())
        assert server.sent[0].path == "/base/memory/memories/m/actors/%C4%90%E1%BA%A1t%2F1/sessions/a%20b%3F"
        assert server.sent[0].headers["authorization"] == "Bearer tk_key"

    @pytest.mark.parametrize("actor_id", ["", ".", ".."])
    def test_is_not_sent_with_an_id_that_would_be_another_path(
        self, client: Client, server: FaultyServer, actor_id: str
    ) -> None:
        with pytest.raises(ValueError, match="actorId"):
            client(server.url, lambda t: t.memory("m").actor(actor_id).delete())
        assert server.sent == []

    def test_has_messages_as_the_api_names_them(self, client: Client, server: FaultyServer) -> None:
        server.gives(reply({"events": [APPENDED, APPENDED]}))
        at = datetime(1970, 1, 1, 7, tzinfo=timezone(timedelta(hours=7)))
        messages = [
            {"role": "user", "content": "hi", "at": at, "metadata": {"a": 2**60}, "turn_id": 3},
            {"role": "tool", "content": "{}", "tool_call_id": "c"},
        ]
        client(server.url, lambda t: t.memory("m").session("a", "s").append(messages, expected_sequence=0))
        assert server.sent[0].body == {
            "expectedSequence": 0,
            "events": [
                {
                    "payload": {"type": "CONVERSATIONAL", "role": "user", "message": "hi"},
                    "eventTimestamp": "1970-01-01T00:00:00.000Z",
                    "metadata": {"a": 2**60},
                    "turnId": 3,
                },
                {"payload": {"type": "CONVERSATIONAL", "role": "tool", "message": "{}"}, "toolCallId": "c"},
            ],
        }

    @pytest.mark.parametrize(
        ("extra", "error"),
        [({"toolCallId": "c"}, TypeError), ({"at": datetime(2026, 1, 1)}, ValueError), ({"metadata": {"a": float("nan")}}, ValueError)],
    )
    def test_is_not_sent_with_a_message_that_would_be_misunderstood(
        self, client: Client, server: FaultyServer, extra: dict[str, Any], error: type[Exception]
    ) -> None:
        message = {"role": "user", "content": "hi", **extra}
        with pytest.raises(error):
            client(server.url, lambda t: t.memory("m").session("a", "s").append(message))
        assert server.sent == []

    def test_has_a_fresh_token_each_time(self, client: Client, server: FaultyServer) -> None:
        server.gives(hang_up, reply({}))
        tokens = iter(["one", "two"])
        client(server.url, get, api_key=lambda: next(tokens))
        assert [each.headers["authorization"] for each in server.sent] == ["Bearer one", "Bearer two"]

    def test_waits_for_a_token(self, server: FaultyServer) -> None:
        server.gives(reply({}))

        async def token() -> str:
            return "later"

        Client("async")(server.url, get, api_key=token)
        assert server.sent[0].headers["authorization"] == "Bearer later"

    def test_does_not_wait_for_a_token_for_ever(self, server: FaultyServer) -> None:
        async def token() -> str:
            await asyncio.sleep(60)
            return "late"

        with pytest.raises(TurnkeeperConnectionError, match="api_key") as raised:
            Client("async")(server.url, lambda t: get(t, timeout=0.05, max_attempts=2), api_key=token)
        assert (raised.value.code, raised.value.attempts, server.sent) == ("client.timeout", 2, [])

    def test_has_the_headers_of_the_client_and_of_the_call(self, client: Client, server: FaultyServer) -> None:
        server.gives(reply({}))
        client(server.url, lambda t: get(t, headers={"X-B": "call"}), headers={"x-a": "client", "x-b": "client"})
        assert (server.sent[0].headers["x-a"], server.sent[0].headers["x-b"]) == ("client", "call")

    def test_needs_a_url_of_http(self, client: Client) -> None:
        with pytest.raises(ValueError, match="base_url"):
            client("localhost:8080", get)


class TestRetries:
    def test_repeat_an_append_unchanged_until_it_is_stored(self, client: Client, server: FaultyServer) -> None:
        server.gives(hang_up, problem(503, "log.unavailable"), HTML, reply(APPENDED))
        assert client(server.url, append) == APPENDED
        assert len(server.sent) == 4
        assert len(set(server.keys())) == 1 and len(server.keys()[0] or "") == 32
        assert len({each.text for each in server.sent}) == 1

    def test_repeat_a_request_whose_answer_broke_off(self, client: Client, server: FaultyServer) -> None:
        server.gives(break_off, reply(APPENDED))
        assert client(server.url, append) == APPENDED
        assert len(set(server.keys())) == 1

    def test_use_another_key_for_another_append(self, client: Client, server: FaultyServer) -> None:
        server.gives(reply(APPENDED))
        client(server.url, append)
        client(server.url, append)
        assert len(set(server.keys())) == 2

    def test_use_the_key_of_the_caller(self, client: Client, server: FaultyServer) -> None:
        server.gives(hang_up, reply(APPENDED))
        client(server.url, lambda t: append(t, idempotency_key="mine"))
        assert server.keys() == ["mine", "mine"]

    @pytest.mark.parametrize(
        ("answer", "requests"),
        [
            (hang_up, 1),
            (problem(503, "log.unavailable"), 1),
            (problem(503, "server.busy"), 4),
            (problem(429, "tenant.rate_limited"), 4),
        ],
        ids=["broken connection", "503 that may have stored it", "too busy to begin", "rate limited"],
    )
    def test_of_what_is_not_idempotent(
        self, client: Client, server: FaultyServer, answer: Answer, requests: int
    ) -> None:
        server.gives(answer)
        with pytest.raises((TurnkeeperError, TurnkeeperConnectionError)) as raised:
            client(server.url, lambda t: t.request("POST", "/memory/memories", body={"name": "n"}, repeatable=False))
        assert (len(server.sent), raised.value.attempts) == (requests, requests)

    def test_wait_for_a_first_attempt_that_still_runs(self, client: Client, server: FaultyServer) -> None:
        server.gives(hang_up, problem(409, "idempotency.in_progress"), reply({"id": "m"}))
        assert client(server.url, lambda t: t.memories.create({"name": "n"})) == {"id": "m"}
        assert len(set(server.keys())) == 1

    def test_end_when_the_answer_is_missing(self, client: Client, server: FaultyServer) -> None:
        server.gives(hang_up, problem(409, "idempotency.answer_missing"))
        with pytest.raises(TurnkeeperError) as raised:
            client(server.url, lambda t: t.memories.create({"name": "n"}))
        assert (raised.value.attempts, raised.value.status) == (2, 409)

    def test_of_a_search_need_no_key(self, client: Client, server: FaultyServer) -> None:
        server.gives(hang_up, reply([]))
        assert client(server.url, lambda t: t.memory("m").search_turns("q")) == []
        assert server.keys() == [None, None]

    @pytest.mark.parametrize(
        ("status", "code"),
        [(400, "payload.invalid"), (401, "auth.key_invalid"), (404, "memory.not_found"), (504, "memory.not_caught_up")],
    )
    def test_do_not_follow_a_refusal(self, client: Client, server: FaultyServer, status: int, code: str) -> None:
        server.gives(problem(status, code))
        with pytest.raises(TurnkeeperError) as raised:
            client(server.url, lambda t: t.memory("m").records.search("q", namespace="/n"))
        assert (raised.value.status, raised.value.code, len(server.sent)) == (status, code, 1)

    @pytest.mark.parametrize("status", [408, 500, 502, 503, 504])
    def test_follow_an_error_of_a_proxy(self, client: Client, server: FaultyServer, status: int) -> None:
        server.gives(reply(b"<html>", status), reply({"id": "m"}))
        assert client(server.url, get) == {"id": "m"}

    def test_wait_as_long_as_the_server_asks(
        self, client: Client, server: FaultyServer, waits: list[float]
    ) -> None:
        server.gives(problem(429, "tenant.rate_limited", {"retry-after": "7"}), reply(APPENDED))
        assert client(server.url, append) == APPENDED
        assert len(waits) == 1 and 7 <= waits[0] < 7.1

    def test_wait_until_the_time_the_server_names(
        self, client: Client, server: FaultyServer, waits: list[float]
    ) -> None:
        at = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=20), usegmt=True)
        server.gives(problem(503, "server.stopping", {"retry-after": at}), reply(APPENDED))
        client(server.url, append)
        assert 10 < waits[0] < 21

    def test_double_their_waits(self, client: Client, server: FaultyServer, waits: list[float]) -> None:
        server.gives(problem(503, "server.busy"))
        with pytest.raises(TurnkeeperError):
            client(server.url, get, retry=Retry(max_attempts=12, base_delay=0.5, max_delay=4))
        assert len(waits) == 11
        limits = [0.5, 1, 2] + [4] * 8
        assert all(0 <= wait <= limit for wait, limit in zip(waits, limits, strict=True))
        assert max(waits) > 0.5

    def test_do_not_wait_longer_than_the_limit(self, client: Client, server: FaultyServer) -> None:
        server.gives(problem(429, "tenant.rate_limited", {"retry-after": "3600"}))
        with pytest.raises(TurnkeeperError) as raised:
            client(server.url, append)
        assert (raised.value.retry_after, raised.value.attempts, len(server.sent)) == (3600, 1, 1)

    def test_are_as_many_as_the_call_allows(self, client: Client, server: FaultyServer) -> None:
        server.gives(hang_up)
        with pytest.raises(TurnkeeperConnectionError):
            client(server.url, lambda t: get(t, max_attempts=2))
        assert len(server.sent) == 2

    def test_return_an_agent_that_the_lost_first_request_had_stopped(
        self, client: Client, server: FaultyServer
    ) -> None:
        server.gives(hang_up, problem(409, "agent.not_running"), reply({"id": "x", "status": "stopped"}))
        assert client(server.url, lambda t: t.agents.stop("x")) == {"id": "x", "status": "stopped"}
        assert [each.method for each in server.sent] == ["POST", "POST", "GET"]
        server.gives(problem(409, "agent.not_running"))
        with pytest.raises(TurnkeeperError, match="No"):
            client(server.url, lambda t: t.agents.stop("x"))
        assert len(server.sent) == 1

    def test_send_a_file_from_its_beginning(self, client: Client, server: FaultyServer, tmp_path: Path) -> None:
        file = tmp_path / "memory.ndjson"
        file.write_bytes(b'{"a": 1}\n' * 20_000)
        server.gives(problem(503, "server.busy"), reply({"events": 1}))
        client(server.url, lambda t: t.memories.import_(file))
        assert [each.text == file.read_bytes() for each in server.sent] == [True, True]
        assert server.sent[0].headers["content-type"] == "application/x-ndjson"


class TestCall:
    @pytest.mark.parametrize("answer", [never, dribble])
    def test_has_a_time_limit_for_each_attempt(self, client: Client, server: FaultyServer, answer: Answer) -> None:
        server.gives(answer)
        with pytest.raises(TurnkeeperConnectionError) as raised:
            client(server.url, lambda t: get(t, timeout=0.4, max_attempts=2))
        assert (raised.value.code, raised.value.attempts, len(server.sent)) == ("client.timeout", 2, 2)

    def test_names_the_server_that_cannot_be_reached_and_no_key(self, client: Client) -> None:
        with pytest.raises(TurnkeeperConnectionError) as raised:
            client("http://127.0.0.1:1", get)
        assert raised.value.code == "client.unreachable"
        assert str(raised.value).startswith("http://127.0.0.1:1 cannot be reached")
        assert "tk_key" not in str(raised.value)

    def test_does_not_take_the_key_to_another_server(self, client: Client, server: FaultyServer) -> None:
        server.gives(reply(b"", 307, {"location": server.url + "/elsewhere"}))
        with pytest.raises(TurnkeeperConnectionError, match=f"redirects to {server.url}/elsewhere") as raised:
            client(server.url, get)
        assert (raised.value.code, raised.value.attempts, len(server.sent)) == ("client.redirected", 1, 1)

    def test_reports_what_the_server_says(self, client: Client, server: FaultyServer) -> None:
        refusal = {
            "title": "The request is not valid.",
            "status": 400,
            "code": "payload.invalid",
            "detail": "name is required.",
            "next": "Correct it.",
            "issues": [{"field": "name", "rule": "is required"}],
        }
        server.gives(reply(refusal, 400, {"x-request-id": "r-2"}))
        with pytest.raises(TurnkeeperError) as raised:
            client(server.url, lambda t: t.memories.create({"name": ""}))
        error = raised.value
        assert str(error) == "The request is not valid. name is required."
        assert (error.code, error.field, error.rule) == ("payload.invalid", "name", "is required")
        assert (error.next, error.request_id) == ("Correct it.", "r-2")

    @pytest.mark.parametrize("status", [403, 200])
    def test_reports_what_a_proxy_says(self, client: Client, server: FaultyServer, status: int) -> None:
        server.gives(reply(b"<html>nope</html>", status))
        with pytest.raises(TurnkeeperError) as raised:
            client(server.url, lambda t: t.limits())
        assert (raised.value.code, raised.value.status) == ("server.unknown", status)

    @pytest.mark.parametrize("body", [b"[1]", b'{"code": 3}', b'{"detail": "x"}', b""])
    def test_reports_an_error_of_another_shape(self, client: Client, server: FaultyServer, body: bytes) -> None:
        server.gives(reply(body, 404))
        with pytest.raises(TurnkeeperError, match="The server answered 404"):
            client(server.url, get)

    def test_keeps_every_digit(self, client: Client, server: FaultyServer) -> None:
        server.gives(reply({"id": 2**63 + 1}))
        assert client(server.url, get)["id"] == 2**63 + 1

    def test_ends_when_its_task_is_cancelled(self, server: FaultyServer) -> None:
        server.gives(never)

        async def run() -> None:
            async with AsyncTurnkeeper(server.url, "k") as turnkeeper:
                await asyncio.wait_for(get(turnkeeper), 0.5)

        with pytest.raises(asyncio.TimeoutError):
            asyncio.run(run())
        assert len(server.sent) == 1

    def test_leaves_a_client_of_the_caller_open(self, server: FaultyServer) -> None:
        server.gives(reply({}))
        with httpx.Client(headers={"x-mine": "1"}) as http:
            for _ in range(2):
                with Turnkeeper(server.url, "k", http=http) as turnkeeper:
                    get(turnkeeper)
        assert [each.headers["x-mine"] for each in server.sent] == ["1", "1"]


class TestLists:
    @staticmethod
    def session_of(length: int) -> Answer:
        """Pages of two events."""

        def answer(handler: Any) -> None:
            after = int(httpx.URL(handler.path).params["after"])
            numbers = range(after + 1, min(after + 2, length) + 1)
            events = [{"id": f"e{number}", "sequence": number} for number in numbers]
            reply({"listData": events, "next": after + 2 if after + 2 < length else None})(handler)

        return answer

    def test_request_their_pages_while_they_are_iterated(self, client: Client, server: FaultyServer) -> None:
        server.gives(self.session_of(6))
        events = client(server.url, lambda t: t.memory("m").session("a", "s").events().to_list())
        assert [each["sequence"] for each in events] == [1, 2, 3, 4, 5, 6]
        assert len(server.sent) == 3

    def test_request_no_more_than_they_need(self, client: Client, server: FaultyServer) -> None:
        server.gives(self.session_of(6))
        assert len(client(server.url, lambda t: t.memory("m").session("a", "s").events().to_list(2))) == 2
        assert client(server.url, lambda t: t.memory("m").session("a", "s").events().to_list(0)) == []
        assert len(server.sent) == 1

    def test_have_the_cursor_of_each_page(self, server: FaultyServer) -> None:
        server.gives(self.session_of(6))
        with Turnkeeper(server.url, "k") as turnkeeper:
            events = turnkeeper.memory("m").session("a", "s").events()
            cursors = [cursor for _, cursor in events.pages()]
            assert cursors == [2, 4, None]
            assert [[each["sequence"] for each in page] for page, _ in events.pages(cursors[1])] == [[5, 6]]

    def test_can_be_iterated_twice(self, server: FaultyServer) -> None:
        server.gives(self.session_of(3))
        with Turnkeeper(server.url, "k") as turnkeeper:
            events = turnkeeper.memory("m").session("a", "s").events()
            assert [len(list(events)), len(list(events))] == [3, 3]

    def test_of_records_continue_after_the_last_one(self, client: Client, server: FaultyServer) -> None:
        server.gives(reply([{"id": "a"}, {"id": "b"}]), reply([{"id": "c"}]))
        work = lambda t: t.memory("m").records.list(namespace="/n", page_size=2, include_superseded=True).to_list()
        assert [each["id"] for each in client(server.url, work)] == ["a", "b", "c"]
        query = "?namespace=%2Fn&includeSuperseded=true&limit=2"
        assert [each.path.split("records")[1] for each in server.sent] == [query, query + "&after=b"]

    def test_of_records_are_filtered(self, client: Client, server: FaultyServer) -> None:
        filters = {"attribute": "home", "said_from": None, "source_metadata": {"channel": "voice"}}
        server.gives(reply([]), reply([]))
        work = lambda t: t.memory("m").records.list(source_event_id="e", page_size=2, timeout=9, **filters).to_list()
        assert client(server.url, work) == []
        query = "?sourceEventId=e&attribute=home&sourceMetadata=%7B%22channel%22%3A+%22voice%22%7D&limit=2"
        assert server.sent[0].path.split("records")[1] == query
        assert client(server.url, lambda t: t.memory("m").records.search("q", namespace="/n", **filters)) == []
        assert server.sent[1].body == {"query": "q", "attribute": "home", "sourceMetadata": {"channel": "voice"}}

    def test_of_memories_continue_with_the_next_page(self, client: Client, server: FaultyServer) -> None:
        server.gives(*(reply({"listData": [{"id": page}], "totalPage": 2}) for page in (1, 2)))
        found = client(server.url, lambda t: t.memories.list().to_list())
        assert [each["id"] for each in found] == [1, 2]

    @pytest.mark.parametrize(
        ("list_of", "query"),
        [
            (lambda t: t.memory("m").recent_sessions(actor_id="a"), "?actorId=a&after=c"),
            (lambda t: t.memory("m").records.deletions(), "?after=c"),
            (lambda t: t.memory("m").parked_windows(), "?after=c"),
            (lambda t: t.admin.tenants(), "?limit=100&after=c"),
            (lambda t: t.agents.list(status="running"), "?status=running&limit=100&after=c"),
            (lambda t: t.webhooks.deliveries("w", status="parked"), "?status=parked&limit=100&after=c"),
            (lambda t: t.audit_log(), "?limit=100&after=c"),
        ],
        ids=["recent sessions", "deletions", "parked windows", "tenants", "agents", "deliveries", "audit log"],
    )
    def test_continue_behind_the_cursor_of_a_page(
        self, client: Client, server: FaultyServer, list_of: Callable[[Any], Any], query: str
    ) -> None:
        server.gives(reply({"items": [{"id": "a"}], "next": "c"}), reply({"items": [{"id": "b"}], "next": None}))
        assert [each["id"] for each in client(server.url, lambda t: list_of(t).to_list())] == ["a", "b"]
        assert server.sent[1].path.endswith(query)
        assert "after" not in server.sent[0].path

    def test_follow_a_session(self, server: FaultyServer) -> None:
        newest = iter([2, 2, 3])

        def answer(handler: Any) -> None:
            after = int(httpx.URL(handler.path).params["after"])
            numbers = range(after + 1, next(newest, 3) + 1)
            reply({"listData": [{"id": "e", "sequence": number} for number in numbers], "next": None})(handler)

        server.gives(answer)
        with Turnkeeper(server.url, "k") as turnkeeper:
            followed = turnkeeper.memory("m").session("a", "s").follow(poll_seconds=0.001)
            assert [next(followed)["sequence"] for _ in range(3)] == [1, 2, 3]


class TestExport:
    def test_comes_in_parts(self, client: Client, server: FaultyServer) -> None:
        server.gives(problem(503, "server.busy"), reply(b'{"a": 1}\n' * 50_000))
        parts = client(server.url, lambda t: t.memory("m").export())
        assert len(parts) > 1 and b"".join(parts) == b'{"a": 1}\n' * 50_000

    def test_raises_a_refusal(self, client: Client, server: FaultyServer) -> None:
        server.gives(problem(404, "memory.not_found"))
        with pytest.raises(TurnkeeperError, match="No"):
            client(server.url, lambda t: t.memory("m").export())

    def test_does_not_end_quietly_when_it_breaks_off(self, client: Client, server: FaultyServer) -> None:
        server.gives(break_off)
        with pytest.raises(TurnkeeperConnectionError) as raised:
            client(server.url, lambda t: t.memory("m").export())
        assert raised.value.code == "client.unreachable"
        assert len(server.sent) == 1
