"""Back-fills whose questions go in batches: the same pages, each question paid once, killed wherever it is."""

import signal
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from schemas.extraction import Candidate
from schemas.session_answer import SessionAnswer
from tests.support.ports.shown_rows import read_shown
from tests.support.processes.command_line import Said, end_of
from tests.support.processes.commands import unlike
from tests.support.processes.waiting import SOON_SECONDS
from tests.support.servers.batch_server import BatchServer
from tests.support.servers.behaviours import Received, answering
from tests.support.weekly import ZONE
from tests.support.workspaces.four_days import PROMISE, FourDays, build_four_days

WAITS = 4


def promises(request: Received) -> BaseModel | dict[str, Any]:
    """A model that quotes, whole, what the owner asks to remember, and finds nothing else."""
    if request.task not in {"", "session"}:
        return {}
    shown = read_shown(str(request.body["messages"][-1]["content"]), ZONE)
    said = [one for one in shown.messages if one.number >= shown.first_new and one.text.startswith(PROMISE)]
    return SessionAnswer(candidates=tuple(_entry(one.text, one.number) for one in said))


def _entry(quote: str, number: int) -> Candidate:
    fields = {"kind": "remember", "title": quote, "quote": quote, "quote_number": number, "conclusion": quote}
    return Candidate.model_validate({**fields, "confirmation": "stated", "confidence": 0.9})


@dataclass(frozen=True)
class Batched:
    """A workspace whose back-fills send batches to a server."""

    four_days: FourDays
    server: BatchServer

    def backfill(self, *more: str, **environment: str) -> Said:
        """Run the back-fill."""
        return self.four_days.memory.memory(*self.words, *more, **environment)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the back-fill."""
        last = str(self.four_days.days[-1])
        return ("backfill", "micro_sync", "daily_wrapup", "--from", str(self.four_days.first), "--to", last)

    def to_the_end(self) -> list[int]:
        """Run the back-fill and end its batches, until nothing waits; the exit codes."""
        codes = list[int]()
        while not codes or (codes[-1] == WAITS and len(codes) < 20):
            codes.append(self.backfill().code)
            self.server.end()
        return codes


@pytest.fixture
def batched(tmp_path: Path, first_day: date) -> Iterator[Batched]:
    """Four days of talk."""
    with BatchServer(answering(promises)) as server:
        model = f'[model]\nbase_url = "{server.base_url}"\nname = "m"\nattempts = 1\ntimeout = 1\nbatch = true\n'
        yield Batched(build_four_days(tmp_path / "house", first_day, model), server)


@pytest.fixture
def directly(tmp_path: Path, first_day: date) -> dict[str, bytes]:
    """The pages of the same talk, asked directly."""
    with BatchServer(answering(promises)) as server:
        model = f'[model]\nbase_url = "{server.base_url}"\nname = "m"\nattempts = 1\n'
        plain = Batched(build_four_days(tmp_path / "plain", first_day, model), server)
        assert 0 == plain.backfill().code
    return plain.four_days.memory.pages()


def asked(server: BatchServer) -> int:
    """How many questions are in batches."""
    return sum(len(batch.requests) for batch in server.batches)


def test_a_batch_brings_the_same_pages(batched: Batched, directly: dict[str, bytes]) -> None:
    """It waits until the batch has come back, says so, and no question is paid twice."""
    said = batched.backfill()
    assert (WAITS, True) == (said.code, "the question is in a batch that was sent" in said.shown), said.shown
    assert (1, 0) == (len(batched.server.batches), sum(batched.server.paid.values()))
    first = asked(batched.server)
    assert f"batch    {first} questions to m at its server since" in batched.four_days.memory.memory("status").out
    assert WAITS == batched.backfill().code
    assert (1, first) == (len(batched.server.batches), asked(batched.server))
    batched.server.end()
    assert 0 == batched.to_the_end()[-1]
    assert {1} == set(batched.server.paid.values())
    assert [] == unlike(directly, batched.four_days.memory.pages())


def test_what_a_batch_cost_is_shown_at_half_the_price(batched: Batched) -> None:
    """By its own name among the models; every answer that was taken is counted."""
    batched.to_the_end()
    report = batched.four_days.memory.memory(
        "show", "cost", "--by", "model", "--json", MEMORY_MODEL__INPUT_PRICE="1000", MEMORY_MODEL__OUTPUT_PRICE="1000"
    ).records[0]
    lines = {line["name"]: line for line in report["lines"]}
    usage = lines["m (batch)"]["usage"]
    assert asked(batched.server) == usage["asked"]
    assert (usage["input_tokens"] + usage["output_tokens"]) / 2000 == pytest.approx(lines["m (batch)"]["cost"])
    direct = lines.get("m", {"usage": {"asked": 0}})
    assert sum(batched.server.paid.values()) == usage["asked"] + direct["usage"]["asked"]


STEPS = [
    f"{when} {what}"
    for what in ("POST /v1/files", "POST /v1/batches", "GET /v1/batches", "GET /v1/files", "POST /v1/chat")
    for when in ("before", "after")
]


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_loses_nothing_and_pays_nothing_twice(batched: Batched, directly: dict[str, bytes], step: str) -> None:
    """Wherever it comes; only a question that was asked directly at that moment is paid again."""
    if "GET" in step or "chat" in step:
        assert WAITS == batched.backfill().code
        batched.server.end()
    batched.server.hold = step
    process = batched.four_days.memory.start(*batched.words)
    reached = batched.server.reached.wait(SOON_SECONDS)
    batched.server.hold = ""
    if reached:
        process.send_signal(signal.SIGKILL)
    end_of(process)
    assert reached or "chat" in step
    assert 0 == batched.to_the_end()[-1]
    twice = [count for count in batched.server.paid.values() if count > 1]
    assert len(twice) <= ("after POST /v1/chat" == step)
    assert [] == unlike(directly, batched.four_days.memory.pages())


def odd(request: dict[str, Any]) -> bool:
    """Of every other request."""
    return int(request["custom_id"][0], 16) % 2 == 1


@pytest.mark.parametrize("status", ["completed", "expired", "failed", "cancelled"])
def test_what_a_batch_does_not_answer_is_asked_directly(
    batched: Batched, directly: dict[str, bytes], status: str
) -> None:
    """A part of it, or all of it; what it has answered counts."""
    assert WAITS == batched.backfill().code
    batched.server.end(status, without=odd)
    assert 0 == batched.to_the_end()[-1]
    assert {1} == set(batched.server.paid.values())
    assert 1 == len({batch.id for batch in batched.server.batches if any(map(odd, batch.requests))})
    assert [] == unlike(directly, batched.four_days.memory.pages())


def test_a_server_without_batches_is_asked_directly(batched: Batched, directly: dict[str, bytes]) -> None:
    """At once, and the log says why."""
    batched.server.takes_batches = False
    said = batched.backfill()
    assert 0 == said.code, said.shown
    assert [] == unlike(directly, batched.four_days.memory.pages())


def test_a_batch_that_never_ends_is_given_up(batched: Batched, directly: dict[str, bytes]) -> None:
    """After `give_up_after` it is cancelled, so that nobody pays for it, and asked directly."""
    assert WAITS == batched.backfill().code
    assert 0 == batched.backfill(MEMORY_MODEL__GIVE_UP_AFTER="PT0S").code
    assert {"cancelled"} == {batch.status for batch in batched.server.batches}
    assert {1} == set(batched.server.paid.values())
    assert [] == unlike(directly, batched.four_days.memory.pages())
