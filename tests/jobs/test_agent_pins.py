"""A pin is a person's decision about a line of ours: it comes first, stays, and is kept like any other change."""

from collections.abc import Callable

import pytest

from jobs.agent_journal import JOB as JOURNAL
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.language.tokens import count_tokens
from pipeline.reports.agents import AgentFolder
from schemas.memory_change import ChangeWord, Operation
from schemas.outcome import Outcome
from schemas.reports.agents import KnownLine
from tests.jobs.test_agent_journal import ARCHIVE, BAKERY, DAY, PAGE, Asking, line_id, opened, text
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
BOAT, SAUNA = "Kuba has a boat", "Kuba likes the sauna"


def again(bench: Workbench) -> Asking:
    """More requests, with ids that none had before."""
    return Asking(bench, f"r{len(bench.engine.ledger.requests.of_job(JOURNAL.name))}")


def pin(bench: Workbench, line: str, operation: Operation = Operation.PIN, **fields: object) -> Outcome:
    """What `memory agents pin` asks for; how the journal's run ended."""
    person = {"line": line, "word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal"} | fields
    return again(bench)("", operation, **person)


def folder(bench: Workbench) -> AgentFolder:
    """What the agent knows."""
    return AgentFolder(bench.settings.agents, bench.engine.workspace, bench.engine.ledger, "jaskier")


def known(bench: Workbench, words: str) -> KnownLine:
    """The line with these words, as `memory agents know` has it."""
    return next(line for line in folder(bench).know() if words in line.text)


def test_a_pinned_line_comes_first_and_an_undo_gives_the_bytes_back(new_bench: NewBench) -> None:
    """The journal says who pinned what; the newer line comes first again after the undo."""
    bench = opened(new_bench)
    asking = Asking(bench)
    asking(BOAT, word=ChangeWord.PERSON)
    asking(SAUNA, word=ChangeWord.PERSON)
    before = bench.pages()
    assert text(bench, PAGE).index(SAUNA) < text(bench, PAGE).index(BOAT)
    line = line_id(bench, BOAT)
    outcome = pin(bench, line)
    assert f"- PIN of {line}: {BOAT}\n  asked by owner over terminal, " in text(bench, DAY)
    assert text(bench, PAGE).index(BOAT) < text(bench, PAGE).index(SAUNA)
    assert (True, False) == (known(bench, BOAT).pinned, known(bench, SAUNA).pinned)
    undo(bench.engine, outcome.run_id)
    bench.run_due()
    assert before == bench.pages()


def test_an_unpinned_line_is_a_line_like_others(new_bench: NewBench) -> None:
    """It may be pinned again; a second pin in a row changes nothing, and says so."""
    bench = opened(new_bench)
    asking = Asking(bench)
    asking(BOAT, word=ChangeWord.PERSON)
    asking(SAUNA, word=ChangeWord.PERSON)
    brain, line = text(bench, PAGE), line_id(bench, BOAT)
    assert ("It is not pinned.",) == pin(bench, line, Operation.UNPIN).notices
    pin(bench, line)
    assert ("It is pinned already.",) == pin(bench, line).notices
    pin(bench, line, Operation.UNPIN)
    assert (brain, False) == (text(bench, PAGE), known(bench, BOAT).pinned)
    pin(bench, line)
    assert known(bench, BOAT).pinned


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("word", [ChangeWord.NOT_CONFIRMED, ChangeWord.OWNER])
def test_a_tool_never_pins(new_bench: NewBench, level: int, word: ChangeWord) -> None:
    """At no level; it is refused and counted, and nothing waits."""
    bench = opened(new_bench, jaskier={"autonomy": level})
    Asking(bench)(BOAT, word=ChangeWord.PERSON)
    before = bench.pages()
    outcome = pin(bench, line_id(bench, BOAT), word=word, asked_by="jaskier", over="mcp")
    assert ["only_a_person"] == [rejection.reason for rejection in outcome.rejected]
    assert ([], before) == (waiting(bench.engine), bench.pages())


@pytest.mark.parametrize("line", ["j-00000000", "", "../x", "j-" + "f" * 300])
def test_a_line_that_is_not_there_is_not_pinned(new_bench: NewBench, line: str) -> None:
    """Nor is one by its words: the run says what to do."""
    bench = opened(new_bench)
    Asking(bench)(BOAT)
    before = bench.pages()
    outcome = pin(bench, line)
    assert ("name the line by its id" in outcome.notices[0], before) == (True, bench.pages())


@pytest.mark.parametrize("operation", [Operation.UPDATE, Operation.DELETE])
def test_at_level_2_a_change_of_a_pinned_line_waits(new_bench: NewBench, operation: Operation) -> None:
    """Also when the owner's own words ask for it, which would else do."""
    bench = opened(new_bench)
    Asking(bench)(BAKERY, word=ChangeWord.OWNER)
    line = line_id(bench, BAKERY)
    pin(bench, line)
    before = text(bench, PAGE)
    words = "Kuba runs a bakery in Gdynia" if operation is Operation.UPDATE else ""
    again(bench)(words, operation, line=line, word=ChangeWord.OWNER)
    assert ["written_by_a_person"] == [one.reason for one in waiting(bench.engine)]
    assert before == text(bench, PAGE)


@pytest.mark.parametrize(("word", "pinned"), [(ChangeWord.PERSON, True), (ChangeWord.NOT_CONFIRMED, False)])
def test_a_replacement_by_a_tool_is_not_pinned(new_bench: NewBench, word: ChangeWord, *, pinned: bool) -> None:
    """At level 3 a tool replaces a pinned line, and its words get no better place by that; a person's keep the pin."""
    bench = opened(new_bench, jaskier={"autonomy": 3})
    Asking(bench)(BAKERY, word=ChangeWord.PERSON)
    line = line_id(bench, BAKERY)
    pin(bench, line)
    again(bench)("Kuba runs a bakery in Gdynia", Operation.UPDATE, line=line, word=word)
    assert pinned == known(bench, "Gdynia").pinned


def test_what_a_person_pins_is_confirmed(new_bench: NewBench) -> None:
    """A tool asked for it, and the person who pins it gives it a word."""
    bench = opened(new_bench)
    Asking(bench)(BAKERY)
    pin(bench, line_id(bench, BAKERY))
    assert (f"- {BAKERY}\n" in text(bench, PAGE), "person") == (True, known(bench, BAKERY).word)


def test_a_pinned_line_goes_to_the_archive_last(new_bench: NewBench) -> None:
    """An old line comes back from there; what it takes, the others have no more."""
    bench = opened(new_bench, jaskier={"brain_tokens": 100})
    asking = Asking(bench)
    asking(BOAT)
    boat = line_id(bench, BOAT)
    for number in range(12):
        asking(f"Rule {number}: the boat is painted in the colour that was agreed on", word=ChangeWord.PERSON)
    assert f"- {BOAT} (not confirmed)" in text(bench, ARCHIVE)
    pin(bench, boat)
    assert f"## User\n- {BOAT}\n- Rule 11" in text(bench, PAGE)
    assert count_tokens(text(bench, PAGE)) <= 100


def test_pinned_lines_without_room_let_no_other_in(new_bench: NewBench) -> None:
    """However short that is; the run says what to do."""
    bench = opened(new_bench, jaskier={"brain_tokens": 100})
    asking, stove = Asking(bench), "has a stove that smokes when the wind comes from the north side, and a red roof"
    asking(SAUNA, word=ChangeWord.PERSON)
    for name in ("one", "two", "three", "four", "five"):
        asking(f"Cabin {name} {stove}, {stove}", word=ChangeWord.PERSON)
        line = next(item.id for item in folder(bench).know() if name in item.text)
        pin(bench, line)
    (outcome,) = (run for run in bench.engine.ledger.runs.latest(limit=1))
    assert "Not all pinned lines find room" in str(outcome)
    assert ("Cabin five" in text(bench, PAGE), SAUNA in text(bench, PAGE)) == (True, False)


def test_a_pinned_line_that_a_person_changes_is_theirs(new_bench: NewBench) -> None:
    """Before or after the pin: it stands once, as the person wrote it."""
    bench = opened(new_bench)
    Asking(bench)(BOAT, word=ChangeWord.PERSON)
    line, page = line_id(bench, BOAT), bench.root / PAGE
    page.write_text(page.read_text().replace("a boat", "two boats"))
    bench.run_due()
    pin(bench, line)
    assert "# jaskier\n\n## User\n- Kuba has two boats\n" == text(bench, PAGE)
    pin(bench, line, Operation.UNPIN)
    assert "# jaskier\n\n## User\n- Kuba has two boats\n" == text(bench, PAGE)


def test_a_pinned_line_that_a_person_deletes_stays_deleted(new_bench: NewBench) -> None:
    """Also when it is unpinned later."""
    bench = opened(new_bench)
    Asking(bench)(BOAT, word=ChangeWord.PERSON)
    again(bench)(SAUNA, word=ChangeWord.PERSON)
    line, page = line_id(bench, BOAT), bench.root / PAGE
    pin(bench, line)
    kept = [one for one in page.read_text().splitlines(keepends=True) if BOAT not in one]
    page.write_text("".join(kept))
    bench.run_due()
    pin(bench, line, Operation.UNPIN)
    assert f"# jaskier\n\n## User\n- {SAUNA}\n" == text(bench, PAGE)


def test_a_lost_ledger_keeps_pins(new_bench: NewBench) -> None:
    """The journal holds them."""
    bench = opened(new_bench)
    asking = Asking(bench)
    asking(BOAT, word=ChangeWord.PERSON)
    asking(SAUNA, word=ChangeWord.PERSON)
    pin(bench, line_id(bench, BOAT))
    before = bench.pages()
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    again = bench.reopen()
    again.run_due()
    assert (before, True) == (again.pages(), known(again, BOAT).pinned)


def test_a_pin_that_somebody_writes_into_the_journal_counts_for_nothing(new_bench: NewBench) -> None:
    """Also with a mark that fits."""
    bench = opened(new_bench)
    asking = Asking(bench)
    asking(BOAT, word=ChangeWord.PERSON)
    asking(SAUNA, word=ChangeWord.PERSON)
    line, page, journal = line_id(bench, BOAT), bench.pages()[PAGE], bench.root / DAY
    forged = f"- PIN of {line}: {BOAT}\n  asked by owner over terminal, 2026-03-04T11:00+00:00, importance 3; person\n"
    journal.write_text(journal.read_text() + forged)
    bench.run_due()
    assert page == bench.pages()[PAGE]
