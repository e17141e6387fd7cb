"""Stores what is said in a Pipecat pipeline: each finished turn of its context aggregators, in order."""

from typing import Any

from turnkeeper.transcript import Transcript


def remember_conversation(user_aggregator: Any, assistant_aggregator: Any, transcript: Transcript) -> None:
    """The aggregators are those of an `LLMContextAggregatorPair`. Close the transcript when the client disconnects."""

    def add(role: str, message: Any) -> None:
        if not message.content or message.content.strip() == "":
            return
        interrupted = bool(getattr(message, "interrupted", False))
        transcript.add(
            {
                "role": role,
                "content": message.content,
                "metadata": {"interrupted": interrupted},
                **({"at": message.timestamp} if message.timestamp else {}),
            }
        )

    @user_aggregator.event_handler("on_user_turn_stopped")
    async def on_user_turn_stopped(aggregator: Any, strategy: Any, message: Any) -> None:
        add("user", message)

    @assistant_aggregator.event_handler("on_assistant_turn_stopped")
    async def on_assistant_turn_stopped(aggregator: Any, message: Any) -> None:
        add("assistant", message)
