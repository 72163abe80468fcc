"""Forgetting goes by the layout: every area there is, also that of a new job, and all that programs leave beside it."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.corrections.forget import forget
from pipeline.drafts import Draft, ItemDraft
from pipeline.index.context import Indexing
from pipeline.index.schema import LAYOUT
from pipeline.index.sync.update import erase_from_index, update
from pipeline.job import Job, Period, Reads, Run, Schedule, Target
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.markdown.blocks import find_blocks, seal_item
from pipeline.ports.engine import Reply
from pipeline.reports.entries import list_entries
from pipeline.scheduling.registry import discover
from pipeline.workspace.layout import ENGINE, PEOPLE, VECTORS_FOLDER, WORDS_FOLDER, Area, example_of
from pipeline.workspace.locks import Latch
from pipeline.workspace.service_files import ServiceFolder
from schemas.index_settings import ExtraPath, IndexSettings, SearchSettings
from schemas.settings import Settings, SourceSettings
from schemas.suggestion import NewEntry
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.spoken import Spoken
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
OTHER = "From now on, never deploy to production on a Friday afternoon."
SAID = (
    "Remember: the staging server is called falcon and lives in Gdansk.",
    "Zapamiętaj: serwer testowy nazywa się sokół i stoi w Gdańsku.",
    "记住:测试服务器的名字叫猎鹰,它放在格但斯克的机房里。",
)

NAMES = dict(zip(SAID, ("falcon", "sokół", "猎鹰"), strict=True))
"""A word of each that nothing else says."""


def diary(run: Run) -> Sequence[Draft]:
    """A line for each message of the owner, in their words and without an id."""
    lines = [message for session in run.inputs.transcripts for message in session.conversation]
    return [ItemDraft(f"m-{message.entry_ids[0]}", f"- they said: {message.text}") for message in lines]


DIARY = Job(
    "diary",
    "p",
    Schedule("30 3 * * *", period=Period.DAY),
    Reads(transcripts=True),
    Target("journal/{day}.md", overflow="journal/more/{day}-{volume}.md"),
    diary,
)


@dataclass
class Forgotten:
    """A workspace with the sentence in every area: `planted` is where, and `people` the files of people among them."""

    bench: Workbench
    said: str
    entry_id: str
    people: set[str] = field(default_factory=set)
    planted: set[str] = field(default_factory=set)

    @property
    def needles(self) -> list[bytes]:
        """The sentence and the id, also as JSON writes them."""
        texts = (self.said, self.entry_id, self.entry_id.split("-", 2)[2])
        forms = {form for text in texts for form in (text, json.dumps(text)[1:-1])}
        return [form.rstrip(".。").encode() for form in forms]

    def holding(self) -> set[str]:
        """The files with any of it in their bytes, those of the ledger and the index included."""
        files = {file: file.read_bytes() for file in self.bench.root.rglob("*") if file.is_file()}
        held = [file for file, data in files.items() if any(needle in data for needle in self.needles)]
        return {file.relative_to(self.bench.root).as_posix() for file in held}

    def write(self, path: str, text: str) -> str:
        """Put a text at the end of a file."""
        file = self.bench.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab") as stream:
            stream.write(text.encode())
        return path


def path_in(area: Area) -> str:
    """A file in an area."""
    example = example_of(area.pattern) if area.writer not in {PEOPLE, ENGINE} else area.pattern.replace("*", "mine.md")
    return f"{example}mine.md" if example.endswith("/") else example


def plant(made: Forgotten, area: Area) -> str:
    """Put it into an area as its writer would; the path."""
    bench, path = made.bench, path_in(area)
    if area.writer == ENGINE:
        return made.write(path, f"- {made.entry_id} identity:0123 on 2026-03-02\n")
    if area.writer == PEOPLE:
        made.people.add(path)
        return made.write(path, f"\nI think that {made.said}\n\nSee {made.entry_id}.\n")
    (job,) = [declared for declared in bench.engine.jobs if declared.name == area.writer]
    if job.writes.append:
        (block,) = [
            own_block
            for own_block in find_blocks(bench.pages()["memory/2026-03-02.md"])
            if own_block.name == made.entry_id
        ]
        return made.write(path, f"\n{block.text}\n- check: {block.check}\n")
    return made.write(path, f"\n{seal_item('planted', f'- [{made.entry_id}] is what counts: {made.said}')}\n")


def beside(made: Forgotten) -> list[str]:
    """What programs leave in the workspace: logs of the service and of cron, an order, and a page half written."""
    entry, said = made.entry_id, made.said
    logs = ServiceFolder(made.bench.root).logs.relative_to(made.bench.root).as_posix()
    line = json.dumps({"written": [entry], "quote": said}) + "\n" + json.dumps([entry, said], ensure_ascii=False) + "\n"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    return [
        made.write(f"{logs}/20260302T090000.000000Z-micro_sync.log", line),
        made.write(".memory/cron.log", "x" * (1 << 20) + line + "y" * 70_000 + line),
        made.write(".memory/backfills/20260302-abcdef.json", json.dumps({"note": said})),
        made.write(f"memory/.2026-03-02.md.{gone.pid}.tmp", said),
        made.write(f"journal/.2026-03-02.md.{gone.pid}.tmp", said),
    ]


@pytest.fixture(params=SAID, ids=["en", "pl", "zh"])
def made(new_bench: NewBench, request: pytest.FixtureRequest) -> Forgotten:
    """Two weeks of all jobs and of one more, with the sentence in every area, in logs, in answers and in the index."""
    said, source = str(request.param), SourceSettings(kind="memory", path="talk", name="memory")
    search = SearchSettings(keep_said=timedelta(days=365))
    settings = Settings(timezone="Europe/Warsaw", start=START, search=search, sources=(source,))
    clock = FixedClock(datetime(2026, 3, 17, 11, tzinfo=UTC))
    bench = new_bench(jobs=(*discover(), DIARY), clock=clock, settings=settings)
    talk = [("owner", OTHER), ("owner", said)]
    bench.say(conversation("s-one-one", datetime(2026, 3, 2, 9, tzinfo=UTC), talk))
    bench.run_due()
    entry_id = next(place.entry.id for place in list_entries(bench.engine) if place.entry.quote == said)
    made = Forgotten(bench, said, entry_id)
    made.planted |= {plant(made, area) for area in bench.engine.workspace.layout.areas} | set(beside(made))
    return made


def indexing_of(made: Forgotten) -> Indexing:
    """The index that the product keeps."""
    engine, folder = made.bench.engine, made.bench.root / ".memory" / "index"
    return Indexing(
        workspace=engine.workspace,
        settings=engine.settings.index,
        store=TantivyStore(folder / WORDS_FOLDER, LAYOUT),
        vectors=EdgeVectors(folder / VECTORS_FOLDER),
        embedder=None,
        believed=lambda _, entry: entry,
        latch=Latch(folder / "update.lock"),
    )


def test_nothing_of_it_is_left_in_what_is_ours(made: Forgotten) -> None:
    """Whatever area there is: what is ours is rid of it, and what is a person's is named; the index is as the files."""
    bench = made.bench
    bench.engine.ledger.answers.put_answer("k", "m", Reply(json.dumps({"said": f"  {made.said.upper()}"})))
    made.write("agents/coder/sessions/raw.txt", made.said)
    made.people.add("agents/coder/sessions/raw.txt")
    entry = next(place.entry for place in list_entries(bench.engine) if place.entry.id == made.entry_id)
    kept = KeptSuggestion("micro_sync", NewEntry(entry=entry), "another", "routine", "r-1")
    bench.engine.ledger.suggestions.keep(kept, START)
    bench.engine.ledger.requests.keep(Request("r-1", "micro_sync", "", entry.model_dump_json(), START))
    update(indexing_of(made))
    spoken = Spoken(bench)
    spoken.update()
    assert spoken.holds(made.said)
    assert made.planted | made.people | {"journal/2026-03-02.md", ".memory/state.db-wal"} <= made.holding()
    assert any(path.startswith(".memory/said/") for path in made.holding())
    receipt = forget(bench.engine, made.entry_id)
    assert erase_from_index(indexing_of(made))
    assert spoken.erase()
    assert (False, True) == (spoken.holds(NAMES[made.said]), spoken.holds("production"))
    left = made.holding()
    index = {path for path in left if path.startswith(".memory/index/")}
    assert index, "what people wrote is found by it"
    assert (made.people, None) == (left - index, bench.engine.ledger.answers.get("k"))
    assert made.people == {place.rpartition(":")[0] for place in receipt.mentioned_in}
    assert {".memory/cron.log", ".memory/backfills/20260302-abcdef.json"} <= set(receipt.logs)
    for path in made.people:
        (bench.root / path).unlink()
    assert erase_from_index(indexing_of(made))
    assert set() == made.holding()


@pytest.mark.parametrize("made", SAID[:1], indirect=True, ids=["en"])
def test_the_pages_of_a_job_that_is_gone_are_reached(made: Forgotten) -> None:
    """The ledger knows what it wrote; a person's line in such a page stays."""
    page = made.bench.root / "journal/2026-03-02.md"
    page.write_text(page.read_text("utf-8") + "\nmine\n", "utf-8")
    bench = made.bench.reopen(jobs=discover())
    receipt = forget(bench.engine, made.entry_id)
    assert ("journal/2026-03-02.md" in receipt.files, False) == (True, "journal/2026-03-02.md" in made.holding())
    assert page.read_text("utf-8").endswith("\nmine\n")


@pytest.mark.parametrize("made", SAID[:1], indirect=True, ids=["en"])
def test_what_nobody_could_look_through_is_named(made: Forgotten) -> None:
    """A folder of the settings outside of the workspace, and a link that leads out of it."""
    outside = ExtraPath(path=str(made.bench.root.parent), name="notes")
    (made.bench.root / "bank/link.md").symlink_to("/etc/hostname")
    settings = made.bench.settings.model_copy(update={"index": IndexSettings(extra_paths=(outside,))})
    receipt = forget(made.bench.reopen(settings=settings).engine, made.entry_id)
    assert (True, True) == (
        f"notes: ({outside.path})" in receipt.out_of_reach,
        any(place.startswith("bank/link.md (") for place in receipt.out_of_reach),
    )
