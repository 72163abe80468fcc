"""The conversations of a workspace, opened for a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.app.conversations import Conversations, conversations_in
from pipeline.app.details.opening import open_store
from pipeline.process.context import ProcessContext


@contextmanager
def open_conversations(root: Path, context: ProcessContext, **ports: Any) -> Iterator[Conversations]:  # noqa: ANN401 - as they are given
    """The conversations while the store is open."""
    store = open_store(root, context)
    try:
        yield conversations_in(store, context, **ports)
    finally:
        store.close()
