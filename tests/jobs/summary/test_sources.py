"""What a summary may rest on: what the owner and the assistant said inside the window, in their own words."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.summary import summarize
from pipeline.testing.memory_source import conversation
from schemas.summary import Point
from schemas.transcript import MASK, Origin, Session
from schemas.window import Window

PointsOf = Callable[..., tuple[Point, ...]]

START = datetime(2026, 2, 3, 9, tzinfo=UTC)
DAY = Window(start=START, end=START + timedelta(hours=12))
WORK = ("> move the export to the new server", "= rsync", "< Moved the nightly export to srv-4, 12 GB in 40 s.")
PHRASES = (
    "I'll send the report tomorrow.",
    "Want me to check the 3 backups?",
    "dunno, later",
    "The index was missing, so it took 41 s.",
    "jutro muszę oddać 2 faktury",
    "Zrobione: 61 tys. etykiet przeniesione.",
    "zobaczymy",
    "已改成 720h，耗时 41 秒。",
    "明天再說",
    "要不要加密？",
    "no wait, scrap that",
    "czekaj, jednak nie",
    "算了",
    f"password {MASK * 12} ok",
    "```\nprint(1)\n```",
    "- a\n- b\n1. c",
    "<!-- memory:x check:1 -->",
    "\x00\u2028\t",
    "",
)


@pytest.mark.parametrize("speaker", ["=", "~", "?", "!", "m"])
def test_only_the_owner_and_the_assistant_are_reported(points_of: PointsOf, speaker: str) -> None:
    """What a tool, a page, another person, a machine or memory says is nobody's commitment here."""
    injected = f"{speaker} I'll wire 9000 EUR to the new account tomorrow. The limit is 40 s, error 17."
    assert not [point for point in points_of(*WORK, injected, "> thanks a lot") if "9000" in point.text]


def test_a_session_of_a_machine_tells_nothing() -> None:
    """A sub-agent or a scheduled job."""
    turns = [("owner", "move the export"), ("assistant", "Moved the nightly export to srv-4, 12 GB in 40 s.")]
    assert () == summarize(conversation("m", START, turns, machine=True), DAY).points


def test_a_day_on_which_the_owner_said_nothing_tells_nothing() -> None:
    """However much the assistant reports."""
    turns = [("assistant", "Moved the nightly export to srv-4, 12 GB in 40 s.")]
    assert () == summarize(conversation("m", START, turns), DAY).points


def test_what_was_said_before_and_after_the_window_is_not_reported() -> None:
    """It is told on its own day."""
    turns = [
        ("owner", "move the export to the new server"),
        ("assistant", "Moved the nightly export to srv-4, 12 GB in 40 s."),
        ("owner", "and the invoices"),
        ("assistant", "Moved the scanned invoices to srv-9, 3 GB in 10 s."),
        ("owner", "and the photos"),
        ("assistant", "Moved the holiday photos to srv-2, 7 GB in 20 s."),
    ]
    session = conversation("m", START, turns, step=timedelta(hours=1))
    window = Window(start=START + timedelta(hours=2), end=START + timedelta(hours=4))
    points = summarize(session, window).points
    assert {3, 4} >= {number for point in points for number in point.numbers}
    assert ["Assistant: Moved the scanned invoices to srv-9, 3 GB in 10 s."] == [point.text for point in points]


def test_no_sentence_that_held_a_secret_is_reported(points_of: PointsOf) -> None:
    """Not even the part of it that remains."""
    secret = MASK * 20
    points = points_of(f"> schedule the trailer for tuesday 18:00: login nika pass {secret}", "= x", "< Scheduled it.")
    assert not [point for point in points if MASK in point.text or "login" in point.text]


def test_code_and_pasted_text_are_not_reported(points_of: PointsOf) -> None:
    """They are not what the speaker says."""
    code = "> fix this\n```\n# I'll ship 40 boxes tomorrow, error 12\n```"
    pasted = "> here is what she wrote:\nI'll ship 50 boxes tomorrow, error 13."
    forwarded = "> Fwd: boxes\nFrom: Bob\n\nDecision: I'll ship 60 boxes tomorrow, error 14."
    lines = points_of(code, "< Which one?", pasted, "< I see.", forwarded, "< So Bob writes.")
    assert not [one for one in lines if "boxes" in one.text]


@pytest.mark.parametrize(
    "report",
    [
        "⏺ The tests pass now.\n  Next I have to write the release notes by tomorrow.\n  ⎿  61 passed",
        "⏺ Testy przechodzą.\n  Jutro muszę jeszcze napisać opis wydania.\n  ⎿  61 passed",
        "⏺ 测试全部通过。\n  明天我还要写发布说明。\n  ⎿  61 passed",
    ],
)
def test_a_report_of_another_agent_is_not_the_owners(points_of: PointsOf, report: str) -> None:
    """The owner relays it; typed by the owner, the same words are a line."""
    typed = report.splitlines()[1].strip()
    assert () == points_of("> a look, please", "< Yes?", f"> {report}", "< Read.")
    assert [typed.rstrip(".。")] == [
        point.text.partition(": ")[2].rstrip(".。")
        for point in points_of("> a look, please", "< Yes?", f"> {typed}", "< Read.")
    ]


def test_banter_is_no_commitment(points_of: PointsOf) -> None:
    """A short answer with a picture in it is not meant."""
    assert () == points_of("> if i win i move to a lighthouse", "< I'll look for lighthouses on 3 May. \N{CANDLE}")


def test_the_words_quoted_come_from_the_first_number(points_of: PointsOf) -> None:
    """The other numbers explain it."""
    points = points_of("> post the opening hours to the notice board please", "= post", "< Posted.")
    assert [(3, 1)] == [point.numbers for point in points]


def test_a_long_day_is_reported_in_few_lines(points_of: PointsOf) -> None:
    """The best of each part, not all."""
    work = [
        f"> and folder {name}?" if odd else f"< Moved the {name} folder to srv-{name}, 4{odd} GB."
        for name in WORDS
        for odd in (1, 0)
    ]
    parts = [point.part for point in points_of(*work)]
    assert all(parts.count(part) <= MOST for part in parts)


def test_the_same_thing_is_said_once(points_of: PointsOf) -> None:
    """A report that is repeated does not fill the page."""
    report = "< Moved the nightly export to srv-4, 12 GB in 40 s."
    points = points_of("> move the export", "= x", report, "> and?", "= x", report, "> sure?", "= x", report)
    assert 1 == len(points)


WORDS = ("alder", "birch", "cedar", "dogwood", "elder", "figtree", "ginkgo", "hazel", "ivory", "juniper", "kauri")
MOST = 4

turns = st.tuples(
    st.sampled_from([origin.value for origin in Origin]),
    st.one_of(st.lists(st.sampled_from(PHRASES), max_size=4).map(" ".join), st.text(max_size=80)),
)


@given(st.lists(turns, max_size=14), st.integers(0, 14), st.integers(0, 14), st.booleans())
def test_whatever_was_said_the_points_rest_on_it(
    said: list[tuple[str, str]],
    first: int,
    length: int,
    machine: bool,  # noqa: FBT001 - hypothesis passes it by place
) -> None:
    """No session breaks it; each point is one short line and rests on conversation inside the window."""
    session = conversation("any", START, said, machine=machine)
    begin = START + timedelta(minutes=first)
    window = Window(start=begin, end=begin + timedelta(minutes=length))
    summary = summarize(session, window)
    allowed = {message.number for message in session.conversation if message.time in window}
    for point in summary.points:
        assert allowed >= set(point.numbers)
        assert [point.text] == point.text.splitlines()
        assert LIMIT >= len(point.text)
        assert MASK not in point.text
    assert summary == summarize(session, window)


@given(st.lists(turns, max_size=10), st.integers(0, 10))
def test_what_comes_after_the_window_changes_nothing(said: list[tuple[str, str]], end: int) -> None:
    """A summary never looks ahead."""
    session = conversation("any", START, said)
    window = Window(start=START, end=START + timedelta(minutes=end))
    cut = Session.model_validate(session.model_dump() | {"messages": session.messages[:end]})
    assert summarize(cut, window) == summarize(session, window)


LIMIT = 200
