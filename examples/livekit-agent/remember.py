"""Stores what is said in a session of LiveKit Agents for Python: each `conversation_item_added`, in order, once."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timezone
from typing import Any

from turnkeeper.transcript import Transcript


def remember_conversation(agent_session: Any, transcript: Transcript) -> Callable[[], Awaitable[None]]:
    """`agent_session`: an `AgentSession`. The result is for `ctx.add_shutdown_callback`: it waits until all is stored."""

    def added(event: Any) -> None:
        item = event.item
        # Handoffs and instructions are not part of what was said.
        if getattr(item, "type", None) != "message" or item.role not in ("user", "assistant"):
            return
        text = item.text_content
        if text is None or text.strip() == "":
            return
        transcript.add(
            {
                "role": item.role,
                "content": text,
                "at": datetime.fromtimestamp(item.created_at, timezone.utc),
                "metadata": {"livekitItemId": item.id, "interrupted": item.interrupted},
            },
            # An item that is reported again is stored once.
            key=f"livekit-{item.id}",
        )

    agent_session.on("conversation_item_added", added)

    async def stop() -> None:
        agent_session.off("conversation_item_added", added)
        await transcript.close()

    return stop
