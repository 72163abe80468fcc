"""The details of a store as the index reads them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.app.details.upkeep import list_details
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail


@dataclass(frozen=True)
class StoredDetails:
    """`pipeline.ports.details.DetailSource` of a workspace's store, which is not opened while there is none."""

    store: WorkspaceStore

    @property
    def exists(self) -> bool:
        """Whether there may be any; asking opens nothing."""
        return self.store.exists

    def listed(self) -> Sequence[Detail]:
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
