"""The last previews and receipts of undo, so that a page further, a reload and the way back show the same."""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from pipeline.app.corrections import UndoReport

_KEPT = 6


@dataclass
class UndoReports:
    """The reports by what was taken back, and for a preview also by the state of the files. For several threads."""

    _kept: OrderedDict[tuple[str, ...], UndoReport] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, *key: str) -> UndoReport | None:
        """The report of a key; `None` when it is not kept."""
        return self._kept.get(key)

    def keep(self, report: UndoReport, *key: str) -> UndoReport:
        """Keep a report; the oldest one goes."""
        with self._lock:
            self._kept[key] = report
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return report
