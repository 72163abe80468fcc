"""What a file's path tells: how near at hand it is, what sort of file, what its text deserves, and whose it is."""

from dataclasses import dataclass, replace

from schemas.hit import Tier

PERSON = "person"
"""What a person wrote."""

ACCEPTED = "accepted"
"""What our jobs wrote out of conversations with the owner: wrap-ups and plans, where they do not quote an entry."""

LOW = "low"
"""Raw text: what anybody said, in conversations that nobody has looked through."""

RAW = "raw"

HOT_PAGES = ("MEMORY.md", "memory.md")
_AGENTS = "agents"
_PLAN = "weekly-"
_RAW_SUFFIXES = (".txt",)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file belongs; the fields are those of `Document`."""

    tier: Tier
    kind: str = "note"
    trust: str = PERSON
    agent: str = ""


_FOLDERS: tuple[tuple[str, Place], ...] = (
    ("memory/archive/", Place(Tier.ARCHIVE)),
    ("memory/", Place(Tier.WARM)),
    ("second-brain/summaries/", Place(Tier.COLD, "summary", ACCEPTED)),
    ("second-brain/", Place(Tier.RESEARCH)),
    ("bank/", Place(Tier.COLD)),
    ("sessions/", Place(Tier.COLD, "log", LOW)),  # of an agent
)
"""The first that a path begins with counts."""

_ELSEWHERE = Place(Tier.COLD)


def place(path: str) -> Place:
    """The place of a file of the workspace, or of `index.extra_paths`, whose tier its settings tell instead."""
    first, slash, rest = path.partition("/")
    if first == _AGENTS and slash and "/" in rest:
        agent, _, inside = rest.partition("/")
        return replace(place(inside), agent=agent)
    found = _of_folder(path)
    return replace(found, kind=RAW, trust=LOW) if path.endswith(_RAW_SUFFIXES) else found


def _of_folder(path: str) -> Place:
    if path in HOT_PAGES:
        return Place(Tier.HOT, "memory")
    for folder, found in _FOLDERS:
        if path.startswith(folder):
            name = path.rpartition("/")[2]
            plan = found.tier is Tier.ARCHIVE and name.startswith(_PLAN)
            return replace(found, kind="plan", trust=ACCEPTED) if plan else found
    return _ELSEWHERE
