"""Why an entry would not be written today; most of it on what the job itself says of its entries."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.micro_sync import review
from pipeline.job import OFFLINE, Answer, Inputs, Models, Task, WrittenFiles
from schemas.entry import Entry, Trust
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.job_run import job_run, unasked
from tests.support.builders.note_job import decision
from tests.support.builders.pieces import seen_in
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(hours=3))
RULE = "from now on never delete a log of the loki server before 30 days are over"


def nobody(tasks: Sequence[Task[Answer]]) -> list[Answer]:
    """No question is put to a model."""
    raise AssertionError(tasks)


def talk(*turns: tuple[str, str], **fields: Any) -> Session:  # noqa: ANN401 - fields of `Session`
    """A session of the window."""
    return conversation("s", START, turns, **fields)


def written(session: Session, number: int = 1, **fields: object) -> Entry:
    """An entry that rests on the whole of a message."""
    message = session.messages[number - 1]
    return decision(session, message, f"DECISION-{number}", message.text).model_copy(update=fields)


def reasons(session: Session, *entries: Entry, way: str = OFFLINE) -> list[str]:
    """Why these entries would not be written today."""
    known = () if session.session_id == "gone" else seen_in(WINDOW, session)
    run = job_run(WINDOW, models=Models(unasked, way), inputs=Inputs(known), written=WrittenFiles(entries))
    return list(review(run).values())


def test_what_is_read_today_stands_in_whatever_words() -> None:
    """Its quote has to overlap with what is read, its words need not be the same."""
    session = talk(("owner", f"One thing. {RULE}."))
    shorter = written(session, quote=RULE, conclusion="Logs: 30 days.", title="Logs")
    assert [] == reasons(session, written(session), shorter)


@table(
    ("turn", "reason"),
    [
        (("owner", "why is the sky blue?"), "not_settled"),
        (("machine", RULE), "not_owner"),
        (("assistant", RULE), "not_owner"),
        (("owner", f"> {RULE}\n\nwhat does this mean?"), "foreign_text"),
        (("owner", "the words are others now"), "quote_not_found"),
    ],
)
def test_it_says_why(turn: tuple[str, str], reason: str) -> None:
    """By the message as it is read today."""
    session = talk(turn)
    quote = turn[1] if reason == "not_settled" else RULE
    assert [reason] == reasons(session, written(session, quote=quote))


def test_what_no_session_holds_any_more_is_outside_of_it() -> None:
    """A record that today's reader takes for no message, or a session in which only machines speak."""
    session = talk(("owner", RULE))
    missing = written(session).source.model_copy(update={"entry_ids": ("another",)})
    assert ["outside_session"] == reasons(session, written(session, source=missing))
    assert ["machine"] == reasons(talk(("owner", RULE), machine=True), written(session))


def test_below_the_line_and_routine_have_their_own_names() -> None:
    """Today they would be suggestions."""
    options = ("assistant", "Option A: blue theme. Option B: red theme. Which one?")
    doubtful = talk(options, ("owner", "A"), ("assistant", "Fine."))
    assert ["below_the_line"] == reasons(doubtful, written(doubtful, 2))
    routine = talk(("owner", RULE), routine=True)
    assert ["routine"] == reasons(routine, written(routine))


def test_another_message_with_the_same_words_is_no_reason_to_keep() -> None:
    """What is read has to be of the message that is quoted."""
    session = talk(
        ("owner", "is it so that we never delete a log of the loki server before 30 days are over?"),
        ("assistant", "Yes."),
        ("owner", RULE),
    )
    assert ["not_settled"] == reasons(session, written(session))


def test_of_what_a_model_read_only_the_speaker_counts() -> None:
    """And what it rests on: a support that is the assistant's no more."""
    session = talk(("assistant", "Shall I take two replicas?"), ("owner", "the sky is blue"))
    assert [] == reasons(session, written(session, 2), way="a-model")
    ids = (session.messages[1].entry_ids[0], session.messages[0].entry_ids[0])
    source = written(session, 2).source.model_copy(update={"entry_ids": ids})
    accepted = written(session, 2, source=source, trust=Trust.ACCEPTED)
    assert [] == reasons(session, accepted, way="a-model")
    pasted = talk(("machine", "Shall I take two replicas?"), ("owner", "the sky is blue"))
    assert ["untrusted_support"] == reasons(pasted, accepted, way="a-model")


def test_a_long_title_of_an_earlier_version_is_no_fault() -> None:
    """Only what it rests on is judged."""
    session = talk(("owner", RULE))
    assert [] == reasons(session, written(session, title="x" * 300))
