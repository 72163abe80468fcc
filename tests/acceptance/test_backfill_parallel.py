"""Back-fills that ask ahead: the bytes written depend on nothing but what was said and answered."""

import re
import signal
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from threading import Event, Lock
from typing import Any

import pytest

from schemas.transcript import Origin
from tests.support.processes.command_line import Said, end_of
from tests.support.processes.commands import unlike
from tests.support.processes.waiting import soon
from tests.support.servers.behaviours import Behaviour, Received, Sent, answering, rate_limited, slow, together
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import FourDays, build_four_days, keeping_promises, model_table


def telling(request: Received) -> dict[str, Any]:
    """How a good model answers that tells of the day, too: a point for all that the owner says, to be merged."""
    answer, talk = keeping_promises(request), request.conversation
    if talk is None:
        return answer
    owners = [one for one in talk.messages if one.number >= talk.first_new and one.origin is Origin.OWNER]
    points = [{"part": "technical", "text": one.text, "numbers": [one.number]} for one in owners]
    return answer | {"points": points}


def asking(four_days: FourDays, server: ScriptedServer, **settings: float) -> FourDays:
    """The workspace with its model behind a server."""
    file = four_days.memory.root / "memory.toml"
    plain = file.read_text(encoding="utf-8").partition("[model]")[0]
    file.write_text(plain + model_table(server, **settings), encoding="utf-8")
    return four_days


def filled(four_days: FourDays, behaviours: Sequence[Behaviour], *words: str) -> tuple[Said, list[Received]]:
    """Back-fill all jobs of a workspace with a model that behaves so; what it told, and what the server was asked."""
    with ScriptedServer(*behaviours) as server:
        ended = asking(four_days, server).memory.memory(*four_days.backfill, *words)
    assert "Traceback" not in ended.err
    return ended, server.requests


@pytest.fixture(scope="session")
def one_by_one(tmp_path_factory: pytest.TempPathFactory, first_day: date) -> tuple[dict[str, bytes], Counter[str]]:
    """The pages after a back-fill with one question at a time, and what was asked for them."""
    four_days = build_four_days(tmp_path_factory.mktemp("one-by-one") / "house", first_day)
    ended, requests = filled(four_days, [answering(telling)], "--parallel", "1")
    assert ended.code == 0, ended.shown
    return four_days.memory.pages(), Counter(request.task for request in requests)


def test_the_bytes_and_the_questions_are_the_same(
    four_days: FourDays, one_by_one: tuple[dict[str, bytes], Counter[str]]
) -> None:
    """Eight questions at a time: not one byte differs, and not one question more is asked."""
    ended, requests = filled(four_days, [slow(telling, 0.05)], "--parallel", "8")
    assert (0, []) == (ended.code, unlike(one_by_one[0], four_days.memory.pages()))
    assert one_by_one[1] == Counter(request.task for request in requests)
    tasks = {"session", "micro_sync_links", "daily_wrapup_merge", "weekly_plan"}
    assert tasks == set(one_by_one[1])


def test_a_server_that_is_overrun_is_asked_more_slowly(
    four_days: FourDays, one_by_one: tuple[dict[str, bytes], Counter[str]]
) -> None:
    """Although no question is tried twice by the client, two crowds of 429 stop nothing, and change no byte."""
    refused = together(4, rate_limited())
    behaviours = [answering(telling), *[refused] * 8, answering(telling)]
    ended, requests = filled(four_days, behaviours, "--parallel", "8")
    assert (0, []) == (ended.code, unlike(one_by_one[0], four_days.memory.pages())), ended.shown
    assert one_by_one[1].total() + 8 == len(requests)


class StuckAfter:
    """Good answers, and after so many none; `stuck` is set then."""

    def __init__(self, answers: int) -> None:
        self.answers, self.stuck = answers, Event()
        self._left = answers
        self._lock = Lock()

    def __call__(self, request: Received) -> Sent:
        """Answer, or not."""
        with self._lock:
            self._left -= 1
            if self._left < 0:
                self.stuck.set()
                return Sent(hold=True)
        return answering(telling)(request)


def answers_kept(four_days: FourDays) -> int:
    """How many answers stand in the ledger: one that has come is kept a moment later."""
    with closing(sqlite3.connect(four_days.memory.root / ".memory" / "state.db", timeout=30)) as ledger:
        [(number,)] = ledger.execute("SELECT COUNT(*) FROM answers").fetchall()
    return int(number)


def test_interrupted_and_resumed(four_days: FourDays, one_by_one: tuple[dict[str, bytes], Counter[str]]) -> None:
    """Stopped in the middle it tells its id; resumed by it, it ends with the same bytes, and its orders are gone."""
    behaviour = StuckAfter(7)
    with ScriptedServer(behaviour) as server:
        process = asking(four_days, server).memory.start(*four_days.backfill, "--parallel", "4")
        assert behaviour.stuck.wait(60)
        assert soon(lambda: answers_kept(four_days) == behaviour.answers)
        process.send_signal(signal.SIGINT)
        stopped = end_of(process)
    assert 130 == stopped.code, stopped.shown
    [orders] = (four_days.memory.root / ".memory" / "backfills").glob("*.json")
    assert 0o600 == orders.stat().st_mode & 0o777
    assert f"memory backfill --resume {orders.stem} --workspace " in stopped.out
    with ScriptedServer(answering(telling)) as server:
        resumed = asking(four_days, server).memory.memory("backfill", "--resume", orders.stem, "--parallel", "8")
    assert (0, []) == (resumed.code, unlike(one_by_one[0], four_days.memory.pages()))
    assert not list(orders.parent.iterdir())
    assert one_by_one[1].total() - behaviour.answers == len(server.requests)


def test_a_cap_stops_it_and_the_command_it_tells_goes_on(
    four_days: FourDays, one_by_one: tuple[dict[str, bytes], Counter[str]]
) -> None:
    """Nothing beyond --max-tokens is asked ahead either: exit code 5; the tokens that it tells go further."""
    ended, requests = filled(four_days, [answering(telling)], "--max-tokens", "3000", "--parallel", "8")
    assert 5 == ended.code, ended.shown
    assert "of this back-fill (--max-tokens)" in ended.out
    assert 0 < len(requests) < one_by_one[1].total()
    [command] = [line.split() for line in ended.out.splitlines() if line.startswith("  memory backfill --resume")]
    needed = re.search(r"The next window needs about (\d+) tokens, and", ended.out)
    assert needed
    assert ["--max-tokens", str(max(3000, int(needed[1])))] == command[4:6]
    with ScriptedServer(answering(telling)) as server:
        further = asking(four_days, server).memory.memory(*command[1:])
        assert (5, True) == (further.code, len(server.requests) > 0), further.shown
        again = asking(four_days, server).memory.memory(*command[1:5], "1000000", *command[6:])
    assert (0, []) == (again.code, unlike(one_by_one[0], four_days.memory.pages()))
    assert one_by_one[1].total() == len(requests) + len(server.requests)
