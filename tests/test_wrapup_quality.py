"""The scorer of the wrap-ups: what it reads on a page, and what it takes for found."""

import pytest

from benchmarks.wrapup_quality import SECTIONS, Bullet, Line, bullets_of, content, found_in, holds, lines_of

MARK = "<!-- memory:action-1-2 check:0a1b2c -->"


def page(bullet: str) -> str:
    """A page with one bullet among the actions."""
    rows = [f"## {section} <!-- memory:x check:1 -->" for section in SECTIONS]
    return "\n".join([*rows[:2], bullet, *rows[2:]])


def test_content_is_stems_numbers_and_pairs_of_characters() -> None:
    """Endings and diacritics do not count, nor do short words; Chinese has no words to cut."""
    assert frozenset({"zamow", "60"}) == content("Zamówienia do 60")
    assert frozenset({"保留", "留期", "loki", "30"}) == content("保留期 Loki 30")


@pytest.mark.parametrize(
    ("told", "wording", "expected"),
    [
        ("Assistant: I'll write the timer, nightly at 02:30", "restic timer at 02:30", True),
        ("Assistant: I'll write the letter", "restic timer at 02:30", False),
        ("a timer", "restic timer for the bucket", False),
        ("compress?", "compress saves?", False),
        ("biome 4, dunno yet", "biome 4: in or later?", True),
        ("", "biome", False),
        ("anything", "", False),
    ],
)
def test_a_line_is_held_when_enough_of_its_words_are(told: str, wording: str, *, expected: bool) -> None:
    """Half of its words, and two at least."""
    assert expected is holds(told, wording)


def test_a_line_may_be_found_in_any_of_its_wordings() -> None:
    """A decision is told in the owner's words."""
    line = Line("pl1", "s", "pl", "decisions", ("Closing time is Tuesday 18:00", "wtorek 18 i koniec"))
    assert found_in(line, [Bullet("page", SECTIONS[0], "wtorek 18 i koniec, potem guzik", ("s",))])


def test_a_bullet_names_its_sessions() -> None:
    """By the beginning of their ids; a link to an entry is no session."""
    row = f"- Posted (twice) ([DECISION-1](../../memory/a.md); [8f1c2d3e](openclaw:a/b.jsonl) 4-6, 9) {MARK}"
    bullets, wrong = bullets_of("page", page(row))
    assert [Bullet("page", "Action items", "Posted (twice)", ("8f1c2d3e",))] == bullets
    assert bullets[0].rests_on("8f1c2d3e-aaaa")
    assert not bullets[0].rests_on("other")
    assert [] == wrong


def test_a_bullet_without_a_session_is_wrong() -> None:
    """Nobody could look it up."""
    assert 1 == len(bullets_of("page", page(f"- Posted {MARK}"))[1])


def test_a_page_with_other_sections_is_wrong() -> None:
    """Six, in their order."""
    assert 1 == len(bullets_of("page", "## Open loops\n")[1])


def test_a_label_gives_a_line_for_each_thing_it_tells() -> None:
    """Decisions are looked up among its items; a session without a person has none."""
    item = {"id": "en1-a", "gist": "Keep", "gist_en": "Keep", "quote": "keep it"}
    label = {
        "session_id": "s",
        "lang": "en",
        "items": [item],
        "wrapup": {"decisions": ["en1-a"], "actions": ["write"], "open_loops": [], "technical": []},
    }
    expected = [
        Line("en1", "s", "en", "decisions", ("Keep", "Keep", "keep it")),
        Line("en1", "s", "en", "actions", ("write",)),
    ]
    assert expected == lines_of(label)
    assert [] == lines_of({"session_id": "m", "lang": "en", "items": [], "wrapup": None})
