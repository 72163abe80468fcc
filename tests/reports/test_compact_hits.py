"""Compact answers: no more than the budget, in order, nothing twice, and the place of each hit."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.tokens import count_tokens
from pipeline.reports.compact_hits import (
    FIELDS,
    KNOWN,
    compact_answer,
    compact_hit,
    compact_page,
    compact_place,
    unknown,
)
from schemas.detail import DetailPage
from schemas.hit import Answer, Hit, Place
from schemas.json_line import json_line
from schemas.tier import Tier

LINES = st.text(st.sampled_from('the boat is ready ąęż 船已经付了 \t"\\'), max_size=60)


def hit_of(lines: list[str], start: int = 1, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a hit
    """A hit of some lines as surfaces get it."""
    place = Place(path="memory/2026-01-05.md", start_line=start, end_line=start + len(lines) - 1)
    values = {"snippet": lines[0], "score": 1.0, "date": None, "kind": "note", "tier": Tier.WARM, **more}
    whole = Hit(**place.model_dump(), text="\n".join(lines), places=(place,), **values)
    return whole.model_dump(mode="json")


def answer_of(hits: list[dict[str, Any]], *notes: str) -> dict[str, Any]:
    """An answer as surfaces get it."""
    return {**Answer(query="boats", hits=(), notes=notes).model_dump(mode="json"), "hits": hits}


@given(st.lists(st.lists(LINES, min_size=1, max_size=8), min_size=1, max_size=6), st.integers(1, 600))
def test_an_answer_is_within_its_budget(texts: list[list[str]], budget: int) -> None:
    """Or it has the first hit alone, with a place and no whole line. It shows the beginning of what there is."""
    answer = answer_of([hit_of(lines, 1 + 10 * number) for number, lines in enumerate(texts)], "Words alone.")
    shown = compact_answer(answer, (), budget)
    assert shown == json.loads(json_line(shown))
    assert len(texts) == len(shown["hits"]) + shown.get("left_out", 0)
    for hit, lines, number in zip(shown["hits"], texts, range(len(texts)), strict=False):
        assert hit["at"].startswith(f"memory/2026-01-05.md#L{1 + 10 * number}-")
        assert "\n".join(lines).startswith(hit.get("text", "").removesuffix("…"))
    if count_tokens(json_line(shown)) > budget:
        (only,) = shown["hits"]
        assert ("notes" not in shown, only.get("text", "…")) == (True, "…")


@given(st.lists(LINES, min_size=1, max_size=30), st.integers(80, 400))
def test_what_has_no_room_is_got_by_next(lines: list[str], budget: int) -> None:
    """Lines that were got one answer after the other are all the lines, where each fits by itself."""
    got, start = list[str](), 1
    while start:
        shown = compact_place(hit_of(lines[start - 1 :], start), budget)
        assert count_tokens(json_line(shown)) <= budget
        first, last = (int(number[1:]) for number in shown["at"].partition("#")[2].split("-"))
        got += shown.get("text", "").split("\n")
        assert (start, last) == (first, len(got))
        following = shown.get("next", "").partition("#L")[2].partition("-")[0]
        start = int(following or 0)
    assert lines == got


def test_nothing_stands_twice_and_nothing_is_empty() -> None:
    """The text once, the other places only, and no field that says what is so of most."""
    other = Place(path="MEMORY.md", start_line=3, end_line=3)
    whole = hit_of(["active"], uncertain="no date")
    whole["places"].append(other.model_dump())
    assert {
        "at": "memory/2026-01-05.md#L1-L1",
        "text": "active",
        "kind": "note",
        "trust": "person",
        "uncertain": "no date",
        "also": ["MEMORY.md#L3-L3"],
    } == compact_hit(whole)
    plans = [Place(path=f"memory/archive/weekly-2026-W{week}.md", start_line=1, end_line=2) for week in range(10, 50)]
    often = compact_hit({**whole, "places": [*whole["places"], *(plan.model_dump() for plan in plans)]})
    assert ["MEMORY.md#L3-L3", *(f"{plan.path}#L1-L2" for plan in plans[:2])] == often["also"]
    assert "superseded" == compact_hit({**whole, "status": "superseded"})["status"]


def test_fields_are_given_in_the_order_asked_for() -> None:
    """The place comes first, asked for or not."""
    assert ["at", "tier", "text"] == [*compact_hit(hit_of(["a"]), ("tier", "text"))]
    assert (["date_of"], []) == (unknown(["text", "date_of"]), unknown(KNOWN))
    assert set(FIELDS) < set(KNOWN)


def test_the_first_hit_is_shown_as_far_as_there_is_room() -> None:
    """Its first lines, with the place of the rest; a long line is cut; without any room its place is left."""
    hits = [hit_of(["one " * 30, "two " * 30, "three " * 30]), hit_of(["four"], 9)]
    some = compact_answer(answer_of(hits), (), 120)
    assert ("memory/2026-01-05.md#L1-L2", "memory/2026-01-05.md#L3-L3", 1) == (
        some["hits"][0]["at"],
        some["hits"][0]["next"],
        some["left_out"],
    )
    cut = compact_answer(answer_of(hits), (), 75)
    assert cut["hits"][0]["text"].startswith("one one")
    assert cut["hits"][0]["text"].endswith("…")
    none = compact_answer(answer_of(hits, "A note."), (), 1)
    assert ("…", "notes" in none) == (none["hits"][0]["text"], False)


def test_what_was_said_says_when_its_source_is_gone() -> None:
    """And nothing of it otherwise, as of all that is empty."""
    hit = {"at": "said:s1#2", "text": "In the attic.", "time": "2026-03-02T09:00:00Z", "speaker": "owner"}
    empty = {"trust": "", "project": "", "also": []}
    both = [{**hit, **empty, "source_gone": is_gone} for is_gone in (False, True)]
    shown = compact_answer({**answer_of([]), "said": both})["said"]
    assert [hit, {**hit, "source_gone": True}] == shown


def test_what_was_said_says_what_holds_in_its_place() -> None:
    """By the names that hits have, so that an agent knows them."""
    hit = {"at": "said:s1#2", "text": "In the attic.", "time": "2026-03-02T09:00:00Z", "speaker": "owner"}
    known = {"status": "superseded", "entry_ids": ["OLD"], "superseded_by": ["NEW"], "now": "In the cellar."}
    (shown,) = compact_answer(
        {**answer_of([]), "said": [{**hit, **known, "in_part": False, "trust": "", "project": "", "also": []}]}
    )["said"]
    assert {**hit, **known} == shown


def test_a_page_that_is_cut_tells_how_to_go_on() -> None:
    """Lines of a synopsis are none of the text: they are not to be asked for there."""
    text = "\n".join(f"line {number} of an output" for number in range(1, 101))
    page = DetailPage(key="log_x_0123456789", text=text, first_line=1, last_line=100, lines=100, page=1, pages=0)
    cut = compact_page(page, 200)
    shown = len(cut.split("\n")) - 2
    assert cut.endswith(f'\nCut where the budget ends. Go on with lines="{shown + 1}-100".')
    assert f"line {shown} of an output\nCut" in cut
    long = compact_page(page.model_copy(update={"text": text.replace("\n", " ")}), 200)
    assert (True, True) == (count_tokens(long) <= 200, "line 9 of an output" in long)
    synopsis = compact_page(page.model_copy(update={"more": "These are lines of the synopsis."}), 200)
    assert synopsis.endswith("larger budget, or for less. These are lines of the synopsis.")
