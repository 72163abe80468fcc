"""Merging: a line takes the place of its points only when nothing is lost."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from jobs.wrapup.build import MOST, merge_points
from jobs.wrapup.points import Bullet, CheckedPoint, bullets
from pipeline.drafts import Skip
from pipeline.job import OFFLINE, Answer, Run, Task
from schemas.outcome import Rejection
from schemas.summary import Gathering, Merged, MergedPoint, Part
from schemas.window import Window
from tests.support.builders.job_run import job_run, offline
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(hours=15))


class Scripted:
    """A model that merges as it was told, and keeps what it was given."""

    def __init__(self, *lines: MergedPoint) -> None:
        self.lines = lines
        self.given: list[Gathering] = []

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """The same answer to every question."""
        self.given += [cast("Gathering", task.input) for task in tasks]
        return [cast("Answer", Merged(points=self.lines)) for _ in tasks]


def points(*texts: str, part: Part = Part.ACTION) -> list[Bullet]:
    """A bullet for each text, each from a session of its own, at the message of its number."""
    claims = []
    for place, text in enumerate(texts):
        session = conversation(f"session-{place}", START + timedelta(minutes=place), [("owner", "go")])
        claims.append(CheckedPoint(session, part, text, session.messages))
    return bullets(claims)


def merge(given: Sequence[Bullet], *lines: MergedPoint) -> tuple[list[Bullet], list[Rejection | Skip]]:
    """What a model's lines come to."""
    return merge_points(made(Scripted(*lines), "model"), given)


def made(ask: object, way: str) -> Run:
    """A run of the day."""
    return job_run(WINDOW, cast("Scripted", ask), way)


def line(text: str, *refs: str, part: Part = Part.ACTION) -> MergedPoint:
    """A line of a model's answer."""
    return MergedPoint(refs=refs, part=part, text=text)


def test_a_merged_line_names_all_its_sources() -> None:
    """It stands where the first of its points stood, under the same name."""
    given = points("Anna sends the contract to legal", "Buy flour", "The contract goes to legal, Anna sends it")

    [one, other], lost = merge(given, line("Anna sends the contract to legal", "p3", "p1"))

    assert ["Anna sends the contract to legal", "Buy flour"] == [one.text, other.text]
    assert ["session-0", "session-2"] == [place.session_id for place in one.places]
    assert given[0].name == one.name
    assert [] == lost


def test_a_line_may_stand_in_the_part_of_any_of_its_points() -> None:
    """An open question that is an action becomes one."""
    [loop] = points("Who renews the domain example.org? Marek", part=Part.LOOP)
    [action] = points("Marek renews the domain example.org")

    [moved], lost = merge([loop, action], line("Marek renews the domain example.org", "p1", "p2"))

    assert (Part.ACTION, loop.key, f"action-{loop.key}") == (moved.part, moved.key, moved.name)
    assert [] == lost


@table(
    ("lines", "reason"),
    [
        ([line("Buy flour and yeast", "p9")], "unknown_ref"),
        ([line("Buy flour", "p1", "p9")], "unknown_ref"),
        ([line("Buy flour", "p1"), line("Buy flour and yeast", "p1", "p2")], "repeated_ref"),
        ([line("Buy flour and yeast by 2026-03-05", "p1", "p2")], "changed_numbers"),
        ([line("Order oil", "p3")], "changed_numbers"),
        ([line("Several things were discussed", "p1", "p2")], "unlike_its_points"),
        ([line("•••••••• buy flour", "p1")], "secret"),
        ([line("Do not buy flour", "p1")], "opposite"),
        ([line("Nie kupować: buy flour, buy yeast", "p1", "p2")], "opposite"),
        ([line("Buy flour", "p1", part=Part.NEXT)], "other_part"),
    ],
)
def test_a_line_that_cannot_be_believed_leaves_its_points_as_they_are(lines: list[MergedPoint], reason: str) -> None:
    """And is rejected by name; a line before it holds."""
    given = points("Buy flour", "Buy yeast", "Order 60 l of oil")

    left, lost = merge(given, *lines)

    assert [bullet.text for bullet in given] == [bullet.text for bullet in left]
    assert [reason] == [rejection.reason for rejection in lost]


@table(
    ("denied", "other", "expected"),
    [
        ("Anna does not send the invoice", "The invoice is not sent by Anna", "Anna sends the invoice"),
        ("Anna does not send the invoice", "Anna sends the invoice", "Anna does not send the invoice"),
        ("Anna 不发合同", "合同 Anna 不发", "合同 Anna 发"),
    ],
)
def test_no_line_turns_a_point_round(denied: str, other: str, expected: str) -> None:
    """What is denied stays denied, and points that say the opposite of each other are not one."""
    given = points(denied, other)

    left, [rejection] = merge(given, line(expected, "p1", "p2"))

    assert [denied, other] == [bullet.text for bullet in left]
    assert "opposite" == rejection.reason


def test_a_rejected_secret_shows_nothing() -> None:
    """The rest of its text may tell what it is."""
    _, [rejection] = merge(points("The key is set"), line("The key is set: ••••••••", "p1"))

    assert isinstance(rejection, Rejection)
    assert ("secret", "") == (rejection.reason, rejection.detail)


def test_what_no_context_holds_is_left_as_it_is() -> None:
    """And counted, so that the outcome tells."""
    given = points(*[f"{number} {'word ' * 78}" for number in range(400)])
    model = Scripted()

    left, lost = merge_points(made(model, "model"), given)

    [asked] = model.given
    assert len(given) == len(left)
    assert [Skip("not_merged")] * (400 - len(asked.points)) == lost
    assert MOST // 200 < len(asked.points) < 400


@table(
    ("one", "other", "stands"),
    [
        ("Anna sends the contract to legal", "Anna sends the contract to legal.", "Anna sends the contract to legal"),
        ("The staging worker hangs on backup", "Staging worker hangs", "The staging worker hangs on backup"),
        ("Staging worker hangs", "The staging worker hangs on backup", "The staging worker hangs on backup"),
        ("Zadzwonić do młyna w sprawie mąki", "Zadzwonic do mlyna w sprawie maki", "Zadzwonić do młyna w sprawie mąki"),
        ("明天把合同发给法务", "明天把合同發給法務", "明天把合同发给法务"),
        ("OK", "ok", "OK"),
    ],
)
def test_offline_near_equal_points_are_one(one: str, other: str, stands: str) -> None:
    """The longer one stands for both when it holds all of the shorter."""
    left, lost = merge_points(made(offline, OFFLINE), points(one, other))

    assert [stands] == [bullet.text for bullet in left]
    assert 2 == len(left[0].places)
    assert [] == lost


@table(
    ("one", "other"),
    [
        ("Anna calls the mill about flour", "Marek calls the mill about flour"),
        ("Deploy the worker at 14:00", "Deploy the worker at 15:00"),
        ("Restart the worker before backup", "Do not restart the worker before backup"),
        ("Buy flour", "Buy flour and yeast for the doughnuts"),
        ("明天给法务发合同", "后天给财务发发票"),
    ],
)
def test_offline_what_differs_stays_apart(one: str, other: str) -> None:
    """In who, in a number, in what it says, or in how much."""
    left, _ = merge_points(made(offline, OFFLINE), points(one, other))

    assert [one, other] == [bullet.text for bullet in left]


def test_offline_one_text_in_two_parts_stays_twice() -> None:
    """Each section is read on its own."""
    given = [*points("Call the mill about flour"), *points("Call the mill about flour", part=Part.LOOP)]

    left, _ = merge_points(made(offline, OFFLINE), given)

    assert [Part.ACTION, Part.LOOP] == [bullet.part for bullet in left]
