"""Sessions of Grok Build written by hand."""

import json
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import grok
from schemas.transcript import Session
from tests.support.sources import only_session, opened_source

START = 1_770_000_000


class GrokLines:
    """A session, line by line; each line is a minute after the one before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def update(self, update: dict[str, Any]) -> None:
        """Adds an update."""
        record = {"timestamp": START + 60 * len(self.lines), "params": {"update": update}}
        self.lines.append(json.dumps(record).encode() + b"\n")

    def piece(self, kind: str, words: str, **about: object) -> None:
        """Adds a piece of a message."""
        self.update({"sessionUpdate": kind, "content": {"type": "text", "text": words}, "_meta": about})

    def user(self, words: str, question: int) -> None:
        """Adds a person's words."""
        self.piece("user_message_chunk", words, promptIndex=question)

    def assistant(self, question: str, *pieces: str) -> None:
        """Adds an answer in pieces."""
        for words in pieces:
            self.piece("agent_message_chunk", words, promptId=question)

    def read(self, root: Path, about: dict[str, Any], path: str = "%2Fshop/g-1/updates.jsonl") -> Session:
        """Writes the file below `root`, with the summary beside it, and reads it."""
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).with_name("summary.json").write_text(json.dumps(about))
        return only_session(opened_source(grok, root), root / path, path, b"".join(self.lines))
