"""Access to messages: a person sees all, an agent those that were said to itself, in the project that it works in.

It is a rule of what is answered, and no protection: an agent that may read files can read the transcripts themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.index.said.request import ALL, NOTHING, SaidAccess
from schemas.settings import Settings

_EVERYTHING = "*"
_PROJECT_MARKS = ("~", "/")
_DRIVE = ":/"


@dataclass(frozen=True)
class SaidReader:
    """The reader. `name` is an agent's, empty for an agent without a memory of its own, and `None` for a person.

    An agent without a name is known by its `client`, the kind of its sessions. `project` is the one that it works in,
    by its name; `None` when nobody says so.
    """

    name: str | None
    client: str = ""
    project: str | None = None


def access_of(settings: Settings, reader: SaidReader) -> SaidAccess:
    """The messages that a reader may be shown."""
    if reader.name is None:
        return ALL
    named = settings.agents.by_name
    also = named[reader.name].may_read_said if reader.name in named else settings.search.may_read_said
    if _EVERYTHING in also:
        return ALL
    own = (
        named[reader.name].sources if reader.name in named else _of_kind(settings, "" if reader.name else reader.client)
    )
    sources = tuple(dict.fromkeys([*own, *_sources_of(settings, also)]))
    if reader.project is None or not sources:
        return NOTHING
    owned = {source for agent in named.values() for source in agent.sources}
    others = tuple(sorted(owned.difference(sources)))
    projects = [reader.project, *(one for one in also if _is_project(one))]
    return SaidAccess(sources, others, tuple(dict.fromkeys(projects)))


def _of_kind(settings: Settings, kind: str) -> list[str]:
    return [source.root_name for source in settings.sources if kind and source.kind == kind]


def _sources_of(settings: Settings, names: Sequence[str]) -> Iterator[str]:
    """The sessions that names of agents mean: of the settings, of a kind of sources, or of a source."""
    for name in names:
        if name in settings.agents.by_name:
            yield from settings.agents.by_name[name].sources
        elif not _is_project(name):
            yield from _of_kind(settings, name) or [name]


def _is_project(name: str) -> bool:
    return name.startswith(_PROJECT_MARKS) or _DRIVE in name
