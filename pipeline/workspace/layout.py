"""The layout of a workspace: the one table of its places, with their tier and their writer.

The targets of the jobs complete the table. It decides which files are searched, copied for a dry run, shown to jobs and
read by `memory forget`: a new job needs no other line.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from pipeline.errors import SeveralNames, UnknownName
from pipeline.job import Job, OnChange, Target
from schemas.hot_page import PATH as HOT_PAGE
from schemas.tier import Tier

SHORT = 8
"""Characters of an id that lists show."""
_TIMED = re.compile(r"[0-9]{8}(?:T[0-9]{6})?-(?=[0-9a-f]+\Z)")


def whole_name(given: str, titles: Mapping[str, str], unknown: type[UnknownName], offered: Sequence[str] = ()) -> str:
    """The name that is `given`, or else the only name that begins with it; see `is_called`.

    Args:
        given: the text that was typed; an empty text names nothing.
        titles: the names, each with a title.
        unknown: the error for an unknown name; its class names the sort of thing.
        offered: names to suggest in its place.

    Raises:
        NameRefused: more than one begins with it; none does, which is an `unknown`.
    """
    if given in titles:
        return given
    matching = {name: title for name, title in titles.items() if is_called(name, given)}
    if len(matching) > 1:
        raise SeveralNames(unknown.sort, given, matching)
    if not matching:
        raise unknown(given, offered)
    return next(iter(matching))


def is_called(name: str, given: str) -> bool:
    """Whether a name begins with a text; of an id that begins with a time also the digits behind that."""
    timed = _TIMED.match(name)
    return bool(given) and (name.startswith(given) or (timed is not None and name.startswith(given, timed.end())))


def short_of(name: str) -> str:
    """The short id of a session, a suggestion, a run or a back-fill: its first characters, behind a time in it."""
    timed = _TIMED.match(name)
    return name[timed.end() if timed else 0 :][:SHORT]


def short_names(names: Iterable[str], least: int) -> dict[str, str]:
    """The shortest unique beginning of each name, of `least` characters or more."""
    ordered = ["", *sorted(set(names)), ""]
    shared = [len(os.path.commonprefix(pair)) for pair in pairwise(ordered)]  # noqa: RUF071 - characters are meant
    needed = (max(around) + 1 for around in pairwise(shared))
    return {name: name[: max(least, length)] for name, length in zip(ordered[1:-1], needed, strict=True)}


AGENTS = "agents"
"""The folder of the agents, with a folder for each, unless the settings name another."""

_SLOT = "{agents}"


def place_job(job: Job, folder: str) -> Job:
    """The job with the folder of the agents in its patterns."""
    writes, schedule = job.writes, job.schedule
    if isinstance(schedule, OnChange):
        schedule = OnChange(_all_placed(schedule.of, folder))
    patterns = {name: value for name, value in vars(job.reads).items() if isinstance(value, tuple)}
    put_in: dict[str, Any] = {name: _all_placed(value, folder) for name, value in patterns.items()}
    reads = replace(job.reads, **put_in)
    family, overflow = placed_pattern(writes.family, folder), placed_pattern(writes.overflow, folder)
    other = replace(job, schedule=schedule, reads=reads, writes=replace(writes, family=family, overflow=overflow))
    return job if other == job else other


def placed_pattern(pattern: str, folder: str) -> str:
    """A pattern with the folder of the agents put in."""
    return pattern.replace(_SLOT, folder)


def _all_placed(patterns: tuple[str, ...], folder: str) -> tuple[str, ...]:
    return tuple(placed_pattern(pattern, folder) for pattern in patterns)


PERSON = "person"
"""Text of a person."""

UNATTRIBUTED = "unattributed"
"""Text that no job wrote, in places where agents and people write: its author is not known."""

ACCEPTED = "accepted"
"""Text of our jobs from conversations with the owner, where it does not quote an entry; in a file of theirs any line
that is not as they wrote it is `UNATTRIBUTED`."""

_UNWRITTEN = {PERSON, UNATTRIBUTED}  # by any job

NOTED = "agent's note"
"""Text that an agent noted, or a person for it, in files of other programs: it has no proof."""

LOW = "low"
"""Raw text: conversations, of which nothing has been checked."""

RAW = "raw"
PEOPLE, ENGINE = "people", "the engine"
"""Writers that are no job."""

ARCHIVE = "memory/archive"
FORGOTTEN, DECLINED, UNLINKED = "memory/forgotten.md", "memory/declined.md", "memory/unlinked.md"
LISTS = (FORGOTTEN, DECLINED, UNLINKED)
"""The lists of the engine, which people read and prune, and no search finds."""
_OF_ONE_AGENT = re.compile(r"[^/]+/memory/(?:journal/[^/]+|brain(?!_archive\.md)[^/]*)")
"""The memory of one agent. It may be unconfirmed or taken back: no search shows it to others."""
INDEX_FOLDER, LEDGER_FILE = "index", "state.db"
"""A path below the folder of derived files."""
WORDS_FOLDER, VECTORS_FOLDER, DETAILS_FOLDER, SAID_FOLDER = "words", "vectors", "details", "said"
"""Below the folder of the index."""
TEXTS = (".md", ".markdown", ".txt")
"""The suffixes of texts; only the first is written by jobs."""

_RAW_SUFFIXES = (".txt",)
_HOT_NAMES = (HOT_PAGE, HOT_PAGE.lower())
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_WEEK = "[0-9]{4}-W[0-9]{2}"
_YEAR = "[0-9]" * 4
_MONTH = "[0-9]{4}-[0-9]{2}"
_NAME = "[^/]+?"
_SLOTS = {
    "agents": (AGENTS, AGENTS, AGENTS),
    "day": (_DAY, f"{_YEAR}-[0-9][0-9]-[0-9][0-9]", "2026-02-20"),
    "week": (_WEEK, f"{_YEAR}-W[0-9][0-9]", "2026-W08"),
    "month": (_MONTH, f"{_YEAR}-[0-9][0-9]", "2026-02"),
    "volume": ("[0-9]+", "*", "2"),
    "agent": (_NAME, "*", "agent"),
    "episode": (_NAME, "*", "episode"),
    "number": ("[0-9]{3,}", "*", "001"),
    "page": (_NAME, "*", "page"),
    "part": ("(?:_[^/]+?)?", "*", ""),
}
"""The slots of a pattern: the expression, the glob, and an example of each."""
_GLOBS = {name: glob for name, (_, glob, _) in _SLOTS.items()}
_EXAMPLE = {name: example for name, (_, _, example) in _SLOTS.items()}
_OF_FOLDERS = {"agents", "agent"}
_UNNAMED = {"agents", "volume"}  # they do not name the content of the file
_BRACES = re.compile(r"\{([^{}]*)\}")
_GROUP = re.compile(r"\(\?P[<=]\w+")


@dataclass(frozen=True, slots=True)
class FileRole:
    """The role of a file: its tier, its kind, the trust in its text, and its agent."""

    tier: Tier
    kind: str = "note"
    trust: str = PERSON
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a workspace.

    `pattern` is a file, what its path begins with (`*` at its end), or a folder (`/` at its end); of a job the
    family or the overflow of its target, such as `memory/{day}.md`. `writer` is the job's name, `PEOPLE` or `ENGINE`.
    """

    pattern: str
    place: FileRole
    writer: str = PEOPLE

    def holds(self, path: str) -> bool:
        """Whether a path is in this area; for areas that are no job's."""
        begin = self.pattern.removesuffix("*")
        return path.startswith(begin) if begin.endswith("/") or begin != self.pattern else path == begin


_ROOT_NAMES = ("AGENTS.md", "CLAUDE.md", "IDENTITY.md", "SOUL.md", "TOOLS.md", "USER.md")
"""The files that agents read when they start, besides the hot page, and that some of them write."""
_BRAIN_ARCHIVE = "brain_archive.md"
_OWN_TIERS = {*_HOT_NAMES, *_ROOT_NAMES, _BRAIN_ARCHIVE}  # which need not be those of their folders
_BY_AGENTS = FileRole(Tier.WARM, trust=UNATTRIBUTED)
_ELSEWHERE = FileRole(Tier.COLD, trust=UNATTRIBUTED)
"""A file of the workspace that no row holds, as `index.include` may name it."""
_EXTRA = FileRole(Tier.COLD)
"""A file of `index.extra_paths`, which a person named as text of theirs."""

_TABLE = (
    *(Area(name, FileRole(Tier.HOT, "memory", UNATTRIBUTED)) for name in _HOT_NAMES),
    *(Area(name, _BY_AGENTS) for name in _ROOT_NAMES),
    *(Area(path, FileRole(Tier.WARM), ENGINE) for path in LISTS),
    Area(f"{ARCHIVE}/weekly-*", FileRole(Tier.ARCHIVE, "plan", ACCEPTED)),
    Area(f"{ARCHIVE}/", FileRole(Tier.ARCHIVE, trust=UNATTRIBUTED)),
    Area("memory/projects/", FileRole(Tier.WARM)),
    Area("memory/", _BY_AGENTS),
    Area("tasks/", _BY_AGENTS),
    Area("second-brain/summaries/", FileRole(Tier.COLD, "summary", ACCEPTED)),
    Area("second-brain/articles/", FileRole(Tier.COLD, "article", UNATTRIBUTED)),
    Area("second-brain/", FileRole(Tier.RESEARCH)),
    Area("bank/", _ELSEWHERE),
)
"""The first that holds a path counts."""

_OF_AN_AGENT = (
    Area("memory/sessions/", FileRole(Tier.COLD, "log", LOW)),
    Area(f"memory/{_BRAIN_ARCHIVE}", FileRole(Tier.ARCHIVE, trust=UNATTRIBUTED)),
    *_TABLE,
    Area("sessions/", FileRole(Tier.COLD, "log", LOW)),
)
"""The places in the folder of an agent, which is laid out as a workspace is."""


class Layout:
    """The table, completed from the targets of some jobs. Paths are relative to the workspace, in POSIX form."""

    def __init__(self, jobs: Iterable[Job] = (), agents: str = AGENTS) -> None:
        """Without jobs it is the table alone. `agents` is the folder of the agents."""
        self.agents = agents
        """The folder of the agents; `AGENTS`, where older files or those of another program may lie, is listed too."""
        self.agent_roots = tuple(dict.fromkeys((agents, AGENTS)))
        """The folders in which each folder is of an agent."""
        self._agent_begins = tuple(f"{root}/" for root in self.agent_roots)
        self._table = (*_TABLE, *(Area(f"{root}/", _ELSEWHERE) for root in self.agent_roots))
        every = tuple(place_job(job, agents) for job in jobs)
        targets = [(job.name, job.writes) for job in every]
        families = [(name, target, pattern) for name, target in targets for pattern in patterns_of(target)]
        # A page that a job renders is no person's word; in a file that grows by entries, all but these is a person's.
        grown = [pattern for _, target, pattern in families if target.append and not target.listed]
        # A fold of facts shows those of other hands beside ours: such a page vouches for none of them.
        shown = [pattern for job in every if job.is_fold and job.reads.facts for pattern in patterns_of(job.writes)]
        vouched = (pattern for _, _, pattern in families if pattern not in (*grown, *shown))
        self._rendered = tuple(vouched)
        self._family_patterns = tuple(dict.fromkeys(pattern for _, _, pattern in families))
        self.entries = tuple(map(glob_of, grown))
        """Which files hold entries, as patterns such as `Workspace.select` takes them."""
        ours = (Area(pattern, self.place(example_of(pattern)), name) for name, _, pattern in families)
        self.areas = (*self._table, *ours)
        """All rows. A file may be in several: in a folder, and in a family that lies there."""
        self.folders = tuple(_top_folders(area.pattern for area in self.areas))
        """The folders that belong to the layout, with all text in them; none lies in another."""
        self.files = tuple(dict.fromkeys(glob_of(area.pattern) for area in self.areas if "/" not in area.pattern))
        """The files that belong to it and lie in none of them, as patterns such as `Workspace.select` takes them."""
        self._tiers: dict[str, Tier] = {}

    def place(self, path: str) -> FileRole:
        """The role of a file of the workspace, or of `index.extra_paths`, whose settings name the tier."""
        role = self._role_of(path)
        if role.trust in _UNWRITTEN and any(expression_of(pattern).fullmatch(path) for pattern in self._rendered):
            return replace(role, trust=ACCEPTED)
        return role

    def covers(self, pattern: str) -> bool:
        """Whether the files of a pattern are in a place of the layout."""
        if ".." in pattern or slots_in(pattern) - _EXAMPLE.keys():
            return False
        located = placed_pattern(pattern, self.agents)
        return glob_of(pattern) in self.files or any(located.startswith(f"{folder}/") for folder in self.folders)

    def tier(self, path: str) -> Tier:
        """The tier of a file: that of its folder, unless it is a hot page. It is cached for thousands of calls."""
        folder, _, name = path.rpartition("/")
        if not folder or name in _OWN_TIERS:
            return self._role_of(path).tier
        if folder not in self._tiers:
            self._tiers[folder] = self._role_of(f"{folder}/").tier
        return self._tiers[folder]

    def is_searched(self, path: str) -> bool:
        """Whether a search may find a text of the workspace: neither a list of the engine, nor one agent's own."""
        if not path.startswith(self._agent_begins):
            return path not in LISTS
        inside = (path.removeprefix(begin) for begin in self._agent_begins if path.startswith(begin))
        return not any(map(_OF_ONE_AGENT.fullmatch, inside))

    def has_text(self, path: str) -> bool:
        """Whether a path, in its plain form, is that of a text in a place of the layout, and not hidden."""
        inside = any(path.startswith(f"{folder}/") for folder in self.folders)
        plain = PurePosixPath(path).as_posix() == path and ".." not in path.split("/") and not self.is_hidden(path)
        return (
            plain
            and path.lower().endswith(TEXTS)
            and (inside or any(fnmatchcase(path, pattern) for pattern in self.files))
        )

    def makes(self, path: str) -> bool:
        """Whether a file of this name is a job's or the engine's."""
        return path in LISTS or self._any_family.fullmatch(path) is not None

    @cached_property
    def _any_family(self) -> re.Pattern[str]:
        """The expression of all families: of thousands of paths most are in none. A group has its name once."""
        apart = (_GROUP.sub(rf"\g<0>_{at}", family.pattern) for at, family in enumerate(self._families))
        return re.compile("|".join(apart))

    @cached_property
    def _families(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(expression_of, self._family_patterns))

    def takes_any_name(self, path: str) -> bool:
        """Whether a job's file of this name got it, or a part of it, from words that were said."""
        slots = (match.groupdict() for expression in self._families if (match := expression.fullmatch(path)))
        return any("page" in named or named.get("part") or "episode" in named for named in slots)

    def is_hidden(self, path: str) -> bool:
        """Whether a file or a folder above it is hidden; the folder of the agents may be."""
        inside = path.removeprefix(f"{self.agents}/")
        return any(part.startswith(".") for part in inside.split("/"))

    def _role_of(self, path: str) -> FileRole:
        """The role of a path in the table."""
        root = next((root for root in self.agent_roots if path.startswith(f"{root}/")), "")
        agent, inside, within = path.removeprefix(f"{root}/").partition("/")
        if root and inside:
            role = _role_in(_OF_AN_AGENT, within)
            return replace(role, agent=agent, trust=UNATTRIBUTED if role.trust == PERSON else role.trust)
        return _role_in((), path) if ":" in path.partition("/")[0] else _role_in(self._table, path)


def patterns_of(target: Target) -> list[str]:
    """The patterns of a target: its family and, where there is one, its overflow."""
    return [pattern for pattern in (target.family, target.overflow) if pattern]


def example_of(pattern: str) -> str:
    """A path of the pattern."""
    return pattern.format(**_EXAMPLE).replace("*", _EXAMPLE["day"])


def glob_of(pattern: str, keep: Collection[str] = ()) -> str:
    """The pattern as `Workspace.select` takes it, but for the braces to `keep`; it may choose more than is meant."""
    return pattern.format(**_GLOBS | {name: f"{{{name}}}" for name in keep})


@lru_cache(maxsize=256)  # there are few, and each look at a family asks for its own
def expression_of(pattern: str) -> re.Pattern[str]:
    """The expression of a whole path of the pattern; a slot is a group of its name. `*` stays in one folder."""
    text = re.escape(pattern).replace(r"\*", "[^/]*")
    for name, (expression, _, _) in _SLOTS.items():
        text = text.replace(rf"\{{{name}\}}", expression if name in _UNNAMED else f"(?P<{name}>{expression})", 1)
        text = text.replace(rf"\{{{name}\}}", expression if name in _UNNAMED else f"(?P={name})")
    return re.compile(text)


def fault_of(pattern: str) -> str:
    """The reason why no job may write files of a pattern, to complete a sentence; empty if a job may."""
    pure = PurePosixPath(pattern)
    if pure.is_absolute() or ".." in pure.parts or any(part.startswith(".") for part in pure.parts):
        return "which is hidden, or no path inside the workspace"
    if unknown := slots_in(pattern) - _EXAMPLE.keys():
        known = ", ".join(f"{{{name}}}" for name in _SLOTS)
        return f"with {{{min(unknown)}}}, which stands for nothing; known are {known}"
    if slots_in(str(pure.parent)) - _OF_FOLDERS:
        return "whose folder is another one for each file; only the name of a file may tell its time"
    if pure.suffix != TEXTS[0]:
        return "which is no Markdown file (.md)"
    return "which the engine writes" if pattern in LISTS else ""


def slots_in(pattern: str) -> set[str]:
    """The names of the slots of a pattern."""
    return set(_BRACES.findall(pattern))


def _top_folders(patterns: Iterable[str]) -> Iterator[str]:
    """The folders of patterns, without those that lie in others."""
    fixed = (pattern.partition("{")[0] for pattern in patterns)
    folders = sorted({begin.rpartition("/")[0] for begin in fixed if "/" in begin})
    last = ""
    for folder in folders:
        if not last or not f"{folder}/".startswith(f"{last}/"):
            yield folder
            last = folder


def _role_in(table: tuple[Area, ...], path: str) -> FileRole:
    role = next((area.place for area in table if area.holds(path)), _ELSEWHERE if table else _EXTRA)
    return replace(role, kind=RAW, trust=LOW) if path.endswith(_RAW_SUFFIXES) else role
