"""The page that agents read first, when it has no room."""

from dataclasses import dataclass

from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.markdown.items import persons_part
from pipeline.markdown.moved import count_lines
from schemas.hot_page import CHARACTERS, LINES, PATH
from schemas.outcome import NO_ROOM

ADVICE = (
    "`memory doctor adopt` shows what of yours takes the room, and moves what is old to memory/archive/: "
    "docs/how-to/make-room-in-memory-md.md."
)
_OURS_ALONE = "Make `promoted` `kept` in the plans (memory/archive/weekly-*.md) where it need not be read first."


@dataclass(frozen=True)
class FullPage:
    """The page when entries find no room on it.

    `waiting` entries found no room at the last rendering. `lines` and `characters` are a person's; with `closed`, these
    leave no room at all.
    """

    waiting: int
    lines: int
    characters: int
    closed: bool

    @property
    def sentence(self) -> str:
        """The problem, as a sentence without its full stop."""
        entries = "1 entry that belongs" if self.waiting == 1 else f"{self.waiting} entries that belong"
        crowding = f"{entries} on {PATH} found no room" if self.waiting else f"{PATH} has no room for anything of ours"
        taken = f"{self.lines:,} of its {LINES} lines, {self.characters:,} of its {CHARACTERS:,} characters"
        return f"{crowding}: your own text takes {taken}"

    @property
    def advice(self) -> str:
        """The advice for a person."""
        return ADVICE if self.lines else _OURS_ALONE


def full_page(engine: Engine) -> FullPage | None:
    """The page when it is full; `None` when it has room, has no job, or cannot be read."""
    job = engine.page_job
    if job is None:
        return None
    last = engine.ledger.runs.last_success(job.name)
    rejected = last.outcome.rejected if last and last.outcome else ()
    waiting = sum(rejection.reason == NO_ROOM for rejection in rejected)
    try:
        person = persons_part(engine.workspace.read(PATH) or b"")
    except ReadFailed:  # the job and the doctor report it
        return None
    person = person if person.strip() else b""
    lines, characters = count_lines(person), count_characters(person)
    closed = lines >= LINES or characters >= CHARACTERS
    return FullPage(waiting, lines, characters, closed) if waiting or closed else None


def count_characters(data: bytes) -> int:
    """The characters of a text; what is no text counts as well."""
    return len(data.decode(errors="replace"))
