"""What is read on a page of a wrap-up, and what is taken for found there."""

from tests.support.builders.matching import SECTIONS, Bullet, Line, bullets_of, content, held_by, holds
from tests.support.tables import table

MARK = "<!-- memory:action-1-2 check:0a1b2c -->"


def page(bullet: str) -> str:
    """A page with one bullet among the actions."""
    rows = [f"## {section} <!-- memory:x check:1 -->" for section in SECTIONS]
    return "\n".join([*rows[:2], bullet, *rows[2:]])


def test_content_is_stems_numbers_and_pairs_of_characters() -> None:
    """Endings and diacritics do not count, nor do short words; Chinese has no words to cut."""
    assert frozenset({"zamow", "60"}) == content("Zamówienia do 60")
    assert frozenset({"保留", "留期", "loki", "30"}) == content("保留期 Loki 30")


@table(
    ("sentence", "wording", "expected"),
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
def test_a_line_is_held_when_enough_of_its_words_are(sentence: str, wording: str, *, expected: bool) -> None:
    """Half of its words, and two at least."""
    assert expected is holds(sentence, wording)


def test_a_line_may_be_held_in_any_of_its_wordings() -> None:
    """A decision is told in the owner's words."""
    line = Line("pl1", "s", "pl", "decisions", ("Closing time is Tuesday 18:00", "wtorek 18 i koniec"))
    assert held_by(line, [Bullet("page", SECTIONS[0], "wtorek 18 i koniec, potem guzik", ("s",))])


def test_a_bullet_names_its_sessions() -> None:
    """Each with its messages; a link to an entry is no session, nor is what somebody said in brackets."""
    cited = "[DECISION-1](../../memory/a.md); session 8f1c2d3e-aa, messages 4-6, 9; session `b c`, message 7"
    bullets, wrong = bullets_of("page", page(f"- Posted (session x, message 1) ({cited}) {MARK}"))
    assert [Bullet("page", "Action items", "Posted (session x, message 1)", ("8f1c2d3e-aa", "b c"))] == bullets
    assert bullets[0].rests_on("8f1c2d3e-aa")
    assert not bullets[0].rests_on("8f1c2d3e")
    assert [] == wrong


def test_a_bullet_without_a_session_is_wrong() -> None:
    """Nobody could look it up."""
    assert 1 == len(bullets_of("page", page(f"- Posted {MARK}"))[1])


def test_a_page_with_other_sections_is_wrong() -> None:
    """Six, in their order."""
    assert 1 == len(bullets_of("page", "## Open loops\n")[1])
