"""What happens, told to a person or to a program."""

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from pipeline.events import Event
from pipeline.process.logging import LEVEL_OF
from pipeline.surfaces.cli.terminal.event_printer import emitter, sentence
from tests.support.processes.command_line import CommandLine, Said

FIELDS = {"path": "memory/x.md", "jobs": ["micro_sync"], "error": "Cannot read x: no.", "job": "all", "reason": "no"}
CALLS = (
    ("run", "--at", "2026-02-02T12:00"),
    ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02"),
)


def announce(level: str, *, as_json: bool) -> None:
    """Announce everything there is, in a command that was called with or without `--json`."""

    @click.command()
    @click.option("--json", "as_json", is_flag=True)
    def command(*, as_json: bool) -> None:
        del as_json
        for event in Event:
            emitter(level)(event, **FIELDS)

    command.main(["--json"] if as_json else [], standalone_mode=False)


@pytest.mark.parametrize("level", ["debug", "info", "warning"])
def test_a_person_reads_warnings_in_sentences(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the level allows beside: the command itself prints the rest. No line is an object."""
    announce(level, as_json=False)
    printed = capsys.readouterr()
    lines = printed.err.splitlines()
    other_events = {Event.INDEX_UNREADABLE, Event.RUN_WARNED}
    loud = [event for event in Event if LEVEL_OF[event] in {"warning", "error"} and event not in other_events]
    assert ("", len(loud)) == (printed.out, len(lines))
    assert [] == [line for line in lines if not line.startswith("memory: warning: ") or not line.endswith(".")]


def test_a_person_may_want_errors_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """A level above the warnings is heeded."""
    announce("error", as_json=False)
    errors = [event for event in Event if LEVEL_OF[event] == "error"]
    assert len(errors) == len(capsys.readouterr().err.splitlines())


def test_a_program_reads_log_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--json` every event is an object on stderr."""
    announce("debug", as_json=True)
    assert [event.value for event in Event] == [
        json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()
    ]


def test_a_warning_says_what_comes_of_it() -> None:
    """The sentence names the file; a happening that no command warns of is told by its meaning."""
    report = sentence(Event.SOURCE_UNREADABLE, {"error": "Cannot read a.jsonl: Permission denied."})
    assert "warning: Cannot read a.jsonl: Permission denied. Its time is run again once it can be read." == report
    unsent = sentence(Event.PING_FAILED, {"job": "all", "ping": "0", "reason": "Connection refused"})
    assert "warning: a ping for all could not be sent: Connection refused." == unsent
    missed = sentence(Event.SETTINGS_REFUSED, {"error": "timezone"})
    assert missed.endswith("the old ones go on; `error` says why (error: timezone).")


@pytest.mark.parametrize("words", CALLS)
def test_a_run_on_a_pipe_speaks_in_sentences(words: tuple[str, ...], workspace: Path, memory: CommandLine) -> None:
    """Neither stdout nor stderr holds an object: a line for each window that did something, its entries, and a sum."""
    (workspace / "MEMORY.md").write_text("# What to read first\n")
    said = memory(*words, "--workspace", workspace)
    *lines, total = said.out.splitlines()
    assert ["done", "wrote", "wrote"] == [line.split()[0] for line in lines]
    assert "2 entries written" in total
    assert [] == [line for line in (said.out + said.err).splitlines() if line.startswith("{")]


@pytest.mark.parametrize("words", CALLS)
def test_a_run_for_a_program_prints_records_alone(words: tuple[str, ...], workspace: Path, memory: CommandLine) -> None:
    """With `--json` all of stdout, and all of stderr, are objects."""
    (workspace / "MEMORY.md").write_text("# What to read first\n")
    said = memory(*words, "--json", "--workspace", workspace)
    assert {"micro_sync"} == {record["job"] for record in said.records}
    assert "run.ended" in [line["event"] for line in said.log]
    assert len(said.log) == len(said.err.splitlines())


def test_what_looks_tells_warnings_in_its_own_form(filled: Path, call: Callable[..., Said]) -> None:
    """A ledger that was lost is told in a sentence, and with `--json` as a log line."""
    for way, expected in (((), "memory: warning: the ledger was missing"), (("--json",), '"event": "ledger.rebuilt"')):
        for file in (filled / ".memory").glob("state.db*"):
            file.unlink()
        said = call("status", *way, "--workspace", filled)
        assert (0, True) == (said.code, expected in said.err), said.err
