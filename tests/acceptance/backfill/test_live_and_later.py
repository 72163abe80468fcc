"""What was said is asked about once and written the same, whether it is read as it is said or long after.

Sessions of a day and sessions that go on for days are read at every tick, in one back-fill, in two halves, with many
questions at once, and by runs that are killed at every question.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest

from jobs import daily_wrapup, micro_sync, retain
from pipeline.backfill.plan import in_days, work_through
from pipeline.backfill.prefetch import Limits, Prefetching
from pipeline.engine.runner import Runner
from pipeline.errors import Interrupted
from pipeline.markdown.blocks import find_blocks
from pipeline.model.question import Readers
from pipeline.ports.engine import Question
from schemas.links import LinkAnswer
from schemas.session_answer import SessionAnswer
from schemas.settings import Settings
from schemas.summary import Merged, Part, Point
from schemas.transcript import Session
from tests.support.builders.rule_reader import new_messages, rules_in
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.ports.shown_rows import read_shown
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
JOBS = (micro_sync.JOB, daily_wrapup.JOB, retain.JOB)
ZONE = "Europe/Warsaw"
FIRST = date(2026, 3, 2)
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
DAYS = 2
LAST = FIRST + timedelta(days=DAYS - 1)
END = START + timedelta(days=DAYS)
SEEDS = (1, 2, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 40)))
GAPS = (1, 5, 20, 50, 60, 61, 90, 200, 400, 900)
"""Minutes between two messages."""


def talks(seed: int) -> list[Session]:
    """Sessions whose owner asks to keep something else in each message."""
    dice, numbers = Random(seed), count(1)  # noqa: S311 - a seed, not a secret
    return [_talk(f"s{place}", dice, numbers) for place in range(3)]


def _talk(name: str, dice: Random, numbers: Iterator[int]) -> Session:
    times, moment = list[datetime](), START + timedelta(minutes=dice.randrange(0, 900))
    while moment < END - timedelta(hours=2) and len(times) < 20:
        times.append(moment)
        moment += timedelta(minutes=dice.choice(GAPS))
    whole = conversation(name, START, [("owner", f"keep locker {next(numbers)} shut") for _ in times])
    placed = zip(whole.messages, times, strict=True)
    moved = (message.model_copy(update={"time": time}) for message, time in placed)
    return whole.model_copy(update={"messages": tuple(moved)})


def read(question: Question) -> SessionAnswer | LinkAnswer | Merged:
    """A reader that takes every new message of the owner for what is to be kept."""
    if question.name != "session":
        return Merged() if question.name == "daily_wrapup_merge" else LinkAnswer()
    points = (Point(part=Part.ACTION, text=one.text, numbers=(one.number,)) for one in new_messages(question))
    return SessionAnswer(candidates=rules_in(question), points=tuple(points))


def bench_of(new_bench: NewBench, root: Path, now: datetime, model: ScriptedModel) -> Workbench:
    """A workspace that begins with the first day."""
    settings = Settings(timezone=ZONE, start=START)
    return new_bench(root=root, jobs=JOBS, clock=FixedClock(now), settings=settings, model=model)


def say_until(bench: Workbench, sessions: list[Session]) -> None:
    """Put what was said by now into the source."""
    for session in sessions:
        said = tuple(message for message in session.messages if message.time <= bench.clock.moment)
        if said:
            bench.say(session.model_copy(update={"messages": said}))


def live(new_bench: NewBench, root: Path, sessions: list[Session], model: ScriptedModel) -> Workbench:
    """The workspace of somebody whose machine runs what is due every ninety minutes."""
    bench = bench_of(new_bench, root, START, model)
    while bench.clock.moment < END + timedelta(hours=12):
        bench.clock.move(timedelta(minutes=90))
        say_until(bench, sessions)
        bench.run_due()
    return bench


def later(new_bench: NewBench, root: Path, sessions: list[Session], model: ScriptedModel) -> Workbench:
    """A workspace that reads all of it long after."""
    bench = bench_of(new_bench, root, END + timedelta(days=9), model)
    say_until(bench, sessions)
    bench.engine.catalog.refresh()
    return bench


def written(bench: Workbench) -> tuple[dict[str, list[str]], dict[str, tuple[datetime, datetime]]]:
    """The blocks of every page, and the window of each entry.

    In the file of a day they are sorted: it grows by what is known, so a talk that goes on comes later than one that
    ended.
    """
    pages = {path: [block.text for block in find_blocks(data)] for path, data in bench.pages().items()}
    daily = {path: sorted(blocks) for path, blocks in pages.items() if path.startswith("memory/")}
    windows = {
        entry_id: (run.window.start, run.window.end)
        for run in bench.engine.ledger.runs.latest(limit=10_000)
        for entry_id in (run.outcome.written if run.outcome else ())
    }
    return pages | daily, windows


def filled(bench: Workbench, parallel: int = 1) -> dict[str, bytes]:
    """The pages after a back-fill with so many questions at once."""
    assert bench.model is not None
    plan = in_days(bench.engine, bench.engine.jobs, FIRST, LAST)
    with Prefetching(bench.engine, Readers.only(bench.model), plan, Limits(parallel)) as ahead:
        list(work_through(Runner(ahead.engine), plan, again=True, before=ahead.before))
    return bench.pages()


def asked(model: ScriptedModel) -> list[tuple[int, ...]]:
    """The numbers of the new messages of each question about a piece, sorted."""
    shown = [read_shown(question.input) for question in model.questions if question.name == "session"]
    return sorted(tuple(m.number for m in one.messages if m.number >= one.first_new) for one in shown)


@pytest.mark.parametrize("seed", SEEDS)
def test_live_and_later_are_the_same(new_bench: NewBench, tmp_path: Path, seed: int) -> None:
    """The blocks of every page, the windows of entries, and the questions: each message is asked about once."""
    sessions, models = talks(seed), [ScriptedModel(read) for _ in range(4)]
    as_said = live(new_bench, tmp_path / "live", sessions, models[0])
    benches = [later(new_bench, tmp_path / f"later-{place}", sessions, model) for place, model in enumerate(models[1:])]
    one, many, halves = benches
    assert filled(one) == filled(many, 16)
    halves.backfill(FIRST, FIRST)
    halves.backfill(FIRST + timedelta(days=1), LAST)
    assert one.pages() == halves.pages()
    assert [written(as_said)] * 3 == [written(bench) for bench in benches]
    questions = [asked(model) for model in models]
    assert [questions[0]] * 3 == questions[1:]
    said = sorted(message.number for session in sessions for message in session.messages)
    assert said == sorted(number for numbers in questions[0] for number in numbers)


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_a_kill_at_every_question_changes_nothing(new_bench: NewBench, tmp_path: Path, seed: int) -> None:
    """Each time the next question kills the run: what was answered is kept, and no piece is cut anew."""
    sessions, calm = talks(seed), ScriptedModel(read)
    pages = filled(later(new_bench, tmp_path / "calm", sessions, calm))
    killed = set[str]()

    def kill_once(question: Question) -> SessionAnswer | LinkAnswer | Merged:
        if question.input not in killed:
            killed.add(question.input)
            raise Interrupted(15)
        return read(question)

    model = ScriptedModel(kill_once)
    bench = later(new_bench, tmp_path / "killed", sessions, model)
    for _ in range(200):
        try:
            bench.backfill(FIRST, LAST)
        except Interrupted:
            bench = bench.reopen()
        else:
            break
    assert pages == bench.pages()
    assert set(asked(calm)) == set(asked(model))
