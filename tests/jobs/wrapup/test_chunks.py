"""Sessions cut into questions: at turns, by exact tokens, nothing left out and nothing asked twice."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.wrapup import chunks as pieces
from jobs.wrapup.chunks import CONTEXT, LONGEST, NEW, SummaryChunk, day_pieces, whole_piece
from pipeline.language.tokens import count_tokens
from pipeline.testing.memory_source import conversation
from schemas.transcript import Message, Origin, Session
from schemas.window import Window

START = datetime(2026, 3, 2, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(days=1))
MORNING = START + timedelta(hours=9)


def talk(*turns: tuple[str, str], start: datetime = MORNING, zone: str = "UTC") -> Session:
    """A session of the day."""
    return conversation("s", start, turns, step=timedelta(seconds=10), zone=zone)


def cost(messages: tuple[Message, ...]) -> int:
    """What messages cost in a question."""
    return sum(count_tokens(message.model_dump_json()) for message in messages)


def new(piece: SummaryChunk) -> tuple[Message, ...]:
    """The messages a piece asks about."""
    return tuple(message for message in piece.shown.messages if message.number >= piece.shown.first_new)


def test_a_short_day_is_one_question() -> None:
    """With what was said the day before as context, and nothing of what machines said."""
    turns = [("owner", "before"), ("assistant", "yes"), ("tool", "noise"), ("owner", "today"), ("assistant", "done")]
    session = conversation("s", START - timedelta(hours=3), turns, step=timedelta(hours=1))

    [piece] = day_pieces(session, WINDOW)

    assert ["before", "yes", "today", "done"] == [message.text for message in piece.shown.messages]
    assert (4, 5, 4) == (piece.first, piece.last, piece.shown.first_new)


def test_times_are_shown_as_the_owner_reads_them() -> None:
    """So that a model can tell what "tomorrow" is."""
    [piece] = day_pieces(talk(("owner", "tomorrow"), zone="Asia/Shanghai"), WINDOW)

    assert "2026-03-02T17:00:00+08:00" == piece.shown.messages[0].time.isoformat()


def test_a_piece_begins_where_the_owner_speaks() -> None:
    """A turn is not torn apart as long as it fits."""
    turns = [("owner", "word " * 900), ("assistant", "word " * 900), ("assistant", "word " * 900)] * 12

    cut = day_pieces(talk(*turns), WINDOW)

    assert len(cut) > 2
    assert {Origin.OWNER} == {new(piece)[0].origin for piece in cut}


def test_a_turn_longer_than_a_piece_is_cut_all_the_same() -> None:
    """An assistant that talks for hours."""
    cut = day_pieces(talk(("owner", "go on"), *[("assistant", "word " * 2000)] * 20), WINDOW)

    assert all(cost(new(piece)) <= NEW for piece in cut)
    assert list(range(1, 22)) == [message.number for piece in cut for message in new(piece)]


def test_the_middle_of_a_long_message_is_left_out() -> None:
    """Its beginning and its end stay, within the tokens a message may cost."""
    for text in ("word " * 9000, "字" * 30_000, '"\n' * 20_000, " " * 900_000):
        [piece] = day_pieces(talk(("owner", f"Hello {text} good bye")), WINDOW)

        [message] = piece.shown.messages
        assert message.text.startswith("Hello ")
        assert message.text.endswith(" good bye")
        assert "\n[...]\n" in message.text
        assert cost((message,)) <= LONGEST


def test_the_context_is_as_much_as_fits() -> None:
    """What was said last before the piece, within its tokens."""
    turns = [("owner", f"{number} {'word ' * 100}") for number in range(400)]

    first, second, *_ = day_pieces(talk(*turns), WINDOW)

    context = second.shown.messages[: -len(new(second))]
    assert () == first.shown.messages[: -len(new(first))]
    assert first.last == context[-1].number
    assert CONTEXT - 200 < cost(context) <= CONTEXT


def test_the_bound_on_context_messages_is_none_in_fact() -> None:
    """The smallest messages fill the context before it is reached."""
    session = conversation("s", START - timedelta(hours=1), [("owner", "k")] * 400, step=timedelta(seconds=10))

    [piece] = day_pieces(session, WINDOW)

    assert len(piece.shown.messages) - len(new(piece)) < pieces._EARLIER


def test_a_reader_without_a_limit_gets_the_session_whole() -> None:
    """Offline there is no reason to cut."""
    [piece] = whole_piece(talk(*[("owner", "word " * 5000)] * 10), WINDOW)

    assert (1, 10, 10) == (piece.first, piece.last, len(piece.shown.messages))
    assert "word " * 5000 == piece.shown.messages[0].text


@pytest.mark.parametrize("cut", [day_pieces, whole_piece])
def test_nothing_said_that_day_is_no_question(cut: object) -> None:
    """Only what stands before the window."""
    assert callable(cut)
    assert [] == cut(talk(("owner", "hello"), start=START - timedelta(days=1)), WINDOW)


@given(st.lists(st.tuples(st.sampled_from(["owner", "assistant", "tool"]), st.integers(1, 2500)), max_size=30))
def test_pieces_make_up_the_day(turns: list[tuple[str, int]]) -> None:
    """Every message is asked about in exactly one piece, and no piece costs more than it may."""
    session = talk(*[(origin, "word " * size) for origin, size in turns])

    cut = day_pieces(session, WINDOW)

    assert [m.number for m in session.conversation] == [m.number for piece in cut for m in new(piece)]
    assert all(cost(new(piece)) <= NEW and cost(piece.shown.messages) <= NEW + CONTEXT for piece in cut)
