"""Reviews, decisions, undos, runs and lost entries in any order keep their promises."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs import micro_sync
from pipeline.corrections.decide import accept, decline
from pipeline.corrections.forget import forget
from pipeline.corrections.review import review, suggest
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.errors import NothingToUndo
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.entries import list_entries
from schemas.entry import Status
from schemas.settings import Settings
from schemas.suggestion import StandingEntry
from tests.support.builders import earlier_version
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench

RULES = (
    "from now on never delete a log of the loki server before 30 days are over",
    "from now on lock every door of the garage at night",
)
JUNK = ("why is the sky so blue?", "how deep is the sea?", f"{earlier_version.REPLACING}is it raining?")
FIRST, LAST = date(2026, 3, 2), date(2026, 3, 5)
STEPS = ("review", "apply", "accept", "decline", "undo a decision", "undo", "run", "back-fill", "forget", "reopen")


@dataclass
class Archive:
    """A workspace of an earlier version, with what a person decided about its junk, by the words."""

    bench: Workbench
    kept: set[str] = field(default_factory=set)
    declined: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)

    def stands(self) -> dict[str, Status]:
        """The status of each entry, by its words."""
        return {place.entry.conclusion: place.status for place in list_entries(self.bench.engine)}

    def take(self, step: str, number: int) -> None:
        """One step; `number` chooses what it is about."""
        engine, known = self.bench.engine, waiting(self.bench.engine)
        some = [known[number % len(known)]] if known else []
        if step == "review":
            before = self.bench.pages()
            review(engine)
            assert before == self.bench.pages()
        elif step == "apply":
            suggest(engine)
            assert not review(engine)
        elif step == "accept":
            accept(engine, some)
            self.kept |= set(entries(some))
        elif step == "decline":
            decline(engine, some)
            self.declined |= set(entries(some))
        elif step == "undo a decision":
            self._decide_and_undo(some, number)
        else:
            self._take_another(step, number)

    def _take_another(self, step: str, number: int) -> None:
        if step in {"run", "back-fill"}:
            self.bench.run_due()
            self.bench.backfill(FIRST, LAST) if step == "back-fill" else None
        elif step == "undo":
            self._undo_a_review(number)
        elif step == "forget":
            self._forget(number)
        else:
            self.bench = self.bench.reopen()

    def _decide_and_undo(self, some: list[KeptSuggestion], number: int) -> None:
        """Every file is again as it was, but for the list of what was declined."""
        before, waits = self._pages(), waiting(self.bench.engine)
        if some:
            runs = decline(self.bench.engine, some) if number % 2 else [accept(self.bench.engine, some)[0].run_id]
            for run_id in runs:
                undo(self.bench.engine, run_id)
        assert (before, waits) == (self._pages(), waiting(self.bench.engine))

    def _pages(self) -> dict[str, bytes]:
        return {
            path: data for path, data in self.bench.pages().items() if not path.endswith(("clined.md", "linked.md"))
        }

    def _undo_a_review(self, number: int) -> None:
        runs = self.bench.engine.ledger.runs.latest("review")
        for run in runs[number % len(runs) :][:1] if runs else []:
            try:
                undo(self.bench.engine, run.run_id)
            except NothingToUndo:
                continue

    def _forget(self, number: int) -> None:
        places = [place for place in list_entries(self.bench.engine) if place.entry.conclusion in JUNK]
        for place in places[number % len(places) :][:1] if places else []:
            forget(self.bench.engine, place.entry.id)
            self.forgotten.add(place.entry.conclusion)

    def check(self) -> None:
        """The promises that hold after every step."""
        stands, known, listed = self.stands(), waiting(self.bench.engine), review(self.bench.engine)
        assert stands.get(JUNK[-1]) is Status.ACTIVE or {Status.ACTIVE} == {stands[rule] for rule in RULES}
        assert set(JUNK) == (set(stands) - set(RULES)) | self.declined | self.forgotten
        assert not set(stands) & (self.declined | self.forgotten)
        asked = [*entries(known), *(one.entry.conclusion for one in listed.entries)]
        assert len(set(asked)) == len(asked)
        assert set(asked) == set(JUNK) - self.kept - self.declined - self.forgotten
        assert {text for text, status in stands.items() if status is Status.IN_REVIEW} == set(entries(known))
        gone = [text.encode() for text in self.declined | self.forgotten]
        assert not [path for path, data in self.bench.pages().items() if any(text in data for text in gone)]


def entries(suggestions: Iterable[KeptSuggestion]) -> list[str]:
    """The words of the entries that suggestions are about; what replaced all may be kept, and its links doubted."""
    return [one.about.words for one in suggestions if isinstance(one.about, StandingEntry)]


def opened(root: Path) -> Archive:
    """The workspace, as today's version opens it."""
    begun = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC))
    bench = Workbench(root, (earlier_version.JOB,), FixedClock(datetime(2026, 3, 6, 11, tzinfo=UTC)), settings=begun)
    for day, text in enumerate((*RULES, *JUNK)):
        start = MORNING + timedelta(days=day // 2, hours=day % 2)
        bench.say(conversation(f"s{day}", start, [("owner", text)]))
    bench.run_due()
    today = bench.reopen(jobs=(micro_sync.JOB,))
    today.engine.catalog.refresh()
    return Archive(today)


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 11)), max_size=12))
@settings(max_examples=examples(8))
def test_a_review_keeps_its_promises_in_any_order(steps: list[tuple[str, int]]) -> None:
    """Each piece of junk is asked about once, until it is decided; what is true is never doubted, nor replaced."""
    with TemporaryDirectory() as folder:
        archive = opened(Path(folder))
        archive.check()
        for step, number in steps:
            archive.take(step, number)
            archive.check()
        archive.bench.engine.ledger.store.close()
