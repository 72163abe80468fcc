"""What the tests of details keep."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, TypeVar

from pipeline.app.details.keep import KeepRequest, KeptText, keep
from pipeline.settings.load import load_settings
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail, Placement
from tests.support.ports.clock import FixedClock
from tests.support.ports.plain_redactor import PlainRedactor

Made = TypeVar("Made")
Content = str | bytes | BinaryIO | Iterable[bytes]
"""What can be kept."""

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
LOG = (
    "".join(f"step {number} of the build took {number % 7} ms\n" for number in range(1, 501)) + "error: disk is slow\n"
)


def kept(store: WorkspaceStore, text: Content = LOG, **fields: object) -> KeptText:
    """Keep a text on the second of March; `hunter2` is a secret."""
    clock = FixedClock(NOW)
    request = KeepRequest(text, **{"placement": Placement(thread_id="t1"), **fields})  # type: ignore[arg-type]  # checked by the tests
    return keep(store, request, PlainRedactor("hunter2"), clock)


def shell_detail(root: Path, text: str = LOG, **fields: object) -> Detail:
    """A detail as a shell stores it in a workspace: nobody's."""
    return with_store(root, lambda store: detail_of(store, text, placement=Placement(), **fields))


def with_store(root: Path, work: Callable[[WorkspaceStore], Made]) -> Made:
    """What is made with the store of a workspace, which is closed again."""
    store = WorkspaceStore(root, load_settings(root, {}).store)
    try:
        return work(store)
    finally:
        store.close()


def detail_of(store: WorkspaceStore, text: Content = LOG, **fields: object) -> Detail:
    """Keep a text that is large enough."""
    detail = kept(store, text, **fields).detail
    assert detail
    return detail


def text_of(store: WorkspaceStore, detail: Detail) -> bytes:
    """The text in the store."""
    return b"".join(chunk.content for chunk in store.details.read(detail))
