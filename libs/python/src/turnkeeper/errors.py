"""What a call raises."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypedDict

import httpx


class FieldError(TypedDict):
    field: str
    """Path of the field in the request, e.g. `events.1.payload.message`."""
    rule: str


class TurnkeeperError(Exception):
    """The server rejected the request, or failed to answer it.

    `code` is stable: use it in programs. It is `server.unknown` if the response did not come from Turnkeeper, e.g. from
    a proxy.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None = None) -> None:
        title = problem.get("title") or f"The server answered {status}."
        detail = problem.get("detail")
        super().__init__(title if detail is None else f"{title} {detail}")
        self.status = status
        self.code: str = problem.get("code", "server.unknown")
        self.detail: str | None = detail
        #: What to do next.
        self.next: str | None = problem.get("next")
        #: Every invalid field of the request, at most 20.
        self.fields: list[FieldError] = problem.get("issues") or _only_field(problem)
        #: Also in the server's log.
        self.request_id: str | None = problem.get("requestId")
        #: Seconds, from `Retry-After`.
        self.retry_after = retry_after
        #: The problem document as received.
        self.problem = problem
        #: Requests sent, this one included.
        self.attempts = 1

    @property
    def field(self) -> str | None:
        """The first invalid field."""
        return self.fields[0]["field"] if self.fields else None

    @property
    def rule(self) -> str | None:
        """What holds for `field`."""
        return self.fields[0]["rule"] if self.fields else None


class TurnkeeperConnectionError(Exception):
    """There was no response: the server could not be reached, did not answer in time, redirects, or the connection broke."""

    def __init__(
        self, code: Literal["client.unreachable", "client.timeout", "client.redirected"], message: str
    ) -> None:
        super().__init__(message)
        self.code = code
        self.attempts = 1


def _only_field(problem: dict[str, Any]) -> list[FieldError]:
    field = problem.get("field")
    return [] if field is None else [{"field": field, "rule": problem.get("rule", "")}]


def _seconds_of(retry_after: str | None) -> float | None:
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return None


def error_of(response: httpx.Response, body: bytes) -> TurnkeeperError:
    try:
        problem = json.loads(body)
    except ValueError:  # A proxy answered.
        problem = None
    if not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
        problem = {}
    request_id = response.headers.get("x-request-id")
    if request_id is not None:
        problem = {"requestId": request_id, **problem}
    return TurnkeeperError(response.status_code, problem, _seconds_of(response.headers.get("retry-after")))
