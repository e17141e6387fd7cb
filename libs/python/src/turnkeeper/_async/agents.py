"""Voice agents in sessions."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Unpack

from .. import types
from .._requests import CallOptions, given, with_key
from ..errors import TurnkeeperError
from .transport import AsyncList, AsyncTransport

AGENTS = "/v1/agents"
AGENT = AGENTS + "/{agentId}"


class AsyncAgents:
    """Voice agents in sessions."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def start(self, body: types.StartAgentBody, **call: Unpack[CallOptions]) -> types.Agent:
        """Starts an agent. Its name must be unique while it runs: `agent.name_taken`."""
        return await self._transport.request("POST", AGENTS, call, body=body)

    def list(
        self,
        *,
        status: str | None = None,
        memory_id: str | None = None,
        actor_id: str | None = None,
        session_id: str | None = None,
        name: str | None = None,
        channel: str | None = None,
        **call: Unpack[CallOptions],
    ) -> AsyncList[types.Agent]:
        query = given(
            status=status, memoryId=memory_id, actorId=actor_id, sessionId=session_id, name=name, channel=channel
        )
        return self._transport.pages(AGENTS, call, query={**query, "limit": 100})

    async def get(self, agent_id: str, **call: Unpack[CallOptions]) -> types.Agent:
        return await self._transport.request("GET", AGENT, call, path={"agentId": agent_id})

    async def update(
        self, agent_id: str, body: types.UpdateAgentBody, **call: Unpack[CallOptions]
    ) -> types.Agent:
        return await self._transport.request("POST", AGENT + "/update", call, path={"agentId": agent_id}, body=body)

    async def stop(
        self, agent_id: str, *, reason: str = "requested", **call: Unpack[CallOptions]
    ) -> types.Agent:
        """Stops an agent; its history webhook follows."""
        return await self._ended_once("/stop", agent_id, reason, call)

    async def fail(self, agent_id: str, reason: str, **call: Unpack[CallOptions]) -> types.Agent:
        """Ends an agent as failed."""
        return await self._ended_once("/fail", agent_id, reason, call)

    async def append(
        self,
        agent_id: str,
        contents: Sequence[types.AppendToAgentBodyContent],
        *,
        idempotency_key: str | None = None,
        **call: Unpack[CallOptions],
    ) -> builtins.list[types.AppendedEvent]:
        """Appends messages to the agent's session atomically."""
        path, body = {"agentId": agent_id}, {"contents": [*contents]}
        options = with_key(call, idempotency_key)
        return (await self._transport.request("POST", AGENT + "/messages", options, path=path, body=body))["messages"]

    async def interrupt(
        self,
        agent_id: str,
        body: types.InterruptAgentBody | None = None,
        *,
        idempotency_key: str | None = None,
        **call: Unpack[CallOptions],
    ) -> types.InterruptAgentResponse:
        """Cuts the agent's last message to the part that was heard. Omit `content` if it is unknown."""
        path, options = {"agentId": agent_id}, with_key(call, idempotency_key)
        return await self._transport.request("POST", AGENT + "/interrupt", options, path=path, body=body or {})

    async def reset(self, agent_id: str, **call: Unpack[CallOptions]) -> None:
        """Empties the agent's window."""
        await self._transport.request("POST", AGENT + "/reset", call, path={"agentId": agent_id}, body={})

    async def history(self, agent_id: str, **call: Unpack[CallOptions]) -> types.GetAgentHistoryResponse:
        """Everything the agent heard and said."""
        return await self._transport.request("GET", AGENT + "/history", call, path={"agentId": agent_id})

    async def llm_request(
        self,
        agent_id: str,
        *,
        times: bool | None = None,
        users: bool | None = None,
        original: bool | None = None,
        interruptable: bool | None = None,
        memories: int | None = None,
        **call: Unpack[CallOptions],
    ) -> types.GetLlmRequestResponse:
        """The next input of its model: system messages, memories, the newest messages."""
        query = given(
            times=times, users=users, original=original, interruptable=interruptable, memories=memories
        )
        path = {"agentId": agent_id}
        return await self._transport.request("GET", AGENT + "/llm-request", call, path=path, query=query)

    async def _ended_once(self, step: str, agent_id: str, reason: str, call: CallOptions) -> types.Agent:
        """A repeated request that finds the agent ended was successful the first time."""
        options: CallOptions = {"repeatable": True, **call}
        path, body = {"agentId": agent_id}, {"reason": reason}
        try:
            return await self._transport.request("POST", AGENT + step, options, path=path, body=body)
        except TurnkeeperError as error:
            if error.code != "agent.not_running" or error.attempts == 1:
                raise
        return await self.get(agent_id, **call)
