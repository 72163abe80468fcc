"""The checks of the daily files: entries that break off or cannot be read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from os.path import commonprefix

from pipeline.clock import to_the_minute
from pipeline.corrections.links import fallen
from pipeline.corrections.review import is_due
from pipeline.doctor.run_check import NAMED, run_check
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.rebuild import prove_again
from pipeline.engine.recovery import recover
from pipeline.errors import ChangedMeanwhile
from pipeline.job import Job
from pipeline.ledger.changes import BlockState, KnownBlock
from pipeline.markdown.blocks import find_blocks, seal_entry
from pipeline.markdown.entries import parse_entry
from pipeline.markdown.splice import newline_of
from pipeline.reports.placed_entries import EntryBook, PlacedEntry
from pipeline.workspace.forgotten import PATH as FORGOTTEN
from schemas.checkup import CheckResult, Health
from schemas.entry import Status, Trust

_OURS = re.compile(r"[A-Z]+-[0-9]{8}-")
_LINE_ENDS = b"\r\n"  # bytes of which line ends are made
_NEW_LINES = (b"\n", b"\r\n")


@dataclass(frozen=True)
class TornEntry:
    """An entry that cannot be read, or that is truncated: the lines `first` to `last` of `path`, from 1.

    `cut` means that its end is missing. `read` is the file as it is, and `whole` the file with the rest of the entry,
    when the ledger has it. `again` is the id under which a later run has written the same words.
    """

    name: str
    path: str
    first: int
    last: int
    cut: bool
    read: bytes
    whole: bytes | None = None
    again: str = ""


def torn_entries(engine: Engine, path: str) -> Iterator[TornEntry]:
    """The torn entries of one file, in order. An entry that lost its id is known from the ledger only."""
    data = engine.workspace.read(path) or b""
    known = {block.name: block for block in engine.ledger.changes.standing_in(path)}
    blocks = [block for block in find_blocks(data) if not block.item]
    missing = [known[name] for name in known if name not in {block.name for block in blocks}]
    headless = list(_headless_entry(engine, missing, data))
    beginnings = {torn.first for torn in headless}  # where half an id would be taken for another entry's
    for block in (block for block in blocks if not block.intact and block.line not in beginnings):
        start, known_block = block.start, known.get(block.name)
        written = _last_written(engine, known_block, newline_of(data)) if known_block else None
        if known_block and written and written.startswith(data[start : block.end].rstrip(_LINE_ENDS)):
            yield _cut_entry(engine, known_block, data, start, written)
        elif parse_entry(block) is None and (known_block or _OURS.match(block.name)):
            yield TornEntry(block.name, path, block.line, _line_of(data, block.end), cut=not block.check, read=data)
    yield from headless


def complete_entry(engine: Engine, job: Job, torn: TornEntry) -> str:
    """Write the rest of a torn entry again; returns a sentence about it."""
    run_id = engine.new_run_id(engine.clock.now())
    with engine.locks.hold((job.name, *job.locks), run_id, engine.clock.now() + job.timeout):
        recover(engine.workspace, engine.ledger, engine.family(job).owns)
        for _ in range(ATTEMPTS):
            now = next((torn_now for torn_now in torn_entries(engine, torn.path) if torn_now.name == torn.name), None)
            if now is None or now.whole is None or now.again:
                return f"{torn.name} is not torn any more"
            if engine.workspace.put_file(now.path, now.read, now.whole):
                return f"{torn.name} stands in {torn.path} as it was written"
    raise ChangedMeanwhile(torn.path)


def _cut_entry(engine: Engine, known: KnownBlock, data: bytes, start: int, written: bytes) -> TornEntry:
    end = start + len(commonprefix([data[start:], written]))  # noqa: RUF071 - of bytes, not of paths
    if data[end:] and not data.startswith(_NEW_LINES, end):
        end = data.rfind(b"\n", start, end) + 1  # another program's line begins as our next line did
    rest = data[end:]
    # A program that appended since began with a line end, which closed the torn line.
    lead = newline_of(data) if rest and not rest.startswith(_NEW_LINES) else b""
    # Lines of other pages may rest on the same words: those are no entries.
    same = (block for block in engine.ledger.changes.live() if block.identity and block.identity == known.identity)
    return TornEntry(
        name=known.name,
        path=known.path,
        first=_line_of(data, start + 1),
        last=_line_of(data, end),
        cut=True,
        read=data,
        whole=data[:start] + written + lead + rest,
        again=next((block.name for block in same if block.name != known.name and _OURS.match(block.name)), ""),
    )


def _headless_entry(engine: Engine, missing: list[KnownBlock], data: bytes) -> Iterator[TornEntry]:
    """The entry at the end of the file without the end of its id."""
    start = data.rfind(b"\n## ") + 1
    if not data.startswith(b"## ", start):
        return
    for known in missing:
        written = _last_written(engine, known, newline_of(data))
        if written and written.startswith(data[start:].rstrip(_LINE_ENDS)):
            yield _cut_entry(engine, known, data, start, written)
            return


def _last_written(engine: Engine, known: KnownBlock, newline: bytes) -> bytes | None:
    """The entry as we wrote it last; `None` if the ledger does not have it."""
    block = engine.ledger.changes.as_written(known.path, known.name, known.digest)
    return seal_entry(block.text).encode().replace(b"\n", newline) if block else None


def _line_of(data: bytes, end: int) -> int:
    """The number of the line of the byte before `end`, from 1."""
    return data.count(b"\n", 0, end - 1) + 1


_UNPROVEN_ADVICE = (
    "Put .memory/state.db back from a backup, before more is written; or bring their transcripts back, and "
    "`memory doctor --fix` reads those again. Without both,"
)
_OF_QUOTED = "`memory correct ID` makes the words of a quoted one yours again"
_OF_OTHERS = "what is not verified has to be said anew"


def check_proofs(engine: Engine, book: EntryBook) -> Iterator[CheckResult]:
    """Check for entries that lost their proof when the ledger was rebuilt; no transcript is read."""
    rebuilt = engine.ledger.rebuilds.latest()
    if rebuilt is None:
        return
    doubted = [place for place in book.texts if place.status is Status.ACTIVE and _is_unproven(engine, place)]
    if doubted:
        quoted = sum(place.is_verified for place in doubted)
        others, first = len(doubted) - quoted, doubted[0]
        counts = {f"{quoted} by the quote, at .50": quoted, f"{others} not at all": others}
        subject = "1 entry is as we wrote it" if len(doubted) == 1 else f"{len(doubted)} entries are as we wrote them"
        message = (
            f"since the ledger was rebuilt on {to_the_minute(rebuilt, engine.zone)}, nothing proves that {subject}, "
            f"such as {first.entry.id} ({first.path}:{first.line}); counted: "
            f"{' and '.join(text for text, count in counts.items() if count)}"
        )
        without = "; ".join(text for text, count in ((_OF_QUOTED, quoted), (_OF_OTHERS, others)) if count)
        yield CheckResult(
            "entries",
            Health.WARN,
            message,
            f"{_UNPROVEN_ADVICE} {without}.",
            lambda: f"the transcripts prove {prove_again(engine)} of them; the others stay as they are",
        )


def _is_unproven(engine: Engine, place: PlacedEntry) -> bool:
    """Whether an entry lost its proof; an entry that a person changed is quoted for another reason."""
    known = engine.ledger.changes.standings_of([place.entry.id])
    unproven = place.entry.trust in {Trust.QUOTED, Trust.UNVERIFIED}
    return unproven and not place.adopted and all(standing.state is BlockState.RECOVERED for standing in known)


_LINKS_ADVICE = (
    "`memory doctor --relink` judges them again and writes what comes of it, which `memory undo` takes back; "
    "`memory correct unlink A B` takes one apart for good."
)


def check_fallen_links(engine: Engine) -> Iterator[CheckResult]:
    """Check all links, without a model."""
    links = fallen(engine)
    for link in links[:NAMED]:
        message = f"{link.carrier} {link.kind} {link.target}: today's judgement would not link them"
        yield CheckResult("links", Health.WARN, message, _LINKS_ADVICE)
    if len(links) > NAMED:
        yield CheckResult(
            "links", Health.WARN, f"{len(links) - NAMED} more links would not be made today", _LINKS_ADVICE
        )


def check_review(engine: Engine) -> Iterator[CheckResult]:
    """Check whether a review is due; no transcript is read."""
    if is_due(engine):
        message = "entries stand that an earlier version wrote; this one may not write all of them"
        yield CheckResult(
            "review", Health.WARN, message, "`memory suggestions review` lists them; nothing changes before you say so."
        )


_NAME = "entries"
_FROM_THE_SOURCE = (
    f"the next run that has something to read lists what is gone in {FORGOTTEN}, and what is taken out there is "
    "written again from the transcript."
)


def check_torn_entries(engine: Engine) -> Iterator[CheckResult]:
    """Check the files with entries for entries that break off or cannot be read; a file that fails stops no other."""
    for job in (job for job in engine.jobs if job.writes.append):
        yield from run_check(_NAME, partial(_check_files_of_job, engine, job))


def _check_files_of_job(engine: Engine, job: Job) -> Iterator[CheckResult]:
    for path in engine.family(job).paths():
        yield from run_check(_NAME, partial(_check_file, engine, job, path))


def _check_file(engine: Engine, job: Job, path: str) -> Iterator[CheckResult]:
    if _is_whole(engine, job, path):
        return
    in_file = list(torn_entries(engine, path))
    for torn in in_file[:NAMED]:
        mend = partial(complete_entry, engine, job, torn) if torn.whole is not None and not torn.again else None
        unreadable = f"cannot be read as an entry: see its lines {torn.first} to {torn.last}"
        trouble = f"breaks off at line {torn.last}" if torn.cut else unreadable
        yield CheckResult(_NAME, Health.WARN, f"{torn.name} in {torn.path} {trouble}", _advice_on(torn), mend)
    if len(in_file) > NAMED:
        yield CheckResult(_NAME, Health.WARN, f"{len(in_file) - NAMED} more in {path}")


def _is_whole(engine: Engine, job: Job, path: str) -> bool:
    """Whether all entries of a file are as we wrote them and none is missing, so that it need not be read again."""
    file = engine.family(job).file(path)
    if file is None or not all(block.intact for block, _ in file.blocks):
        return False
    written = engine.ledger.changes.held.refresh().standing_in(path)
    return written <= {block.name for block, _ in file.blocks}


def _advice_on(torn: TornEntry) -> str:
    lines = f"lines {torn.first} to {torn.last}"
    if torn.again:
        return f"It was written again as {torn.again}: take {lines} out by hand."
    if torn.whole is not None:
        return "`memory doctor --fix` writes the rest again, word for word as it was."
    if torn.cut:
        return f"Bring the file back from git or a backup. Without one, take {lines} out by hand: {_FROM_THE_SOURCE}"
    return "It does not count until its `- key:` lines are as those of other entries; correct them by hand."
