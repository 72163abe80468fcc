"""The six places of the page, and the parts of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PagePlace:
    """A place of the navigation: its name, address and key, and its `parts`, by the names of their tabs.

    A tab leads to the first address of its part. `others` are the first parts of the addresses of further documents
    that belong to the place.
    """

    name: str
    path: str
    key: str
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The addresses at which the place may begin: its own, then those of its tabs."""
        return self.path, *(addresses[0] for addresses in self.parts.values())

    def has(self, path: str) -> bool:
        """Whether a document belongs to the place."""
        begin = f"/{path.lstrip('/').partition('/')[0]}"
        return begin == self.path or any(begin in part for part in self.parts.values()) or begin[1:] in self.others


PLACES = (
    PagePlace("today", "/", "t"),
    PagePlace("inbox", "/inbox", "i"),
    PagePlace(
        "memory",
        "/memory",
        "m",
        {"hot": ("/memory",), "entries": ("/entries", "/entities", "/beliefs"), "files": ("/files",)},
        ("graph", "correct", "forget", "search", "together"),
    ),
    PagePlace(
        "agents",
        "/agents",
        "a",
        {"agents": ("/agents",), "conversations": ("/conversations",)},
        ("clear-global", "connections"),
    ),
    PagePlace("activity", "/grid", "g", {"grid": ("/grid",), "runs": ("/runs",)}, ("backfills", "periods", "work")),
    PagePlace(
        "health",
        "/health",
        "h",
        {"health": ("/health",), "details": ("/details",), "settings": ("/settings",)},
        ("docs",),
    ),
)
"""In the order of the navigation."""


def place_of(path: str) -> PagePlace | None:
    """The place that a document belongs to."""
    return next((place for place in PLACES if place.has(path)), None)
