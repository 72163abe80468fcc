"""Transcripts of Cursor written by hand."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import cursor
from schemas.transcript import Session
from tests.support.sources import only_session, opened_source

START = datetime(2026, 2, 2, 21)  # noqa: DTZ001 - the line says its zone


class CursorLines:
    """A session, line by line; each question is a minute after the line before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def add(self, record: dict[str, Any]) -> None:
        """Adds a record."""
        self.lines.append(json.dumps(record).encode() + b"\n")

    def message(self, role: str, *content: dict[str, Any]) -> None:
        """Adds a message of some blocks."""
        self.add({"role": role, "message": {"content": list(content)}})

    def user(self, words: str, before: str = "") -> None:
        """Adds a question as newer versions do; `before` stands before its tag."""
        time = START + timedelta(minutes=len(self.lines))
        stamp = f"<timestamp>{time:%A, %b} {time.day}, {time:%Y}, {time:%I:%M %p} (UTC+1)</timestamp>"
        text = f"{stamp}\n{before}<user_query>\n{words}\n</user_query>"
        self.message("user", {"type": "text", "text": text})

    def assistant(self, words: str, *more: dict[str, Any]) -> None:
        """Adds an answer."""
        self.message("assistant", {"type": "text", "text": words}, *more)

    def read(self, root: Path, path: str = "s.jsonl") -> Session:
        """Writes the file below `root` and reads it."""
        return only_session(opened_source(cursor, root), root / path, path, b"".join(self.lines))
