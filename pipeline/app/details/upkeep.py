"""Look after details: list them, pin them, read them for the index, and let those go that nothing needs any more."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pipeline.store.opening import WorkspaceStore
from schemas.detail import ALL_DETAILS, Detail, DetailFilter
from schemas.reports.details import PrunedDetails

if TYPE_CHECKING:
    from pipeline.app.details.expiry import DetailCitations


def list_details(
    store: WorkspaceStore, wanted: DetailFilter = ALL_DETAILS, limit: int = 0, skip: int = 0
) -> list[Detail]:
    """The details that fit, the newest first; 0 is no limit, and with a limit some may be skipped.

    Raises:
        StoreError: it cannot be read now.
    """
    if not store.exists:
        return []
    return store.details.list_details(wanted, limit, skip)


def count_details(store: WorkspaceStore, wanted: DetailFilter) -> int:
    """The number of details that a filter selects.

    Raises:
        StoreError: as `list_details`.
    """
    return store.details.count(wanted) if store.exists else 0


def detail_threads(store: WorkspaceStore, limit: int) -> list[tuple[str, int]]:
    """The threads that have details, first those with the newest, and how many each has.

    Raises:
        StoreError: as `list_details`.
    """
    return store.details.threads(limit) if store.exists else []


def pin(store: WorkspaceStore, keys: Collection[str], *, pinned: bool = True) -> int:
    """Pin details, so that they never expire, or unpin them; how many of the keys there are.

    Raises:
        StoreError: nothing was changed.
    """
    return store.details.pin(keys, pinned=pinned) if store.exists else 0


def missing_keys(store: WorkspaceStore, keys: Collection[str]) -> list[str]:
    """The keys under which no text is stored, each once.

    Raises:
        StoreError: as `list_details`.
    """
    if not store.exists:
        return list(dict.fromkeys(keys))
    standing = {key: store.details.find(key) for key in keys}
    return [key for key, detail in standing.items() if not (detail and detail.active)]


def prune(
    store: WorkspaceStore, now: datetime, citations: "DetailCitations", *, dry_run: bool = False
) -> PrunedDetails:
    """Let the texts go that expired and that no transcript cites; of them what answers a placeholder stays.

    Raises:
        StoreError: nothing was changed.
    """
    late = store.details.find_expired(now) if store.exists else []
    cited = citations.of(late)
    gone = [detail for detail in late if detail.key not in cited]
    if gone and not dry_run:
        store.details.retire([detail.key for detail in gone])
    keys = tuple(detail.key for detail in gone)
    return PrunedDetails(
        keys, sum(detail.size for detail in gone), tuple(detail.key for detail in late if detail.key in cited)
    )


@dataclass(frozen=True)
class StoredDetails:
    """`pipeline.ports.details.DetailSource` of a workspace's store, which is not opened while there is none."""

    store: WorkspaceStore

    @property
    def exists(self) -> bool:
        """Whether there may be any; asking opens nothing."""
        return self.store.exists

    def list_details(self) -> Sequence[Detail]:
        """The details whose texts are there."""
        return list_details(self.store)

    def find(self, key: str) -> Detail | None:
        """The detail with this key; `None` when it is not there, or its text has gone."""
        detail = self.store.details.find(key) if self.store.exists else None
        return detail if detail and detail.active else None

    def beginning(self, detail: Detail, most: int) -> bytes:
        """The first bytes of a text, at most so many."""
        data = bytearray()
        for chunk in self.store.details.read(detail):
            data += chunk.content
            if len(data) >= most:
                break
        return bytes(data[:most])
