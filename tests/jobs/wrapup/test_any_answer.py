"""Whatever a model answers, the page is one: six sections, and behind every bullet messages that were said that day."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from jobs.wrapup.build import wrap_up
from jobs.wrapup.page import SECTIONS
from pipeline.drafts import Draft, ItemDraft
from pipeline.job import Answer, Inputs, Task
from pipeline.markdown.items import Item, render_page
from schemas.extraction import Conversation
from schemas.session_answer import SessionAnswer
from schemas.summary import Merged, MergedPoint, Part, Point
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.builders.pieces import seen_in
from tests.support.ports.memory_source import conversation

START = datetime(2026, 3, 2, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(days=1))
TURNS = [("owner", "a"), ("assistant", "b"), ("tool", "c"), ("owner", "d"), ("web", "e"), ("owner", "f")]
SAID = {2, 4, 6}
"""The messages of people and the assistant on that day; the first is of the day before."""
SOURCE = re.compile(r"session (?P<session>[^,]+), messages? (?P<numbers>\d[\d, -]*)")
ALL_SOURCES = re.compile(r" \((?:session [^,]+, messages? \d[\d, -]*(?:; )?)+\)$")


class Scripted:
    """A model that answers this about the first session, that about the second, and merges so."""

    def __init__(self, answers: dict[str, list[Point]], lines: list[MergedPoint]) -> None:
        self.answers = answers
        self.lines = lines

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """One answer for each task."""
        return [cast("Answer", self._answer(task.input)) for task in tasks]

    def _answer(self, asked: object) -> SessionAnswer | Merged:
        if isinstance(asked, Conversation):
            return SessionAnswer(points=tuple(self.answers[asked.session_id]))
        return Merged(points=tuple(self.lines))


def drafted(answers: list[list[Point]], lines: list[MergedPoint]) -> Sequence[Draft]:
    """The drafts for two sessions of the day."""
    names = ("first", "second")
    sessions = seen_in(WINDOW, *(conversation(name, START - timedelta(minutes=1), TURNS) for name in names))
    ask = Scripted(dict(zip(names, answers, strict=True)), lines)
    return wrap_up(job_run(WINDOW, ask, "m", inputs=Inputs(sessions)))


def rendered(drafts: Sequence[Draft], page: bytes = b"") -> bytes:
    """The page as the engine writes it."""
    return render_page(page, [Item(draft.name, draft.text) for draft in drafts if isinstance(draft, ItemDraft)])


def numbers_in(expected: str) -> set[int]:
    """The message numbers behind `4-6, 9`."""
    ends = [[int(end) for end in part.split("-")] for part in expected.split(", ")]
    return {number for times in ends for number in range(times[0], times[-1] + 1)}


any_text = st.text(min_size=1, max_size=40) | st.text("<!-> memory:x#`[](*\n•1.", min_size=1, max_size=30)
any_points = st.lists(
    st.builds(
        Point, part=st.sampled_from(Part), text=any_text, numbers=st.lists(st.integers(-1, 8), min_size=1, max_size=3)
    ),
    max_size=6,
)
any_lines = st.lists(
    st.builds(
        MergedPoint,
        refs=st.lists(st.sampled_from([f"p{n}" for n in range(8)]), min_size=1, max_size=3),
        part=st.sampled_from(Part),
        text=any_text,
    ),
    max_size=4,
)


@given(st.lists(any_points, min_size=2, max_size=2), any_lines)
def test_whatever_a_model_answers_the_page_holds(answers: list[list[Point]], lines: list[MergedPoint]) -> None:
    """Six sections in order; every bullet ends with what it rests on; the same answers give the same page."""
    drafts = drafted(answers, lines)
    page = rendered(drafts)

    bare = [re.sub(r" <!-- memory:.*", "", line) for line in page.decode().splitlines()]
    assert [f"## {heading}" for heading in SECTIONS.values()] == [line for line in bare if line.startswith("## ")]
    for bullet in (line for line in bare if line.startswith("- ")):
        behind = ALL_SOURCES.search(bullet)
        assert behind
        for source in SOURCE.finditer(behind.group()):
            assert source["session"] in {"first", "second"}
            said = range(2, 7) if " of yours, " in bullet else SAID
            assert numbers_in(source["numbers"]) <= set(said)
    assert drafts == drafted(answers, lines)
    assert page == rendered(drafts, page)
