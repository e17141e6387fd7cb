"""Appends what is said in a running call, without delaying it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from ._async.session import AsyncSessionHandle
from ._messages import Message


def _log(error: Exception) -> None:
    logging.getLogger("turnkeeper").error("A message of the call could not be stored: %s", error)


@dataclass
class Transcript:
    """Messages are appended one after the other, and the caller does not wait.

    A failed append is repeated by the client; if it fails for good, `on_error` is told, and the next message follows.
    """

    session: AsyncSessionHandle
    on_error: Callable[[Exception], None] = _log
    _waiting: asyncio.Queue[tuple[Message, str | None] | None] = field(default_factory=asyncio.Queue, init=False)
    _work: asyncio.Task[None] | None = field(default=None, init=False)

    def add(self, message: Message, *, key: str | None = None) -> None:
        """Needs a running event loop. A message with the same key is stored once."""
        if self._work is None:
            self._work = asyncio.create_task(self._append_all())
        self._waiting.put_nowait((message, key))

    async def close(self) -> None:
        """Waits until everything is stored: call it before the process ends."""
        if self._work is not None:
            self._waiting.put_nowait(None)
            await self._work
            self._work = None

    async def _append_all(self) -> None:
        while (next_one := await self._waiting.get()) is not None:
            message, key = next_one
            try:
                await self.session.append(message, idempotency_key=key)
            except Exception as error:
                self.on_error(error)
