"""Weeks of several people, line by line: the lines on their page, without a model and with one that reads sensibly.

A line of `weeks/*.txt` has the day, the kind, who puts it on the page (`both`, a `reader` alone, `none`), the reader's
value, the quote, the conclusion, and the keys and links of the entry; links are to lines by their numbers from 0.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from jobs.consolidation.verdicts import Ruling, last_verdicts
from pipeline.job import Answer, Task
from schemas.entry import Kind
from schemas.judgement import Judgement, Worth
from schemas.links import LinkAnswer

History = Any  # the fixture of conftest.py, which is no module that could be imported

WEEKS = sorted((Path(__file__).parent / "weeks").glob("*.txt"))


class Reader:
    """A model that gives each entry its value, and joins no two."""

    def __init__(self, values: dict[str, float]) -> None:
        self._worth = tuple(Worth(id=entry_id, value=value) for entry_id, value in values.items())

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """The same answers to every question."""
        week = Judgement(worth=self._worth)
        return [cast("Answer", week if task.returns is Judgement else LinkAnswer()) for task in tasks]


def page_of(history: History, path: Path) -> tuple[dict[str, str], dict[str, float]]:
    """The week of a file as entries: who puts each on the page, and the reader's value, by the quote and by the id."""
    wanted, values = dict[str, str](), dict[str, float]()
    for line in path.read_text(encoding="utf-8").splitlines():
        head, quote, conclusion, *keys = line.split(" | ")
        day, kind, who, value = head.split()
        fields: dict[str, object] = {"conclusion": conclusion, "title": conclusion}
        for key in keys:
            name, _, given = key.partition(" ")
            links = {"replaces": "supersedes", "repeats": "reinforces"}
            fields[links.get(name, name)] = (list(values)[int(given)],) if name in links else given or True
        wanted[quote] = who
        values[history.say(quote, int(day), Kind(kind), **fields)] = float(value)
    return wanted, values


def page(history: History) -> set[str]:
    """The quotes of the lines on the page, each by itself or in another that says the same."""
    hot, last = history.hot(), last_verdicts(history.plans())
    shown = {name for name, one in last.items() if one.ruling is Ruling.MERGED and one.into in hot} | hot.keys()
    return {noted.entry.quote for noted in history.noted if noted.entry.id in shown}


@pytest.mark.parametrize("path", WEEKS, ids=lambda path: path.stem)
def test_the_page_of_a_week_without_a_model(history: History, path: Path) -> None:
    """No mood, weather, goal or given-up choice; a change that is told once in plain words waits."""
    wanted, _ = page_of(history, path)
    history.plan()
    assert {quote for quote, who in wanted.items() if who == "both"} == page(history)


@pytest.mark.parametrize("path", WEEKS, ids=lambda path: path.stem)
def test_the_page_of_a_week_with_a_reader(history: History, path: Path) -> None:
    """What changes everything is on it too, whatever kind it was called."""
    wanted, values = page_of(history, path)
    history.plan(0, Reader(values), "m")
    assert {quote for quote, who in wanted.items() if who != "none"} == page(history)


def test_a_line_of_an_earlier_page_leaves_with_its_text(new_history: Callable[[], History]) -> None:
    """The next plan judges it as any other, and keeps what it said."""
    history = new_history()
    mood = history.say("I'm fed up with the phone", kind=Kind.REMEMBER)
    history.plan()
    assert {mood} == history.hot().keys()
    assert "demoted" == history.plan(1, Reader({mood: 0.05}), "m")[mood].ruling.value
    left = history.pages["memory/archive/weekly-2026-W11.md"].partition("Left MEMORY.md")[2]
    assert "I'm fed up with the phone" in left
