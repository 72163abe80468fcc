"""Forgetting one fact by its id: out of its file, the bank and the ledger, and never retained again."""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from pipeline.corrections.forget_fact import fact_topic
from pipeline.corrections.forget_since import forget_since
from pipeline.corrections.forget_topic import forget_words, traces
from pipeline.corrections.undo import undo
from pipeline.errors import SeveralNames, UnknownEntry
from pipeline.errors.corrections import FactOfOthers
from pipeline.reports.entries import story_of_entry
from pipeline.reports.facts import explained_fact, fact_book
from pipeline.scheduling.registry import discover, jobs_named
from pipeline.workspace.layout import FORGOTTEN
from schemas.reports.corrections import ForgottenWords
from schemas.reports.entries import ForgottenEntry
from schemas.settings import Settings
from tests.corrections.conftest import NewBench
from tests.support.builders.fact_bench import fact, fact_bench, retain
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAYS = (date(2026, 3, 1), date(2026, 3, 16))
WORLD, OWNER = "bank/world.md", "bank/entities/Owner.md"
TALKS = (
    ("I live in Gdansk.", "I now live in Sopot.", "I am allergic to nuts."),
    ("Mieszkam w Gdańsku.", "Teraz mieszkam w Sopocie.", "Mam alergię na orzechy."),
    ("我住在上海。", "我现在住在北京。", "我对花生过敏。"),
)
LANGUAGES = ("en", "pl", "zh")


def retained(new_bench: NewBench, *talks: str) -> Workbench:
    """A bench with the jobs of facts, after talks of the owner on days in a row; `|` parts messages of one day."""
    jobs = jobs_named(["retain", "reflect", "entity_pages"], discover())
    clock = FixedClock(datetime(2026, 3, 17, 11, tzinfo=UTC))
    bench = new_bench(jobs=tuple(jobs), clock=clock, settings=Settings(timezone="Europe/Warsaw"))
    for number, talk in enumerate(talks):
        turns = [(who, text) for said in talk.split("|") for who, text in (("owner", said), ("assistant", "Ok."))]
        bench.say(conversation(f"s-{number}", SAID + timedelta(days=number), turns))
    bench.backfill(*DAYS)
    return bench


def forgotten(bench: Workbench, name: str) -> ForgottenWords:
    """Forget a fact as the command does."""
    return forget_words(bench.engine, fact_topic(bench.engine, name))


def known(bench: Workbench, words: str) -> str:
    """The id of the fact that quotes these words; empty without one."""
    all_known = fact_book(bench.engine).standings.all
    return next((one.fact.id for one in all_known if words.strip("。.") == one.fact.quote.strip("。.")), "")


def holding(bench: Workbench, words: str) -> set[str]:
    """The files with these words in their bytes, the ledger among them."""
    files = (file for file in bench.root.rglob("*") if file.is_file())
    return {
        path.relative_to(bench.root).as_posix() for path in files if words.strip("。.").encode() in path.read_bytes()
    }


@pytest.mark.parametrize("talk", TALKS, ids=LANGUAGES)
def test_nothing_of_it_is_left_and_it_never_comes_back(new_bench: NewBench, talk: tuple[str, ...]) -> None:
    """Its file, the bank, the page of the entity and the ledger are without it; a back-fill brings nothing."""
    home, _, nuts = talk
    bench = retained(new_bench, f"{home}|{nuts}")
    name = known(bench, home)
    lines = traces(bench.engine, fact_topic(bench.engine, name)).lines
    assert {"memory/retain/2026-03-02.md", WORLD, OWNER} <= {line.where.rpartition(":")[0] for line in lines}
    receipt = forgotten(bench, name)
    assert {line.where for line in lines} == set(receipt.removed)
    assert set() == holding(bench, home)
    assert known(bench, nuts) in bench.pages()[WORLD].decode()
    bench.backfill(*DAYS)
    assert ("", set()) == (known(bench, home), holding(bench, home))
    assert [] == bench.run_due()


@pytest.mark.parametrize("talk", TALKS, ids=LANGUAGES)
def test_what_it_replaced_does_not_hold_again(new_bench: NewBench, talk: tuple[str, ...]) -> None:
    """It goes too."""
    old, new, nuts = talk
    bench = retained(new_bench, old, new, nuts)
    assert known(bench, old) in bench.pages()["memory/retain/2026-03-03.md"].decode()
    forgotten(bench, known(bench, new))
    bench.backfill(*DAYS)
    assert ("", "", True) == (known(bench, old), known(bench, new), bool(known(bench, nuts)))


def test_what_replaced_it_stays(new_bench: NewBench) -> None:
    """Forgetting the old one leaves the new one as it is."""
    old, new, _ = TALKS[0]
    bench = retained(new_bench, old, new)
    page = bench.pages()["memory/retain/2026-03-03.md"]
    forgotten(bench, known(bench, old))
    bench.backfill(*DAYS)
    assert ("", page) == (known(bench, old), bench.pages()["memory/retain/2026-03-03.md"])
    assert "No more" not in bench.pages()[WORLD].decode()


def test_its_story_says_that_it_is_forgotten(new_bench: NewBench) -> None:
    """By its id, which says nothing of its words; a second time it is unknown."""
    bench = retained(new_bench, TALKS[0][0])
    name = known(bench, TALKS[0][0])
    forgotten(bench, name[:5])
    assert explained_fact(bench.engine, name) is None
    assert ForgottenEntry(name) == story_of_entry(bench.engine, name)
    for unknown in (name, "f-00000000"):
        with pytest.raises(UnknownEntry, match=f"There is no entry '{unknown}'"):
            fact_topic(bench.engine, unknown)


def test_what_was_said_twice_goes_at_once(new_bench: NewBench) -> None:
    """On one day, of which the second time was never written, and on another day."""
    home = TALKS[0][0]
    bench = retained(new_bench, f"{home}|{home}", home)
    forgotten(bench, known(bench, home))
    bench.backfill(*DAYS)
    assert ("", set()) == (known(bench, home), holding(bench, home))


def test_what_is_said_of_others_stays(new_bench: NewBench) -> None:
    """The same words about somebody else, and longer ones, are other facts; what stays is shown."""
    bench = fact_bench(new_bench)
    mine, theirs = fact("Likes green tea.", "Peter"), fact("Likes green tea. ", "Anna", day=date(2026, 2, 2))
    longer = fact("Likes green tea and old clocks.", "Peter", day=date(2026, 2, 3))
    retain(bench, mine, theirs, longer)
    before = bench.pages()
    assert 4 <= len(traces(bench.engine, fact_topic(bench.engine, mine.id)).kept)
    forgotten(bench, mine.id)
    after = bench.pages()
    assert {theirs.id, longer.id} == set(fact_book(bench.engine).standings.by_id)
    assert before["bank/entities/Anna.md"] == after["bank/entities/Anna.md"]
    assert mine.id not in after["bank/entities/Peter.md"].decode()


def test_an_undo_brings_nothing_back(new_bench: NewBench) -> None:
    """Of the run that wrote it: its other facts go, and what was forgotten is not in what a later back-fill writes."""
    home, _, nuts = TALKS[0]
    bench = retained(new_bench, f"{home}|{nuts}")
    wrote = next(one for one in bench.engine.ledger.changes.of_path("memory/retain/2026-03-02.md"))
    forgotten(bench, known(bench, home))
    undo(bench.engine, wrote.run_id)
    assert ("", "") == (known(bench, home), known(bench, nuts))
    bench.backfill(*DAYS)
    assert ("", True) == (known(bench, home), bool(known(bench, nuts)))


def test_a_line_of_other_hands_is_none_of_ours(new_bench: NewBench) -> None:
    """What a person changed, and what has a mark made by hand, is named with its place."""
    bench = retained(new_bench, *TALKS[0])
    name, page = known(bench, TALKS[0][2]), bench.root / "memory/retain/2026-03-04.md"
    page.write_text(page.read_text().replace("The owner is allergic", "The owner was allergic"))
    with pytest.raises(FactOfOthers, match=r"memory/retain/2026-03-04\.md:\d+ by hand"):
        fact_topic(bench.engine, name)


def test_the_beginning_of_several_ids_is_refused(new_bench: NewBench) -> None:
    """They are named."""
    bench = retained(new_bench, *TALKS[0])
    with pytest.raises(SeveralNames):
        fact_topic(bench.engine, "f-")


@pytest.mark.parametrize("talk", TALKS, ids=LANGUAGES)
def test_an_earlier_state_is_without_it_too(new_bench: NewBench, tmp_path: Path, talk: tuple[str, ...]) -> None:
    """By the list of today alone, which has its id: as a restore does with an earlier generation."""
    home, _, nuts = talk
    bench = retained(partial(new_bench, root=tmp_path / "first"), f"{home}|{nuts}")
    later, earlier = (new_bench(**bench.copied(tmp_path / place)) for place in ("later", "earlier"))
    forgotten(later, known(later, home))
    today = later.engine.workspace.read(FORGOTTEN)
    assert today
    assert (1, set()) == (forget_since(earlier.engine, today, ()), holding(earlier, home))
    assert known(earlier, nuts) in earlier.pages()[WORLD].decode()
