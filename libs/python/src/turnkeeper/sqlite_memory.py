"""Short-term memory with the five methods of `SQLiteShortTermMemory`: in a SQLite file, or on a server."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from threading import Lock
from typing import Any, Literal, Self, TypedDict

from ._messages import Message
from ._sync.session import ActorHandle, SessionHandle

# The schema of the package `@turnkeeper/short-term-memory`, which writes the same files.
SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS memory (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT    NOT NULL,
  role       TEXT    NOT NULL,
  content    TEXT    NOT NULL,
  metadata   TEXT,
  timestamp  DATETIME DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX IF NOT EXISTS idx_session_id ON memory(session_id);
CREATE INDEX IF NOT EXISTS idx_question ON memory(substr(content, 1, 64));
"""

ANSWER = """
SELECT answer.content, answer.metadata
FROM memory question
JOIN memory answer
  ON answer.id = (SELECT min(id) FROM memory WHERE session_id = question.session_id AND id > question.id)
WHERE substr(question.content, 1, 64) = substr(:query, 1, 64)
  AND question.content = :query
  AND lower(question.role) IN ('user', 'human')
  AND lower(answer.role) IN ('assistant', 'ai')
  AND answer.content <> ''
ORDER BY question.id {order}
LIMIT 1
"""

Prefer = Literal["oldest", "newest"]


class ContextMessage(TypedDict):
    role: str
    content: str
    metadata: dict[str, Any] | None
    timestamp: str


def _as_text(messages: list[ContextMessage]) -> str:
    return "\n\n".join(f"{each['role'].upper()}: {each['content']}" for each in messages)


class SQLiteShortTermMemory:
    """Messages of sessions in a SQLite file, which several threads and processes can use.

    `@turnkeeper/short-term-memory` reads and writes the same files. `:memory:` keeps the messages in this process.
    """

    def __init__(self, db_path: str = "short_term_memory.db") -> None:
        self._lock = Lock()
        # One for all calls: each connection to `:memory:` has a database of its own.
        self._database = sqlite3.connect(db_path, timeout=5, isolation_level=None, check_same_thread=False)
        self._database.executescript(SCHEMA)

    def add_memory(
        self, session_id: str, role: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Appends a message to a session. When it returns, the message is on disk."""
        stored = json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False) if metadata else None
        sql = "INSERT INTO memory (session_id, role, content, metadata) VALUES (?, ?, ?, ?)"
        self._rows(sql, (session_id, role, content, stored))

    def get_context(self, session_id: str, limit: int = 10) -> list[ContextMessage]:
        """The newest messages of a session, oldest first."""
        if limit < 1:
            raise ValueError("limit must be at least 1.")
        sql = "SELECT role, content, metadata, timestamp FROM memory WHERE session_id = ? ORDER BY id DESC LIMIT ?"
        return [
            {
                "role": role,
                "content": content,
                "metadata": None if metadata is None else json.loads(metadata),
                # Earlier versions of the TypeScript package wrote ISO 8601.
                "timestamp": timestamp[:19].replace("T", " "),
            }
            for role, content, metadata, timestamp in reversed(self._rows(sql, (session_id, limit)))
        ]

    def format_as_string(self, session_id: str, limit: int = 10) -> str:
        """The same as text: `ROLE: content`, separated by blank lines; empty if there are no messages."""
        return _as_text(self.get_context(session_id, limit))

    def get_exact_match_answer(self, query: str, prefer: Prefer = "oldest") -> str | None:
        """The assistant's answer directly after a user message with exactly this text, in any session."""
        order = "ASC" if prefer == "oldest" else "DESC"
        for content, metadata in self._rows(ANSWER.format(order=order), {"query": query}):
            known = {} if metadata is None else json.loads(metadata)
            # In full even if the speaker was interrupted.
            return known["original"] if known.get("interrupted") is True and "original" in known else content
        return None

    def clear_session(self, session_id: str) -> None:
        """Deletes the messages of a session."""
        self._rows("DELETE FROM memory WHERE session_id = ?", (session_id,))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, sql: str, values: tuple[object, ...] | dict[str, object]) -> list[Any]:
        with self._lock:
            return self._database.execute(sql, values).fetchall()


class ServerShortTermMemory:
    """The same methods on a server, for the sessions of one actor, who is the user or the application.

    `ServerShortTermMemory(turnkeeper.memory(memory_id).actor("my-app"))`
    """

    def __init__(self, actor: ActorHandle) -> None:
        self._actor = actor

    def add_memory(
        self, session_id: str, role: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        message: Message = {"role": role, "content": content}
        if metadata:
            message["metadata"] = dict(metadata)
        self._session(session_id).append(message)

    def get_context(self, session_id: str, limit: int = 10) -> list[ContextMessage]:
        return [
            {
                "role": each["role"],
                "content": each["content"],
                "metadata": each["metadata"],
                "timestamp": each["occurredAt"],
            }
            for each in self._session(session_id).window(limit)
        ]

    def format_as_string(self, session_id: str, limit: int = 10) -> str:
        return _as_text(self.get_context(session_id, limit))

    def get_exact_match_answer(self, query: str, prefer: Prefer = "oldest") -> str | None:
        """In all sessions of the actor."""
        return self._actor.exact_match(query, prefer=prefer) if query else None

    def clear_session(self, session_id: str) -> None:
        """Hides the messages so far. The log keeps them; `SessionHandle.delete` erases them."""
        self._session(session_id).clear()

    def _session(self, session_id: str) -> SessionHandle:
        return self._actor.session(session_id)
