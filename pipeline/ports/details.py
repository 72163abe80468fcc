"""The port of stored details: what the index reads of them."""

from collections.abc import Sequence
from typing import Protocol

from schemas.detail import Detail


class DetailSource(Protocol):
    """The details of one workspace.

    Every one of them may raise:
        StoreUnavailable, StoreBusy, StoreDamaged, StoreNewer, StoreDriverMissing: the store cannot be read now.
    """

    @property
    def exists(self) -> bool:
        """Whether there may be any; asking opens nothing."""

    def list_details(self) -> Sequence[Detail]:
        """The details whose texts are there; no text is read."""

    def find(self, key: str) -> Detail | None:
        """The detail with this key; `None` when it is not there, or its text has gone."""

    def beginning(self, detail: Detail, most: int) -> bytes:
        """The first bytes of a text, at most so many."""
