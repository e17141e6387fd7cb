"""What a voice agent needs: the memory of earlier calls at its start, and a forwarder for the events of the running one."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._async.session import AsyncActorHandle
from ._async.turnkeeper import AsyncTurnkeeper
from .errors import TurnkeeperConnectionError, TurnkeeperError

MAX_EVENTS = 200
MAX_WAIT = 10.0
#: The server did not take the request, and may take it later.
TEMPORARY = frozenset({408, 425, 429, 500, 502, 503, 504})


def _log(error: Exception) -> None:
    logging.getLogger("turnkeeper").error("Events of the call could not be forwarded: %s", error)


async def with_memory(actor: AsyncActorHandle, instructions: str) -> str:
    """The instructions, with what earlier calls of this user told. A server that is away delays no call for more than a
    second."""
    try:
        known = await actor.context(budget=600, timeout=1, max_attempts=1)
    except (TurnkeeperError, TurnkeeperConnectionError):
        return instructions
    return f"{instructions}\n\n{known['text']}" if known["text"] else instructions


@dataclass
class CallForwarder:
    """Sends the events in their order, and repeats a request until the server has taken it: it may be away for a while.

    What the server refuses is reported to `on_error`, and the next events follow.
    """

    turnkeeper: AsyncTurnkeeper
    vendor: str
    connector_id: str
    secret: str = field(kw_only=True, repr=False)
    actor_id: str = field(kw_only=True)
    session_id: str = field(kw_only=True)
    call_id: str = field(kw_only=True, default_factory=lambda: uuid.uuid4().hex)
    on_error: Callable[[Exception], None] = field(kw_only=True, default=_log)
    linger: float = field(kw_only=True, default=0.2)
    """Seconds in which events are collected, so that words do not become a request each."""
    first_wait: float = field(kw_only=True, default=0.5)
    """Seconds before a request is repeated; twice as many each time."""
    _events: list[dict[str, Any]] = field(default_factory=list, init=False)
    _sent: int = field(default=0, init=False)
    _is_closed: bool = field(default=False, init=False)
    _added: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _work: asyncio.Task[None] | None = field(default=None, init=False)

    def add(self, event: dict[str, Any]) -> None:
        """Needs a running event loop. Events after `close` are dropped."""
        if self._is_closed:
            return
        self._events.append(event)
        self._added.set()
        if self._work is None:
            self._work = asyncio.create_task(self._forward_all())

    async def close(self, *, within: float = 60.0) -> None:
        """Ends the call, and waits until everything is forwarded: call it before the process ends."""
        self._is_closed = True
        self._added.set()
        work = self._work or asyncio.create_task(self._forward_all())
        try:
            await asyncio.wait_for(asyncio.shield(work), within)
        except TimeoutError:
            work.cancel()
            self.on_error(TimeoutError(f"{len(self._events)} events were left after {within} seconds."))

    async def _forward_all(self) -> None:
        is_ended = False
        while not is_ended:
            await self._added.wait()
            if not self._is_closed:
                await asyncio.sleep(self.linger)
            batch = self._events[:MAX_EVENTS]
            is_ended = self._is_closed and len(batch) == len(self._events)
            await self._send(batch, is_ended)
            del self._events[: len(batch)]
            self._sent += len(batch)
            if not self._events and not self._is_closed:
                self._added.clear()

    async def _send(self, events: list[dict[str, Any]], is_ended: bool) -> None:
        place = {"actor_id": self.actor_id, "session_id": self.session_id, "call_id": self.call_id}
        body = {**place, "position": self._sent, "events": events, "ended": is_ended}
        wait = self.first_wait
        while True:
            try:
                await self.turnkeeper.request(
                    "POST",
                    "/connectors/{vendor}/{connectorId}",
                    params={"vendor": self.vendor, "connectorId": self.connector_id},
                    body=body,
                    headers={"authorization": f"Bearer {self.secret}"},
                    max_attempts=1,
                )
                return
            except TurnkeeperConnectionError:
                pass
            except TurnkeeperError as error:
                if error.status not in TEMPORARY:
                    self.on_error(error)
                    return
                wait = max(wait, error.retry_after or 0)
            await asyncio.sleep(min(wait, MAX_WAIT))
            wait *= 2
