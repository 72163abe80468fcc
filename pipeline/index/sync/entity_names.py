"""The names of entities, from the front matter of their pages: as the index knows them, and as they are.

A passage is noted with the names in it, not with their owners. So an alias that moves to another entity touches nothing
but the one point of the names; a name that is new is looked for in all files, which are found by its words.
"""

from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace

from pipeline.facts.names import PAGES, EntityNames, MentionFinder, all_names, names_in
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.changes import IndexChanges
from pipeline.language import analysis
from pipeline.ports.index import IndexPoint, Leg, Query, Searcher, Where
from pipeline.workspace.listing import Listing, Patterns
from pipeline.workspace.regular_files import read_regular

MOST_PASSAGES = 20_000
"""Passages that are looked at for a new name; those that have more of its words come first."""

_PAGES = Patterns((PAGES,))
_PASSAGES = Where(any_of={layout.SORT: (layout.PASSAGE,)})


@dataclass(frozen=True)
class NamedChanges:
    """Changes, and the names after them. `new` says that the names changed."""

    changes: IndexChanges
    names: EntityNames
    new: bool = False

    @property
    def mentions(self) -> MentionFinder:
        """The finder of the names."""
        return MentionFinder(all_names(self.names))


def names_of(reader: Searcher) -> EntityNames:
    """The names that the index knows."""
    payload = next((point.payload for point in reader.retrieve([layout.NAMES_ID])), {})
    return EntityNames(payload.get(layout.ALIASES, {}), payload.get(layout.WRITTEN, {}))


def read_names(listing: Listing) -> EntityNames:
    """The names in the pages as they are; a page that cannot be read gives none."""
    pages = list[tuple[str, str]]()
    for listed in listing.files:
        if _PAGES.matches(listed.path):
            with suppress(OSError):
                pages.append((listed.path, read_regular(listed.file).decode("utf-8-sig", "replace")))
    return names_in(pages)


def names_point(names: EntityNames) -> IndexPoint:
    """The point of the names."""
    payload = {layout.ALIASES: dict(names.aliases), layout.WRITTEN: dict(names.written)}
    return IndexPoint(layout.NAMES_ID, {layout.SORT: layout.NAMES, **payload})


def with_names(indexing: Indexing, listing: Listing, changes: IndexChanges, most: int | None) -> NamedChanges:
    """The changes, and what a change of the pages of entities brings.

    When more than `most` files hold a new name, they count among those that changed: then none is dealt with.
    """
    if not changes.count and not changes.again:
        return NamedChanges(changes, EntityNames())
    with indexing.store.reading() as reader:
        known = names_of(reader) if reader else EntityNames()
        touched = (*(file.path for file in (*changes.new, *changes.changed)), *changes.gone)
        if reader is None or not any(map(_PAGES.matches, touched)):
            return NamedChanges(changes, known)
        names = read_names(listing)
        fresh = all_names(names) - all_names(known)
        holding = _find_holding(reader, fresh) - {
            file.path for file in (*changes.new, *changes.changed, *changes.again)
        }
    again = tuple(file for file in listing.files if file.path in holding)
    if most is not None and len(again) > most:
        return NamedChanges(replace(changes, unsure=changes.unsure + len(again)), known)
    return NamedChanges(replace(changes, again=(*changes.again, *again)), names, new=names != known)


def _find_holding(reader: Searcher, names: AbstractSet[str]) -> set[str]:
    """The paths of the files that contain one of the names, by the passages of the index."""
    finder, paths = MentionFinder(frozenset(names)), set[str]()
    weights = {term: 1.0 for name in names for term in analysis.terms(name.replace("-", " "))}
    legs = [Leg(field, weights) for field in (layout.WORDS, layout.HEADING)]
    for scored in reader.search(Query(legs, MOST_PASSAGES, _PASSAGES)) if weights else ():
        point = scored.payload
        above = point.get(layout.HEADINGS) or ()
        if point[layout.PATH] not in paths and finder.named_in("\n".join([point[layout.TEXT], *above])):
            paths.add(point[layout.PATH])
    return paths
