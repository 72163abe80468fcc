"""The page of a session, and the messages that are read from it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.session_summary.archive import page
from jobs.session_summary.pages import archived_sessions
from pipeline.job import Document, Inputs, NotedItem, Run
from pipeline.markdown.blocks import find_blocks, seal_item
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.marks import examples
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

AT = datetime(2026, 3, 3, 8, 0, 0, 250_000, tzinfo=UTC)
WINDOW = Window(start=AT, end=AT + timedelta(hours=2))
PATH = "agents/jaskier/memory/sessions/2026-03-03_001.md"


def read_again(session: Session, window: Window, now: datetime) -> Session:
    """The session of the page that is made of a session, with the messages that it has in the window of the page."""
    run = job_run(window, inputs=Inputs((session,)), now=now)
    text = "".join(seal_item(draft.name, draft.text) for draft in page(run))
    blocks = [block for block in find_blocks(text.encode()) if block.item]
    items = tuple(NotedItem(PATH, block.name, block.text) for block in blocks)
    run = Run(run.key, window, run.day, now, run.models, Inputs(documents=(Document(PATH, text),), items=items))
    [archived] = archived_sessions(run)
    inside = [message for message in archived.session.messages if message.time in archived.window]
    return archived.session.model_copy(update={"messages": tuple(inside)})


def text_again(text: str) -> str:
    """The text of a message, as it is read from the page."""
    [message] = read_again(conversation("s", AT, [("owner", text)]), WINDOW, WINDOW.end).messages
    return message.text


@table(
    "text",
    [
        "one\n\n\n\ntwo\n\nthree",
        "\\-  one\n\\\\-  two",
        "so\n\\-  one\n\\\\- two\n\\\n\\\\\n\\",
        "so\n# one\n- two\n> three\n```\nfour\n```\n<five>",
        "so\n1. one\n2\\. two\n3\\\\. three\n4) four\n5\\",
        "<!-- one -->\n<!-- two\nthree -->",
        "- 08:00:00 owner: one\n- 08:00:01 jaskier: two",
    ],
)
def test_a_message_is_read_as_it_was_said(text: str) -> None:
    """Whatever its lines begin with: what tells a pasted text from a typed one is not lost."""
    assert text == text_again(text)


@given(st.lists(st.text("ab01 \\#>*+=~`|<.)-", max_size=6).map(lambda line: " ".join(line.split())), min_size=1))
@settings(max_examples=examples(100))
def test_no_line_is_read_as_another(lines: list[str]) -> None:
    """What is written to escape a line is what is taken away."""
    text = "\n".join(["so", *lines, "so"])
    assert text == text_again(text)


@table(
    ("zone", "start", "seconds"),
    [
        ("UTC", AT, [0, 20, 19, 60]),
        ("UTC", AT.replace(hour=23, minute=59, second=59), [0, 1, 0, 2]),
        ("UTC", AT, [0, 50_000, 100_000]),
        ("UTC", AT, [0, 84_600, 84_640, 130_000]),
        ("Europe/Warsaw", datetime(2026, 10, 25, 0, 50, tzinfo=UTC), [0, 60, 1_200, 6_000]),
    ],
)
def test_no_message_is_lost(zone: str, start: datetime, seconds: list[int]) -> None:
    """Of parts of a second, out of order, at midnight, after nearly a day, and in an hour that comes twice."""
    said = conversation("s", start, [("owner", "one")] * len(seconds)).messages
    times = [start + timedelta(seconds=after) for after in seconds]
    moved = [message.model_copy(update={"time": time}) for message, time in zip(said, times, strict=True)]
    session = conversation("s", start, []).model_copy(update={"messages": tuple(moved)})
    window = Window(start=min(times), end=max(times) + timedelta(minutes=30))
    again = read_again(session, window, window.end.astimezone(ZoneInfo(zone))).messages
    assert len(seconds) == len(again)
    if zone == "UTC":
        assert [time.replace(microsecond=0) for time in times] == [message.time for message in again]
