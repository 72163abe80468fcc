"""Progress of a command that runs windows, read from its log: how far it is, how its runs ended, and how it ended.

The command prints its outcomes as JSON. Before them stands the line of who began it, and behind them that of its end.
"""

import json
from collections import Counter, deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import ValidationError

from schemas.outcome import Outcome

_MESSAGE_PREFIX = "memory: "  # the prefix of the command's messages to a person
_LATEST, _NOTICES, _LONGEST = 40, 40, 2_000  # outcomes and sentences that are kept, and characters of a sentence


class Mark(StrEnum):
    """The lines that are ours in such a log."""

    BEGUN = "work.begun"
    ENDED = "work.ended"


@dataclass
class WorkReport:
    """The progress of a command.

    `words` are those of the command. Of a back-fill `windows` is how many windows it is to run, and `resume` are the
    words of the command that goes on with it. `seconds_left` is a guess. `code` is its exit code, `None` as long as
    nobody has noted its end; `by` says who asked it to stop, and is empty when nobody did. `latest` are its last
    outcomes, the newest first, and `notices` its last sentences for a person.
    """

    words: tuple[str, ...] = ()
    backfill: str = ""
    windows: int = 0
    resume: tuple[str, ...] = ()
    seconds_left: int | None = None
    code: int | None = None
    by: str = ""
    endings: Counter[str] = field(default_factory=Counter)
    latest: deque[Outcome] = field(default_factory=lambda: deque(maxlen=_LATEST))
    notices: deque[str] = field(default_factory=lambda: deque(maxlen=_NOTICES))

    @property
    def done(self) -> int:
        """The number of windows that were run; pages that are rendered again come on top of those of a back-fill."""
        return min(self.endings.total(), self.windows or self.endings.total())


class WorkLog:
    """Follows the log of a command: each reading goes on where the last one ended."""

    def __init__(self, file: Path) -> None:
        """`file` may be written meanwhile."""
        self._file = file
        self._report, self._offset, self._lock = WorkReport(), 0, Lock()

    def read(self) -> WorkReport:
        """The progress now; of a log that is gone, that of the last reading."""
        with self._lock:
            with suppress(OSError):
                self._go_on()
            now = self._report
            return replace(now, endings=now.endings.copy(), latest=now.latest.copy(), notices=now.notices.copy())

    def _go_on(self) -> None:
        with self._file.open("rb") as stream:
            stream.seek(self._offset)
            for line in stream:
                if not line.endswith(b"\n"):  # it is being written
                    return
                self._offset += len(line)
                self._take(line.decode(errors="replace").rstrip("\n"))

    def _take(self, line: str) -> None:
        report = self._report
        value = _value_of(line)
        event = str(value.get("event") or "")
        if event:
            with suppress(KeyError, TypeError, ValueError):  # it is not as ours are
                self._take_event(event, value)
        elif "ending" in value:
            with suppress(ValidationError):
                outcome = Outcome.model_validate_json(line)
                report.endings[outcome.ending.value] += 1
                report.latest.appendleft(outcome)
        notice = str(value.get("error") or "") if value else line.removeprefix(_MESSAGE_PREFIX).strip()
        if notice and notice[:_LONGEST] not in report.notices:
            report.notices.append(notice[:_LONGEST])

    def _take_event(self, event: str, value: Mapping[str, Any]) -> None:
        report = self._report
        if event == Mark.BEGUN:
            report.words = tuple(map(str, value["words"]))
        elif event == Mark.ENDED:
            report.code, report.by = int(value["code"]), str(value["by"])
        elif event == "backfill.estimated":
            report.backfill, report.windows = str(value["backfill"]), int(value["partitions"])
        elif event == "backfill.stopped":
            report.backfill, report.resume = str(value["backfill"]), tuple(map(str, value["resume"]))
        elif event == "series.progressed":
            report.windows = report.windows or int(value["windows"])
            report.seconds_left = int(value["seconds_left"])


def line_of(mark: Mark, **fields: object) -> str:
    """A line of ours."""
    return json.dumps({"event": mark.value, **fields}, ensure_ascii=False) + "\n"


def _value_of(line: str) -> Mapping[str, Any]:
    with suppress(ValueError):
        value = json.loads(line) if line.startswith("{") else {}
        return value if isinstance(value, dict) else {}
    return {}
