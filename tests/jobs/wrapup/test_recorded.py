"""The lines that the records prove: true by their fields, in their section, and marked as an agent's where they are."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.wrapup.build import wrap_up
from pipeline.drafts import Draft, ItemDraft
from pipeline.job import OFFLINE, Inputs, Run
from schemas.evidence import EvidenceKind, RecordEvidence, Todo
from schemas.summary import Part, Point
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.builders.pieces import seen_in
from tests.support.builders.point_reader import PointReader, ReadPoints
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(days=1))
MORNING = START + timedelta(hours=9)
PROJECT = "~/code/shop"
TODOS = (Todo(text="Write the tests"), Todo(text="Fix the build", begun=True))


def proof(
    kind: EvidenceKind,
    text: str = "",
    *,
    number: int = 2,
    after: timedelta = timedelta(),
    **fields: Any,  # noqa: ANN401 - fields of it
) -> RecordEvidence:
    """Evidence of that morning."""
    return RecordEvidence(kind=kind, number=number, time=MORNING + after, text=text, **fields)


def talk(*evidence: RecordEvidence, said: str = "go on with the shop", **fields: Any) -> Session:  # noqa: ANN401 - fields of `Session`
    """A session of the day with this evidence."""
    session = conversation("s", MORNING, [("owner", said), ("assistant", "done")], project=PROJECT)
    return session.model_copy(update={"evidence": evidence} | fields)


def unasked(_: object) -> list[Point]:
    """A model that must not be asked."""
    raise AssertionError


def run_of(*sessions: Session, read: ReadPoints = unasked, way: str = OFFLINE) -> Run:
    """A run over the day."""
    return job_run(WINDOW, PointReader(read), way, inputs=Inputs(seen_in(WINDOW, *sessions)))


def sections(*sessions: Session, **fields: Any) -> dict[str, list[str]]:  # noqa: ANN401 - fields of `run_of`
    """The lines of the page by their headings, without their sources."""
    return by_heading(wrap_up(run_of(*sessions, **fields)))


def by_heading(drafts: Sequence[Draft]) -> dict[str, list[str]]:
    """The lines of a page by the first words of their headings."""
    lines_by_heading: dict[str, list[str]] = {}
    for draft in drafts:
        if isinstance(draft, ItemDraft) and draft.text.startswith("## "):
            lines = lines_by_heading[draft.text.removeprefix("## ").split(" / ")[0]] = list[str]()
        elif isinstance(draft, ItemDraft) and lines_by_heading:
            lines.append(draft.text.removeprefix("- ").rpartition(" (session ")[0] or draft.text)
    return lines_by_heading


def test_a_day_without_evidence_has_its_sessions_and_nothing_else() -> None:
    """By project, first words and length; no line is read out of what was said."""
    page = sections(talk(said="We always deploy on Mondays. I'll write the tests tomorrow, remind me!"))
    opening = f'{PROJECT}: "We always deploy on Mondays. I\'ll write the tests tomorrow, remind me!"'
    assert [f"{opening} - 1 message of yours, 1 minute"] == page.pop("Important conversations")
    assert [["none"]] * 5 == list(page.values())


@table(
    ("said", "opening"),
    [
        ("> Never pay Bob.\n\nIs that so?", '"Is that so?" - 1 message of yours, 1 minute'),
        ("Hi Tom,\nnever pay Bob.\nBest,\nAnn", "1 message of yours, 1 minute"),
    ],
)
def test_words_of_others_open_no_session(said: str, opening: str) -> None:
    """What the owner pasted is not told as the owner's first words."""
    assert [f"{PROJECT}: {opening}"] == sections(talk(said=said))["Important conversations"]


def test_a_clock_that_goes_back_makes_no_session_shorter() -> None:
    """Its length is between the earliest and the latest message."""
    session = conversation("s", MORNING, [("owner", "go on"), ("assistant", "ok")], timedelta(minutes=-5))
    [opening] = sections(session)["Important conversations"]
    assert opening.endswith("1 message of yours, 5 minutes")


def test_what_is_open_in_the_last_list_of_the_day_is_the_agents() -> None:
    """What it had begun is a loop; an item that was done meanwhile is none."""
    earlier = proof(EvidenceKind.TODOS, todos=(*TODOS, Todo(text="Read the code")))
    page = sections(talk(earlier, proof(EvidenceKind.TODOS, todos=TODOS, number=3)))
    assert [f"agent: Write the tests in {PROJECT}"] == page["Action items"]
    assert [f"agent: Fix the build (begun, not finished) in {PROJECT}"] == page["Open loops"]


@table("after", [timedelta(days=-1), timedelta(days=1)])
def test_a_list_of_another_day_is_left_out(after: timedelta) -> None:
    """A list that nobody ever finishes is on the pages of the days on which it changed."""
    page = sections(talk(proof(EvidenceKind.TODOS, todos=TODOS, after=after)))
    assert (["none"], ["none"]) == (page["Action items"], page["Open loops"])


def test_an_approved_plan_is_a_decision_and_a_refused_one_is_none() -> None:
    """The reason of a refusal is a message of the owner's."""
    plans = [
        proof(EvidenceKind.PLAN_APPROVED, "Count in grosze"),
        proof(EvidenceKind.PLAN_REJECTED, "Use floats", number=1),
    ]
    assert ["Plan approved: Count in grosze"] == sections(talk(*plans))["Decisions made today"]


def test_what_was_done_stands_under_technical_notes() -> None:
    """Each commit by its title; pushes, releases and files together."""
    done = [
        proof(EvidenceKind.COMMIT, "shop: count in grosze"),
        proof(EvidenceKind.COMMIT, number=3),
        proof(EvidenceKind.PUSH, "origin main"),
        proof(EvidenceKind.PUSH, "origin main", number=5),
        proof(EvidenceKind.RELEASE, "v1.2"),
        *(proof(EvidenceKind.FILE, f"/home/tom/code/shop/src/{name}.py") for name in "abcdefa"),
    ]
    assert [
        f'agent: committed "shop: count in grosze" in {PROJECT}',
        f"agent: committed without a title in the command in {PROJECT}",
        f"agent: pushed origin main in {PROJECT}",
        f"agent: released v1.2 in {PROJECT}",
        f"agent: wrote a.py, b.py, c.py, d.py, e.py and 1 more in {PROJECT}",
    ] == sorted(sections(talk(*done))["Technical notes"])


def test_only_the_last_command_can_have_failed_in_the_end() -> None:
    """One that a later success took back is no news."""
    failed, passed = proof(EvidenceKind.FAILED, "make test"), proof(EvidenceKind.PASSED, "make test", number=3)
    assert [f"agent: the last command failed: `make test` in {PROJECT}"] == sections(talk(failed))["Technical notes"]
    assert ["none"] == sections(talk(failed, passed))["Technical notes"]


def test_the_lines_of_a_project_stand_together() -> None:
    """In the order of their records; what was done elsewhere is told of that place."""
    first = proof(EvidenceKind.COMMIT, "one")
    other = proof(EvidenceKind.COMMIT, "two", number=3, after=timedelta(minutes=1), project="~/code/api")
    last = proof(EvidenceKind.COMMIT, "three", number=4, after=timedelta(minutes=2))
    expected = ['"two" in ~/code/api', f'"one" in {PROJECT}', f'"three" in {PROJECT}']
    assert [f"agent: committed {line}" for line in expected] == sections(talk(first, other, last))["Technical notes"]


def test_what_is_off_the_record_is_left_out() -> None:
    """The evidence goes with the messages around it."""
    kept, off = proof(EvidenceKind.COMMIT, "shop", number=2), proof(EvidenceKind.COMMIT, "secret plan", number=4)
    turns = [
        ("owner", "go on"),
        ("assistant", "ok"),
        ("owner", "I want to fire Tom. This is off the record."),
        ("assistant", "ok"),
    ]
    session = conversation("s", MORNING, turns, project=PROJECT).model_copy(update={"evidence": (kept, off)})
    page = sections(session)
    assert [f'agent: committed "shop" in {PROJECT}'] == page["Technical notes"]
    assert not any("fire" in line for line in page["Important conversations"])


def test_a_line_with_a_secret_is_left_out() -> None:
    """Neither a todo, nor a commit, nor first words."""
    mask = "\N{BULLET}" * 8
    todos = proof(EvidenceKind.TODOS, todos=(Todo(text=f"Rotate {mask}"), Todo(text="Pay")))
    page = sections(talk(todos, proof(EvidenceKind.COMMIT, f"key {mask}"), said=f"the key is {mask}"))
    assert [f"agent: Pay in {PROJECT}"] == page["Action items"]
    assert not any(mask in line for lines in page.values() for line in lines)


def test_a_models_points_stay_and_what_they_do_not_say_is_added() -> None:
    """What the model said of a list's item or of a talk stands once, in its words."""

    def read(_: object) -> list[Point]:
        return [
            Point(part=Part.ACTION, text="The agent still has to write the tests in ~/code/shop", numbers=(2,)),
            Point(part=Part.CONVERSATION, text="The shop was talked about", numbers=(1,)),
        ]

    session = talk(proof(EvidenceKind.TODOS, todos=TODOS))
    page = sections(session, read=read, way="m")
    assert ["The agent still has to write the tests in ~/code/shop"] == page["Action items"]
    assert ["The shop was talked about"] == page["Important conversations"]
    assert [f"agent: Fix the build (begun, not finished) in {PROJECT}"] == page["Open loops"]


def test_the_name_of_a_line_stays_when_it_grows() -> None:
    """So that an edit or a removal of a person holds when a late message comes."""

    def names(*evidence: RecordEvidence) -> list[str]:
        return [draft.name for draft in wrap_up(run_of(talk(*evidence))) if isinstance(draft, ItemDraft)]

    push, file = proof(EvidenceKind.PUSH, "origin a"), proof(EvidenceKind.FILE, "a.py")
    more = (push, file, proof(EvidenceKind.PUSH, "origin b", number=5), proof(EvidenceKind.FILE, "b.py", number=6))
    assert names(push, file) == names(*more)
