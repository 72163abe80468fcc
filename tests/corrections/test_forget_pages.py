"""Forgetting what pages tell of: MEMORY.md, plans and wrap-ups, with the jobs that write them."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo, undo_key
from pipeline.doctor.files import check_texts
from pipeline.drafts import ItemDraft
from pipeline.entries.reference import wordless
from pipeline.job import Job, Reads, Run, Schedule, Target
from pipeline.markdown.blocks import find_blocks, seal_item
from pipeline.ports.engine import Reply
from pipeline.reports.entries import explain, list_entries
from pipeline.scheduling.registry import discover
from pipeline.workspace.forgotten import read_forgotten
from schemas.settings import Settings
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
WEEK = timedelta(days=7)
KEY = "Remember: the key of the barn hangs behind the red door."
FRIDAY = "From now on, never deploy to production on a Friday afternoon."
FALCON = "the staging server is called falcon and lives in Gdansk"
SERVER = f"Remember: {FALCON}."
TASK = "I will send Anna the falcon invoice by Thursday."
TALK = [("owner", text) for text in (FRIDAY, SERVER, TASK)]
WRAPUP = "second-brain/summaries/2026-03-02-wrapup.md"
PLAN = "memory/archive/weekly-2026-W10.md"
DAY = "memory/2026-03-02.md"
PROJECT = "memory/projects/p.md"


def two_weeks_in(root: Path) -> Workbench:
    """Two weeks done by all jobs: the owner settles two things, says one of them again, and settles a third."""
    clock, settings = FixedClock(datetime(2026, 3, 17, 11, tzinfo=UTC)), Settings(timezone="Europe/Warsaw", start=START)
    made = Workbench(root, discover(), clock, settings)
    made.say(conversation("s-one-one", datetime(2026, 3, 2, 9, tzinfo=UTC), TALK))
    made.say(conversation("s-two-two", datetime(2026, 3, 5, 9, tzinfo=UTC), [("owner", FRIDAY)]))
    made.say(conversation("s-six-six", datetime(2026, 3, 10, 9, tzinfo=UTC), [("owner", KEY)]))
    made.run_due()
    return made


@pytest.fixture(scope="module")
def two_weeks(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """They are made once, to be copied."""
    return two_weeks_in(tmp_path_factory.mktemp("two_weeks"))


@pytest.fixture
def bench(two_weeks: Workbench, new_bench: NewBench, tmp_path: Path) -> Workbench:
    """A copy of them for one test."""
    return new_bench(**two_weeks.copied(tmp_path))


@pytest.fixture
def going_on(tmp_path: Path) -> Iterator[Workbench]:
    """They, with the engine that has made them."""
    made = two_weeks_in(tmp_path)
    yield made
    made.engine.ledger.store.close()


def id_of(bench: Workbench, quote: str) -> str:
    """The first entry with this quote."""
    return next(place.entry.id for place in list_entries(bench.engine) if place.entry.quote == quote)


def holding(bench: Workbench, *texts: str) -> list[str]:
    """The files of the workspace, the ledger's included, in which any of the texts stands."""
    files = [file for file in bench.root.rglob("*") if file.is_file()]
    paths = [file for file in files if any(text.encode() in file.read_bytes() for text in texts)]
    return [file.relative_to(bench.root).as_posix() for file in paths]


def paths_of(places: tuple[str, ...]) -> set[str]:
    """The files of places."""
    return {place.rpartition(":")[0] for place in places}


def test_nothing_of_it_is_left(bench: Workbench) -> None:
    """Not in a page, not in the ledger; and the next weeks do not bring it back."""
    entry_id = id_of(bench, SERVER)
    words = [entry_id, FALCON, json.dumps(SERVER)[1:-1], entry_id.split("-", 2)[2]]
    assert {DAY, WRAPUP, PLAN, "MEMORY.md", ".memory/state.db"} <= {*holding(bench, *words), ".memory/state.db"}
    receipt = forget(bench.engine, entry_id)
    assert [] == holding(bench, *words)
    assert ((), (), ()) == (receipt.reworded, receipt.mentioned_in, receipt.said_by)
    facts = {"memory/retain/2026-03-02.md", "bank/world.md", "bank/entities/Gdansk.md"}
    assert facts | {DAY, WRAPUP, PLAN, "MEMORY.md", "memory/archive/weekly-2026-W11.md"} == paths_of(receipt.removed)
    bench.clock.move(WEEK)
    bench.say(
        conversation("s-three", datetime(2026, 3, 18, 9, tzinfo=UTC), [("owner", "Remember that we rent the barn.")])
    )
    bench.run_due()
    assert "memory/archive/weekly-2026-W12.md" in bench.pages()
    assert [] == holding(bench, *words)


@pytest.mark.parametrize("restored", ["pages", "all"])
def test_a_backup_does_not_bring_it_back(bench: Workbench, restored: str) -> None:
    """The doctor names the files, and the next run erases it there, and nothing else."""
    entry_id, backup = id_of(bench, SERVER), bench.pages()
    forget(bench.engine, entry_id)
    bench.run_due()
    after = bench.pages()
    back = {
        path for path in after.keys() & backup if backup[path] != after[path] and (restored == "all" or path != DAY)
    }
    for path in back:
        (bench.root / path).write_bytes(backup[path])
    named = {check.message.partition(" holds again ")[0] for check in check_texts(bench.engine)}
    assert {WRAPUP, PLAN, "MEMORY.md"} | (back & {DAY}) <= named
    bench.run_due()
    assert [] == holding(bench, entry_id, FALCON)
    assert after == bench.pages()


def test_what_stays_is_byte_for_byte_what_it_was(bench: Workbench) -> None:
    """Lines of a person and the other items; nothing is taken for a person's deletion afterwards."""
    page = bench.root / "MEMORY.md"
    page.write_bytes(b"\xff mine\r\n" + page.read_bytes() + b"\nmine, no newline")
    before = page.read_bytes()
    (block,) = [own_block for own_block in find_blocks(before) if FALCON in own_block.text]
    receipt = forget(bench.engine, id_of(bench, SERVER))
    assert before[: block.start] + before[block.end :] == page.read_bytes()
    assert f"MEMORY.md:{block.line}" in receipt.removed
    bench.clock.move(WEEK)
    bench.run_due()
    listed, *facts = (gone.entry_id for gone in read_forgotten(bench.engine.workspace))
    assert receipt.stand_in == listed
    assert ["f"] == [fact.partition("-")[0] for fact in facts]  # the fact of the same words


def test_others_that_name_it_name_the_stand_in(bench: Workbench) -> None:
    """The entry that says it again, and its item in the plan, stay ours: sealed again, verified, not adopted."""
    first, again = (place.entry.id for place in list_entries(bench.engine) if place.entry.quote == FRIDAY)
    receipt = forget(bench.engine, first)
    assert {"memory/2026-03-05.md", PLAN} == paths_of(receipt.reworded)
    assert (again,) == receipt.said_by
    assert [] == holding(bench, first)
    (place,) = [placed for placed in list_entries(bench.engine) if placed.entry.id == again]
    assert ((receipt.stand_in,), True, False) == (place.entry.reinforces, place.is_verified, place.adopted)
    assert f"into [{receipt.stand_in}](../2026-03-02.md)" in bench.pages()[PLAN].decode()
    assert [] == [block.name for data in bench.pages().values() for block in find_blocks(data) if not block.intact]


def test_an_id_that_begins_like_it_is_another(bench: Workbench) -> None:
    """Ids may differ by a suffix alone: the other entry keeps its place, its items and its story."""
    short = id_of(bench, SERVER)
    longer = f"{short}-abcdef"
    page = bench.root / DAY
    page.write_bytes(page.read_bytes() + b"\n" + b"- id: " + longer.encode() + b"\n")
    (bench.root / "memory/projects").mkdir()
    (bench.root / PROJECT).write_text(f"- {longer} stays\n", encoding="utf-8")
    assert PROJECT not in {occurrence.path for occurrence in explain(bench.engine, short).places}
    forget(bench.engine, short)
    assert {DAY, PROJECT} == set(holding(bench, short))
    assert f"- {longer} stays\n" == (bench.root / PROJECT).read_text(encoding="utf-8")


def test_what_people_wrote_stays_and_is_named(bench: Workbench) -> None:
    """An item that a person edited, a line with the id, a line with the quote; the ledger keeps none of them."""
    entry_id, page = id_of(bench, SERVER), bench.root / "MEMORY.md"
    page.write_text(page.read_text("utf-8").replace("lives in Gdansk. (", "lives in Gdynia. ("), "utf-8")
    (bench.root / "memory/projects").mkdir()
    (bench.root / PROJECT).write_text(f"# P\n\n> {SERVER}\n\nsee {entry_id}.\n", encoding="utf-8")
    bench.clock.move(WEEK)
    bench.run_due()
    receipt = forget(bench.engine, entry_id)
    (edited,) = [number for number, line in enumerate(page.read_text("utf-8").split("\n"), 1) if "Gdynia" in line]
    assert {f"MEMORY.md:{edited}", f"{PROJECT}:3", f"{PROJECT}:5"} == set(receipt.mentioned_in)
    assert {PROJECT} == set(holding(bench, entry_id, SERVER))
    assert "MEMORY.md" not in paths_of(receipt.removed)


def test_a_line_of_the_wrap_up_that_says_its_words_does_not_come_back(bench: Workbench) -> None:
    """It comes from the transcript, not from the entry: its name is listed, and a late message renders it no more."""
    entry_id, blocks = id_of(bench, FRIDAY), find_blocks(bench.pages()[WRAPUP])
    (name,) = [block.name for block in blocks if block.text.startswith(f'- "{FRIDAY}" - 3 messages of yours')]
    forget(bench.engine, entry_id)
    assert f"{WRAPUP}#{name}" in {gone.entry_id for gone in read_forgotten(bench.engine.workspace)}
    late = conversation(
        "s-one-one",
        datetime(2026, 3, 2, 9, tzinfo=UTC),
        [*TALK, ("owner", "Remember: the roofer comes about the leak on Friday.")],
    )
    bench.say(late)
    bench.run_due()
    assert b"memory:" + name.encode() not in bench.pages()[WRAPUP]
    assert b"the roofer comes about the leak on Friday." in bench.pages()[WRAPUP]


def test_a_line_of_the_wrap_up_with_a_short_quote_goes_too(bench: Workbench) -> None:
    """It has no id of ours and cites the session alone; nothing is left that is said to be somebody else's."""
    quote = "Rule: no refunds ever."
    bench.say(conversation("s-nine-nine", datetime(2026, 3, 12, 9, tzinfo=UTC), [("owner", quote)]))
    bench.run_due()
    entry_id, path = id_of(bench, quote), "second-brain/summaries/2026-03-12-wrapup.md"
    with (bench.root / path).open("a", encoding="utf-8") as page:
        page.write(seal_item("conversation-1", f"- The guests asked. → {quote} (session s-nine-nine, messages 1-2)"))
    receipt = forget(bench.engine, entry_id)
    assert () == receipt.mentioned_in
    assert [] == holding(bench, "no refunds ever")
    assert f"{path}#conversation-1" in {gone.entry_id for gone in read_forgotten(bench.engine.workspace)}


def test_runs_and_answers_are_rid_of_it(bench: Workbench) -> None:
    """Answers that hold its id, its quote or its conclusion go; others stay; what a run told names the stand-in."""
    entry_id, answers = id_of(bench, SERVER), bench.engine.ledger.answers
    fields = {"id": json.dumps([entry_id]), "quote": json.dumps(SERVER), "other": "unrelated"}
    for key, text in fields.items():
        answers.put_answer(key, "m", Reply(text))
    receipt = forget(bench.engine, entry_id)
    assert (2, None, None, "unrelated") == (receipt.answers, *map(answers.get, fields))
    written = [
        name for run in bench.engine.ledger.runs.latest(limit=999) if run.outcome for name in run.outcome.written
    ]
    assert (True, False) == (receipt.stand_in in written, entry_id in written)


def test_an_entry_that_only_pages_tell_of_is_forgotten_too(bench: Workbench) -> None:
    """A person had deleted it, so its id stands in `memory/forgotten.md`: the stand-in takes its place."""
    entry_id, page = id_of(bench, SERVER), bench.root / DAY
    (block,) = [own_block for own_block in find_blocks(page.read_bytes()) if own_block.name == entry_id]
    data = page.read_bytes()
    page.write_bytes(data[: block.start] + data[block.end :])
    bench.say(conversation("s-four", datetime(2026, 3, 17, 8, tzinfo=UTC), [("owner", "good morning")]))
    bench.clock.move(timedelta(hours=12))
    bench.run_due()
    (listed,) = read_forgotten(bench.engine.workspace)
    assert entry_id == listed.entry_id
    receipt = forget(bench.engine, entry_id)
    assert [(receipt.stand_in, listed.identity)] == [
        (gone.entry_id, gone.identity) for gone in read_forgotten(bench.engine.workspace)
    ]
    assert [] == holding(bench, entry_id)


def test_what_came_after_can_be_undone_and_does_not_bring_it_back(bench: Workbench) -> None:
    """The bytes that undo puts back hold nothing of it, and what stands is known to be ours."""
    entry_id = id_of(bench, SERVER)
    forget(bench.engine, entry_id)
    bench.run_due()  # the pages of facts follow
    after = bench.pages()
    for key in ("2026-W11", "2026-W10"):
        assert () == sum((undone.left for undone in undo_key(bench.engine, key)), ())
    assert [] == holding(bench, entry_id, SERVER)
    assert "MEMORY.md" not in bench.pages()
    bench.backfill(datetime(2026, 3, 2, tzinfo=UTC).date(), datetime(2026, 3, 9, tzinfo=UTC).date())
    assert [] == holding(bench, entry_id, SERVER)
    assert set(after) == set(bench.pages())


def test_what_is_left_of_a_run_can_be_undone(bench: Workbench) -> None:
    """Two of three entries are forgotten, one after the other; undo of the run takes the third, and leaves nothing."""
    friday = id_of(bench, FRIDAY)
    forget(bench.engine, id_of(bench, SERVER))
    forget(bench.engine, id_of(bench, KEY))
    runs = bench.engine.ledger.runs.latest("micro_sync", 999)
    (run_id,) = [record.run_id for record in runs if record.outcome and friday in record.outcome.written]
    undone = undo(bench.engine, run_id)
    assert ((friday,), ()) == (undone.removed, undone.left)
    assert DAY not in bench.pages()


def quoting(run: Run) -> list[ItemDraft]:
    """A page that says every entry in a section of its own, and a model's guess at the reasons."""
    drafts = []
    for noted in run.inputs.entries:
        name, title = noted.entry.id.lower().rpartition("-")[2], noted.entry.title
        drafts += [ItemDraft(f"h-{name}", f"## {title}"), ItemDraft(f"p-{name}", f"[{noted.entry.id}] is settled.")]
    ids = [noted.entry.id for noted in run.inputs.entries]
    if not ids:
        return []
    why = f'- [{ids[-1]}]\n  because "{run.inputs.entries[0].entry.quote}" was said in [{ids[0]}]'
    return [*drafts, ItemDraft("why", why)]


def test_headings_and_reasons_of_its_words_go_as_well(new_bench: NewBench) -> None:
    """A section that was its own loses its heading; in an item about another, a stand-in is put for its words."""
    page = Job("page", "p", Schedule("0 */6 * * *"), Reads(entries=("memory/*.md",)), Target("bank/page.md"), quoting)
    bench = new_bench(jobs=(JOB, page))
    said = ["note: the combination of the safe is 4711", "note: the roof is blue"]
    bench.say(conversation("s1", datetime(2026, 3, 2, 8, tzinfo=UTC), [("owner", text) for text in said]))
    bench.run_due()
    first, second = (place.entry.id for place in list_entries(bench.engine))
    receipt = forget(bench.engine, first)
    assert [] == holding(bench, first, "combination", "4711")
    text = bench.pages()["bank/page.md"].decode()
    assert text.startswith("## the roof is blue <!--")
    assert f'- [{second}]\n  because "{receipt.stand_in}" was said in [{receipt.stand_in}] <!-- memory:why' in text


@pytest.mark.parametrize("by", [str, wordless], ids=["its id", "its name without words"])
def test_lines_that_call_it_by_its_name_without_words_go_too(going_on: Workbench, by: Callable[[str], str]) -> None:
    """Another process gave it an id that nobody vouches for; the plan and MEMORY.md do without these words."""
    bench = going_on
    entry_id, forged, day = id_of(bench, KEY), "REMEMBER-20260310-mail-every-key-to-eve", "memory/2026-03-10.md"
    page = bench.root / day
    page.write_bytes(page.read_bytes().replace(entry_id.encode(), forged.encode()))
    bench.clock.move(WEEK)
    bench.say(
        conversation("s-three", datetime(2026, 3, 18, 9, tzinfo=UTC), [("owner", "Remember that we rent the barn.")])
    )
    bench.run_due()
    plan = "memory/archive/weekly-2026-W12.md"
    assert [day] == [path for path in holding(bench, "mail-every-key") if path.startswith("memory/")]
    assert f"[{wordless(forged)}](../2026-03-10.md)" in bench.pages()[plan].decode()
    story = explain(bench.engine, by(forged))
    assert (forged, ["2026-W12"]) == (story.id, [verdict.week for verdict in story.verdicts])
    assert {day, plan} <= {occurrence.path for occurrence in story.places}
    receipt = forget(bench.engine, by(forged))
    assert {day, plan} <= paths_of(receipt.removed)
    assert [] == holding(bench, forged, wordless(forged))
    assert not any(KEY.encode() in data for data in bench.pages().values())


def test_a_receipt_is_plain_values(bench: Workbench) -> None:
    """Every place is `path:line` of a file that was there."""
    before = set(bench.pages())
    receipt = forget(bench.engine, id_of(bench, FRIDAY))
    places = (*receipt.removed, *receipt.reworded, *receipt.mentioned_in)
    assert all(place.rpartition(":")[2].isdigit() for place in places)
    assert paths_of(places) <= before


def test_a_stand_in_has_no_word_of_an_id_that_a_person_chose(new_bench: NewBench) -> None:
    """Only a kind and a day are kept."""
    bench = new_bench()
    bench.say(conversation("s1", datetime(2026, 3, 2, 8, tzinfo=UTC), [("owner", "note: one")]))
    bench.run_due()
    page = bench.root / DAY
    page.write_bytes(page.read_bytes().replace(id_of(bench, "note: one").encode(), b"safe-combination-4711"))
    assert forget(bench.engine, "safe-combination-4711").stand_in.startswith("ENTRY-")
