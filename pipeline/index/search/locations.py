"""Where passages stand: in the outlines of their files, not in their own points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pipeline.index.schema import PASSAGES, outline_id
from pipeline.index.search.scoring import ScoredPassage
from pipeline.ports.index import Searcher


class Location(NamedTuple):
    """The lines of a passage when its file was indexed, both inside, and its number among those of its file."""

    start: int
    end: int
    number: int


@dataclass(frozen=True)
class LocationIndex:
    """The outlines of files, each read once for a question."""

    searcher: Searcher
    _listed: dict[str, dict[str, tuple[int, Sequence[Any]]]] = field(default_factory=dict)

    def fetch(self, paths: Iterable[str]) -> None:
        """Read the outlines of these files together, which is cheaper than one by one."""
        missing = {path for path in paths if path not in self._listed}
        if not missing:
            return
        by_id = {outline_id(path): path for path in missing}
        self._listed.update({path: {} for path in missing})
        for outline in self.searcher.retrieve(by_id):
            places = outline.payload[PASSAGES]
            self._listed[by_id[outline.id]] = {place[0]: (number, place) for number, place in enumerate(places)}

    def location(self, candidate: ScoredPassage) -> Location | None:
        """Where a passage stands; `None` for one that its file's outline does not name."""
        path = candidate.path
        self.fetch([path])
        listed = self._listed[path].get(candidate.id)
        if listed is None:
            return None
        number, (_, start, end) = listed
        return Location(start, end, number)
