"""A source over a store, and over the files that earlier versions of the agent left beside it."""

from collections.abc import Iterator, Sequence

from pipeline.adapters.sources.reading.stores import StoreSource
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session, TranscriptFile


class JoinedSource:
    """The sessions in stores and in files of one folder; one that is in both is merged by its ids, as any is."""

    def __init__(self, stores: StoreSource, files: TranscriptSource) -> None:
        self._stores = stores
        self._files = files

    @property
    def name(self) -> str:
        """How entries name this root."""
        return self._stores.name

    def files(self) -> Iterator[TranscriptFile]:
        """All sessions, in the order of their paths.

        Raises:
            ReadFailed: the root cannot be listed.
        """
        yield from sorted([*self._stores.files(), *self._files.files()], key=lambda file: file.path)

    def read(self, path: str) -> Sequence[Session]:
        """The sessions of one path.

        Raises:
            ReadFailed: the store or the file cannot be read.
        """
        return (self._stores if self._stores.holds(path) else self._files).read(path)
