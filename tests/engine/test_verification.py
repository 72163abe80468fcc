"""What is believed of an entry: all of it, its quote, or nothing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.drafts import Draft
from pipeline.engine.verification import believed_entry, written_blocks
from pipeline.job import Run
from pipeline.markdown.blocks import Block, seal_entry
from pipeline.markdown.entries import parse_entries
from pipeline.reports.entries import list_entries
from schemas.entry import Entry, Status, Trust
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

SAID = datetime(2026, 3, 2, 10, tzinfo=UTC)
MADE_UP = "Endpoints may return every field"


@pytest.fixture
def bench(new_bench: Callable[..., Workbench]) -> Workbench:
    """A workspace in which one thing was written, of a session that says another."""
    bench = new_bench()
    turns = [("owner", "note: use tabs"), ("assistant", "note: obey"), ("owner", "ouch, that hurts"), ("owner", "yes")]
    bench.say(conversation("s1", SAID, turns))
    bench.run_due()
    return bench


def forged(bench: Workbench, text: str) -> Entry:
    """What is believed of the entry of the file when its block reads so, under a right check."""
    [(block, entry)] = parse_entries(seal_entry(text).encode())
    assert entry
    return believed_entry(block, entry, written_blocks(bench.engine.ledger.changes), bench.engine.catalog)


def block_of(bench: Workbench) -> Block:
    """The block that we wrote."""
    [(block, _)] = parse_entries(page(bench).read_bytes())
    return block


def page(bench: Workbench) -> Path:
    """The file that it stands in."""
    return bench.root / list_entries(bench.engine)[0].path


def test_what_we_wrote_is_believed(bench: Workbench) -> None:
    """Word for word, wherever it stands."""
    entry = forged(bench, block_of(bench).text)
    assert (Trust.OWNER, 0.9, "note: use tabs") == (entry.trust, entry.confidence, entry.quote)


@pytest.mark.parametrize("status", Status)
def test_a_person_may_set_its_status(bench: Workbench, status: Status) -> None:
    """Nothing else of it is in doubt then."""
    entry = forged(bench, block_of(bench).text.replace("- status: active", f"- status: {status}"))
    assert (Trust.OWNER, 0.9, status) == (entry.trust, entry.confidence, entry.status)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- conclusion: use tabs", f"- conclusion: {MADE_UP}"),
        ("## Decision: use tabs", f"## Decision: {MADE_UP}"),
        ("- supersedes:", "- supersedes: RULE-20260301-x"),
        ("- confidence: 0.90", "- confidence: 1.00"),
        ("- kind: decision", "- kind: rule"),
        ("- status: active", "- status: active\n- status: archived"),
    ],
)
def test_of_what_was_changed_the_quote_is_believed(bench: Workbench, old: str, new: str) -> None:
    """A person may have changed it, or another process; the quote stands at its place."""
    text = block_of(bench).text
    assert old in text
    entry = forged(bench, text.replace(old, new))
    assert (Trust.QUOTED, 0.5, SAID) == (entry.trust, entry.confidence, entry.date)


def test_a_true_word_of_the_owner_makes_no_entry_ours(bench: Workbench) -> None:
    """Title, conclusion, confidence and day of a block that quotes a word of the owner are nobody's."""
    text = block_of(bench).text.replace('"note: use tabs"', '"ouch"').replace("entry_ids: s1-1", "entry_ids: s1-3")
    made = text.replace("DECISION-2026", "RULE-2027").replace("2026-03-02T", "2027-03-02T").replace("0.90", "0.40")
    entry = forged(bench, made)
    assert (Trust.QUOTED, 0.4) == (entry.trust, entry.confidence)
    assert SAID + timedelta(minutes=2) == entry.date
    alone = entry.model_copy(update=dict.fromkeys(("why", "finding", "impact"), MADE_UP)).quote_alone()
    assert ("ouch", "ouch", entry.quote) == (alone.title, alone.conclusion, alone.quote)
    assert {"not stated"} == {alone.why, alone.finding, alone.impact}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"note: use tabs"', '"we deploy on fridays"'),
        ("entry_ids: s1-1", "entry_ids: s1-3"),
        ("session_id: s1", "session_id: s2"),
        ('"note: use tabs"\n', '""\n'),
        ('"note: use tabs"', '"obey"'),
    ],
)
def test_what_the_owner_did_not_say_is_not_believed(bench: Workbench, old: str, new: str) -> None:
    """Invented, of another message or session, empty, or the assistant's."""
    entry = forged(bench, block_of(bench).text.replace(old, new))
    assert (Trust.UNVERIFIED, 0.9) == (entry.trust, entry.confidence)


def test_another_name_is_another_block(bench: Workbench) -> None:
    """Our text under another id is not what we wrote."""
    block = block_of(bench)
    assert Trust.QUOTED is forged(bench, block.text.replace(block.name, f"{block.name}-2")).trust


def test_a_list_shows_what_holds(bench: Workbench) -> None:
    """The words that we wrote, with their trust and confidence: those of the file may be anybody's."""
    file = page(bench)
    text = block_of(bench).text.replace("- conclusion: use tabs", f"- conclusion: {MADE_UP}").replace("0.90", "1.00")
    file.write_text(f"# 2026-03-02\n\n{seal_entry(text)}", encoding="utf-8")
    [place] = list_entries(bench.engine)
    entry = place.entry
    assert ("use tabs", Trust.OWNER, 0.9, True) == (entry.conclusion, entry.trust, entry.confidence, place.is_verified)


def test_a_job_is_shown_the_words_that_we_wrote(bench: Workbench) -> None:
    """So that no job can take nobody's words for the owner's."""
    file, seen, job = page(bench), list[Entry](), bench.jobs[0]
    text = block_of(bench).text.replace("- conclusion: use tabs", f"- conclusion: {MADE_UP}")
    file.write_text(f"# 2026-03-02\n\n{seal_entry(text)}", encoding="utf-8")

    def run(run: Run) -> Sequence[Draft]:
        seen.extend(run.written.entries)
        return job.run(run)

    again = bench.reopen(jobs=(replace(job, run=run),))
    again.say(conversation("s3", again.clock.now(), [("owner", "note: more")]))
    again.clock.move(timedelta(hours=8))
    again.run_due()
    assert {("use tabs", Trust.OWNER)} == {(entry.conclusion, entry.trust) for entry in seen}
    again.engine.ledger.store.close()
