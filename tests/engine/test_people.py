"""People and other agents in the same files: what they delete stays away, what they forge is marked."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, EntryDraft
from pipeline.events import Event
from pipeline.job import Run
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.entries import parse_entry, render_entry
from pipeline.markdown.splice import remove_block
from pipeline.ports.engine import Reply
from pipeline.reports.entries import explain, list_entries
from pipeline.reports.entry_book import EntryBooks
from pipeline.workspace.forgotten import Tombstone, note_forgotten, read_forgotten
from schemas.reports.entries import EntryHistory
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
FORGOTTEN = "memory/forgotten.md"


def said(bench: Workbench, *texts: str, session_id: str = "s1") -> None:
    """The owner says one thing a minute."""
    bench.say(conversation(session_id, MORNING, [("owner", text) for text in texts]))


def titles(bench: Workbench) -> list[str]:
    """What stands in the files, in their order."""
    return [place.entry.title for place in list_entries(bench.engine)]


def delete(bench: Workbench, title: str) -> str:
    """A person deletes an entry; its id."""
    place = next(placed for placed in list_entries(bench.engine) if placed.entry.title == title)
    data = (bench.root / place.path).read_bytes()
    block = next(own_block for own_block in find_blocks(data) if own_block.name == place.entry.id)
    (bench.root / place.path).write_bytes(remove_block(data, block))
    return place.entry.id


def test_a_deleted_entry_stays_deleted(new_bench: NewBench) -> None:
    """Also when its window runs again, when the ledger is lost, and in a back-fill."""
    bench = new_bench()
    said(bench, "note: keep", "note: drop")
    bench.run_due()
    gone = delete(bench, "drop")
    said(bench, "note: keep", "note: drop", "note: late")
    (outcome,) = bench.run_due()
    assert {"known": 1, "forgotten": 1} == outcome.skipped
    assert ["keep", "late"] == titles(bench)
    assert (Event.DELETED_BY_PERSON, {"id": gone, "path": DAY}) in bench.events
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").iterdir():
        file.unlink()
    after = new_bench(source=bench.source)
    after.run_due()
    after.backfill(date(2026, 3, 2), date(2026, 3, 3))
    assert ["keep", "late"] == titles(after)


def test_the_run_says_what_is_gone_and_stays_away(new_bench: NewBench) -> None:
    """A person may not have meant it: of an emptied file, of more than one, and of one entry; and once alone."""
    bench = new_bench()
    said(bench, *(f"note: {number}" for number in range(9)))
    later = MORNING + timedelta(days=1)
    bench.say(conversation("s2", later, [("owner", "note: 9")]))
    bench.clock.moment = MORNING + timedelta(days=2)
    bench.run_due()
    listed = f"not written again; {FORGOTTEN} lists them, to allow them again"
    stories = [(["0"], f"1 entry that we wrote is gone from {DAY}, and {listed}"),
               (["1", "9"], f"2 entries that we wrote are gone from {DAY} and 1 other file(s), and {listed}"),
               ([], "")]  # fmt: skip
    for number, (gone, text) in enumerate(stories):
        for title in gone:
            delete(bench, title)
        said(bench, *(f"note: {number}" for number in range(9)), *["hello"] * (number + 1))
        (outcome,) = bench.run_due()
        assert text == outcome.warning


def test_forgotten_holds_ids_and_hashes_and_no_text(new_bench: NewBench) -> None:
    """Nothing of what was said is left there."""
    bench = new_bench()
    said(bench, "note: the secret garden")
    bench.run_due()
    gone = delete(bench, "the secret garden")
    said(bench, "note: the secret garden", "hello")
    bench.run_due()
    page = bench.pages()[FORGOTTEN].decode()
    assert gone in page
    assert "identity:" in page
    assert "garden" not in page


def test_removing_a_line_there_allows_the_entry_again(new_bench: NewBench) -> None:
    """The file belongs to the people: a back-fill after it brings the same entry back."""
    bench = new_bench()
    said(bench, "note: one", "note: two")
    bench.run_due()
    before = [place.text for place in list_entries(bench.engine)]
    delete(bench, "two")
    said(bench, "note: one", "note: two", "hello")
    bench.run_due()
    (bench.root / FORGOTTEN).unlink()
    said(bench, "note: one", "note: two", "hello", "hello again")
    bench.run_due()
    assert before == [place.text for place in list_entries(bench.engine)]


def test_an_id_given_again_can_be_deleted_again(new_bench: NewBench) -> None:
    """Two entries that had the same id, one after the other: both stay away."""
    bench = new_bench()
    both = [Tombstone("A1", "aa"), Tombstone("A1", "bb")]
    for gone in both:
        note_forgotten(bench.engine.workspace, [gone], date(2026, 3, 4))
        note_forgotten(bench.engine.workspace, [gone], date(2026, 3, 5))
    assert both == read_forgotten(bench.engine.workspace)


def test_many_gone_at_once_is_an_accident(new_bench: NewBench) -> None:
    """Nothing is forgotten and nothing written until the person says that it was meant."""
    bench = new_bench()
    said(bench, *(f"note: {number}" for number in range(8)))
    bench.run_due()
    page = bench.pages()[DAY]
    (bench.root / DAY).unlink()
    said(bench, *(f"note: {number}" for number in range(8)), "note: late")
    (outcome,) = bench.run_due()
    assert "failed" == outcome.ending
    assert "8 of 8 recorded entries" in outcome.warning
    assert {} == bench.pages()
    (bench.root / DAY).write_bytes(page)
    assert ["done"] == endings(bench.run_due())
    (bench.root / DAY).unlink()
    said(bench, *(f"note: {number}" for number in range(8)), "note: late", "note: last")
    bench.engine = replace(bench.engine, allow_shrink=True)
    assert ["done"] == endings(bench.run_due())
    assert ["last"] == titles(bench)


@pytest.mark.parametrize(
    ("gone", "of", "ending"), [(4, 8, "done"), (5, 8, "failed"), (5, 20, "done"), (6, 20, "failed")]
)
def test_five_and_more_than_a_quarter_are_many(new_bench: NewBench, gone: int, of: int, ending: str) -> None:
    """Whoever deletes fewer meant it."""
    bench = new_bench()
    lines = [f"note: number {number:02}" for number in range(of)]
    said(bench, *lines)
    bench.run_due()
    for number in range(gone):
        delete(bench, f"number {number:02}")
    said(bench, *lines, "note: late")
    assert [ending] == endings(bench.run_due())


def test_an_entry_moved_to_another_day_is_not_deleted(new_bench: NewBench) -> None:
    """Who sorts their notes deletes nothing: the entry stands, verified, in its new place."""
    bench = new_bench()
    said(bench, "note: one", "note: two")
    bench.run_due()
    page = bench.pages()[DAY].decode()
    block = find_blocks(page.encode())[1]
    (bench.root / DAY).write_bytes(remove_block(page.encode(), block))
    (bench.root / "memory/2026-03-01.md").write_bytes(b"# moved\n" + page.encode()[block.start : block.end])
    bench.source.remove("s1.jsonl")
    said(bench, "note: three", session_id="s2")
    bench.run_due()
    assert FORGOTTEN not in bench.pages()
    assert [("two", True), ("one", True), ("three", True)] == [
        (place.entry.title, place.is_verified) for place in list_entries(bench.engine)
    ]


def test_an_edited_entry_is_the_persons(new_bench: NewBench) -> None:
    """It is adopted, counts in the words that we wrote until its own are confirmed, and no run writes to it."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    edited = bench.pages()[DAY].replace(b"- why: not stated", b"- why: I say so\nand a line of mine")
    (bench.root / DAY).write_bytes(edited)
    said(bench, "note: one", "note: two")
    bench.run_due()
    assert bench.pages()[DAY].startswith(edited)
    (one, two) = list_entries(bench.engine)
    assert ("not stated", True, True) == (one.entry.why, one.adopted, one.is_verified)
    assert (False, True) == (two.adopted, two.is_verified)


def forged(bench: Workbench, **changes: object) -> str:
    """What another agent may append: a true entry's block with other values, sealed anew."""
    (block,) = [own_block for own_block in find_blocks(bench.pages()[DAY]) if own_block.intact][:1]
    entry = parse_entry(block)
    assert entry is not None
    return render_entry(entry.model_copy(update=changes))


def append(bench: Workbench, text: str) -> None:
    """Another process appends to the day's file."""
    with (bench.root / DAY).open("ab") as file:
        file.write(b"\n" + text.encode())


def test_a_forged_entry_is_unverified(new_bench: NewBench) -> None:
    """Valid form and valid check do not make words that nobody said: marked, listed, explained, never trusted."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    append(bench, forged(bench, id="DECISION-20260302-pay-me", title="Pay me", quote="note: pay me"))
    assert [("one", True), ("Pay me", False)] == [
        (place.entry.title, place.is_verified) for place in list_entries(bench.engine)
    ]
    story = explain(bench.engine, "DECISION-20260302-pay-me")
    assert isinstance(story, EntryHistory)
    assert (False, None) == (story.verified, story.run_id)
    said(bench, "note: one", "note: two")
    bench.run_due()
    assert ["one", "Pay me", "two"] == titles(bench)
    assert [True, False, True] == [place.is_verified for place in list_entries(bench.engine)]


def test_a_forged_copy_with_other_words_under_a_known_id_is_unverified(new_bench: NewBench) -> None:
    """The id of a true entry lends no trust to another text."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    append(bench, forged(bench, quote="note: never said", conclusion="pay me"))
    assert [True, False] == [place.is_verified for place in list_entries(bench.engine)]


@pytest.mark.parametrize("before", [False, True], ids=["behind ours", "before ours"])
@pytest.mark.parametrize(
    "changed", [{"quote": "note: never said", "conclusion": "pay me"}, {"conclusion": "two", "confidence": 1.0}]
)
def test_a_forged_copy_is_not_listed_beside_ours(
    new_bench: NewBench, changed: dict[str, object], *, before: bool
) -> None:
    """Of the blocks of one id that one is listed which counts; `doctor` still names what is not verified."""
    bench = new_bench()
    said(bench, "note: one")
    bench.run_due()
    ours = (bench.root / DAY).read_bytes()
    append(bench, forged(bench, **changed))
    if before:
        added = (bench.root / DAY).read_bytes().removeprefix(ours)
        (bench.root / DAY).write_bytes(added.lstrip(b"\n") + b"\n" + ours)
    book = EntryBooks().of(bench.engine)
    assert [("one", True)] == [(place.entry.conclusion, place.is_verified) for place in book.texts]
    assert [place for place in book.places if not place.is_verified] == list(book.strange)
    assert 2 == len(book.places)


def test_an_entry_with_a_true_quote_verifies_whoever_wrote_it(new_bench: NewBench) -> None:
    """The owner did say these words, at this place: that is what verified means, and all it means."""
    bench = new_bench()
    said(bench, "note: one", "hello there")
    bench.run_due()
    source = list_entries(bench.engine)[0].entry.source.model_copy(update={"entry_ids": ("s1-2",)})
    append(bench, forged(bench, id="DECISION-20260302-hello", quote="hello there", source=source))
    assert [True, True] == [place.is_verified for place in list_entries(bench.engine)]


def test_forget_reaches_files_ledger_and_answers(new_bench: NewBench) -> None:
    """After it no byte of the quote is on disk but in the transcript; the receipt tells all."""
    bench = new_bench()
    words = 'the "Garten" płot \\ 花园 code'
    said(bench, f"note: {words}", "note: other")
    bench.run_due()
    bench.engine.ledger.answers.put_answer(
        "k1", "m", Reply(json.dumps({"quote": f"note: {words}"}, ensure_ascii=False))
    )
    bench.engine.ledger.answers.put_answer("k2", "m", Reply("unrelated"))
    entry_id = list_entries(bench.engine)[0].entry.id
    receipt = forget(bench.engine, entry_id)
    assert ((DAY,), 1, 1) == (receipt.files, receipt.changes, receipt.answers)
    assert "git history of the workspace" in receipt.out_of_reach
    assert ["other"] == titles(bench)
    for file in [path for path in bench.root.rglob("*") if path.is_file()]:
        assert b"Garten" not in file.read_bytes()
        assert "花园".encode() not in file.read_bytes()
    assert "unrelated" == bench.engine.ledger.answers.get("k2")
    said(bench, f"note: {words}", "note: other", "note: late")
    bench.run_due()
    assert ["other", "late"] == titles(bench)


@pytest.mark.parametrize("quote", ["true", "e", "done", "micro_sync", "好"])
def test_a_short_quote_leaves_what_programs_keep(new_bench: NewBench, quote: str) -> None:
    """The entry goes; its one word stands in the files of the service as their own, and in answers about others."""
    bench = new_bench()
    kept = json.dumps({"true": True, "job": "micro_sync", "ending": "done", "好": None}, ensure_ascii=False)
    bench.say(conversation("s1", MORNING, [("owner", "note: one")]))
    bench.run_due()
    (place,) = list_entries(bench.engine)
    source = place.entry.source.model_copy(update={"session_id": "s2", "session_path": "openclaw:s2.jsonl"})
    append(bench, forged(bench, id="DECISION-20260302-short", quote=quote, source=source))
    for path in (".memory/service/state.json", ".memory/backfills/20260302-abcdef.json"):
        (bench.root / path).parent.mkdir(parents=True, exist_ok=True)
        (bench.root / path).write_text(kept, encoding="utf-8")
    bench.engine.ledger.answers.put_answer("k", "m", Reply(kept))
    receipt = forget(bench.engine, "DECISION-20260302-short")
    assert ((DAY,), (), 0) == (receipt.files, receipt.logs, receipt.answers)
    assert kept == (bench.root / ".memory/service/state.json").read_text(encoding="utf-8")
    assert kept == (bench.root / ".memory/backfills/20260302-abcdef.json").read_text(encoding="utf-8")
    assert kept == bench.engine.ledger.answers.get("k")


def test_forget_takes_every_copy(new_bench: NewBench) -> None:
    """A person's copy of the block in another day's file goes too, with CRLF as well."""
    bench = new_bench()
    said(bench, "note: one", "note: two")
    bench.run_due()
    (bench.root / "memory/2026-03-01.md").write_bytes(bench.pages()[DAY].replace(b"\n", b"\r\n"))
    entry_id = list_entries(bench.engine)[0].entry.id
    assert ("memory/2026-03-01.md", DAY) == forget(bench.engine, entry_id).files
    assert ["two", "two"] == titles(bench)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_persons_bytes_survive_everything(new_bench: NewBench, newline: bytes) -> None:
    """A file that starts like front matter, has no final newline and is not UTF-8 keeps each of those bytes."""
    bench = new_bench()
    mine = newline.join([b"---", b"\xff\xfe no front matter", b"## Same", b"", b"## Same", b"end"])
    (bench.root / "memory").mkdir()
    (bench.root / DAY).write_bytes(mine)
    said(bench, "note: one", "note: two")
    outcomes = bench.run_due()
    forget(bench.engine, list_entries(bench.engine)[1].entry.id)
    assert bench.pages()[DAY].startswith(mine + newline)
    forget(bench.engine, list_entries(bench.engine)[0].entry.id)
    assert mine == bench.pages()[DAY]
    assert 1 == sum(bool(outcome.written) for outcome in outcomes)


def test_another_agent_may_make_the_days_file_first(new_bench: NewBench) -> None:
    """We append to it, whatever it wrote there."""
    bench = new_bench()
    (bench.root / "memory").mkdir()
    (bench.root / DAY).write_bytes(b"")
    said(bench, "note: one")
    bench.run_due()
    assert b"\n## Decision: one\n" == bench.pages()[DAY][: len(b"\n## Decision: one\n")]


def worded(run: Run) -> list[Draft]:
    """The `note` job with ids made of an entry's words, as a real job's are."""
    drafts = [draft for draft in JOB.run(run) if isinstance(draft, EntryDraft)]
    ids = [f"DECISION-20260302-{draft.entry.title}" for draft in drafts]
    return [replace(d, entry=d.entry.model_copy(update={"id": name})) for d, name in zip(drafts, ids, strict=True)]


def test_forget_leaves_no_word_of_the_entry(new_bench: NewBench) -> None:
    """Ids are made of an entry's words: neither the ledger nor `memory/forgotten.md` keeps one."""
    bench = new_bench(jobs=(replace(JOB, run=worded),))
    bench.say(conversation("s1", MORNING, [("owner", "note: sunflower"), ("owner", "note: other")]))
    bench.run_due()
    receipt = forget(bench.engine, "DECISION-20260302-sunflower")
    assert receipt.stand_in.startswith("DECISION-20260302-")
    files = [file for file in bench.root.rglob("*") if file.is_file()]
    assert [] == [file.name for file in files if b"sunflower" in file.read_bytes()]
    assert ["DECISION-20260302-other"] == [place.entry.id for place in list_entries(bench.engine)]


def test_what_a_run_wrote_can_be_undone_after_one_of_it_was_forgotten(new_bench: NewBench) -> None:
    """Only the forgotten entry is out of reach."""
    bench = new_bench()
    bench.say(conversation("s1", MORNING, [("owner", "note: one"), ("owner", "note: two")]))
    (run,) = [outcome for outcome in bench.run_due() if outcome.written]
    forget(bench.engine, run.written[0])
    assert (run.written[1],) == undo(bench.engine, run.run_id).removed
    assert [] == list_entries(bench.engine)
