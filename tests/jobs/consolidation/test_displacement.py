"""Who gives way when there is more than the page can hold."""

from typing import Any

from jobs.consolidation.planning import MARGIN, MOST, admit, make_room
from jobs.consolidation.verdicts import Ruling, Verdict
from pipeline.entries.reference import item_name
from pipeline.job import Noted

History = Any  # the fixture of conftest.py, which is no module that could be imported


def promoted(entry_id: str, score: float, since: str = "2026-W10") -> Verdict:
    """A promotion."""
    return Verdict(entry_id, Ruling.PROMOTED, "r", score, subject="Rules", since=since)


def noted(history: History, *ids: str) -> dict[str, Noted]:
    """An entry for each id, which takes a line on the page."""
    for entry_id in ids:
        history.say("never on a friday", id=entry_id)
    return {item.entry.id: item for item in history.noted}


def test_with_room_for_all_nobody_gives_way(history: History) -> None:
    """They stand in the order of seniority, then of score."""
    verdicts = [promoted("A", 0.6, "2026-W11"), promoted("B", 0.5), promoted("C", 0.9)]
    crowd = make_room(verdicts, noted(history, "A", "B", "C"), "")
    assert (["C", "B", "A"], {}) == ([verdict.entry_id for verdict in crowd.staying], crowd.gone)


def test_what_waits_drives_out_what_is_worth_clearly_less(history: History) -> None:
    """The weakest goes first; one that is only a little weaker stays."""
    page = "mine\n" * 192  # which leaves room for the title, a heading and one entry
    verdicts = [promoted("A", 0.5), promoted("B", 0.5 + MARGIN, "2026-W11"), promoted("C", 0.65, "2026-W12")]
    crowd = make_room(verdicts, noted(history, "A", "B", "C"), page)
    assert (["B", "C"], {"A": "B"}) == ([verdict.entry_id for verdict in crowd.staying], crowd.gone)


def test_without_any_room_nobody_gives_way(history: History) -> None:
    """On a page full of a person's lines all wait: to drive anything out would help nobody."""
    verdicts = [promoted("A", 0.5), promoted("B", 0.9, "2026-W11")]
    crowd = make_room(verdicts, noted(history, "A", "B"), "mine\n" * 543)
    assert (["A", "B"], {}) == ([verdict.entry_id for verdict in crowd.staying], crowd.gone)


def test_what_a_person_made_theirs_takes_no_room_twice(history: History) -> None:
    """Its lines are counted among theirs."""
    page = "mine\n" * 190 + f"- A, as I see it\n  x <!-- memory:{item_name('A')} check:000000 -->\n"
    verdicts = [promoted("A", 0.5), promoted("B", 0.9, "2026-W11")]
    assert {} == make_room(verdicts, noted(history, "A", "B"), page).gone


def test_only_so_many_are_promoted_at_a_time() -> None:
    """The best of them; the others have no place, and have given way to nobody."""
    newcomers = [promoted(f"N-{number:03d}", 0.55 + number / 1000) for number in range(MOST + 2)]
    crowd = admit([], newcomers)
    assert {"N-000": "", "N-001": ""} == crowd.gone
    assert MOST == len(crowd.staying)


def test_a_newcomer_takes_the_place_of_the_weakest() -> None:
    """If it is worth clearly more; of equals the last one goes."""
    standing = [promoted(f"S-{number:03d}", 0.5) for number in range(MOST)]
    crowd = admit(standing, [promoted("N-1", 0.9), promoted("N-2", 0.55)])
    assert {f"S-{MOST - 1:03d}": "N-1", "N-2": ""} == crowd.gone
