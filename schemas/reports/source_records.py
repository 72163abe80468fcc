"""The records of a source: their numbers, and what of them cannot be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

_NAMED = 5


@dataclass(frozen=True)
class RecordCounts:
    """The numbers of records: `seen`, `understood` as messages, `ignored` by reason, and `unknown` by kind."""

    seen: int = 0
    understood: int = 0
    ignored: Mapping[str, int] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """All counts in a line, without a full stop."""
        ignored, unknown = _count_sentence(self.ignored, "ignored"), _count_sentence(self.unknown, "unknown")
        return f"{self.seen} records: {self.understood} understood, {ignored}, {unknown}"


def _count_sentence(numbers: Mapping[str, int], what: str) -> str:
    named = [f"{number} {name}" for name, number in list(numbers.items())[:_NAMED]]
    more = ["others"] if len(numbers) > _NAMED else []
    return f"{sum(numbers.values())} {what}" + (f" ({', '.join(named + more)})" if named else "")


@dataclass(frozen=True)
class SourceUnreadable:
    """The unreadable part of a source.

    `files` is their number, and `whole` is whether even the folder cannot be listed. `path` (empty for the folder),
    `reason` and `since` (when it was first met) are of one of them: the folder, or else the file met first.
    """

    files: int
    whole: bool
    since: datetime
    path: str
    reason: str

    @property
    def count(self) -> int:
        """The number of things that cannot be read; the folder as a whole is one."""
        return self.files + self.whole

    def sentence(self, since: str) -> str:
        """The sentence, without a full stop; `since` is that moment as it is to be shown."""
        why = self.reason.rstrip(".")
        if self.whole:
            return f"cannot be read since {since}: {why}"
        if self.files == 1:
            return f"{self.path} cannot be read since {since}: {why}"
        return f"{self.files} files cannot be read since {since}, such as {self.path}: {why}"
