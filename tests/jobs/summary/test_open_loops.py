"""What leaves nothing open."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

import pytest

from schemas.summary import Part

Lines = Callable[..., list[str]]


@pytest.mark.parametrize(
    "turns",
    [
        ("> hello there, how are you doing today my friend?",),
        ("> good morning", "< Good morning! How can I help you with the garden today?"),
        ("> dzień dobry", "< Dzień dobry! W czym mogę pomóc w ogrodzie?"),
        ("> 早上好", "< 早上好！今天有什么可以帮您处理的花园事情？"),
        ("> that was all, bye", "< Anything else for the garden while you are here?"),
    ],
)
def test_a_greeting_is_no_loop(lines: Lines, turns: tuple[str, ...]) -> None:
    """Nobody comes back to answer one."""
    assert lines(Part.LOOP, *turns) == []
