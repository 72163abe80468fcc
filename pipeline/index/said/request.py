"""The scope of a search in what was said, and the access of its reader."""

from dataclasses import dataclass

from pipeline.index.said import schema
from pipeline.ports.index import Where
from schemas.requests import SearchRequest


@dataclass(frozen=True, slots=True)
class SaidAccess:
    """The limits of what a reader may be shown: sessions of `sources`, except those in `others`, said in `projects`.

    A source is named as `claude_code`, or with one agent in it, as `openclaw:main`. `None` is all that there is.
    """

    sources: tuple[str, ...] | None = None
    others: tuple[str, ...] = ()
    projects: tuple[str, ...] | None = None

    @property
    def nothing(self) -> bool:
        """Whether nothing may be shown."""
        return self.sources == () or self.projects == ()

    def to_session(self, source: str, agent: str) -> bool:
        """Whether the session of an agent may be shown, as far as its project allows."""
        names = (f"{source}:{agent}", source)
        own = next((name for name in names if self.sources is not None and name in self.sources), "")
        if self.sources is not None and not own:
            return False
        return own == names[0] or names[0] not in self.others

    def to_project(self, project: str) -> bool:
        """Whether what was said in a project may be shown."""
        return self.projects is None or project in self.projects


ALL = SaidAccess()
NOTHING = SaidAccess(sources=())


def scope_of(wanted: SearchRequest, access: SaidAccess) -> Where:
    """The limits of a search as a filter of the index, which lets too much through: each session is looked at again."""
    names: dict[str, tuple[str, ...]] = {schema.SORT: (schema.PASSAGE,)}
    if access.sources is not None:
        names[schema.READER] = access.sources
    if access.projects is not None:
        projects = (name for name in access.projects if not wanted.project or name in wanted.project)
        names[schema.PROJECT] = tuple(projects)
    elif wanted.project:
        names[schema.PROJECT] = wanted.project
    since, last = wanted.since, wanted.last_day
    days = since.toordinal() if since else None, last.toordinal() if last else None
    return Where(any_of=names, between={schema.DAY: days} if any(days) else {})
