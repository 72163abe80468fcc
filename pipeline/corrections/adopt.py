"""`memory doctor adopt`: a person moves old text out of `MEMORY.md` into an archive, to make room; nothing is lost."""

import difflib
import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.corrections.full_page import count_characters
from pipeline.corrections.undo_adopt import ADOPTION, EDITED_ITEM, done_outcome, heading, holding, render_again, settle
from pipeline.engine.context import Engine
from pipeline.errors import ChangedMeanwhile, PipelineError
from pipeline.errors.corrections import ChangedSince, NothingToAdopt, UnknownBlock
from pipeline.ledger.changes import BlockState, Change, ChangeKind
from pipeline.markdown.blocks import block_names, find_blocks, split_lines
from pipeline.markdown.items import persons_part
from pipeline.markdown.moved import MovedLines, count_lines, cut_lines, render_archived
from pipeline.markdown.sections import Section, find_sections
from pipeline.markdown.splice import newline_of
from pipeline.workspace.layout import ARCHIVE
from schemas.hot_page import CHARACTERS, LINES, PATH
from schemas.outcome import Ending
from schemas.reports.corrections import MoveDone, MovePlanned, OwnBlock, OwnBlocks
from schemas.window import PartitionKey, Window

_SEEN_LENGTH = 8
_NOT_YET = "RUN"


@dataclass(frozen=True)
class PersonsBlock:
    """The text of a person under one heading of the page, up to the next heading of any level.

    `level` is the heading's, 0 without one; with `headed` the heading is the person's too. `spans` are byte offsets of
    whole lines, without our unchanged items; `line` is the first of these lines, counted from 1. `begins` is the first
    line under the heading.
    """

    number: int
    level: int
    title: str
    headed: bool
    spans: tuple[tuple[int, int], ...]
    line: int
    lines: int
    characters: int
    begins: str


@dataclass(frozen=True)
class PersonsPart:
    """The person's part of the page, and the room that it leaves for ours. `seen` is a mark of the present page."""

    seen: str
    blocks: tuple[PersonsBlock, ...]
    lines: int
    characters: int
    room_lines: int
    room_characters: int


@dataclass(frozen=True)
class Move:
    """A move: the page without the pieces, and the archive with them. The bytes are of whole files."""

    blocks: tuple[PersonsBlock, ...]
    pieces: tuple[MovedLines, ...]
    archive: str
    page: tuple[bytes, bytes]
    archived: tuple[bytes | None, bytes]

    @property
    def page_mark(self) -> str:
        """A mark of the page as it was."""
        return _mark(self.page[0])


@dataclass(frozen=True)
class Adopted:
    """A move that was made, and its run; with `due`, the next run renders the page with the new room."""

    run_id: str
    move: Move
    due: bool


def read_part(engine: Engine) -> PersonsPart:
    """The person's part of the present page.

    Raises:
        NothingToAdopt: there is no page, or nothing of a person in it.
    """
    data = _page(engine)
    return _measure_part(data, _blocks(data))


def part_after(move: Move) -> PersonsPart:
    """The person's part of the page that a move would leave."""
    return _measure_part(move.page[1], persons_blocks(move.page[1]))


def persons_blocks(data: bytes) -> tuple[PersonsBlock, ...]:
    """The person's part of a page in blocks. Empty lines alone between our items belong to none."""
    ours = [(block.start, block.end) for block in find_blocks(data) if block.item and block.intact]
    blocks = list[PersonsBlock]()
    for section in find_sections(data):
        spans = [(start, end) for start, end in _gaps_between(section, ours) if data[start:end].strip()]
        if spans:
            blocks.append(_block(data, len(blocks) + 1, section, spans))
    return tuple(blocks)


def plan(engine: Engine, numbers: Collection[int], seen: str = "", run_id: str = _NOT_YET) -> Move:
    """The move of the blocks of these numbers. With `seen`, only if the page still has this mark.

    Raises:
        CorrectionRefused: there is no page, or nothing of a person in it; there is no such block.
        ChangedSince: the page is not as it was.
    """
    data = _page(engine)
    if seen and seen != _mark(data):
        raise ChangedSince(PATH)
    blocks = _blocks(data)
    if wrong := sorted(set(numbers) - {block.number for block in blocks}):
        raise UnknownBlock(PATH, wrong, len(blocks))
    chosen = tuple(block for block in blocks if block.number in numbers)
    after, pieces = cut_lines(data, [span for block in chosen for span in block.spans])
    path = f"{ARCHIVE}/adopted-{engine.local_now().date()}.md"
    old = engine.workspace.read(path)
    newline = newline_of(data if old is None else old)
    grown = (heading(path) + newline if old is None else old) + render_archived(pieces, PATH, run_id, newline)
    return Move(chosen, tuple(pieces), path, (data, after), (old, grown))


def adopt(engine: Engine, numbers: Collection[int], seen: str = "") -> Adopted:
    """Move blocks of the person's text to the archive of the day, where they are written before they leave the page.

    Raises:
        CorrectionRefused: there is no page, or nothing of a person in it; there is no such block.
        ChangedSince: the page is not as it was.
        WorkspaceError: the system refuses; the files are as they were; somebody is at work on them.
    """
    now = engine.clock.now()
    run_id = engine.new_run_id(now)
    with holding(engine, run_id):
        move = plan(engine, numbers, seen, run_id)
        key = f"adopted-{engine.local_now().date()}"
        partition = PartitionKey(key=key, window=Window(start=now, end=now))
        engine.ledger.runs.begin(run_id, ADOPTION, partition, now)
        done = done_outcome(run_id, partition, [f"{PATH}, {piece.name}" for piece in move.pieces])
        try:
            _carry_out(engine, move, run_id)
        except PipelineError as error:
            if not settle(engine, run_id, done, untouched=isinstance(error, ChangedSince)):
                failure = {"ending": Ending.FAILED, "warning": str(error), "written": (), "paths": ()}
                engine.ledger.runs.end(done.model_copy(update=failure), engine.clock.now())
            raise
        with engine.ledger.store.transaction():
            due = render_again(engine)
            engine.ledger.runs.end(done, engine.clock.now())
    return Adopted(run_id, move, due)


def _carry_out(engine: Engine, move: Move, run_id: str) -> None:
    """Write the archive, then the page; both changes are noted before either file is touched."""
    changes, (before, after), (old, new) = engine.ledger.changes, move.page, move.archived
    # Items of ours leave the page with their block where the person had edited them.
    live = {block.name for block in changes.live() if block.path == PATH}
    edited = sorted((block_names(before) - block_names(after)) & live)
    names = {piece.name: "" for piece in move.pieces}
    kind = ChangeKind.CREATE if old is None else ChangeKind.APPEND
    archive = Change(run_id, move.archive, kind, new[len(old or b"") :], names, size=len(old or b""))
    identities = names | dict.fromkeys(edited, EDITED_ITEM)
    page = Change(run_id, PATH, ChangeKind.REPLACE, after, identities, before=before)
    with engine.ledger.store.transaction():
        archive, page = changes.intend(archive), changes.intend(page)
    with engine.workspace.lease(move.archive) as lease:
        if archive.kind is ChangeKind.APPEND:
            lease.append(archive.after)
        elif not lease.create(archive.after):
            raise ChangedSince(move.archive)
    changes.settle(archive, ())
    for name in edited:
        # The item is moved. This is noted first, so that after a crash it does not count as deleted.
        changes.set_state(PATH, name, BlockState.ADOPTED)
    try:
        with engine.workspace.lease(PATH) as lease:
            lease.replace(before, after)
    except ChangedMeanwhile as error:
        raise ChangedSince(PATH) from error
    changes.settle(page, ())


def _page(engine: Engine) -> bytes:
    data = engine.workspace.read(PATH)
    if data is None:
        raise NothingToAdopt(PATH, "does not exist")
    return data


def _blocks(data: bytes) -> tuple[PersonsBlock, ...]:
    if not (blocks := persons_blocks(data)):
        raise NothingToAdopt(PATH, "holds nothing of yours")
    return blocks


def _mark(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_SEEN_LENGTH]


def _measure_part(data: bytes, blocks: tuple[PersonsBlock, ...]) -> PersonsPart:
    person = persons_part(data)
    lines, characters = count_lines(person), count_characters(person)
    return PersonsPart(
        seen=_mark(data),
        blocks=blocks,
        lines=lines,
        characters=characters,
        room_lines=max(0, LINES - lines),
        room_characters=max(0, CHARACTERS - characters),
    )


def _gaps_between(section: Section, ours: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans of a section that are not ours."""
    at = section.start
    for start, end in ours:
        if at < section.end and section.start < end and start < section.end:
            yield at, start
            at = max(at, end)
    yield at, section.end


def _block(data: bytes, number: int, section: Section, spans: Sequence[tuple[int, int]]) -> PersonsBlock:
    texts = [data[start:end] for start, end in spans]
    under = b"".join(data[max(start, section.body) : max(end, section.body)] for start, end in spans)
    lines = (line.body.decode(errors="replace").strip() for line in split_lines(under))
    return PersonsBlock(
        number=number,
        level=section.level,
        title=section.title,
        headed=section.level > 0 and spans[0][0] == section.start,
        spans=tuple(spans),
        line=data.count(b"\n", 0, spans[0][0]) + 1,
        lines=sum(map(count_lines, texts)),
        characters=sum(map(count_characters, texts)),
        begins=next(filter(None, lines), ""),
    )


def own_blocks(listing: PersonsPart) -> OwnBlocks:
    """The person's part, block by block."""
    fields = {name: value for name, value in vars(listing).items() if name != "blocks"}
    own = [{name: value for name, value in vars(block).items() if name != "spans"} for block in listing.blocks]
    return OwnBlocks(path=PATH, blocks=tuple(OwnBlock(**block) for block in own), **fields)


def move_planned(move: Move) -> MovePlanned:
    """A move that is not made yet."""
    return MovePlanned(seen=move.page_mark, diff="\n".join(move_diff(move)), **_move_fields(move))


def move_done(done: Adopted) -> MoveDone:
    """A move that was made."""
    return MoveDone(run_id=done.run_id, undo=f"memory undo {done.run_id}", due=done.due, **_move_fields(done.move))


def move_diff(move: Move) -> Iterator[str]:
    """The unified diff of both files, a line each."""
    for path, (old, new) in ((PATH, move.page), (move.archive, move.archived)):
        before, after = ((data or b"").decode(errors="replace").splitlines() for data in (old, new))
        yield from difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="")


def _move_fields(move: Move) -> dict[str, Any]:
    after = part_after(move)
    return {
        "blocks": tuple(block.number for block in move.blocks),
        "lines": sum(block.lines for block in move.blocks),
        "characters": sum(block.characters for block in move.blocks),
        "archive": move.archive,
        "room_lines": after.room_lines,
        "room_characters": after.room_characters,
    }
