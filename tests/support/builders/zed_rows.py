"""Stores of Zed written by hand."""

import json
from pathlib import Path

import zstandard

from tests.support.builders.store_rows import StoreRows


class ZedRows(StoreRows):
    """A store of threads."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            file,
            "threads (id TEXT PRIMARY KEY, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB, parent_id TEXT,"
            " folder_paths TEXT, created_at TEXT)",
        )

    def thread(self, session_id: str, *messages: object, data_type: str = "zstd", **fields: object) -> None:
        """Adds a thread."""
        document = json.dumps({"version": "0.3.0", "title": "shop", "messages": messages}).encode()
        data = zstandard.compress(document) if data_type == "zstd" else document
        own = {"updated_at": "2026-02-02T10:00:00+00:00", "created_at": "2026-02-02T09:00:00+00:00"}
        paths = {"folder_paths": "/home/tom/shop\n/home/tom/yard", "data_type": data_type, "data": data}
        self.add("threads", id=session_id, **(own | paths | fields))
