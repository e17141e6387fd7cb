"""What both clients do alike: the URL, headers and body of a request, and whether and when it is sent again."""

from __future__ import annotations

import json
import random
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypedDict, cast
from urllib.parse import quote, urlencode, urlsplit

from .errors import TurnkeeperConnectionError, TurnkeeperError

DEFAULT_TIMEOUT = 30.0
DEFAULT_WAIT_MS = 10_000


class CallOptions(TypedDict, total=False):
    """Options of one call."""

    timeout: float
    """Time limit of each request in seconds. Default: that of the client."""
    max_attempts: int
    headers: Mapping[str, str]
    repeatable: bool
    """Sending the request twice has the effect of sending it once, so it is retried after every failure. Default: true
    for GET and DELETE, and for POST, which gets an `Idempotency-Key`. Others, and a POST with false, are retried only
    if the server did not begin them."""


class RecordFilters(CallOptions, total=False):
    """What records are restricted to, with the options of the call."""

    long_term_memory_strategy_id: str | None
    category: str | None
    attribute: str | None
    """Name of the attribute that they state, e.g. `phone_number`."""
    subject: str | None
    source_session_id: str | None
    source_event_id: str | None
    source_metadata: Mapping[str, str | int | float | bool] | None
    """What the metadata of a message has that they are based on."""
    said_from: str | None
    said_to: str | None
    created_from: str | None
    created_to: str | None
    event_time_from: str | None
    """First day that they may refer to, `YYYY-MM-DD`."""
    event_time_to: str | None


@dataclass(frozen=True)
class Retry:
    max_attempts: int = 4
    """Requests sent at most for one call, the first included; 1 disables retries."""
    base_delay: float = 0.25
    """Upper limit of the first wait in seconds; it doubles with each attempt."""
    max_delay: float = 30.0
    """Upper limit of a wait. A longer `Retry-After` is not waited for: the error is raised."""


File = str | bytes | Path


@dataclass(frozen=True)
class Request:
    """A request as it is sent, each attempt alike."""

    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    content: bytes | Path | None = field(repr=False)
    timeout: float
    max_attempts: int
    repeatable: bool


def checked_base_url(base_url: str) -> str:
    if urlsplit(base_url).scheme not in ("http", "https"):
        raise ValueError("base_url must begin with http or https.")
    return base_url.rstrip("/")


def request_of(
    base_url: str,
    method: str,
    template: str,
    *,
    path: Mapping[str, str],
    query: Mapping[str, Any],
    body: Any,
    file: File | None,
    headers: Mapping[str, str],
    timeout: float,
    retry: Retry,
    call: CallOptions,
) -> Request:
    method = method.upper()
    sent = {"accept": "application/json", **_lower(headers), **_lower(call.get("headers", {}))}
    content: bytes | Path | None = None
    if file is not None:
        sent["content-type"] = "application/x-ndjson"
        content = file.encode() if isinstance(file, str) else file
    elif body is not None:
        sent["content-type"] = "application/json"
        content = json.dumps(body, allow_nan=False).encode()
    repeatable = call.get("repeatable")
    # The server carries out a POST with a key once.
    if method == "POST" and repeatable is None:
        sent.setdefault("idempotency-key", secrets.token_hex(16))
    if repeatable is None:
        repeatable = method in ("GET", "DELETE") or "idempotency-key" in sent
    return Request(
        method=method,
        url=base_url + _filled(template, path) + _query_text(query),
        headers=sent,
        content=content,
        timeout=call.get("timeout", timeout),
        max_attempts=call.get("max_attempts", retry.max_attempts),
        repeatable=repeatable,
    )


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _filled(template: str, values: Mapping[str, str]) -> str:
    def escaped(match: re.Match[str]) -> str:
        value = str(values.get(match[1], ""))
        # Clients interpret dots as path steps, even when escaped.
        if value in ("", ".", ".."):
            raise ValueError(f'{match[1]} must not be empty, "." or "..".')
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", escaped, template)


def _query_text(query: Mapping[str, Any]) -> str:
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in query.items()
        if value is not None
    }
    return f"?{urlencode(given)}" if given else ""


def given(**values: Any) -> dict[str, Any]:
    """Without what was not given."""
    return {name: value for name, value in values.items() if value is not None}


def without_filters(options: RecordFilters) -> tuple[CallOptions, dict[str, Any]]:
    """The options of the call, and the filters under the names that the API gives them."""
    call = {name: value for name, value in options.items() if name in CallOptions.__annotations__}
    filters = {name: value for name, value in options.items() if name not in call}
    return cast(CallOptions, call), given(
        **{re.sub("_(.)", lambda part: part[1].upper(), name): value for name, value in filters.items()}
    )


def with_key(call: CallOptions, key: str | None) -> CallOptions:
    """With the caller's `Idempotency-Key`, if there is one."""
    return call if key is None else {**call, "headers": {**call.get("headers", {}), "idempotency-key": key}}


def patient(call: CallOptions, after_sequence: int | None, wait_ms: int | None) -> CallOptions:
    """A request that waits for extraction may take as long as it asked for, and a little more."""
    if after_sequence is None or "timeout" in call:
        return call
    return {**call, "timeout": (DEFAULT_WAIT_MS if wait_ms is None else wait_ms) / 1_000 + 30}


def time_text(at: str | datetime) -> str:
    if isinstance(at, str):
        return at
    if at.tzinfo is None:
        raise ValueError("A time must have a time zone, e.g. datetime.now(timezone.utc).")
    return at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


UNAVAILABLE = {408, 425, 429, 500, 502, 503, 504}
# The request was refused before anything was done, so even one that is not idempotent can be sent again.
# `in_progress`: the first attempt, whose response was lost, is still running.
NOT_BEGUN = {"server.busy", "server.stopping", "idempotency.in_progress"}


def may_retry(error: Exception, repeatable: bool) -> bool:
    if isinstance(error, TurnkeeperConnectionError):
        return repeatable and error.code != "client.redirected"
    if not isinstance(error, TurnkeeperError):
        return False
    if error.status == 429 or error.code in NOT_BEGUN:
        return True
    # A 504 of Turnkeeper itself: `after_sequence` was not reached within the wait that the caller chose.
    if error.status == 504 and error.code != "server.unknown":
        return False
    return repeatable and error.status in UNAVAILABLE


def delay_before(attempt: int, error: Exception, retry: Retry) -> float | None:
    """Seconds to wait before the next attempt; None if the server asks for more than the limit."""
    asked = (error.retry_after or 0.0) if isinstance(error, TurnkeeperError) else 0.0
    if asked > retry.max_delay:
        return None
    # Full jitter spreads clients that failed at the same moment; after `Retry-After`, as well.
    backoff = random.random() * min(retry.max_delay, retry.base_delay * 2 ** (attempt - 1))
    return min(retry.max_delay, asked + backoff)
