"""The small class as the SQLite memory guide describes it."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from turnkeeper.sqlite_memory import SQLiteShortTermMemory

QUESTION, ANSWER = "What is the capital of Andorra?", "The capital of Andorra is Andorra la Vella."


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def talk(memory: SQLiteShortTermMemory, *turns: str) -> None:
    for turn in turns:
        role, content = turn.split(": ")
        memory.add_memory("s", role, content)


def test_context_and_text() -> None:
    with SQLiteShortTermMemory(db_path=":memory:") as memory:
        memory.add_memory(session_id="session-abc", role="user", content=QUESTION)
        metadata = {"model": "llama3", "tokens": 42}
        memory.add_memory(session_id="session-abc", role="assistant", content=ANSWER, metadata=metadata)
        asked, answered = memory.get_context(session_id="session-abc", limit=10)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", asked["timestamp"])
        assert (asked["metadata"], answered["metadata"]) == (None, metadata)
        assert memory.format_as_string(session_id="session-abc") == f"USER: {QUESTION}\n\nASSISTANT: {ANSWER}"
        assert (memory.get_context("other"), memory.format_as_string("other")) == ([], "")


def test_the_newest_ten_oldest_first() -> None:
    with SQLiteShortTermMemory(":memory:") as memory:
        talk(memory, *(f"user: {number}" for number in range(12)))
        assert [each["content"] for each in memory.get_context("s")] == [str(number) for number in range(2, 12)]
        assert [each["content"] for each in memory.get_context("s", 1)] == ["11"]
        with pytest.raises(ValueError, match="limit"):
            memory.get_context("s", -1)


@pytest.mark.parametrize(
    ("turns", "oldest", "newest"),
    [
        (["user: Q", "assistant: A"], "A", "A"),
        (["user: Q", "assistant: A", "user: Q", "assistant: B"], "A", "B"),
        (["user: Q", "user: other", "assistant: A"], None, None),
        (["Human: Q", "AI: A"], "A", "A"),
        (["assistant: Q", "assistant: A"], None, None),
        (["user: Q"], None, None),
        (["user: q", "assistant: A"], None, None),
    ],
)
def test_exact_match(turns: list[str], oldest: str | None, newest: str | None) -> None:
    with SQLiteShortTermMemory(":memory:") as memory:
        talk(memory, *turns)
        assert memory.get_exact_match_answer("Q") == oldest
        assert memory.get_exact_match_answer("Q", prefer="newest") == newest


def test_exact_match_gives_an_interrupted_answer_in_full() -> None:
    with SQLiteShortTermMemory(":memory:") as memory:
        memory.add_memory("s", "user", "Q")
        memory.add_memory("s", "assistant", "Hel", {"interrupted": True, "original": "Hello there."})
        assert memory.get_exact_match_answer("Q") == "Hello there."


def test_clearing_deletes_one_session() -> None:
    with SQLiteShortTermMemory(":memory:") as memory:
        talk(memory, "user: Q", "assistant: A")
        memory.add_memory("t", "user", "Stay")
        memory.clear_session("s")
        assert (memory.get_context("s"), memory.get_exact_match_answer("Q")) == ([], None)
        assert memory.format_as_string("t") == "USER: Stay"


def test_a_file_outlives_the_process_that_wrote_it(file: str) -> None:
    program = "import sys, os; from turnkeeper.sqlite_memory import SQLiteShortTermMemory as M\n"
    program += "M(sys.argv[1]).add_memory('s', 'user', 'Xin chào 🌊'); os._exit(1)"
    subprocess.run([sys.executable, "-c", program, file], check=False)
    with SQLiteShortTermMemory(file) as memory:
        assert memory.format_as_string("s") == "USER: Xin chào 🌊"


def test_threads_and_objects_share_a_file(file: str) -> None:
    with SQLiteShortTermMemory(file) as one, SQLiteShortTermMemory(file) as two:
        def add(memory: SQLiteShortTermMemory, name: str) -> None:
            for number in range(50):
                memory.add_memory("s", "user", f"{name}{number}")

        threads = [threading.Thread(target=add, args=each) for each in [(one, "a"), (one, "b"), (two, "c")]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        contents = [each["content"] for each in two.get_context("s", 1_000)]
        for name in "abc":
            assert [each for each in contents if each.startswith(name)] == [f"{name}{n}" for n in range(50)]


def test_files_of_the_guide_and_of_earlier_versions(file: str) -> None:
    with sqlite3.connect(file) as database:
        database.executescript("""
            CREATE TABLE memory (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
              content TEXT NOT NULL, metadata TEXT, timestamp DATETIME DEFAULT CURRENT_TIMESTAMP);
            INSERT INTO memory (session_id, role, content, metadata, timestamp) VALUES
              ('s', 'user', 'Hi', NULL, '2026-01-02 03:04:05'),
              ('s', 'assistant', 'Hello', '{"tokens": 2}', '2026-01-02T03:04:06.789Z');
        """)
    with SQLiteShortTermMemory(file) as memory:
        assert memory.get_context("s") == [
            {"role": "user", "content": "Hi", "metadata": None, "timestamp": "2026-01-02 03:04:05"},
            {"role": "assistant", "content": "Hello", "metadata": {"tokens": 2}, "timestamp": "2026-01-02 03:04:06"},
        ]


def test_the_class_of_the_guide_reads_our_files_in_order(file: str) -> None:
    """Its query: by the text of the time, then by id."""
    with SQLiteShortTermMemory(file) as memory:
        talk(memory, "user: one", "assistant: two")
    with sqlite3.connect(file) as database:
        database.execute("INSERT INTO memory (session_id, role, content) VALUES ('s', 'user', 'three')")
    with SQLiteShortTermMemory(file) as memory:
        talk(memory, "assistant: four")
    with sqlite3.connect(file) as database:
        rows = database.execute("SELECT content FROM memory WHERE session_id = 's' ORDER BY timestamp DESC, id DESC")
        assert [content for (content,) in rows] == ["four", "three", "two", "one"]
