"""Objects of our own with the attributes of LiveKit Agents and Pipecat that the examples use: neither is installed here."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

EXAMPLES = Path(__file__).parent.parent / "examples"
CREATED = 1_760_000_000.5


class AgentSession:
    """LiveKit's: `on` registers a listener, and events have a type and attributes."""

    def __init__(self) -> None:
        self._listeners: dict[str, Callable[[Any], None]] = {}
        self._count = 0

    def on(self, event: str, listener: Callable[[Any], None]) -> None:
        self._listeners[event] = listener

    def emit(self, event: str, **attributes: Any) -> None:
        self._count += 1
        self._listeners[event](SimpleNamespace(type=event, created_at=CREATED + self._count, **attributes))

    def say(self, item_id: str, role: str, text: str, interrupted: bool = False, kind: str = "message") -> None:
        audio = SimpleNamespace(type="audio_content", frame=object())
        item = SimpleNamespace(
            id=item_id, type=kind, role=role, content=[text, audio], interrupted=interrupted, created_at=CREATED
        )
        item.created_at += self._count
        self.emit("conversation_item_added", item=item)


class _Observer:
    """Pipecat's `RTVIObserver`: it hands each message to `send_rtvi_message`, which subclasses may override."""

    def __init__(self, rtvi: Any = None, *, params: Any = None) -> None:
        self.params = params

    async def told(self, kind: str, data: dict[str, Any] | None = None) -> None:
        message = {"label": "rtvi-ai", "type": kind, **({} if data is None else {"data": data})}
        await self.send_rtvi_message(  # type: ignore[attr-defined]
            SimpleNamespace(type=kind, model_dump=lambda mode, exclude_none: message)
        )


def livekit_example() -> Callable[[AgentSession, Any], None]:
    return runpy.run_path(str(EXAMPLES / "livekit_agent.py"))["forward_events"]


def pipecat_example() -> Callable[[Any], Any]:
    name = "pipecat.processors.frameworks.rtvi"
    rtvi = ModuleType(name)
    rtvi.RTVIObserver = _Observer  # type: ignore[attr-defined]
    rtvi.RTVIObserverParams = SimpleNamespace  # type: ignore[attr-defined]
    rtvi.RTVIFunctionCallReportLevel = SimpleNamespace(FULL="full")  # type: ignore[attr-defined]
    sys.modules[name] = rtvi
    try:
        return runpy.run_path(str(EXAMPLES / "pipecat_bot.py"))["MemoryObserver"]
    finally:
        del sys.modules[name]
