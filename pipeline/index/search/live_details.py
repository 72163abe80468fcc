"""Details as they are at the time of an answer: the source of the lines that a hit cites."""

from dataclasses import dataclass, field

from pipeline.index.chunking.details import key_of, shown_line
from pipeline.index.sync.detail_intake import detail_lines
from pipeline.ports.details import DetailSource


@dataclass(frozen=True)
class LiveDetails:
    """The details of a store, each read once for an answer."""

    details: DetailSource
    _lines: dict[str, list[str] | None] = field(default_factory=dict)

    def lines(self, path: str) -> list[str] | None:
        """The lines of a detail for citing, as far as they are in the index; `None` when it has gone."""
        if path not in self._lines:
            detail = self.details.find(key_of(path))
            self._lines[path] = [*map(shown_line, detail_lines(self.details, detail, path))] if detail else None
        return self._lines[path]
