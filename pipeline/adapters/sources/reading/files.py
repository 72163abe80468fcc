"""A source over files: each file holds one session or more, as plain text or compressed with zstd."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.adapters.sources.reading.assembly import Assembly
from pipeline.adapters.sources.reading.compression import open_stream
from pipeline.adapters.sources.reading.listing import inside, listing
from pipeline.errors import ReadFailed
from schemas.settings import SourceSettings
from schemas.transcript import Message, Origin, Session, TranscriptFile


@dataclass(frozen=True)
class SourcePlace:
    """Where a source reads: its settings, its folder, and the zone of the owner's local dates elsewhere."""

    settings: SourceSettings
    root: Path
    usual_zone: str

    @property
    def zone(self) -> str:
        """The zone of its owner's local dates, an IANA name."""
        return self.settings.timezone or self.usual_zone

    def session(self, path: str, session_id: str, assembly: Assembly, **fields: Any) -> Session:  # noqa: ANN401 - pydantic checks them
        """The session at `path` that was assembled, with other `fields` of `Session`.

        It is a machine's when the fields say so, or when no message in it is the owner's.
        """
        messages: tuple[Message, ...] = fields.pop("messages", None) or assembly.messages()
        spoken = any(message.origin is Origin.OWNER for message in messages)
        fields["machine"] = bool(fields.get("machine")) or not spoken
        return Session(
            session_id=session_id,
            source=self.settings.root_name,
            path=path,
            zone=self.zone,
            messages=messages,
            skipped=dict(assembly.skipped),
            evidence=assembly.calls.evidence(),
            **fields,
        )


@dataclass(frozen=True)
class SourceFile:
    """A file that is open: `path` is relative to the root of its source, `stream` holds its bytes, uncompressed."""

    place: SourcePlace
    path: str
    stream: BinaryIO

    @property
    def location(self) -> Path:
        """Where the file is."""
        return self.place.root / self.path


Parse = Callable[[SourceFile], Sequence[Session]]
"""From a file to its sessions; none when the file is another program's."""


class FileSource:
    """The sessions in the files below a folder."""

    def __init__(
        self, place: SourcePlace, keep: Callable[[str], bool], parse: Parse, aside: AbstractSet[str] = frozenset()
    ) -> None:
        """`keep` accepts the names of files that may hold a session; folders of a name in `aside` hold none."""
        self._place = place
        self._keep = keep
        self._parse = parse
        self._aside = aside

    @property
    def name(self) -> str:
        """How entries name this root."""
        return self._place.settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        """All files of an accepted name, in the order of their paths."""
        yield from listing(self._place.root, self._keep, self._aside)

    def read(self, path: str) -> Sequence[Session]:
        """The sessions in one file."""
        file = inside(self._place.root, path)
        try:
            with open_stream(file) as stream:
                return self._parse(SourceFile(self._place, path, stream))
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error
