"""Suggestions made, accepted, declined, taken back, run again and forgotten in any order keep their promises."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corrections.decide import accept, decline
from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.errors import NothingToUndo
from pipeline.reports.entries import list_entries
from schemas.settings import Settings
from tests.support.builders.maybe_job import JOB
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench

TEXTS = ("the tea stands on the upper shelf", "cake is baked for every sunday", "bread comes from the old mill")
FIRST, LAST = date(2026, 3, 2), date(2026, 3, 3)
STEPS = ("say", "say clearly", "run", "accept", "accept and undo", "decline", "undo", "back-fill", "forget", "reopen")


@dataclass
class Inbox:
    """A workspace, with the texts that were declined and forgotten in it."""

    bench: Workbench
    said: list[str] = field(default_factory=list)
    declined: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)

    def waits(self) -> list[str]:
        """The texts that wait."""
        return [one.about.words for one in waiting(self.bench.engine)]

    def stands(self) -> list[str]:
        """The texts of entries."""
        return [place.entry.conclusion for place in list_entries(self.bench.engine)]

    def take(self, step: str, number: int) -> None:
        """One step; `number` chooses what it is about."""
        bench, known = self.bench, waiting(self.bench.engine)
        some = [known[number % len(known)]] if known else []
        if step in {"say", "say clearly"}:
            self._say(number, "maybe" if step == "say" else "note")
        elif step in {"run", "back-fill"}:
            bench.run_due()
            bench.backfill(FIRST, LAST) if step == "back-fill" else None
        elif step == "accept":
            accept(bench.engine, some)
        elif step == "accept and undo":
            self._accept_and_undo(number)
        elif step == "decline":
            decline(bench.engine, some)
            self.declined |= {one.about.words for one in some}
        elif step == "undo":
            self._undo(number)
        elif step == "forget":
            self._forget(number)
        else:
            self.bench = bench.reopen()

    def _say(self, number: int, mark: str) -> None:
        session = f"s{len(self.said)}"
        start = MORNING + timedelta(hours=7 * (number % 4), minutes=len(self.said))
        self.said.append(TEXTS[number % len(TEXTS)])
        self.bench.say(conversation(session, start, [("owner", f"{mark}: {self.said[-1]}")]))

    def _accept_and_undo(self, number: int) -> None:
        self.bench.run_due()
        before, stood = waiting(self.bench.engine), self.stands()
        for outcome in accept(self.bench.engine, before[number % len(before) :][:1] if before else []):
            assert outcome.written
            undo(self.bench.engine, outcome.run_id)
        assert (before, stood) == (waiting(self.bench.engine), self.stands())

    def _undo(self, number: int) -> None:
        runs = self.bench.engine.ledger.runs.latest()
        for run in runs[number % len(runs) :][:1] if runs else []:
            try:
                undo(self.bench.engine, run.run_id)
            except NothingToUndo:
                continue

    def _forget(self, number: int) -> None:
        places = list_entries(self.bench.engine)
        for place in places[number % len(places) :][:1] if places else []:
            forget(self.bench.engine, place.entry.id)
            self.forgotten.add(place.entry.conclusion)

    def check(self) -> None:
        """The promises that hold after every step."""
        known, places = waiting(self.bench.engine), list_entries(self.bench.engine)
        assert len({one.id for one in known}) == len(known)
        assert len(set(self.waits())) == len(known)
        assert not set(self.waits()) & {*self.declined, *self.stands()}
        messages = [place.entry.source.entry_ids[0] for place in places]
        assert [1] * len(places) == list(Counter(messages).values())
        assert not {one.shown.source.entry_ids[0] for one in known} & set(messages)
        texts = [text.encode() for text in TEXTS if text not in self.stands()]
        assert not [path for path, data in self.bench.pages().items() if any(text in data for text in texts)]


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 11)), max_size=14))
@settings(max_examples=examples(10))
def test_any_order_keeps_the_promises(steps: list[tuple[str, int]]) -> None:
    """Nothing waits or stands twice, what was declined never waits, undo restores; in the end nothing is lost."""
    with TemporaryDirectory() as folder:
        started = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC))
        clock = FixedClock(datetime(2026, 3, 4, 11, tzinfo=UTC))
        inbox = Inbox(Workbench(Path(folder), (JOB,), clock, settings=started))
        for step, number in (("say", 0), ("run", 0), *steps):
            inbox.take(step, number)
            inbox.check()
        inbox.take("back-fill", 0)
        inbox.check()
        decided = {*inbox.waits(), *inbox.stands(), *inbox.declined, *inbox.forgotten}
        assert set(inbox.said) <= decided
        inbox.bench.engine.ledger.store.close()
