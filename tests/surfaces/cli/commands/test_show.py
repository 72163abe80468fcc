"""`memory show` with an id."""

from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import Said


def test_shows_what_has_the_id(filled: Path, call: Callable[..., Said]) -> None:
    """As the command of that thing does, also for programs; what nothing has is no entry."""
    place = ("--workspace", filled)
    run = call("show", "runs", "--limit", 1, "--json", *place).records[0]["run_id"]
    said = call("store", "--type", "log", "--description", "a log", "--json", *place, answer="a line\n" * 5000)
    key = said.records[0]["key"]
    for words in (("show", "run", run), ("show", "transcript", "s-one"), ("store", "show", key)):
        for options in ((), ("--json",)):
            said = call("show", words[-1], *options, *place)
            assert (0, call(*words, *options, *place).out) == (said.code, said.out), words
    said = call("show", "nothing-at-all", *place)
    assert (2, True) == (said.code, "There is no entry 'nothing-at-all'" in said.err), said.err
