"""What holds comes before what held."""

from datetime import date
from pathlib import Path

import pytest

from pipeline.entries.reference import wordless
from pipeline.markdown.blocks import seal_item
from schemas.entry import Status
from schemas.hit import Answer, Reach
from schemas.requests import SearchRequest
from tests.support.tables import table
from tests.support.workspaces.indexed import Indexed, said

FIRST, SECOND, THIRD = "DECISION-20260206-price", "DECISION-20260213-price", "DECISION-20260220-price"


@pytest.fixture
def shop(tmp_path: Path) -> Indexed:
    """Three prices, each in place of the one before it; only the first has the question's rare word."""
    made = Indexed(tmp_path)
    made.remember(
        said(FIRST, "2026-02-06", "The brass lamp costs ten zloty, no discount"),
        said(SECOND, "2026-02-13", "The brass lamp costs twenty zloty", supersedes=(FIRST,)),
        said(THIRD, "2026-02-20", "The brass lamp costs thirty zloty", supersedes=(SECOND,)),
        said("DECISION-20260221-other", "2026-02-21", "The oak table costs four hundred zloty"),
    )
    made.index()
    return made


def _ids(answer: Answer) -> list[str]:
    return [hit.entry_id for hit in answer.hits if hit.entry_id != "DECISION-20260221-other"]


def test_what_was_superseded_gives_way_to_what_holds(shop: Indexed) -> None:
    """At the end of the chain, on the better of the places; the answer tells what it left out."""
    answer = shop.ask("what discount is there on the brass lamp")
    assert [THIRD] == _ids(answer)
    assert THIRD == answer.hits[0].entry_id
    assert any(FIRST in note and SECOND in note for note in answer.notes)


@table(
    "question",
    ["brass lamp price before the current one", "ile kosztował brass lamp wcześniej", "brass lamp 以前的价格"],
)
def test_who_asks_what_was_before_gets_it_too_and_marked(shop: Indexed, question: str) -> None:
    """After what holds, with what took its place."""
    answer = shop.ask(question)
    assert THIRD == _ids(answer)[0]
    assert {FIRST, SECOND} == set(_ids(answer)[1:])
    old = next(hit for hit in answer.hits if hit.entry_id == FIRST)
    assert ("superseded", (SECOND,), f"superseded by {SECOND}") == (old.status, old.superseded_by, old.uncertain)


@table("day", ["2026-02-06", "6 February", "6 lutego 2026", "2026年2月6日"])
def test_what_held_on_a_day_that_is_named_comes_first_and_marked(shop: Indexed, day: str) -> None:
    """It was asked for; what took its place was said at another time, and does not stand in for it."""
    first = shop.ask(f"brass lamp {day}").hits[0]
    assert (FIRST, "superseded", f"superseded by {SECOND}") == (first.entry_id, first.status, first.uncertain)


def test_what_holds_answers_for_a_time_of_its_own(shop: Indexed) -> None:
    """Both were said in that month, so the last word counts."""
    assert [THIRD] == _ids(shop.ask("brass lamp discount 2026-02"))


def test_a_day_alone_finds_what_was_said_on_it(shop: Indexed) -> None:
    """Before what came after, and what only names the month."""
    assert FIRST == shop.ask("2026-02-06").hits[0].entry_id
    assert THIRD == shop.ask("2026-02-20").hits[0].entry_id


def test_superseded_ones_can_be_asked_for_alone(shop: Indexed) -> None:
    """They stand for themselves then."""
    answer = shop.ask(SearchRequest(query="brass lamp", status=("superseded",)))
    assert {FIRST, SECOND} == {hit.entry_id for hit in answer.hits}


def test_who_asks_for_both_gets_both(shop: Indexed) -> None:
    """Active and superseded."""
    answer = shop.ask(SearchRequest(query="brass lamp", status=("active", "superseded")))
    assert {FIRST, SECOND, THIRD} == set(_ids(answer))


@table(
    ("day", "ids"),
    [
        ("2026-02-05", []),
        ("2026-02-06", [FIRST]),
        ("2026-02-12", [FIRST]),
        ("2026-02-13", [SECOND]),
        ("2026-03-01", [THIRD]),
    ],
)
def test_time_can_be_turned_back(shop: Indexed, day: str, ids: list[str]) -> None:
    """What was said later is not known, and what was superseded later holds."""
    answer = shop.ask(SearchRequest(query="brass lamp", as_of=date.fromisoformat(day)))
    assert ids == _ids(answer)
    assert {"active"} >= {hit.status for hit in answer.hits}


def test_what_has_no_day_is_doubtful_when_time_is_turned_back(shop: Indexed) -> None:
    """It may have been written later."""
    shop.write("memory/projects/lamp.md", "The brass lamp has a dent.\n").index()
    hits = shop.ask(SearchRequest(query="brass lamp dent", as_of=date(2026, 2, 12))).hits
    assert ["no date, so maybe later"] == [hit.uncertain for hit in hits if not hit.date]


def test_where_the_successor_may_not_answer_the_old_one_stands_marked(shop: Indexed) -> None:
    """For instance because only older days are asked for."""
    (hit,) = shop.ask(SearchRequest(query="brass lamp", until=date(2026, 2, 10))).hits
    assert (FIRST, "superseded") == (hit.entry_id, hit.status)


def test_archived_entries_are_shown_only_where_old_things_are_looked_for(tmp_path: Path) -> None:
    """Or when they are asked for; they are marked, and come after what holds."""
    made = Indexed(tmp_path)
    made.remember(
        said("RULE-20260101-a", "2026-01-01", "lamps are dusted on Monday", status=Status.ARCHIVED),
        said("RULE-20260102-b", "2026-01-02", "lamps are dusted on Monday and Friday"),
    ).index()
    assert ["RULE-20260102-b"] == [hit.entry_id for hit in made.ask(SearchRequest(query="dusted lamps", k=1)).hits]
    hits = made.ask(SearchRequest(query="dusted lamps", tier=Reach.ALL)).hits
    assert [("RULE-20260102-b", ""), ("RULE-20260101-a", "archived")] == [(hit.entry_id, hit.uncertain) for hit in hits]
    (asked,) = made.ask(SearchRequest(query="dusted lamps", status=("archived",))).hits
    assert "RULE-20260101-a" == asked.entry_id


def test_an_entry_that_is_not_believed_supersedes_nothing(tmp_path: Path) -> None:
    """The one that holds stays first, and nothing is said against it."""
    made = Indexed(tmp_path, doubted={"DECISION-20260220-b"})
    made.remember(
        said("DECISION-20260210-a", "2026-02-10", "the lamp is brass"),
        said("DECISION-20260220-b", "2026-02-20", "the lamp is plastic", supersedes=("DECISION-20260210-a",)),
    ).index()
    hits = {hit.entry_id: hit for hit in made.ask("what is the lamp made of, brass?").hits}
    assert "" == hits["DECISION-20260210-a"].uncertain
    assert ("unverified", "unverified") == (hits["DECISION-20260220-b"].trust, hits["DECISION-20260220-b"].uncertain)


@pytest.mark.parametrize("name", [FIRST, wordless(FIRST)], ids=["its id", "its name without words"])
def test_a_line_about_a_superseded_entry_gives_way_with_it(shop: Indexed, name: str) -> None:
    """A page that still says the old thing does not bring it back, by whichever name it calls the entry."""
    shop.write(
        "second-brain/summaries/2026-02-06-wrapup.md",
        f"# 2026-02-06\n\n- The brass lamp costs ten zloty [{name}](../../memory/2026-02-06.md)\n",
    ).index()
    answer = shop.ask(SearchRequest(query="brass lamp ten zloty", tier=Reach.ALL))
    assert THIRD == answer.hits[0].entry_id
    assert not {FIRST, name} & set(_ids(answer))


def test_a_line_that_calls_an_entry_without_words_is_retrieved_as_the_entry(shop: Indexed) -> None:
    """Once, with the entry in front."""
    line = f"# 2026-02-20\n\n- The brass lamp costs thirty zloty [{wordless(THIRD)}](../../memory/2026-02-20.md)\n"
    shop.write("second-brain/summaries/2026-02-20-wrapup.md", line).index()
    answer = shop.ask(SearchRequest(query="brass lamp thirty zloty", tier=Reach.ALL))
    assert [THIRD] == _ids(answer)
    assert "memory/2026-02-20.md" == answer.hits[0].path


def test_what_is_in_review_stands_behind_what_holds(shop: Indexed) -> None:
    """It is shown, and marked; who asks for it alone gets it alone."""
    waits = "DECISION-20260222-cheap"
    shop.remember(said(waits, "2026-02-22", "The brass lamp costs thirty zloty", status=Status.IN_REVIEW))
    shop.index()
    answer = shop.ask("brass lamp costs thirty zloty")
    assert [THIRD, waits] == _ids(answer)
    assert ["in review"] == [hit.uncertain for hit in answer.hits if hit.entry_id == waits]
    alone = shop.ask(SearchRequest(query="brass lamp", status=("in_review",)))
    assert [waits] == _ids(alone)


def test_a_line_with_the_words_of_a_superseded_entry_says_so(shop: Indexed) -> None:
    """In whatever page of ours, without a word of the entry's id: it is marked, and stands behind the successor."""
    pages = {
        "agents/main/memory/summaries/L1/L1_001.md": "- The brass lamp costs ten zloty, no discount (2026-02-06)",
        "second-brain/summaries/2026-02-06-wrapup.md": "- Owner: The brass lamp costs ten zloty, no discount, fine",
        "agents/main/memory/sessions/2026-02-06_001.md": "- 09:00 owner: the brass lamp costs ten zloty, no discount",
    }
    for path, text in pages.items():
        shop.write(path, f"# Page\n\n{seal_item('item-1', text)}\n")
    shop.write("memory/projects/lamps.md", "# Lamps\n\nThe brass lamp costs ten zloty, no discount\n")
    shop.index()

    hits = shop.ask(SearchRequest(query="brass lamp ten zloty discount", k=20, tier=Reach.ALL)).hits
    by_path = {hit.path: hit for hit in hits}
    places = [hit.path for hit in hits]

    assert THIRD == hits[0].entry_id
    assert dict.fromkeys(pages, ("superseded", (SECOND,))) == {
        path: (by_path[path].status, by_path[path].superseded_by) for path in pages
    }
    assert all(f"superseded by {SECOND}" in by_path[path].uncertain for path in pages)
    assert all(places.index(path) > places.index(hits[0].path) for path in pages)
    assert "active" == by_path["memory/projects/lamps.md"].status  # a person's own words


def test_a_line_of_another_thing_stays_as_it_is(shop: Indexed) -> None:
    """Words in common alone say nothing."""
    shop.write(
        "agents/main/memory/summaries/L1/L1_001.md",
        f"# Page\n\n{seal_item('item-1', '- The brass lamp was sold at noon')}\n",
    )
    shop.index()

    [hit] = [
        hit for hit in shop.ask(SearchRequest(query="brass lamp sold", k=20, tier=Reach.ALL)).hits if "sold" in hit.text
    ]

    assert ("active", ()) == (hit.status, hit.superseded_by)
