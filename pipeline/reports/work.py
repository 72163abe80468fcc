"""What the log of a command says of its progress."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.workspace.regular_files import read_regular
from schemas.outcome import Outcome

_READ = 256 * 1024  # bytes from the end of a log
_LINES = 40


@dataclass(frozen=True)
class WorkReport:
    """How far a series of runs is.

    `done` of its `windows` are run, of which `outcomes` are the last ones, the newest first; `seconds_left` is a guess.
    `notices` are sentences, such as errors. `resume` are the words of the command that goes on with a back-fill.
    """

    done: int = 0
    windows: int = 0
    seconds_left: int | None = None
    outcomes: tuple[Outcome, ...] = ()
    notices: tuple[str, ...] = ()
    resume: tuple[str, ...] = ()


def work_report(log: Path) -> WorkReport:
    """What a log says; of one that has been removed, nothing."""
    try:
        lines = read_regular(log)[-_READ:].decode(errors="replace").splitlines()
    except OSError:
        return WorkReport()
    values = [_value(line) for line in lines]
    progress = _last(values, "series.progressed")
    outcomes = tuple(Outcome.model_validate(value) for value in values if "window" in value and "event" not in value)
    return WorkReport(
        done=int(progress.get("done", len(outcomes))),
        windows=int(progress.get("windows", 0)),
        seconds_left=progress.get("seconds_left"),
        outcomes=outcomes[::-1][:_LINES],
        notices=tuple(_notices(lines, values))[-_LINES:],
        resume=tuple(map(str, _last(values, "backfill.stopped").get("resume", ()))),
    )


def _value(line: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _last(values: Sequence[Mapping[str, Any]], event: str) -> Mapping[str, Any]:
    return next((value for value in reversed(values) if value.get("event") == event), {})


def _notices(lines: Sequence[str], values: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sentences that a person should read: those that are no JSON, and errors and warnings of the log."""
    notices = list[str]()
    for line, value in zip(lines, values, strict=True):
        if not value and line.strip():
            notices.append(line.strip())
        elif value.get("error"):
            notices.append(str(value["error"]))
    return list(dict.fromkeys(notices))
