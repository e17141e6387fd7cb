from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from ._requests import time_text


class Message(TypedDict):
    """One message of a conversation."""

    role: str
    """`user`, `assistant`, `system`, `tool`, …"""
    content: str
    metadata: NotRequired[Mapping[str, Any]]
    """Free keys and values, at most 16 levels deep."""
    at: NotRequired[str | datetime]
    """When it was said. Default: the time of the append."""
    event_id: NotRequired[str]
    """A UUID of yours, to recognise the event. Default: given by the server."""
    turn_id: NotRequired[int]
    tool_calls: NotRequired[list[Mapping[str, Any]]]
    """Of an assistant's message: the calls that it makes."""
    tool_call_id: NotRequired[str]
    """Of a `tool` message: the call that it answers."""


NAMES = {
    "at": "eventTimestamp",
    "event_id": "eventId",
    "turn_id": "turnId",
    "metadata": "metadata",
    "tool_calls": "toolCalls",
    "tool_call_id": "toolCallId",
}


def event_of(message: Message) -> dict[str, Any]:
    payload = {"type": "CONVERSATIONAL", "role": message["role"], "message": message["content"]}
    event: dict[str, Any] = {"payload": payload}
    for key, value in message.items():
        if key in NAMES:
            if value is not None:
                event[NAMES[key]] = time_text(value) if key == "at" else value  # type: ignore[arg-type]
        elif key not in ("role", "content"):
            raise TypeError(f"A message has no {key!r}; it has role, content, {', '.join(NAMES)}.")
    return event
