"""The room on the page that an agent reads first, and the advice when there is none."""

from dataclasses import dataclass

from pipeline.corrections.adopt import PersonsPart, read_part
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.errors.corrections import NothingToAdopt
from pipeline.reports.hot_page import page_job
from schemas.hot_page import CHARACTERS, LINES, PATH
from schemas.outcome import NO_ROOM

ADVICE = (
    "`memory adopt` shows what of yours takes the room, and moves what is old to memory/archive/: "
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
        what = f"{entries} on {PATH} found no room" if self.waiting else f"{PATH} has no room for anything of ours"
        taken = f"{self.lines:,} of its {LINES} lines, {self.characters:,} of its {CHARACTERS:,} characters"
        return f"{what}: your own text takes {taken}"

    @property
    def advice(self) -> str:
        """The advice for a person."""
        return ADVICE if self.lines else _OURS_ALONE


def full_page(engine: Engine) -> FullPage | None:
    """The page when it is full; `None` when it has room, has no job, or cannot be read."""
    job = page_job(engine)
    if job is None:
        return None
    last = engine.ledger.runs.last_success(job.name)
    rejected = last.outcome.rejected if last and last.outcome else ()
    waiting = sum(rejection.reason == NO_ROOM for rejection in rejected)
    try:
        person = read_part(engine)
    except NothingToAdopt:
        person = PersonsPart("", (), 0, 0, LINES, CHARACTERS)
    except ReadFailed:  # the job and the doctor report it
        return None
    closed = not (person.room_lines and person.room_characters)
    return FullPage(waiting, person.lines, person.characters, closed) if waiting or closed else None
