"""Remembers the callers of an agent of LiveKit Agents: docs/platforms/livekit.md."""

from collections.abc import Callable
from typing import Any

from turnkeeper.forwarding import CallForwarder


def forward_events(session: Any, forwarder: CallForwarder) -> None:
    """Forwards what is said in an `AgentSession`. Call it before the session starts."""
    fields: dict[str, Callable[[Any], dict[str, Any] | None]] = {
        "conversation_item_added": lambda event: {"item": _item(event.item)},
        # Only final transcripts are stored.
        "user_input_transcribed": lambda event: (
            {"transcript": event.transcript, "is_final": True} if event.is_final else None
        ),
        "function_tools_executed": lambda event: {
            "function_calls": [_only(call, "id call_id name arguments created_at") for call in event.function_calls],
            "function_call_outputs": [
                output and _only(output, "id call_id output is_error created_at")
                for output in event.function_call_outputs
            ],
        },
        "close": lambda event: {"reason": getattr(event.reason, "value", event.reason)},
    }

    def listen(name: str) -> None:
        def forward(event: Any) -> None:
            content = fields[name](event)
            if content is not None:
                forwarder.add({"type": name, **content, "created_at": event.created_at})

        session.on(name, forward)

    for name in fields:
        listen(name)


def _item(item: Any) -> dict[str, Any]:
    """Text only: audio and pictures are large."""
    if item.type != "message":
        return {"type": item.type}
    text = [part for part in item.content if isinstance(part, str)]
    return {**_only(item, "id type role interrupted created_at"), "content": text}


def _only(source: Any, names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names.split()}
