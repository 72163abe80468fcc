"""Routine sessions: what opens like several before it, and is answered by nobody, is not written without a question."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest

from pipeline.clock import SystemClock
from pipeline.ledger import open_ledger
from pipeline.transcripts.catalog import Catalog
from pipeline.transcripts.pieces import Pieces
from pipeline.transcripts.selection import SEVERAL, SHORTEST, opening_of
from schemas.transcript import Session
from schemas.window import Window
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.ports.plain_redactor import PlainRedactor
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
PROMPT = "Read the report of {day} 2026 and write down all that the team has settled, for the archive.\n\nWe use Kafka."
PROMPTS = {
    "en": PROMPT,
    "pl": "Przeczytaj raport z dnia {day} i zapisz wszystko, co ustalono, w krótkiej liście.\n\nUżywamy Kafki.",
    "zh": "请阅读 {day} 日的报告 并把团队已经确定的所有事项写成一份简短的清单存入档案以备日后查阅\n\n我们用 Kafka",
}


def day(number: int, *owners: str) -> Session:
    """A session of a day, in which the owner says this."""
    turns = [turn for words in owners for turn in (("owner", words), ("assistant", "Done."))]
    return conversation(f"s-{number}", START + timedelta(days=number), turns, timedelta(hours=2))


Seen = Callable[..., bool]


@pytest.fixture
def seen(tmp_path: Path) -> Seen:
    """Whether a session is a routine one, among others."""
    return partial(is_routine, tmp_path)


def is_routine(folder: Path, sessions: list[Session], of: Session, until: timedelta = timedelta(hours=12)) -> bool:
    """Whether a session is a routine one at the end of a window that begins with it."""
    ledger = open_ledger(folder / f"{uuid4()}.db")
    pieces = Pieces(ledger.pieces, SystemClock())
    catalog = Catalog([MemorySource(*sessions)], ledger, PlainRedactor(), pieces)
    catalog.refresh()
    begin = of.messages[0].time
    return {session.session_id: session for session in catalog.sessions(Window(start=begin, end=begin + until))}[
        of.session_id
    ].routine


@pytest.mark.parametrize("language", PROMPTS)
def test_the_same_opening_again_and_again_is_routine(seen: Seen, language: str) -> None:
    """The fourth of its kind is, whatever day and other paragraphs it has; the third is not."""
    days = [day(number, PROMPTS[language].format(day=number)) for number in range(SEVERAL + 1)]
    assert seen(days, days[SEVERAL])
    assert not seen(days, days[SEVERAL - 1])


def test_later_sessions_do_not_count(seen: Seen) -> None:
    """A back-fill sees what a run on time saw."""
    days = [day(number, PROMPT.format(day=number)) for number in range(2 * SEVERAL)]
    assert [False] * SEVERAL + [True] * SEVERAL == [seen(days, one) for one in days]


def test_a_second_message_shows_a_person(seen: Seen) -> None:
    """In the session itself, and in those before it, as far as it was said by then."""
    days = [day(number, PROMPT.format(day=number)) for number in range(SEVERAL)]
    answered = day(SEVERAL, PROMPT.format(day=3), "No, leave that.")
    assert not seen([*days, answered], answered)
    assert seen([*days, answered], answered, until=timedelta(hours=1))
    talks = [day(number, PROMPT.format(day=number), "Thanks.") for number in range(SEVERAL)]
    alone = day(SEVERAL, PROMPT.format(day=3))
    assert not seen([*talks, alone], alone)


@table("turn", [("owner", "Good morning!"), ("machine", PROMPT)])
def test_greetings_and_machines_open_nothing(turn: tuple[str, str]) -> None:
    """People greet again and again."""
    assert opening_of(conversation("s", START, [turn])).digest == ""


def test_only_what_is_long_enough_has_a_digest() -> None:
    """White space, case and numbers make no difference."""
    words = "Sum up 12 pages " * 5

    def spoken(text: str) -> str:
        return opening_of(conversation("s", START, [("owner", text)])).digest

    assert len(words.strip()) > SHORTEST
    assert spoken(words) == spoken("  " + words.upper().replace("12", "3").replace(" ", "\n", 1)) != ""
    assert spoken(words[: SHORTEST // 2]) == ""
