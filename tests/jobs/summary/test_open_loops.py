"""What leaves nothing open."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

import pytest

from schemas.summary import Part, Point

Lines = Callable[..., list[str]]
PointsOf = Callable[..., tuple[Point, ...]]


@pytest.mark.parametrize(
    "turns",
    [
        ("> hello there, how are you doing today my friend?",),
        ("> good morning", "< Good morning! How can I help you with the garden today?"),
        ("> dzień dobry", "< Dzień dobry! W czym mogę pomóc w ogrodzie?"),
        ("> 早上好", "< 早上好！今天有什么可以帮您处理的花园事情？"),
        ("> that was all, bye", "< Anything else for the garden while you are here?"),
        ("> hi", "< Hi! Ready when you are. Which bed of the garden would you like to plan today?"),
        ("> cześć", "< Cześć! Nad czym dziś pracujemy w ogrodzie?"),
        ("> 你好", "< 你好！今天想在花园里做点什么？"),
        ("> morning! did you sleep well in the garden house?",),
    ],
)
def test_a_greeting_is_no_loop(lines: Lines, turns: tuple[str, ...]) -> None:
    """Nobody comes back to answer one."""
    assert lines(Part.LOOP, *turns) == []


@pytest.mark.parametrize(
    "turns",
    [
        ("> talk to you tomorrow about the rest", "< See you tomorrow, have a great evening in the garden!"),
        ("> thanks for everything, bye", "< You're welcome! Take care, and ask if you need anything on Friday."),
        ("> lecę, do zobaczenia w piątek w ogrodzie", "< Do zobaczenia, miłego wieczoru!"),
        ("> 拜拜，明天花园里再聊", "< 明天见！周五有需要随时找我。"),
    ],
)
def test_a_farewell_is_nothing_to_do(points_of: PointsOf, turns: tuple[str, ...]) -> None:
    """Though it names a day."""
    assert points_of(*turns) == ()


@pytest.mark.parametrize(
    ("turns", "report"),
    [
        (
            ("> fix the pump test", "< Let me add it to the todo list.", "= t", "< Fixed in 3 files."),
            "Fixed in 3 files.",
        ),
        (("> napraw test pompy", "< Zacznę od listy do zrobienia.", "= t", "< Naprawione w 3 plikach."), "Naprawione"),
        (("> 修一下水泵的测试", "< 让我先列一个待办清单。", "= t", "< 修好了，3 个文件。"), "修好了"),
        (
            ("> move the pump button", "< I'll help you move the pump button.", "= t", "< Moved the button to srv-4."),
            "Moved the button",
        ),
    ],
)
def test_what_the_assistant_sets_about_is_done_when_it_ends(
    points_of: PointsOf, turns: tuple[str, ...], report: str
) -> None:
    """The report of it is told, the announcement is not."""
    [only] = points_of(*turns)
    assert Part.ACTION is only.part
    assert report in only.text


@pytest.mark.parametrize("question", ["Which bed would you like to plan first?", "Which pump shall we order?"])
def test_a_question_after_more_than_a_greeting_is_a_loop(lines: Lines, question: str) -> None:
    """Only what asks for a first task is none."""
    talk = ("> the beds behind the greenhouse need a plan for spring", f"< There are six of them. {question}")
    [loop] = lines(Part.LOOP, *talk)
    assert question in loop
