"""Corrected, then forgotten, then the first run undone: neither the old words nor the new ones come back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pipeline.app.conversations import conversations_in
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.errors import PipelineError
from pipeline.index.context import Indexing
from pipeline.index.search.search import Searching, search
from pipeline.index.sync.update import erase_from_index, update
from pipeline.process.context import ProcessContext
from pipeline.reports.agents import AgentFolder
from pipeline.reports.entries import list_entries
from pipeline.scheduling.registry import discover
from pipeline.store.opening import WorkspaceStore
from schemas.agent_settings import AgentsSettings
from schemas.conversation import NewConversation
from schemas.entry import Status
from schemas.reports.corrections import Forgotten
from schemas.requests import SearchRequest
from schemas.settings import Settings
from tests.support.builders.details import LOG, detail_of
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.conversing import OWNER, SETTINGS, user
from tests.support.workspaces.index_bench import contents, indexing_on_disk, made_anew
from tests.support.workspaces.workbench import Workbench

AT = datetime(2026, 3, 3, 8, tzinfo=UTC)
STORED = "store"


@dataclass(frozen=True)
class Words:
    """What was said, what it was corrected to, twice, and a word of each that nothing else has."""

    said: str
    corrected: tuple[str, str]
    needles: tuple[str, str, str]


LANGUAGES = {
    "en": Words(
        "Remember that Peter lives in Zamora.",
        ("Peter lives in Gdynia.", "Peter lives in Leeds, by the canal."),
        ("Zamora", "Gdynia", "Leeds"),
    ),
    "pl": Words(
        "Zapamiętaj, że Piotr mieszka w Zamościu.",
        ("Piotr mieszka w Pucku.", "Piotr mieszka w Gnieźnie, przy rynku."),
        ("Zamości", "Pucku", "Gnieźnie"),
    ),
    "zh": Words("记住:小王住在青岛市区。", ("小王住在洛阳老城。", "小王住在苏州,靠近运河。"), ("青岛", "洛阳", "苏州")),
}


@dataclass
class Everything:
    """A workspace of all jobs with an agent, an index of words and vectors, and a store with the words in it."""

    bench: Workbench
    indexing: Indexing
    words: Words

    def holding(self) -> dict[str, set[str]]:
        """The files with one of the words, those of the ledger, the index and the store included."""
        files = {file: file.read_bytes() for file in self.bench.root.rglob("*") if file.is_file()}
        held = {
            file.relative_to(self.bench.root).as_posix(): {word for word in self.words.needles if word.encode() in data}
            for file, data in files.items()
        }
        return {path: words for path, words in held.items() if words}

    def answers(self) -> str:
        """What a search for each of the words shows as what holds, without ids, and what the agent gets and knows."""
        engine = self.bench.engine
        searching = Searching(
            workspace=engine.workspace,
            settings=self.indexing.settings,
            store=self.indexing.store,
            vectors=self.indexing.vectors,
            embedder=self.indexing.embedder,
            zone="UTC",
            clock=engine.clock,
        )
        answers = [search(searching, SearchRequest(query=word)).hits for word in (self.words.said, *self.words.needles)]
        folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, "jaskier")
        holding = [hit.text for hits in answers for hit in hits if hit.status == Status.ACTIVE]
        shown = [line for text in holding for line in text.splitlines() if not line.startswith("- corrects:")]
        known = [f"{line.text} {line.quote}" for line in folder.know()]
        return "\n".join([*shown, *known, *(part.text for part in folder.wake().parts)])

    def correct(self, words: str) -> None:
        """Correct what holds."""
        engine = self.bench.engine
        [entry] = [one.entry for one in list_entries(engine) if one.status is Status.ACTIVE]
        self.bench.clock.move(timedelta(minutes=1))
        correct(engine, correction(engine, entry.id, words))
        update(self.indexing)

    def forget(self) -> Forgotten:
        """Forget the entry by the id that it had first."""
        first = min(list_entries(self.bench.engine), key=lambda place: place.entry.moment)
        receipt = forget(self.bench.engine, first.entry.id)
        assert erase_from_index(self.indexing)
        return receipt

    def undo_all(self) -> None:
        """Undo every run, the newest first and then the others, as far as it can be undone."""
        for record in self.bench.engine.ledger.runs.latest(limit=500):
            try:
                undo(self.bench.engine, record.run_id)
            except PipelineError:
                continue


@contextmanager
def everything(new_bench: Callable[..., Workbench], words: Words) -> Iterator[Everything]:
    """A day in which the words were said, in a session and in a conversation of the store, and are in all memory."""
    agents = AgentsSettings.model_validate({"jaskier": {"sources": ["memory"]}})
    settings = Settings(timezone="UTC", start=datetime(2026, 3, 1, 23, tzinfo=UTC), agents=agents)
    clock = FixedClock(datetime(2026, 3, 17, 11, tzinfo=UTC))
    bench = new_bench(jobs=discover(), clock=clock, settings=settings)
    bench.say(conversation("s1", AT, [("owner", words.said), ("assistant", "OK.")]))
    bench.run_due()
    bench.backfill(date(2026, 3, 3), date(2026, 3, 3))
    (bench.root / "memory.toml").write_text(SETTINGS)
    store = WorkspaceStore(bench.root, settings.store)
    talks = conversations_in(store, ProcessContext({}, clock), settings)
    talks.begin(OWNER, NewConversation(session_id="c-1"))
    talks.append(OWNER, "c-1", user(words.said))
    detail_of(store, f"{LOG}{words.said}\n")
    bench.engine = replace(bench.engine, store=store)
    made = Everything(bench, replace(indexing_on_disk(bench.root), wrote=lambda _: True), words)
    update(made.indexing)
    try:
        yield made
    finally:
        store.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_forgotten_words_come_back_nowhere(new_bench: Callable[..., Workbench], language: str) -> None:
    """Not from a fact, a page, an agent's memory, the ledger, the words or vectors of the index, or the store."""
    with everything(new_bench, LANGUAGES[language]) as made:
        old, new, last = made.words.needles
        kinds = {path.partition("/")[0] for path in made.holding()}
        assert {"memory", "bank", "agents", "second-brain", "MEMORY.md", ".memory", STORED} <= kinds
        assert old in made.answers()

        made.correct(made.words.corrected[0])
        assert (True, False) == (new in made.answers(), old in made.answers())
        made.correct(made.words.corrected[1])
        assert (True, False, False) == (last in made.answers(), new in made.answers(), old in made.answers())

        made.forget()
        assert {} == made.holding()
        made.undo_all()
        made.bench.run_due()
        update(made.indexing)
        assert {} == made.holding()
        assert made_anew(made.indexing) == contents(made.indexing.store)
