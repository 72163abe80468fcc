"""Which details a transcript still cites: those of a session that is still there, and those that are named in one."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.app.engine import folder_of
from pipeline.engine.context import Engine
from pipeline.ledger.files import Files
from schemas.detail import Detail

_BLOCK = 4_194_304


@dataclass(frozen=True)
class DetailCitations:
    """The transcripts of a workspace: those that the ledger knows, and the folders in which they lie."""

    files: Files
    folders: Sequence[Path]

    def of(self, details: Collection[Detail]) -> frozenset[str]:
        """The keys of the details that are cited; when in doubt, one is."""
        threads = {detail.placement.thread_id for detail in details} - {""}
        there = {thread for thread in threads if self.files.of_session(thread)}
        cited = {detail.key for detail in details if detail.placement.thread_id in there}
        wanted = {detail.key.encode() for detail in details} - {key.encode() for key in cited}
        return frozenset(cited | {key.decode() for key in self._named(wanted)})

    def _named(self, keys: set[bytes]) -> set[bytes]:
        """Those of the keys that stand in a file; files that are compressed tell by their session alone."""
        named = set[bytes]()
        for path in self._paths() if keys else ():
            named |= _in_file(path, keys - named)
            if named == keys:
                break
        return named

    def _paths(self) -> Iterator[Path]:
        for folder in dict.fromkeys(self.folders):
            yield from [folder] if folder.is_file() else (path for path in folder.rglob("*") if path.is_file())


def citations_of(engine: Engine) -> DetailCitations:
    """The transcripts that the settings name. Look at them first (`pipeline.app.engine.look`)."""
    sources = engine.settings.sources
    return DetailCitations(engine.ledger.files, [folder_of(engine.workspace.root, source) for source in sources])


def _in_file(path: Path, keys: set[bytes]) -> set[bytes]:
    try:
        with path.open("rb") as file:
            return _in_blocks(iter(lambda: file.read(_BLOCK), b""), keys)
    except OSError:  # what cannot be read may cite all
        return keys


def _in_blocks(blocks: Iterator[bytes], keys: set[bytes]) -> set[bytes]:
    named, tail, overlap = set[bytes](), b"", max(map(len, keys), default=1)
    for block in blocks:
        text = tail + block
        named |= {key for key in keys - named if key in text}
        tail = text[-overlap:]
    return named
