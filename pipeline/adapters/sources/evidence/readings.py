"""What the arguments of a call say, for each kind of tool; a field of another shape says nothing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.adapters.sources.evidence.commands import deeds_of
from pipeline.adapters.sources.reading.records import Record, blocks, one_line, strings, word
from schemas.evidence import LONGEST, EvidenceKind, Todo

_OPEN = frozenset({"pending", "not_started", "not-started", "todo", "open"})
_BEGUN = frozenset({"in_progress", "in-progress"})
_MOST_TODOS, _MOST_COMMAND, _MOST_LINES = 100, 100_000, 500
_OF_NOTES = re.compile(
    r"(?:^|/)(?:(?:CLAUDE(?:\.local)?|AGENTS|GEMINI|MEMORY|USER|IDENTITY|SOUL|HEARTBEAT|copilot-instructions)\.md|\.(?:cursor|windsurf)rules"
    r"|\.(?:cursor|windsurf)/rules/.+|\.github/instructions/.+|memor(?:y|ies)/.+\.md)$",
    re.IGNORECASE,
)
"""The path of a file in which agents keep what they remember, or people what agents have to follow."""
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_MARKS = re.compile(r"^(?:[#>*+\s-]+|plan\s*[:\N{EN DASH}-]\s*)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CallClaim:
    """What a call says of itself, before its result is known.

    `task` is the one task that it adds or changes: its id, its text and its state, each empty where nothing is said.
    `about` is as in `RecordEvidence`.
    """

    kind: EvidenceKind
    text: str = ""
    about: str = ""
    todos: tuple[Todo, ...] = ()
    task: tuple[str, str, str] | None = None


Reading = Callable[[Record], Sequence[CallClaim]]
"""From the arguments of a call to what it claims."""


def short(text: object) -> str:
    """A text on one line of at most `LONGEST` characters; empty when it is none."""
    line = " ".join(one_line(text).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def whole_list(items: str, text: str, status: str = "status") -> Reading:
    """A tool that writes a whole list anew: the names of the fields of its items, their texts and their states."""

    def read(arguments: Record) -> list[CallClaim]:
        states = [(one.get(text), one.get(status)) for one in blocks(arguments.get(items))]
        return (
            [CallClaim(EvidenceKind.TODOS, todos=open_todos(states))] if isinstance(arguments.get(items), list) else []
        )

    return read


def one_task(arguments: Record) -> list[CallClaim]:
    """A tool that adds or changes one task of a list."""
    task = (one_line(arguments.get("taskId")), short(arguments.get("subject")), word(arguments.get("status")))
    return [CallClaim(EvidenceKind.TODOS, task=task)]


def written(path: str, new: str = "", old: str = "") -> Reading:
    """A tool that writes a file, by the field of its path; `new` and `old` are those of a text and what it replaces.

    Both may stand in each item of a list `edits` too.
    """

    def read(arguments: Record) -> list[CallClaim]:
        changes = [(word(one.get(new)), word(one.get(old))) for one in (arguments, *blocks(arguments.get("edits")))]
        return _file(short(arguments.get(path)), changes)

    return read


def either(*readings: Reading) -> Reading:
    """A tool whose fields have other names in other records: what the first reading that finds anything says."""
    return lambda arguments: next((claims for read in readings if (claims := read(arguments))), [])


def patched(arguments: Record) -> list[CallClaim]:
    """A tool that takes a patch: the files in its headings."""
    _, *files = _PATCHED.split(word(arguments.get("input")))
    named = zip(files[::2], files[1::2], strict=True)
    return [claim for name, body in named for claim in _file(short(name), [(_marked(body, "+"), _marked(body, "-"))])]


def _file(name: str, changes: Sequence[tuple[str, str]]) -> list[CallClaim]:
    """A file that was written; of one in which notes are kept each line that was not there before is a note."""
    if not name:
        return []
    holds_notes = _OF_NOTES.search(name.replace("\\", "/")) is not None
    lines = [line for change in changes for line in _new_lines(*change)] if holds_notes else []
    notes = (CallClaim(EvidenceKind.NOTE, line, about=name) for line in dict.fromkeys(lines[:_MOST_LINES]))
    return [CallClaim(EvidenceKind.FILE, name), *notes]


def _new_lines(new: str, old: str) -> list[str]:
    """The lines of a text that were not there before, without the marks before them, its headings and its tables."""
    plain = ([line for line in text.splitlines() if not line.lstrip().startswith(("#", "|"))] for text in (old, new))
    before, now = ([" ".join(_MARKS.sub("", line).split()) for line in lines] for lines in plain)
    return [line for line in now if line and len(line) <= LONGEST and line not in before]


def _marked(body: str, mark: str) -> str:
    """The lines of a patch that it adds or removes."""
    return "\n".join(line[1:] for line in body.splitlines() if line.startswith(mark))


def noted(text: str) -> Reading:
    """A tool that remembers, by the field of the words."""
    return lambda arguments: [CallClaim(EvidenceKind.NOTE, words)] if (words := short(arguments.get(text))) else []


def planned(arguments: Record) -> list[CallClaim]:
    """A tool that shows a plan to the owner: its title."""
    title = plan_title(arguments.get("plan"))
    return [CallClaim(EvidenceKind.PLAN_APPROVED, title)] if title else []


def shell(command: str) -> Reading:
    """A tool that runs a command: a text, or a list of which a shell takes the last word."""

    def read(arguments: Record) -> list[CallClaim]:
        given = arguments.get(command)
        words = strings(given) or [word(given)]
        if words[:1] == ["apply_patch"]:
            return patched({"input": words[-1]})
        text = words[-1] if words and len(words[-1]) <= _MOST_COMMAND else ""
        return (
            [CallClaim(EvidenceKind.FAILED, short(text)), *(CallClaim(*deed) for deed in _short_deeds(text))]
            if text
            else []
        )

    return read


def plan_title(plan: object) -> str:
    """The first line of a plan with words, without the marks around it, however long the plan is."""
    lines = (_MARKS.sub("", line) for line in word(plan)[:_MOST_COMMAND].splitlines())
    return short(next((line for line in lines if any(map(str.isalnum, line))), ""))


def open_todos(states: Sequence[tuple[object, object]]) -> tuple[Todo, ...]:
    """The open items among texts with their states; what has another state is done, or nothing is known of it."""
    known = [(short(text), word(state)) for text, state in states[:_MOST_TODOS]]
    return tuple(Todo(text=text, begun=state in _BEGUN) for text, state in known if text and state in _OPEN | _BEGUN)


def _short_deeds(text: str) -> list[tuple[EvidenceKind, str]]:
    return [(kind, short(said)) for kind, said in deeds_of(text)]
