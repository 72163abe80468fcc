"""The page: what a person did to it stays, what is gone from the sources too, and its front matter tells what it is."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import yaml  # type: ignore[import-untyped]  # it comes with detect-secrets, without types

from jobs.wrapup.build import wrap_up
from pipeline.drafts import Draft, ItemDraft
from pipeline.job import Inputs, Refusals, Run, WrittenFiles
from pipeline.markdown.items import Item, render_page
from schemas.extraction import Conversation
from schemas.summary import Part, Point
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.builders.pieces import seen_in
from tests.support.builders.point_reader import PointReader, ReadPoints, owners_points
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(days=1))
MORNING = START + timedelta(hours=9)


def run_of(
    *sessions: Session,
    way: str = "m",
    read: ReadPoints = owners_points,
    current: str = "",
    removed: frozenset[str] = frozenset(),
) -> Run:
    """A run over the day, with the page as it stands, and the items that a person took out of it."""
    return job_run(
        WINDOW,
        PointReader(read),
        way,
        inputs=Inputs(seen_in(WINDOW, *sessions)),
        written=WrittenFiles(current=current),
        refusals=Refusals(removed=removed),
    )


def talk(session_id: str, *turns: tuple[str, str]) -> Session:
    """A session of the day, of which the page shows no first words."""
    return conversation(session_id, MORNING, turns, routine=True)


def bullets(drafts: Sequence[Draft]) -> list[str]:
    """The list items of the page."""
    return [text for text in texts(drafts) if text.startswith("- ")]


def texts(drafts: Sequence[Draft]) -> list[str]:
    """The page's items."""
    return [draft.text for draft in drafts if isinstance(draft, ItemDraft)]


def front_matter(drafts: Sequence[Draft]) -> dict[str, object]:
    """The page's front matter as YAML reads it."""
    [front] = [draft.text for draft in drafts if isinstance(draft, ItemDraft) and draft.name == "front-matter"]
    return cast("dict[str, object]", yaml.safe_load(front))


def rendered(drafts: Sequence[Draft], page: bytes = b"", deleted: frozenset[str] = frozenset()) -> bytes:
    """The page as the engine writes it."""
    items = [Item(draft.name, draft.text) for draft in drafts if isinstance(draft, ItemDraft)]
    return render_page(page, items, deleted)


def test_a_persons_edits_stay_when_a_late_message_comes() -> None:
    """What they changed, added and deleted; the new point is put into its section."""
    session = talk("s", ("owner", "Buy flour"), ("owner", "Buy yeast"), ("owner", "Buy salt"))
    early = session.model_copy(update={"messages": session.messages[:2]})
    page = rendered(wrap_up(run_of(early))).decode()
    [yeast] = re.findall(r"Buy yeast .*memory:(\S+) check", page)
    edited = re.sub(r"- Buy yeast .*\n", "- my own line\n", page).replace("Buy flour", "Buy rye flour")
    removed = frozenset({f"second-brain/summaries/2026-03-02-wrapup.md#{yeast}"})

    drafts = wrap_up(run_of(session, current=edited, removed=removed))
    again = rendered(drafts, edited.encode(), frozenset({yeast})).decode()

    assert 2 == front_matter(drafts)["actions"]
    assert [
        "- Buy rye flour (session s, message 1)",
        "- my own line",
        "- Buy salt (session s, message 3)",
    ] == sorted(
        (re.sub(r" <!--.*", "", line) for line in again.splitlines() if line.startswith("- ")),
        key=lambda line: (line.endswith(" 3)"), line.startswith("- my")),
    )


def test_what_was_noted_of_a_session_stays_when_its_transcript_is_gone() -> None:
    """Agents delete their transcripts; a day that is rendered again loses nothing by it."""
    gone, here = talk("gone", ("owner", "Buy flour"), ("owner", "Buy oil")), talk("here", ("owner", "Sell cake"))
    page = rendered(wrap_up(run_of(gone, here)))

    one_left = wrap_up(run_of(here, current=page.decode()))
    none_left = wrap_up(run_of(current=page.decode()))

    for drafts in (one_left, none_left):
        again = rendered(drafts, page)
        assert all(line in again for line in page.splitlines() if line.startswith(b"- "))
        assert {"gone", "here"} == set(cast("list[str]", front_matter(drafts)["sessions"]))
        assert (3, 3) == (front_matter(drafts)["messages"], front_matter(drafts)["actions"])
        assert again == rendered(wrap_up(run_of(current=again.decode())), again)


@table("left", ["first", "second"])
@table("ids", [("first", "second"), ("a `b", "-x; y"), ("ńó 1", "会话:2")])
def test_a_line_of_two_sessions_stays_when_one_is_gone(left: str, ids: tuple[str, str]) -> None:
    """Whichever it is: neither shorter nor twice, and what the other says beside it is told as before."""
    first = talk(ids[0], ("owner", "Anna sends the invoice"), ("owner", "Buy oil"))
    second = conversation(
        ids[1],
        MORNING + timedelta(hours=1),
        [("owner", "Anna sends the invoice now"), ("owner", "Sell cake"), ("owner", "Sell bread")],
        routine=True,
    )
    early = second.model_copy(update={"messages": second.messages[:2]})
    page = rendered(wrap_up(run_of(first, early)))
    here, late = (first, first) if left == "first" else (early, second)

    again = rendered(wrap_up(run_of(here, current=page.decode())), page)
    grown = rendered(wrap_up(run_of(late, current=again.decode())), again)

    lines, more = (sorted(line for line in data.splitlines() if line.startswith(b"- ")) for data in (page, grown))
    assert 3 == len(lines)
    assert sorted(line for line in again.splitlines() if line.startswith(b"- ")) == lines
    assert set(lines) <= set(more)
    assert (0 if left == "first" else 1) == len(more) - len(lines)
    assert grown == rendered(wrap_up(run_of(late, current=grown.decode())), grown)


def test_what_rests_on_the_same_message_as_a_line_that_stays_is_reported_too() -> None:
    """One message may hold two points; only one of them is told by the line of two sessions."""
    first = talk("first", ("owner", "Anna sends the invoice"))
    second = talk("second", ("owner", "Anna sends the invoice"), ("owner", "Marek paints the boat"))

    def two_points(asked: Conversation) -> Sequence[Point]:
        more = Point(part=Part.ACTION, text="Marek paints the boat", numbers=(1, 2))
        return [*owners_points(asked)[:1], *([more] if asked.session_id == "second" else [])]

    page = rendered(wrap_up(run_of(first, second, read=two_points)))
    again = rendered(wrap_up(run_of(second, read=two_points, current=page.decode())), page)

    assert 2 == page.count(b"\n- ")
    assert [line for line in page.splitlines() if line.startswith(b"- ")] == [
        line for line in again.splitlines() if line.startswith(b"- ")
    ]


def test_a_resumed_session_that_repeats_another_counts_once() -> None:
    """An agent that goes on with a session copies its lines into a new file."""
    session = talk("a", ("owner", "Buy flour"), ("assistant", "ok"))
    copy = session.model_copy(update={"session_id": "b", "path": "b.jsonl"})

    drafts = wrap_up(run_of(session, copy))

    assert 2 == front_matter(drafts)["messages"]
    assert ["- Buy flour (session a, message 1; session b, message 1)"] == bullets(drafts)


@table("front", ["sessions: [1, {}]\nmessages: many", "sessions: nobody\nmessages: ٣", "{{{"])
def test_front_matter_that_a_person_spoiled_is_no_obstacle(front: str) -> None:
    """It is theirs; the page is rendered all the same."""
    current = f"---\n{front}\ncheck: 000000\n---\n# mine\n"

    drafts = wrap_up(run_of(talk("s", ("owner", "x")), current=current))

    assert (["s"], 1) == (front_matter(drafts)["sessions"], front_matter(drafts)["messages"])


@table("name", ["gpt-5-mini", "qwen3:8b", "no", "1.5", 'a "b"\nc', "org/模型", "#"])
def test_the_way_of_extraction_is_read_back(name: str) -> None:
    """Whatever a model is called."""
    drafts = wrap_up(run_of(talk("s", ("owner", "x")), way=name))

    assert " ".join(name.split()) == front_matter(drafts)["extraction"]
