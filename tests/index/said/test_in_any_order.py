"""Whatever happens to transcripts, and whenever they were indexed: the index is as one that is made from nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.app.redaction import open_redactor
from pipeline.engine.cutting import cutting
from pipeline.index.said import schema
from pipeline.index.said.update import SaidIndexing, rebuild_said, update_said
from pipeline.language.analysis import terms
from pipeline.ports.index import IndexStore, Leg, Query, Where
from pipeline.transcripts.catalog import Catalog
from pipeline.workspace.forgotten import note_topics
from pipeline.workspace.locks import Latch
from schemas.settings import ModelSettings, Settings, SourceSettings
from schemas.transcript import Session
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation, message
from tests.support.workspaces.spoken import Spoken
from tests.support.workspaces.workbench import Workbench

AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
SOURCE = SourceSettings(kind="memory", path="talk", name="memory")
TURNS = (
    ("owner", "Where do we keep the heron pictures?"),
    ("assistant", "In the bucket called lagoon."),
    ("assistant", "What is the password of the bucket?"),
    ("owner", "pelican-42-osprey"),
    ("owner", "My brother lost his grebe."),
    ("owner", "That is off the record."),
    ("owner", "This conversation is off the record."),
    ("tool", "a word of a program: albatross"),
    ("summary", "So far: heron pictures are in lagoon, a grebe is lost."),
    ("assistant", "A long answer. " + "The cormorant dives for minutes. " * 60),
)
WORDS = sorted({term for _, text in TURNS for term in terms(text)})
FILES = ("s1.jsonl", "s2.jsonl", "copy/s1.jsonl")
EDITS = ("say", "say more", "edit", "delete", "rewind", "remove", "copy")
STEPS = (*EDITS, "update", "update late", "forget", "secret", "apart", "reopen")
Said = tuple[int, tuple[str, str]]
Shown = tuple[dict[str, object], dict[str, set[str]]]


@dataclass
class Transcripts:
    """A workspace with the files of its transcripts, each a list of messages by an id; two files are of one session."""

    bench: Workbench
    files: dict[str, list[Said]] = field(default_factory=dict)
    said: int = 0
    written: int = 0

    def take(self, step: str, number: int) -> None:
        """One step; `number` chooses what it is about."""
        if step in EDITS:
            path = FILES[number % len(FILES)]
            self._write(path, self._edited(step, self.files.get(path, []), number))
        elif step == "update":
            Spoken(self.bench).update()
        elif step == "update late":  # of a transcript that grew since it was looked at
            self.bench.engine.catalog.refresh()
            self.take("say", number)
            update_said(Spoken(self.bench).indexing)
        elif step == "forget":
            now = AT + timedelta(minutes=self.said)
            note_topics(self.bench.engine.workspace, [["lagoon"]], now, now.date())
        else:
            self._reopen(step)

    def _edited(self, step: str, messages: list[Said], number: int) -> list[Said]:
        place = number % max(len(messages), 1)
        before, after = messages[:place], messages[place + 1 :]
        if step == "edit":
            return [
                *before,
                *((record, TURNS[number % len(TURNS)]) for record, _ in messages[place : place + 1]),
                *after,
            ]
        if step in {"say", "say more"}:
            return [*messages, *(self._said(number + more) for more in range(1 if step == "say" else 4))]
        if step == "copy":  # a fork has the history of another session, and goes on by itself
            return list(self.files.get(FILES[0], []))
        return {"delete": before + after, "rewind": before, "remove": []}[step]

    def _said(self, number: int) -> Said:
        self.said += 1
        return self.said, TURNS[number % len(TURNS)]

    def _write(self, path: str, messages: list[Said]) -> None:
        if path in self.files:
            self.bench.source.remove(path)
        self.files.pop(path, None)
        if messages:
            self.files[path], self.written = messages, self.written + 1
            self.bench.say(_session(path, messages, AT + timedelta(days=1, minutes=self.written)))

    def _reopen(self, step: str) -> None:
        """Another process, with the settings as a person has changed them meanwhile."""
        settled = self.bench.settings
        if step == "secret":
            settled = settled.model_copy(update={"model": ModelSettings(api_key=SecretStr("grebe"))})
        elif step == "apart":
            (source,) = settled.sources
            settled = settled.model_copy(update={"sources": (source.model_copy(update={"search": not source.search}),)})
        self.bench = opened(self.bench.reopen(settings=settled))

    def check(self) -> None:
        """An update makes what a build from nothing makes."""
        spoken = Spoken(self.bench)
        spoken.update()
        with TemporaryDirectory() as folder:
            new = TantivyStore(Path(folder) / "new", schema.LAYOUT)
            rebuild_said(SaidIndexing(spoken.indexing.source, new, Latch(Path(folder) / "new.lock")))
            assert shown(new) == shown(spoken.indexing.store)


def _session(path: str, messages: Sequence[Said], written: datetime) -> Session:
    """A session whose messages keep their ids and times, whichever of them are there; a machine's is the last."""
    name = Path(path).stem
    made = conversation(name, AT, [turn for _, turn in messages], path=path, zone="Europe/Warsaw", agent="main")
    kept = (
        one.model_copy(update={"entry_ids": (f"m{record}",), "time": AT + timedelta(minutes=record)})
        for one, (record, _) in zip(made.messages, messages, strict=True)
    )
    last = message(f"w{written.timestamp()}", len(messages) + 1, written, ("machine", "written"))
    return made.model_copy(update={"messages": (*kept, last)})


def shown(store: IndexStore) -> Shown:
    """All that an index has: its sessions and passages, and which passages have each word; but for its own numbers."""
    with store.reading() as reader:
        assert reader is not None
        points = {one.id: one.payload for one in reader.scroll(Where())}
        sessions = [name for name, fields in points.items() if fields[schema.SORT] == schema.SESSION]
        names = {name[1:]: str(points[name][schema.NAME]) for name in sessions}
        everything: dict[str, object] = {}
        for name, fields in points.items():
            if fields[schema.SORT] == schema.SESSION:
                everything[names[name[1:]]] = fields
            elif fields[schema.SORT] == schema.PASSAGE:
                everything[names[name[:4]] + name[4:]] = {**fields, schema.IN_SESSION: names[name[:4]]}
        by_word = {
            word: {names[name[:4]] + name[4:] for name, _ in reader.rank_points(_question(word))} for word in WORDS
        }
    return everything, by_word


def _question(word: str) -> Query:
    return Query([Leg(schema.WORDS, {word: 1.0})], 1_000, Where(any_of={schema.SORT: (schema.PASSAGE,)}))


def opened(bench: Workbench) -> Workbench:
    """The workspace with the redactor of the product: what it masks depends on what was said before."""
    engine = bench.engine
    pieces = cutting((), bench.settings, engine.ledger, bench.clock)
    known = Catalog([bench.source], engine.ledger, open_redactor(bench.settings), pieces)
    bench.engine = replace(engine, catalog=known)
    return bench


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 29)), max_size=14))
@settings(max_examples=examples(8))
@example([("say more", 0), ("update", 0), ("say", 3), ("update", 0), ("say", 3)])
@example([("say", 4), ("update", 0), ("say", 5), ("update", 0), ("say", 6)])
@example([("say more", 0), ("update", 0), ("forget", 0), ("update", 0), ("say", 8)])
@example([("say", 4), ("update", 0), ("secret", 0), ("update", 0), ("say", 4)])
@example([("say more", 0), ("copy", 1), ("copy", 2), ("update", 0), ("say", 2), ("edit", 0)])
def test_an_update_makes_what_a_build_makes(steps: list[tuple[str, int]]) -> None:
    """Messages are said, edited, taken back and copied, put off the record and forgotten, with updates between."""
    with TemporaryDirectory() as folder:
        begun = Settings(timezone="Europe/Warsaw", sources=(SOURCE,))
        world = Transcripts(opened(Workbench(Path(folder), (), FixedClock(AT + timedelta(days=2)), settings=begun)))
        for step, number in steps:
            world.take(step, number)
        world.check()
        world.bench.engine.ledger.store.close()
