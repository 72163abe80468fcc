"""Every exception becomes a sentence and an exit code."""

from collections.abc import Callable

import click
import pytest

from pipeline.errors import Held, Interrupted, PipelineError, ReadFailed, WorkspaceMissing
from pipeline.surfaces.cli.terminal.error_handler import run_guarded
from tests.support.tables import table


def raising(error: BaseException) -> Callable[[], int]:
    """A call that raises."""

    def _call() -> int:
        raise error

    return _call


@table(("returned", "code"), [(None, 0), (0, 0), (4, 4)])
def test_a_command_that_returns_gives_its_code(returned: int | None, code: int) -> None:
    """What a command returns is the exit code; nothing is 0."""
    assert run_guarded(lambda: returned) == code


@table(
    ("error", "code"),
    [
        (WorkspaceMissing("/x"), 2),
        (Held("micro_sync", "process 1"), 75),
        (Interrupted(15), 143),
        (ReadFailed("notes.md", "no right to read"), 1),
    ],
)
def test_an_expected_error_tells_its_sentence(
    error: PipelineError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """An expected error is one sentence on stderr, and its own exit code."""
    assert run_guarded(raising(error)) == code
    assert capsys.readouterr().err == f"memory: {error}\n"


def test_wrong_use_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    """What click calls wrong use exits with 2."""
    assert run_guarded(raising(click.UsageError("no such thing"))) == 2
    assert "no such thing" in capsys.readouterr().err


def test_a_person_who_stops_a_command_gets_130() -> None:
    """Ctrl-C is 130, also when click has caught it; a prompt that nobody answers is 1."""
    stopped = click.Abort()
    stopped.__cause__ = KeyboardInterrupt()
    assert run_guarded(raising(KeyboardInterrupt())) == 130
    assert run_guarded(raising(stopped)) == 130
    assert run_guarded(raising(click.Abort())) == 1


def test_a_bug_is_reported_with_all_that_a_report_needs(capsys: pytest.CaptureFixture[str]) -> None:
    """Anything unexpected exits with 70, and tells the traceback and the versions."""
    assert run_guarded(raising(ZeroDivisionError("oops"))) == 70
    output = capsys.readouterr().err
    assert "this is a bug" in output
    assert "ZeroDivisionError: oops" in output
    assert "Python 3." in output
