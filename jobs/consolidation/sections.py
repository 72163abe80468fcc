"""The sections of MEMORY.md: subjects of enough entries, after them the entries of each kind, and then the projects.

The entries of smaller subjects join those of their kind, and kinds with few entries join the next. All follows from
the entries alone, so the same entries always stand in the same sections.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from jobs.consolidation.page import HEADINGS, PageCandidate, project_heading
from schemas.entry import Kind

FEWEST = 3
"""The fewest entries of a section, where there are others to join."""

MOST = 8
"""The most subjects with a section of their own: those with the most entries, of equals the senior one."""

ORDER = tuple(HEADINGS)
"""The order of the kinds on the page, after all subjects."""

_KINDS = {heading: kind for kind, heading in HEADINGS.items()}
_AMONG_OTHERS = {Kind.REMEMBER: "things to remember"}

Fixed = Callable[[str], bool]
"""Whether a person holds on to a heading, so that its section stays as it is."""


def sections(candidates: Sequence[PageCandidate], joined: Collection[str], fixed: Fixed) -> dict[str, str]:
    """The heading of each candidate's section, by the name of its item. The subjects `joined` have none."""
    of_projects = {one.item.name: project_heading(one.project) for one in candidates if one.project}
    return of_projects | _general([one for one in candidates if not one.project], joined, fixed)


def _general(candidates: Sequence[PageCandidate], joined: Collection[str], fixed: Fixed) -> dict[str, str]:
    counts = Counter(candidate.subject for candidate in candidates)
    first = {candidate.subject: candidate.rank for candidate in reversed(candidates)}
    many = [subject for subject in counts if subject not in _KINDS and (fixed(subject) or counts[subject] >= FEWEST)]
    many.sort(key=lambda subject: (not fixed(subject), -counts[subject], first[subject]))
    own = {subject for place, subject in enumerate(many) if fixed(subject) or place < MOST} - set(joined)
    by_kind = Counter(_kind(candidate) for candidate in candidates if candidate.subject not in own)
    of_kind = _joined_kinds(by_kind, fixed)
    return {
        candidate.item.name: candidate.subject if candidate.subject in own else of_kind[_kind(candidate)]
        for candidate in candidates
    }


def place_of(section: str, candidate: PageCandidate) -> tuple[object, ...]:
    """The sort key of an entry: subjects by their first promotion, then the kinds, then the projects; each by rank."""
    if candidate.project:
        return 1 + len(ORDER), candidate.project, candidate.rank[1:]
    if section == candidate.subject and section not in _KINDS:
        return 0, candidate.rank
    return 1 + ORDER.index(_first_kind(section)), candidate.rank[1:]


def _kind(candidate: PageCandidate) -> Kind:
    return _KINDS.get(candidate.subject, candidate.noted.entry.kind)


def _joined_kinds(counts: Counter[Kind], fixed: Fixed) -> dict[Kind, str]:
    """The heading of each kind: kinds with few entries stand together with their smaller neighbour."""
    alone = [kind for kind in ORDER if counts[kind] and fixed(HEADINGS[kind])]
    groups = [[kind] for kind in ORDER if counts[kind] and kind not in alone]
    sizes = [counts[kind] for (kind,) in groups]
    while len(groups) > 1 and min(sizes) < FEWEST:
        small = sizes.index(min(sizes))
        near = min((place for place in (small - 1, small + 1) if 0 <= place < len(sizes)), key=sizes.__getitem__)
        low, high = sorted((small, near))
        groups[low : high + 1] = [groups[low] + groups[high]]
        sizes[low : high + 1] = [sizes[low] + sizes[high]]
    return {kind: _heading(group) for group in [*groups, *([kind] for kind in alone)] for kind in group}


def _heading(kinds: Sequence[Kind]) -> str:
    if len(kinds) == 1:
        return HEADINGS[kinds[0]]
    *names, last = (_AMONG_OTHERS.get(kind, HEADINGS[kind].lower()) for kind in kinds)
    return f"{', '.join(names)} and {last}".capitalize()


def _first_kind(section: str) -> Kind:
    return next(kind for kind in ORDER if section.startswith(HEADINGS[kind]))
