"""What is taken back does not stand; what replaces it does."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

import pytest

from schemas.extraction import Candidate

Found = Callable[..., tuple[Candidate, ...]]

TAKEN_BACK = [
    ("Let's go with the wooden boxes.", "Wooden boxes, noted.", "wait no, scratch that", "OK."),
    ("Zdecydowane: bierzemy drewniane skrzynki.", "Zapisane.", "nie, czekaj, cofam to", "Dobrze."),
    ("决定了，用木箱。", "好的，记下了。", "等等，算了", "好的。"),
    ("決定了，用木箱。", "好的，記下了。", "等等，算了", "好的。"),
]


@pytest.mark.parametrize(("said", "answer", "back", "then"), TAKEN_BACK)
def test_what_is_taken_back_in_the_next_message_is_not_found(
    found: Found, said: str, answer: str, back: str, then: str
) -> None:
    """A decision withdrawn a moment later leaves no trace."""
    assert found(f"> {said}", f"< {answer}", f"> {back}", f"< {then}") == ()


@pytest.mark.parametrize(("said", "answer", "back", "then"), TAKEN_BACK)
def test_nothing_is_read_ahead_of_what_is_given(found: Found, said: str, answer: str, back: str, then: str) -> None:
    """Until it is taken back, a decision stands."""
    del back, then
    [decision] = found(f"> {said}", f"< {answer}")
    assert decision.quote_number == 1


@pytest.mark.parametrize(
    ("said", "answer", "instead", "then", "settled"),
    [
        (
            "Decision: we close at 18.",
            "Closing at 18.",
            "no wait, we decided on 19:30 after all",
            "Closing at 19:30.",
            "19:30",
        ),
        (
            "Ustalone: zamykamy o 18.",
            "Zapisane, 18.",
            "albo nie, zamykamy o 19:30, ustalone",
            "Zapisane, zamykamy o 19:30.",
            "19:30",
        ),
        ("决定六点关门，18:00。", "好的，18:00。", "不对，改成 19:30，就这么定", "好的，改成 19:30。", "19:30"),
    ],
)
def test_the_later_version_replaces_the_earlier(  # noqa: PLR0913, PLR0917 - four turns and what is expected of them
    found: Found, said: str, answer: str, instead: str, then: str, settled: str
) -> None:
    """Of a decision and its correction only the correction is found."""
    [decision] = found(f"> {said}", f"< {answer}", f"> {instead}", f"< {then}")
    assert decision.quote_number == 3
    assert settled in decision.quote


def test_a_refusal_of_an_offer_leaves_the_decision(found: Found) -> None:
    """`No` after the assistant offered something more is meant for the offer."""
    [decision] = found(
        "> We decided to paint the gate green.",
        "< Green gate, noted. Shall I order brushes as well?",
        "> no, I have some",
        "< OK.",
    )
    assert decision.quote_number == 1


def test_a_retraction_after_several_turns_counts_when_it_names_its_subject(found: Found) -> None:
    """Later in the conversation a correction has to say what it corrects."""
    lines = [
        "> We decided on copper gutters for the stable.",
        "< Copper gutters for the stable, noted.",
        "> how was the weather in the mountains",
        "< Sunny.",
    ]
    named = found(*lines, "> forget it, no copper gutters for the stable", "< OK.")
    unnamed = found(*lines, "> forget it, too tired for the cinema", "< OK.")
    assert [one.quote_number for one in named if one.quote_number == 1] == []
    assert [one.quote_number for one in unnamed if one.quote_number == 1] == [1]


def test_earlier_messages_are_context_only(found: Found) -> None:
    """What was confirmed before `first_new` is not asked for again."""
    lines = [
        "> From now on the gate stays closed at night.",
        "< Noted.",
        "> From now on the dog sleeps inside.",
        "< Noted.",
    ]
    assert [one.quote_number for one in found(*lines, first_new=3)] == [3]
