"""The projects on MEMORY.md: which lines are about one of them, and which of them have a section.

What holds everywhere stands first. A workspace that knows at most one project has no such sections.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

from jobs.consolidation.page import PageCandidate, heading
from pipeline.drafts import ItemDraft
from pipeline.entries.project_names import heading_of, is_bound, names_project
from pipeline.job import Noted
from schemas.entry import Kind

MOST = 5
"""The most projects with a section: those of which the newest lines are."""

NOT_KNOWN = "not known"
"""Stands for the project of words that are about the one they were said in, where that is not known."""

ELSEWHERE = heading("Projects that are not on this page")
_SEVERAL = 2
_OF_WORK = frozenset({Kind.DECISION, Kind.ARCHITECTURE})


def place_in_projects(candidates: Sequence[PageCandidate], noted: Iterable[Noted]) -> list[PageCandidate]:
    """The candidates with the projects that they are about, those about none first; `noted` are all entries."""
    if len({version.project for version in noted if version.project}) < _SEVERAL:
        return list(candidates)
    placed = [replace(candidate, project=project_of(candidate.noted)) for candidate in candidates]
    return sorted(placed, key=lambda candidate: bool(candidate.project))


def project_of(noted: Noted) -> str:
    """The project that an entry is about: what was decided or built there, and what its words bind to it.

    A rule, or what is to be remembered, holds everywhere if its words do not say otherwise.
    """
    entry = noted.entry
    words = f"{entry.quote}\n{entry.conclusion}" if noted.as_written else entry.quote
    if is_bound(words):
        return noted.project or NOT_KNOWN
    of_work = noted.as_written and entry.kind in _OF_WORK
    return noted.project if of_work or names_project(words, noted.project) else ""


def projects_without_room(candidates: Sequence[PageCandidate]) -> frozenset[str]:
    """The projects beyond `MOST`, which have no section."""
    latest = {
        candidate.project: candidate.noted.entry.date
        for candidate in sorted(candidates, key=lambda candidate: candidate.noted.entry.date)
    }
    alive = sorted(latest.keys() - {"", NOT_KNOWN}, key=lambda project: (latest[project], project), reverse=True)
    return frozenset(alive[MOST:])


def project_links(candidates: Iterable[PageCandidate], plan: str) -> list[ItemDraft]:
    """A line for each project without a section: how many lines it has, and the weekly plan that tells of them."""
    lines = list[ItemDraft]()
    for project, count in Counter(candidate.project for candidate in candidates).items():
        entries = "1 entry" if count == 1 else f"{count} entries"
        text = f"- {heading_of(project)}: {entries} ([{plan}](memory/archive/weekly-{plan}.md))"
        lines.append(ItemDraft(f"o-{sha256(project.encode()).hexdigest()[:8]}", text))
    return [ELSEWHERE, *sorted(lines, key=lambda line: line.text)] if lines else []
