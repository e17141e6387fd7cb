"""A server that fails as it is told, and both clients behind one interface."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from inspect import isasyncgen, isawaitable
from typing import Any

import pytest
from turnkeeper import AsyncTurnkeeper, Retry, Turnkeeper


@dataclass
class Sent:
    method: str
    path: str
    headers: dict[str, str]
    text: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.text)


Answer = Callable[[BaseHTTPRequestHandler], None]


def reply(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text)

    return answer


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> Answer:
    return reply({"type": "x", "title": "No.", "status": status, "code": code, "requestId": "r-1"}, status, headers)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def break_off(handler: BaseHTTPRequestHandler) -> None:
    """Sends half of a body."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"eventId": ')
    handler.wfile.flush()
    hang_up(handler)


def never(handler: BaseHTTPRequestHandler) -> None:
    handler.server.stopped.wait(10)  # type: ignore[attr-defined]


def dribble(handler: BaseHTTPRequestHandler) -> None:
    """Sends a byte now and then, without end."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.stopped.wait(0.02):  # type: ignore[attr-defined]
        handler.wfile.write(b" ")
        handler.wfile.flush()


@dataclass
class FaultyServer:
    """Gives these answers, the last one again and again."""

    answers: list[Answer] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    url: str = ""

    def gives(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.sent.clear()

    def keys(self) -> list[str | None]:
        return [each.headers.get("idempotency-key") for each in self.sent]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _any(self) -> None:
        faulty: FaultyServer = self.server.faulty  # type: ignore[attr-defined]
        headers = {name.lower(): value for name, value in self.headers.items()}
        text = self._body(headers)
        if self.server.stopped.is_set():  # type: ignore[attr-defined]
            hang_up(self)
            return
        faulty.sent.append(Sent(self.command, self.path, headers, text))
        try:
            faulty.answers[min(len(faulty.sent), len(faulty.answers)) - 1](self)
        except OSError:
            self.close_connection = True

    def _body(self, headers: dict[str, str]) -> bytes:
        if headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(headers.get("content-length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _any

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(faulty: FaultyServer, port: int = 0) -> Iterator[FaultyServer]:
    http = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    http.daemon_threads = True
    faulty.url = f"http://127.0.0.1:{http.server_port}"
    http.faulty, http.stopped = faulty, threading.Event()  # type: ignore[attr-defined]
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield faulty
    finally:
        http.stopped.set()  # type: ignore[attr-defined]
        http.shutdown()
        thread.join()
        http.server_close()


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with serving(FaultyServer()) as faulty:
        yield faulty


@dataclass
class Client:
    """Runs the same call with either client."""

    kind: str

    def __call__(self, url: str, work: Callable[[Any], Any], **options: Any) -> Any:
        options = {"api_key": "tk_key", "retry": Retry(base_delay=0.001), **options}
        if self.kind == "sync":
            with Turnkeeper(url, **options) as turnkeeper:
                result = work(turnkeeper)
                return list(result) if hasattr(result, "__next__") else result

        async def run() -> Any:
            async with AsyncTurnkeeper(url, **options) as turnkeeper:
                result = work(turnkeeper)
                if isasyncgen(result):
                    return [each async for each in result]
                return await result if isawaitable(result) else result

        return asyncio.run(run())


@pytest.fixture(params=["sync", "async"])
def client(request: pytest.FixtureRequest) -> Client:
    return Client(request.param)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between attempts, which are not waited for."""
    seconds: list[float] = []

    async def no_sleep(wait: float) -> None:
        seconds.append(wait)

    monkeypatch.setattr("turnkeeper._sync.transport.sleep", seconds.append)
    monkeypatch.setattr("turnkeeper._async.transport.sleep", no_sleep)
    return seconds


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A line of JSON for each outcome, for the runner that counts it."""
    file = os.environ.get("TURNKEEPER_TEST_REPORT")
    if file is None or (report.when != "call" and report.outcome == "passed"):
        return
    outcome = {"name": report.nodeid, "outcome": report.outcome, "text": str(report.longrepr or "")}
    with open(file, "a", encoding="utf-8") as lines:
        print(json.dumps(outcome), file=lines)
