"""Client of Turnkeeper, self-hosted memory for conversational agents."""

from ._async.transport import AsyncList
from ._async.turnkeeper import AsyncTurnkeeper
from ._messages import Message
from ._requests import CallOptions, Retry
from ._sync.transport import List
from ._sync.turnkeeper import Turnkeeper
from .errors import FieldError, TurnkeeperConnectionError, TurnkeeperError

__all__ = [
    "AsyncList",
    "AsyncTurnkeeper",
    "CallOptions",
    "FieldError",
    "List",
    "Message",
    "Retry",
    "Turnkeeper",
    "TurnkeeperConnectionError",
    "TurnkeeperError",
]
