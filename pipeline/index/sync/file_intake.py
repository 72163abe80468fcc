"""The intake of a file: it is read, hashed and cut, or is no text; and the records that the index keeps of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pipeline.facts.names import MentionFinder
from pipeline.index import schema as layout
from pipeline.index.chunking.documents import read_document
from pipeline.index.chunking.passages import is_plain
from pipeline.index.context import Indexing
from pipeline.index.document import IndexedFile, Passage
from pipeline.index.sync.changes import COPY, digest, nanoseconds, record_payload
from pipeline.index.sync.detail_intake import read_detail
from pipeline.index.sync.points import Cut, Evidence, cut_document, stretches_of
from pipeline.markdown.blocks import Block, drop_overlaps, find_blocks
from pipeline.markdown.encoding import NotText
from pipeline.ports.index import IndexPoint
from pipeline.workspace.listing import Listed
from pipeline.workspace.regular_files import read_regular
from schemas.entry import Entry
from schemas.fact import Fact

_NO_EVIDENCE = Evidence(lambda _, entry: entry.as_unverified())


@dataclass(frozen=True)
class Intake:
    """A file as it was read at `read_ns`.

    When the system refuses to read it, `digest` is empty and `why` has the reason.

    `why` is also set for a file that is no text; it keeps its digest, and is not read again before it changes. With an
    `original` the file is a copy of that, of which nothing is taken in.
    """

    listed: Listed
    read_ns: int
    digest: str = ""
    why: str = ""
    original: str = ""
    cut: Cut = field(default_factory=Cut)

    @property
    def path(self) -> str:
        """The file's path."""
        return self.listed.path

    def points(self) -> Iterator[IndexPoint]:
        """The record of the file and its outline."""
        yield IndexPoint(
            layout.file_id(self.path),
            record_payload(
                self.listed,
                self.read_ns,
                self.digest,
                unreadable=f"{COPY}{self.original}" if self.original else self.why,
                doubted=self.cut.doubted,
            ),
        )
        yield IndexPoint(
            layout.outline_id(self.path),
            {
                layout.SORT: layout.OUTLINE,
                layout.PATH: self.path,
                layout.PASSAGES: self.cut.places,
                layout.SECTIONS: [[section.id, section.content] for section in self.cut.sections],
                layout.ENTRIES: self.cut.entries,
            },
        )


def take_in_all(
    indexing: Indexing, files: Iterable[Listed], size: int, mentions: MentionFinder
) -> Iterator[list[Intake]]:
    """The files, cut, so many at a time that they come to `size` points or a little more."""
    batch, points = list[Intake](), 0
    for listed in files:
        indexing.safe_point()
        if intake := take_in(indexing, listed, mentions):
            batch.append(intake)
            points += intake.cut.size + 2
        if points >= size:
            yield batch
            batch, points = [], 0
    if batch:
        yield batch


def take_in(indexing: Indexing, listed: Listed, mentions: MentionFinder) -> Intake | None:
    """The file, cut; `None` when it has gone since it was listed."""
    read_ns = nanoseconds(indexing.clock.now())
    if indexing.details:
        detail = read_detail(indexing, indexing.details, listed.path)
        return Intake(listed, read_ns, detail[0], cut=cut_document(detail[1], _NO_EVIDENCE)) if detail else None
    try:
        data = read_regular(listed.file)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Intake(listed, read_ns, why=f"cannot be read: {error.strerror or error}")
    if original := indexing.workspace.copies.original(listed.path):
        return Intake(listed, read_ns, digest(data), original=original)
    try:
        text, document = _read_text(indexing, listed, data)
    except NotText as error:
        return Intake(listed, read_ns, digest(data), why=str(error))
    belief = _BlockBelief(text, indexing)
    evidence = Evidence(belief.believe_entry, belief.wrote, belief.is_rendered, indexing.said_in, mentions)
    return Intake(listed, read_ns, digest(data), cut=cut_document(document, evidence))


def read_stretches(indexing: Indexing, listed: Listed) -> dict[str, str]:
    """The texts in the file as it is that have a vector, by its key; no points are made."""
    if indexing.details:
        detail = read_detail(indexing, indexing.details, listed.path)
        return dict(stretches_of(detail[1])) if detail else {}
    try:
        data = read_regular(listed.file)
        document = _read_text(indexing, listed, data)[1]
    except (OSError, NotText):
        return {}
    return {} if indexing.workspace.copies.original(listed.path) else dict(stretches_of(document))


def _read_text(indexing: Indexing, listed: Listed, data: bytes) -> tuple[bytes, IndexedFile]:
    """The text of a file, which of a note is a part of its bytes, and its document."""
    if indexing.settings.is_note(listed.path):
        text, role = indexing.notes.text_of(data), indexing.notes.role_of(listed.file, listed.tier)
    else:
        text, role = data, indexing.workspace.layout.place(listed.path)
    return text, read_document(listed, text, role)


@dataclass(frozen=True)
class _BlockBelief:
    """Finds the block that a passage's entry, or its fact, was read from, and asks how far it is believed."""

    data: bytes
    indexing: Indexing

    def believe_entry(self, passage: Passage, entry: Entry) -> Entry:
        """`pipeline.index.sync.points.Believed`."""
        block = self._blocks.get((False, entry.id, passage.start))
        return self.indexing.believed(block, entry) if block else entry.as_unverified()

    def wrote(self, passage: Passage, fact: Fact) -> bool:
        """`pipeline.index.sync.points.Wrote`."""
        block = self._blocks.get((True, fact.id, passage.start))
        return block is not None and block.intact and self.indexing.wrote(block)

    def is_rendered(self, passage: Passage) -> bool:
        """`pipeline.index.sync.points.Rendered`."""
        lines = enumerate(passage.text.split("\n"), passage.start)
        blocks = {self._items.get(number) for number, line in lines if line.strip()}
        return all(block is not None and block.intact and self.indexing.wrote(block) for block in blocks)

    @cached_property
    def _items(self) -> dict[int, Block]:
        """Our items, by each of their lines."""
        if not is_plain(self.data):
            return {}
        spans = (
            (block, block.line + self.data.count(b"\n", block.start, max(block.end - 1, block.start)))
            for block in drop_overlaps(self._blocks.values())
            if block.item
        )
        return {number: block for block, last in spans for number in range(block.line, last + 1)}

    @cached_property
    def _blocks(self) -> dict[tuple[bool, str, int], Block]:
        return {(block.item, block.name, block.line): block for block in find_blocks(self.data)}
