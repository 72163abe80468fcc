"""The job: a day's sessions and decisions become one page, whatever a model answers."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, cast

import yaml  # type: ignore[import-untyped]  # it comes with detect-secrets, without types

from jobs.daily_wrapup import JOB
from jobs.wrapup.build import wrap_up
from pipeline.drafts import Draft, ItemDraft, Skip
from pipeline.job import OFFLINE, Answer, Inputs, Noted, Period, Run, Task
from schemas.entry import Kind, Source
from schemas.extraction import Conversation
from schemas.outcome import Rejection
from schemas.session_answer import SessionAnswer
from schemas.summary import Gathering, Merged, MergedPoint, Part, Point
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.entries import noted
from tests.support.builders.job_run import job_run, offline
from tests.support.builders.pieces import seen_in
from tests.support.builders.point_reader import PointReader, owners_points
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

DAY = date(2026, 3, 2)
START = datetime(2026, 3, 2, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(days=1))
MORNING = START + timedelta(hours=9)
HEADINGS = [
    "## Decisions made today",
    "## Action items",
    "## Important conversations",
    "## Technical notes / debugging lessons",
    "## Open loops",
    "## Tomorrow next steps",
]

Reader = Callable[[Conversation], Sequence[Point]]
Merger = Callable[[Gathering], Sequence[MergedPoint]]


class Scripted:
    """A model that answers with what `read` and `merge` say, and keeps the questions."""

    def __init__(self, read: Reader = lambda _: (), merge: Merger = lambda _: ()) -> None:
        self.read = read
        self.merge = merge
        self.tasks: list[Task[Any]] = []

    @property
    def asked(self) -> list[Conversation]:
        """The pieces that were asked about."""
        return [task.input for task in self.tasks if isinstance(task.input, Conversation)]

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """One answer for each task."""
        self.tasks += tasks
        return [cast("Answer", self._answer(task.input)) for task in tasks]

    def _answer(self, asked: object) -> SessionAnswer | Merged:
        if isinstance(asked, Gathering):
            return Merged(points=tuple(self.merge(asked)))
        assert isinstance(asked, Conversation)
        return SessionAnswer(points=tuple(self.read(asked)))


def run_of(*sessions: Session, ask: object = offline, way: str = OFFLINE, entries: Sequence[Noted] = ()) -> Run:
    """A run over the day."""
    return job_run(
        WINDOW, cast("Scripted", ask), way, inputs=Inputs(seen_in(WINDOW, *sessions), entries=tuple(entries))
    )


def asked_model(
    *sessions: Session,
    read: Reader = lambda _: (),
    merge: Merger = lambda _: (),
    entries: Sequence[Noted] = (),
) -> Sequence[Draft]:
    """The drafts with a scripted model."""
    return wrap_up(run_of(*sessions, ask=Scripted(read, merge), way="scripted", entries=entries))


def talk(session_id: str, *turns: tuple[str, str], start: datetime = MORNING, **fields: Any) -> Session:  # noqa: ANN401 - fields of `Session`
    """A session of the day."""
    return conversation(session_id, start, turns, **fields)


def point(text: str, *numbers: int, part: Part = Part.ACTION) -> Point:
    """A point of a model's answer."""
    return Point(part=part, text=text, numbers=numbers)


def texts(drafts: Sequence[Draft]) -> list[str]:
    """The page's items."""
    return [draft.text for draft in drafts if isinstance(draft, ItemDraft)]


def bullets(drafts: Sequence[Draft]) -> list[str]:
    """The list items of the page, without the sessions by their first words."""
    return [text for text in texts(drafts) if text.startswith("- ") and " of yours, " not in text]


def front_matter(drafts: Sequence[Draft]) -> dict[str, object]:
    """The page's front matter as YAML reads it."""
    [front] = [draft.text for draft in drafts if isinstance(draft, ItemDraft) and draft.name == "front-matter"]
    return cast("dict[str, object]", yaml.safe_load(front))


def test_the_declaration() -> None:
    """A page a day, after the day; it reads what was said and the entries of the day, and cannot promote."""
    assert (JOB.name, JOB.when, JOB.period) == ("daily_wrapup", "20 3 * * *", Period.DAY)
    assert JOB.reads.transcripts
    assert JOB.reads.entries == ("memory/{day}.md", "memory/recent/{day}-*.md")
    assert (JOB.reads.documents, JOB.reads.by_people) == ((), ())
    assert (JOB.writes.family, JOB.writes.lines) == ("second-brain/summaries/{day}-wrapup.md", 1500)
    assert JOB.writes.overflow == "second-brain/summaries/{day}-wrapup-{volume}.md"
    assert (JOB.writes.append, JOB.writes.final, JOB.locks) == (False, False, ("consolidation",))


def test_the_page_of_a_day() -> None:
    """Front matter, a title and six sections, each bullet with its session and messages."""
    session = talk(
        "b83e6f14-aa",
        ("owner", "Anna sends the contract"),
        ("assistant", "noted"),
        ("owner", "why does the API say 500?"),
    )

    def read(_: Conversation) -> Sequence[Point]:
        return [
            point("Nobody knows why the API answers 500", 3, part=Part.LOOP),
            point("Anna sends the contract to legal", 2, 1),
        ]

    front = """\
date: 2026-03-02
sessions: ["b83e6f14-aa"]
messages: 3
decisions: 1
actions: 1
conversations: 1
technical: 0
loops: 1
next: 0
extraction: scripted"""
    source = Source(
        session_id="b83e6f14-aa",
        session_path=session.session_path,
        message_range=(1, 2),
        entry_ids=session.messages[0].entry_ids,
    )
    decision = noted("DECISION-1", kind=Kind.RULE, conclusion="Everything is in UTC.", date=MORNING, source=source)

    assert texts(asked_model(session, read=read, entries=(decision,))) == [
        front,
        "# Wrap-up of 2026-03-02",
        "## Decisions made today",
        "- Rule: Everything is in UTC. ([DECISION-1](../../memory/2026-03-02.md); session b83e6f14-aa, messages 1-2)",
        "## Action items",
        "- Anna sends the contract to legal (session b83e6f14-aa, messages 1-2)",
        "## Important conversations",
        '- "Anna sends the contract" - 2 messages of yours, 2 minutes (session b83e6f14-aa, messages 1-3)',
        "## Technical notes / debugging lessons",
        "none",
        "## Open loops",
        "- Nobody knows why the API answers 500 (session b83e6f14-aa, message 3)",
        "## Tomorrow next steps",
        "none",
    ]


def test_a_day_on_which_nothing_came_up_has_all_six_sections() -> None:
    """Somebody talked, nothing was worth a line: an empty section says so."""
    drafts = asked_model(talk("s", ("owner", "hello"), ("assistant", "hi")))

    assert HEADINGS == [text for text in texts(drafts) if text.startswith("## ")]
    assert ["none"] * 5 == [text for text in texts(drafts) if text == "none"]
    assert [] == bullets(drafts)
    assert (2, 0, 0) == tuple(front_matter(drafts)[key] for key in ("messages", "decisions", "next"))


@table(
    "session",
    [
        talk("m", ("owner", "run the report"), machine=True),
        talk("h", ("machine", "heartbeat poll"), ("assistant", "HEARTBEAT_OK")),
        talk("y", ("owner", "yesterday"), start=START - timedelta(minutes=1)),
        talk("t", ("owner", "tomorrow"), start=WINDOW.end),
    ],
)
def test_a_day_without_a_person_gets_no_page(session: Session) -> None:
    """Neither a sub-agent's session, nor a heartbeat, nor what the owner said on another day."""
    scripted = Scripted()

    assert [] == wrap_up(run_of(session, ask=scripted, way="m"))
    assert [] == scripted.tasks


def test_machines_are_not_asked_about_beside_people() -> None:
    """Nor named in the front matter."""
    scripted = Scripted()
    sessions = [talk("m", ("owner", "report"), machine=True), talk("s", ("owner", "hello"))]

    drafts = wrap_up(run_of(*sessions, ask=scripted, way="m"))

    assert ["s"] == [asked.session_id for asked in scripted.asked]
    assert ["s"] == front_matter(drafts)["sessions"]


def test_a_model_sees_nothing_after_the_day() -> None:
    """The session goes on after midnight; the wrap-up of a day written years later is the same."""
    session = talk("s", ("owner", "in"), ("owner", "after"), start=WINDOW.end - timedelta(minutes=1))
    scripted = Scripted(lambda _: [point("After midnight", 2)])

    drafts = wrap_up(run_of(session, ask=scripted, way="m"))

    assert ["in"] == [message.text for message in scripted.asked[0].messages]
    assert ["outside_session"] == [draft.reason for draft in drafts if isinstance(draft, Rejection)]


@table(
    ("made", "reason", "number"),
    [
        (point("Of a message that is not there", 99), "outside_session", 99),
        (point("Of a page that was read", 4), "not_conversation", 4),
        (point("Of a summary of the agent", 5), "not_conversation", 5),
        (point("Of the day before", 1), "outside_window", 1),
        (point("Of the whole day before", 1, 2), "outside_window", 1),
        (point("The key is ••••••••", 3), "secret", 3),
        (point("...", 3), "empty", 3),
    ],
)
def test_a_point_that_cannot_be_believed_is_rejected(made: Point, reason: str, number: int) -> None:
    """By name, with the message it failed at; a good one beside it stands."""
    mine = [("owner", "yesterday"), ("assistant", "late"), ("owner", "today")]
    turns = [*mine, ("web", "obey"), ("summary", "obey"), ("assistant", "ok")]
    session = talk("s", *turns, start=START - timedelta(hours=2), step=timedelta(hours=1))

    drafts = asked_model(session, read=lambda _: [made, point("Good", 3, 6)])

    assert [(reason, "s", number)] == [(d.reason, d.session_id, d.number) for d in drafts if isinstance(d, Rejection)]
    assert ["- Good (session s, messages 3, 6)"] == bullets(drafts)


def test_a_point_of_another_piece_is_rejected() -> None:
    """A long day is asked about in pieces, each of which answers for its own messages."""
    session = talk("s", *[("owner", "word " * 2300)] * 12)
    scripted = Scripted(lambda _: [point("Said at the beginning", 1), point("Said at the end", 12)])

    drafts = wrap_up(run_of(session, ask=scripted, way="m"))

    assert 3 == len(scripted.asked)
    assert ["outside_piece"] * 4 == [draft.reason for draft in drafts if isinstance(draft, Rejection)]
    assert ["- Said at the beginning (session s, message 1)", "- Said at the end (session s, message 12)"] == bullets(
        drafts
    )


def test_an_answer_that_repeats_itself_is_written_once() -> None:
    """With the messages of both; the repetition is counted."""
    session = talk("s", ("owner", "go"), ("assistant", "on"))

    drafts = asked_model(session, read=lambda _: [point("Go on", 2), point("Go  on", 1)])

    assert ["- Go on (session s, messages 1-2)"] == bullets(drafts)
    assert [Skip("repeated")] == [draft for draft in drafts if isinstance(draft, Skip)]


def test_bullets_are_in_the_order_in_which_things_were_said() -> None:
    """Whatever the order of the sessions and of the answer."""
    late, early = (
        talk("a", ("owner", "x"), ("owner", "y"), start=MORNING + timedelta(hours=1)),
        talk("b", ("owner", "z")),
    )

    def read(asked: Conversation) -> Sequence[Point]:
        return [point(f"{message.text} was said", message.number) for message in reversed(asked.messages)]

    drafts = asked_model(late, early, read=read)

    assert ["z", "x", "y"] == [text[2] for text in bullets(drafts)]
    assert ["b", "a"] == front_matter(drafts)["sessions"]


def test_merging_is_asked_for_only_when_several_pieces_gave_something() -> None:
    """One question for the day."""
    sessions = [talk("a", ("owner", "go")), talk("b", ("owner", "go"))]
    both, one = (
        Scripted(lambda _: [point("Go", 1)]),
        Scripted(lambda c: [point("Go", 1)] if c.session_id == "a" else []),
    )
    for model in (both, one):
        wrap_up(run_of(*sessions, ask=model, way="m"))

    assert ["session", "session", "daily_wrapup_merge"] == [task.name for task in both.tasks]
    assert ["session", "session"] == [task.name for task in one.tasks]


def test_a_merged_line_names_every_session() -> None:
    """With the messages of each."""
    sessions = [talk("a", ("owner", "call the mill")), talk("b", ("owner", "x"), ("owner", "call the mill"))]

    def read(asked: Conversation) -> Sequence[Point]:
        return [point("Call the mill", asked.messages[-1].number)]

    drafts = asked_model(
        *sessions, read=read, merge=lambda _: [MergedPoint(refs=("p2", "p1"), part=Part.ACTION, text="Call the mill")]
    )

    assert ["- Call the mill (session a, message 1; session b, message 2)"] == bullets(drafts)
    assert 1 == front_matter(drafts)["actions"]


@table("text", ["Anna wyśle umowę do prawników do piątku", "安娜周五前把合同发给法务", "安娜週五前把合約寄給法務"])
def test_points_are_written_in_their_language(text: str) -> None:
    """Letter by letter."""
    assert [f"- {text} (session s, message 1)"] == bullets(
        asked_model(talk("s", ("owner", text)), read=lambda _: [point(text, 1)])
    )


def test_near_equal_points_of_two_sessions_become_one() -> None:
    """As after a resume, when the question about their merging is not answered."""
    turns = [("owner", "Anna sends the contract to legal")]
    sessions = [talk("a", *turns, ("owner", "Buy flour")), talk("b", *turns)]

    drafts = wrap_up(run_of(*sessions, ask=PointReader(owners_points), way="m"))

    assert [
        "- Anna sends the contract to legal (session a, message 1; session b, message 1)",
        "- Buy flour (session a, message 2)",
    ] == bullets(drafts)


def test_names_do_not_depend_on_wording_or_order() -> None:
    """So that a person's edits stay when the page is rendered again; those of one message are numbered."""
    session = talk("s", ("owner", "one"), ("owner", "two"))
    first = asked_model(session, read=lambda _: [point("A", 1), point("B", 1), point("C", 2)])
    again = asked_model(session, read=lambda _: [point("Z", 2), point("X", 1), point("Y", 1)])
    names = [[draft.name for draft in drafts if isinstance(draft, ItemDraft)] for drafts in (first, again)]

    assert names[0] == names[1]
    assert len(names[0]) == len(set(names[0]))
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names[0])


def test_the_prompt_of_the_merge_names_every_field_and_part() -> None:
    """So that a model without structured output can answer as well."""
    scripted = Scripted(lambda _: [point("Go", 1)])
    wrap_up(run_of(talk("a", ("owner", "go")), talk("b", ("owner", "go")), ask=scripted, way="m"))
    [*_, merge] = [task.prompt for task in scripted.tasks]

    assert [] == [name for name in (*MergedPoint.model_fields, *Part) if f"`{name}`" not in merge]
