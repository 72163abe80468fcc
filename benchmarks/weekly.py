"""The weekly run, plan and compound, over a year of many entries: time and memory, and how they grow."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

from benchmarks.measuring import Spent, row, spent
from benchmarks.samples import workspace
from jobs.resolution.drafting import slug
from pipeline.backfill.plan import in_days, work_through
from pipeline.drafts import Draft, EntryDraft
from pipeline.engine.runner import Runner
from pipeline.entries.provenance import identity
from pipeline.job import Job, Reads, Run, Schedule, Target
from schemas.outcome import Ending
from schemas.settings import Settings
from schemas.transcript import Message, Session
from tests.support.builders.note_job import decision
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

SIZES = (2_000, 20_000)
START = datetime(2025, 1, 1, 8, tzinfo=UTC)
DAYS = range(0, 360, 7)
WEEKS = {"first": date(2025, 12, 15), "next": date(2025, 12, 22)}
"""Mondays of the week in which all entries are judged, and of the one after it."""

PARSE = """
import sys
from pathlib import Path
from pipeline.markdown.entries import parse_entries
kept = [parse_entries(file.read_bytes()) for file in sorted(Path(sys.argv[1]).rglob("????-??-??*.md"))]
"""

NUMBERS = 0.1
"""How many of the decisions name a number."""

_VERBS = (
    "keep",
    "move",
    "drop",
    "replace",
    "rename",
    "split",
    "cache",
    "log",
    "encrypt",
    "archive",
    "never touch",
    "test",
)
_ENDS = ("from now on", "until the end of march", "on every host", "before each release", "without asking", "by hand")
_SYLLABLES = ("ka", "lo", "mi", "ter", "van", "dro", "sel", "pu", "rin", "bex", "to", "gan")


def weekly(folder: Path) -> None:
    """The first weekly run over all entries and the one after it, against parsing the same files."""
    by_size = {size: _measured(folder / f"weekly-{size}", size) for size in SIZES}
    for size, (base, *runs) in by_size.items():
        for week, cost in zip(WEEKS, runs, strict=True):
            row(
                f"{week} weekly run, {size:,} entries",
                "parsing the daily files",
                [
                    f"{cost.seconds / base.seconds:.1f} x the time, {cost.mebibytes / base.mebibytes:.1f} x the memory",
                    f"{cost.seconds:.2f} s to {base.seconds:.2f} s, {cost.mebibytes:.0f} to {base.mebibytes:.0f} MiB",
                ],
            )
    small, large = (by_size[size] for size in SIZES)
    for week, less, more in zip(("parsing", *WEEKS), small, large, strict=True):
        row(
            f"{week}, from {SIZES[0]:,} to {SIZES[1]:,} entries",
            f"{SIZES[1] // SIZES[0]} times the entries",
            [
                f"{more.seconds / less.seconds:.1f} x the time, {more.mebibytes / less.mebibytes:.1f} x the memory",
                f"{less.seconds:.2f} s to {more.seconds:.2f} s",
            ],
        )


def _measured(root: Path, size: int) -> list[Spent]:
    """What parsing the daily files takes, then the first weekly run, then the next."""
    fill(root, size)
    parsing = spent("-c", PARSE, str(root / "memory"))
    return [parsing, *(_run(root, monday) for monday in WEEKS.values())]


def _run(root: Path, monday: date) -> Spent:
    span = ("--from", monday.isoformat(), "--to", (monday + timedelta(days=6)).isoformat())
    jobs = ("weekly_plan", "weekly_compound")
    return spent("-m", "pipeline.surfaces.cli.main", "backfill", *jobs, *span, "--workspace", str(root))


def fill(root: Path, size: int) -> None:
    """A workspace with a year of entries, which the engine wrote."""
    (root / "sessions").mkdir(parents=True)
    workspace(root, str(root / "sessions"), START)
    settings = Settings(timezone="Europe/Warsaw", start=START)
    bench = Workbench(root, (NOTE,), FixedClock(START + timedelta(days=DAYS.stop)), settings, host="")
    texts = _texts(Random(size))  # noqa: S311 - the same texts each time, and no secret
    for place, day in enumerate(DAYS):
        first, last = (number * size // len(DAYS) for number in (place, place + 1))
        said = [("owner", next(texts)) for _ in range(first, last)]
        start = START + timedelta(days=day)
        bench.say(conversation(f"day-{day:03}", start, said, timedelta(minutes=1), zone="Europe/Warsaw"))
    bench.engine.catalog.refresh()
    days = ((START + timedelta(days=day)).date() for day in DAYS)
    windows = [window for day in days for window in in_days(bench.engine, bench.engine.jobs, day, day)]
    for outcome in work_through(Runner(bench.engine), windows):
        if outcome.ending is not Ending.DONE:
            raise RuntimeError(outcome)
    bench.engine.ledger.store.close()


def _note(run: Run) -> Sequence[Draft]:
    """An entry for each message."""
    return [_draft(session, message) for session in run.inputs.transcripts for message in session.conversation]


def _draft(session: Session, message: Message) -> Draft:
    key = identity(session.session_id, message.entry_ids, (0, len(message.text)))
    entry_id = f"DECISION-{message.time:%Y%m%d}-{slug(message.text)}-{key[:6]}"
    return EntryDraft(decision(session, message, entry_id, message.text), key)


NOTE = Job(
    name="note",
    purpose="Writes an entry for each message.",
    schedule=Schedule("0 0 * * *"),
    reads=Reads(transcripts=True),
    writes=Target("memory/{day}.md", append=True, overflow="memory/recent/{day}-{volume}.md", capacity=300),
    run=_note,
)


def _texts(random: Random) -> Iterator[str]:
    """Decisions of some words each, a few of them common and most of them rare, as in what people say."""
    names = ["".join(random.choices(_SYLLABLES, k=random.randint(2, 4))) for _ in range(6_000)]
    weights = [rank**-0.5 for rank in range(1, len(names) + 1)]
    while True:
        one, two, three = random.choices(names, weights, k=3)
        number = f", {random.randint(2, 90)} days" if random.random() < NUMBERS else ""
        yield f"we {random.choice(_VERBS)} the {one} of {two} {random.choice(_ENDS)}{number}, because of {three}"
