"""Look-ups of tokens at a front: bounded for strangers, and free for those who were let in before."""

from collections.abc import Callable
from pathlib import Path

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.front import Front
from pipeline.fleet.machine import Machine
from pipeline.fleet.tokens import FleetCaller
from pipeline.surfaces.fleet.application import LookUps
from pipeline.surfaces.http.security.guard import BURST, Rates
from tests.fleet.fronts import put, served_machine
from tests.support.workspaces.served_demo import ServedWorkspace


class CountingFront(Front):
    """A front that counts the tokens that it looks up."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.looked_up = 0

    def find_caller(self, token: str, workspace: str) -> FleetCaller | None:
        """Count it."""
        self.looked_up += 1
        return super().find_caller(token, workspace)

    def find_operator(self, token: str) -> str:
        """Count it."""
        self.looked_up += 1
        return super().find_operator(token)


def test_what_is_refused_without_a_look_up(
    database: FleetDatabase, new_machine: Callable[[], Machine], tmp_path: Path
) -> None:
    """A text that is no token, another host, a page of another origin."""
    put(database, "anna", tmp_path / "anna", "otter")
    counting = CountingFront(machine := new_machine())
    with served_machine(machine, front=counting) as front:
        anna = front.owner("anna")
        operator = ServedWorkspace(anna.root, front.address, anna.person, anna.agent)
        for place in (anna, operator):
            assert 401 == place.ask("/api/v1/entries", authorization="Bearer mem_guess").status
            assert 421 == place.ask("/api/v1/entries", host="evil.example").status
            assert 403 == place.ask("/api/v1/forget", "POST", {"id": "x"}, origin="https://evil.example").status
            form = {"authorization": "", "content_type": "application/x-www-form-urlencoded"}
            assert 401 == place.ask("/sign-in", "POST", b"token=mem_guess", **form).status
        assert 0 == counting.looked_up
        assert 200 == anna.ask("/api/v1/entries").status
        assert 1 == counting.looked_up


def test_strangers_at_one_workspace(
    database: FleetDatabase, new_machine: Callable[[], Machine], tmp_path: Path
) -> None:
    """They keep nobody else from signing in."""
    for name in ("anna", "ben"):
        put(database, name, tmp_path / name, "otter")
    with served_machine(new_machine(), now=lambda: 0.0) as front:
        anna, ben = front.owner("anna"), front.owner("ben")
        form = {"authorization": "", "content_type": "application/x-www-form-urlencoded"}
        answers = [anna.ask("/sign-in", "POST", b"token=x", **form).status for _ in range(BURST + 1)]
        assert [401] * BURST + [429] == answers
        assert 303 == ben.ask("/sign-in", "POST", f"token={ben.person}".encode(), **form).status


def test_a_flood_of_tokens() -> None:
    """It ends at the rate of its address; who was let in before is asked for all the same, until the token is none."""
    look_ups = LookUps(Rates(burst=2, per_second=1, now=lambda: 0.0))
    look_ups.note("mem_anna", is_known=True)
    assert [True, True, False] == [look_ups.allows(f"mem_{number}", "proxy") for number in range(3)]
    assert [True, False, True] == [
        look_ups.allows(*asked) for asked in (("mem_anna", "proxy"), ("mem_ben", "proxy"), ("mem_ben", "other"))
    ]
    look_ups.note("mem_anna", is_known=False)
    assert not look_ups.allows("mem_anna", "proxy")
