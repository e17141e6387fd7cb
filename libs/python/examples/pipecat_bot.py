"""Remembers the callers of a Pipecat pipeline: docs/platforms/pipecat.md."""

from typing import Any

from pipecat.processors.frameworks.rtvi import RTVIFunctionCallReportLevel, RTVIObserver, RTVIObserverParams
from turnkeeper.forwarding import CallForwarder

#: Messages that say something about the conversation.
WANTED = frozenset({
    "user-transcription",
    "bot-llm-started",
    "bot-started-speaking",
    "bot-stopped-speaking",
    "bot-interrupted",
    "bot-tts-text",
    "bot-transcription",
    "llm-function-call-in-progress",
    "llm-function-call-stopped",
})


class MemoryObserver(RTVIObserver):
    """Forwards the messages that Pipecat's own observer sends to the client. It sees tool calls with their arguments."""

    def __init__(self, forwarder: CallForwarder) -> None:
        super().__init__(
            params=RTVIObserverParams(function_call_report_level={"*": RTVIFunctionCallReportLevel.FULL})
        )
        self._forwarder = forwarder

    async def send_rtvi_message(self, model: Any, exclude_none: bool = True) -> None:
        if model.type in WANTED:
            self._forwarder.add(model.model_dump(mode="json", exclude_none=exclude_none))
