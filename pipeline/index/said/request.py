"""The request of a search in what was said, and the access of its reader."""

from dataclasses import dataclass
from datetime import date

from pipeline.index.said import schema
from pipeline.ports.index import Where


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


@dataclass(frozen=True)
class SaidRequest:
    """A question and its limits: `k` hits, days from `since` to `until`, both inside; empty `projects` limit nothing.

    `access` says what the reader may be shown.
    """

    text: str
    k: int = 6
    since: date | None = None
    until: date | None = None
    projects: tuple[str, ...] = ()
    access: SaidAccess = ALL

    @property
    def where(self) -> Where:
        """The limits as a filter of the index, which lets too much through: each session is looked at once more."""
        names: dict[str, tuple[str, ...]] = {schema.SORT: (schema.PASSAGE,)}
        if self.access.sources is not None:
            names[schema.READER] = self.access.sources
        if self.access.projects is not None:
            wanted = [one for one in self.access.projects if not self.projects or one in self.projects]
            names[schema.PROJECT] = tuple(wanted)
        elif self.projects:
            names[schema.PROJECT] = self.projects
        days = (self.since.toordinal() if self.since else None, self.until.toordinal() if self.until else None)
        return Where(any_of=names, between={schema.DAY: days} if any(days) else {})
