"""The doctor's findings, kept by the service from its last look, so that nobody waits for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from threading import Event, Lock, Thread

from pipeline.clock import SystemClock, stopwatch
from pipeline.doctor.checks import KeptChecks, entries_digest, examine_again
from pipeline.engine.context import Engine
from pipeline.ports.engine import Clock
from pipeline.reports.entry_book import EntryBooks
from schemas.checkup import Health
from schemas.reports.workspace import CheckReport

_GRAVE = list(reversed(Health))
QUIET_SECONDS = 60.0
"""The pause between two thoughts of the service about a look."""
_CLOSING_SECONDS = 3.0  # to wait for the end of a look when the service ends
_OLD_SECONDS, _WRONG_SECONDS = 3600.0, 600.0
"""The age from which findings are made anew though no file has changed: silence and due time come with the clock.

Where anything is wrong it is less: that may be mended outside of our files.
"""


@dataclass(frozen=True)
class KeptFindings:
    """The findings of a look that ended `at` a moment, the gravest first. `seen` is the digest of what they rest on."""

    at: datetime
    checks: tuple[CheckReport, ...]
    seen: str = ""

    @property
    def wrong(self) -> tuple[CheckReport, ...]:
        """The checks whose health is not OK."""
        return tuple(check for check in self.checks if check.health is not Health.OK)

    @property
    def worst(self) -> Health:
        """The gravest health of all."""
        return self.checks[0].health if self.checks else Health.OK


@dataclass
class Findings:
    """The findings of one workspace. May be used from several threads; one look at a time."""

    root: Path
    environment: Mapping[str, str]
    books: EntryBooks
    clock: Clock = field(default_factory=SystemClock)
    _kept: KeptFindings | None = None
    _made: float = 0.0
    _looking: Lock = field(default_factory=Lock)
    _closed: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def __post_init__(self) -> None:
        """Nothing is looked at yet."""
        self._answers = KeptChecks(self.books)

    def latest(self) -> KeptFindings | None:
        """The findings of the last look, without any work; `None` before the first one."""
        return self._kept

    @property
    def under_way(self) -> bool:
        """Whether a look is under way."""
        return self._looking.locked() or (self._thread is not None and self._thread.is_alive())

    def look(self) -> KeptFindings:
        """Look now, after a look that is under way. A look that is cut off by the end of the service finds nothing."""
        with self._looking:
            results = examine_again(self.root, self.environment, self._answers)
            reports = list(takewhile(lambda _: not self._closed.is_set(), results))
            checks = tuple(sorted(reports, key=lambda report: _GRAVE.index(report.health)))
            self._kept, self._made = KeptFindings(self.clock.now(), checks, self._answers.seen), stopwatch()
            return self._kept

    def is_outdated(self, engine: Engine) -> bool:
        """Whether there are no findings, or what they rest on has changed, or they are old."""
        kept = self._kept
        if kept is None or stopwatch() - self._made > (_WRONG_SECONDS if kept.wrong else _OLD_SECONDS):
            return True
        return kept.seen != entries_digest(engine)

    def look_soon(self) -> None:
        """Begin to look, in a thread of its own, unless a look is under way."""
        if not self.under_way and not self._closed.is_set():
            self._thread = Thread(target=self.look, name="findings", daemon=True)
            self._thread.start()

    def tend(self, look: Callable[[], None]) -> None:
        """Call `look` now and then, until `close` is called."""
        while not self._closed.wait(QUIET_SECONDS):
            look()

    def close(self) -> None:
        """End a look under way at its next result."""
        self._closed.set()
        if self._thread:
            self._thread.join(_CLOSING_SECONDS)
