"""Searching in several processes all the time while others bring the index up to date, and build it anew."""

import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import pytest

from pipeline.clock import stopwatch
from schemas.hit import Answer
from tests.support.processes.command_line import end_of
from tests.support.processes.preparation import reading
from tests.support.processes.waiting import soon
from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

FILES = 60
LONGEST_SECONDS = 30.0  # who waits for a lock that is not let go waits as long, and has not searched then
JETTY = "memory/2026-03-01.md"
CHANGING, STEADY = "how many lanterns hang on the jetty", "was the mooring of boat 17 paid"


@dataclass
class Jetty:
    """A file that changes all the time; `begun` is the last number that may stand in it, `written` one that does."""

    searched: Searched
    begun: int = 0
    written: int = 0

    def change(self) -> None:
        """Let it say something that it never said."""
        self.begun += 1
        text = f"# 2026-03-01\n\n## Jetty\n\n- {self.begun} lanterns hang on the jetty.\n"
        new = self.searched.write("new.md", text)
        new.replace(self.searched.root / JETTY)
        self.written = self.begun


@dataclass
class Asked:
    """What somebody was answered: the changing thing, with the numbers that it may tell, and the steady one."""

    changing: list[tuple[Answer, range]] = field(default_factory=list)
    steady: list[Answer] = field(default_factory=list)
    longest: float = 0.0


@pytest.fixture
def jetty(tmp_path: Path) -> Jetty:
    """A workspace of some files, indexed; one of them changes."""
    searched = new_searched(tmp_path / "w", **WORDS_ALONE)
    for number in range(FILES):
        searched.write(f"bank/boats/{number}.md", f"# Boat {number}\n\nThe mooring of boat {number} was paid.\n")
    jetty = Jetty(searched)
    jetty.change()
    searched.reindex()
    return jetty


def by_commands(jetty: Jetty, stop: Event, asked: Asked) -> None:
    """Ask by one process after another; each looks at the files first."""
    while not stop.is_set():
        known, began = jetty.written, stopwatch()
        changing = jetty.searched.ask(CHANGING)
        asked.longest = max(asked.longest, stopwatch() - began)
        asked.changing.append((changing, range(known, jetty.begun + 1)))


def by_one_process(jetty: Jetty, stop: Event, asked: Asked) -> None:
    """Ask a process that stays, as an agent does, line by line; it looks at the files every two seconds."""
    pipe = jetty.searched.root / "questions"
    os.mkfifo(pipe)
    process = jetty.searched.memory.start("search", "--stdin", "--json", before=reading(pipe))
    assert process.stdout is not None
    with pipe.open("w", encoding="utf-8") as questions:
        while not stop.is_set():
            for question in (CHANGING, STEADY):
                began = stopwatch()
                questions.write(json.dumps({"query": question}) + "\n")
                questions.flush()
                answer = Answer.model_validate_json(process.stdout.readline())
                asked.longest = max(asked.longest, stopwatch() - began)
                if question == STEADY:
                    asked.steady.append(answer)
                else:
                    asked.changing.append((answer, range(1, jetty.begun + 1)))
    assert end_of(process).code == 0


def lantern_count(answer: Answer) -> int:
    """The number that the best hit tells."""
    match = re.match(r"- (\d+) lanterns", answer.hits[0].text)
    return int(match.group(1)) if match else 0


def with_others(jetty: Jetty, work: Callable[[], None], times: int) -> list[Asked]:
    """What two others were answered while something was done so often, each time until both have got an answer more."""
    stop, asked = Event(), [Asked(), Asked()]
    with ThreadPoolExecutor(2) as pool:
        others = zip((by_commands, by_one_process), asked, strict=True)
        asking = [pool.submit(ask, jetty, stop, one) for ask, one in others]
        try:
            for done in range(times):
                work()
                assert soon(lambda: any(one.done() for one in asking) or all(len(one.changing) > done for one in asked))  # noqa: B023 - it is asked at once
        finally:
            stop.set()
        for future in asking:
            future.result()
    return asked


def change_and_index(jetty: Jetty) -> None:
    """Change the file, and index it in two processes at a time, one of which builds the index anew."""
    jetty.change()
    processes = [jetty.searched.memory.start("doctor", "reindex", *options) for options in ((), ("--full",))]
    ended = [end_of(process) for process in processes]
    assert [said.code for said in ended] == [0, 0], [said.shown for said in ended]


@pytest.mark.parametrize("times", [2, pytest.param(60, marks=pytest.mark.soak)])
def test_every_question_is_answered(times: int, jetty: Jetty) -> None:
    """Never an error and never a long wait: what is told is what the file says now, or said when it was asked.

    While the index is behind a change and cannot be brought up to date, what left the file is not told, and that is.
    """
    asked = with_others(jetty, lambda: change_and_index(jetty), times)
    for item in asked:
        assert len(item.changing) >= times
        assert item.longest < LONGEST_SECONDS
        for answer, possible in item.changing:
            assert lantern_count(answer) in possible if answer.hits else answer.notes, answer
        for answer in item.steady:
            assert [("bank/boats/17.md", 3)] == [(hit.path, hit.start_line) for hit in answer.hits[:1]]
    last = jetty.searched.ask(CHANGING)
    assert (jetty.begun, True) == (lantern_count(last), jetty.searched.cites(last.hits[0]))
    assert 1 == len(list((jetty.searched.index / "words").glob("words-*")))
