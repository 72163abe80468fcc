"""`MEMORY.md` as it is shown when a session begins: what holds everywhere, and what is about one project."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pipeline.entries.project_names import goes_by, heading_of

_SECTION = re.compile(r"#{1,2} ")
_OF_PROJECT = re.compile(r"## Project (`[^`]*`)\s*")
_ELSEWHERE = "(Other projects have lines of their own: {}. Search with the name of one to find them.)"
_NAMED = 10  # other projects


@dataclass(frozen=True)
class StartPage:
    """The lines of the page: `general` ones, those of the project, and the names of the projects that are left out."""

    general: tuple[str, ...]
    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The page as it is shown."""
        named = ", ".join(self.others[:_NAMED])
        more = [_ELSEWHERE.format(named)] if named else []
        parts = ("\n".join(lines).strip() for lines in (self.general, self.own, more))
        return "\n\n".join(filter(None, parts))


def start_page(page: str, project: str | None) -> StartPage:
    """The page, whose marks are taken out, for a session in a project: without a name for one outside any.

    With `None` it is the whole page.
    """
    if project is None:
        return StartPage(tuple(page.splitlines()))
    general, own, others = list[str](), list[str](), list[str]()
    lines = general
    for line in page.splitlines():
        if match := _OF_PROJECT.fullmatch(line):
            label = match[1]
            is_own = bool(project) and (label == heading_of(project) or goes_by(label.strip("`"), project))
            lines = own if is_own else list[str]()
            others += [] if is_own else [label]
        elif _SECTION.match(line):
            lines = general
        lines.append(line)
    return StartPage(tuple(general), tuple(own), tuple(others))


def fitted_page(page: StartPage, budget: int, count: Callable[[str], int]) -> tuple[StartPage, int]:
    """The page within a budget of tokens, and how many lines were left out: the last ones of the longer part."""
    sizes = {line: count(f"{line}\n") for line in (*page.general, *page.own)}
    parts, left_out = {"general": page.general, "own": page.own}, 0
    room = budget - count(replace(page, general=(), own=()).text)
    while sum(sizes[line] for lines in parts.values() for line in lines) > room:
        longer = max(parts, key=lambda name: sum(sizes[line] for line in parts[name]))
        if (last := _last_item(parts[longer])) < 0:
            break
        parts[longer], left_out = (*parts[longer][:last], *parts[longer][last + 1 :]), left_out + 1
    return StartPage(parts["general"], parts["own"], page.others), left_out


def _last_item(lines: Sequence[str]) -> int:
    """The place of the last line that says something; -1 without one."""
    return next((at for at in reversed(range(len(lines))) if lines[at].strip() and not _SECTION.match(lines[at])), -1)
