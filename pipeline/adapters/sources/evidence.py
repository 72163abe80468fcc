"""Evidence of structure in the calls of tools: what was planned, done and left open, by the fields of the records."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import dropwhile, groupby, takewhile
from typing import NamedTuple

from pipeline.adapters.sources.reading.records import Record, blocks, identifier, mapping, one_line, strings, word
from schemas.evidence import LONGEST, EvidenceKind, RecordEvidence, Todo

Deed = tuple[EvidenceKind, str]
"""A kind with its text: the first line of a commit, the place of a push, the name of a release."""

# A text in a command, such as `"$(cat <<'EOF'` with the lines up to `EOF` and `)"` behind them.
_HERE = re.compile(r"\"?\$\(\s*cat\s+<<-?\s*(['\"]?)(?P<end>\w+)\1\n(?P<text>.*?)\n[ \t]*(?P=end)\s*\)\"?", re.DOTALL)
_DONE = re.compile("commit|push|release|publish|upload")  # a word of every command that has made something
_QUOTED, _NO_QUOTES = re.compile(r"[\"'\\]"), dict.fromkeys(map(ord, "\"'\\"))
_LISTS = frozenset({"||", "&", "|&", "(", ")"})
# An operator such as `&&`, a comment, or a word: plain and escaped signs and quoted parts, in any mixture.
_TOKEN = re.compile(
    r"(?P<operator>[;<>|&()\n]+)|(?P<comment>#[^\n]*)"
    r"|(?P<word>(?:[^\s;<>|&()'\"\\]|\\.|'[^']*+'|\"(?:[^\"\\]|\\.)*+\")++)",
    re.DOTALL,
)
_GIT_VALUES = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})
_PUBLISHED = {
    ("npm", "publish"), ("pnpm", "publish"), ("yarn", "publish"), ("cargo", "publish"), ("poetry", "publish"),
    ("uv", "publish"), ("twine", "upload"), ("gem", "push"), ("docker", "push"), ("dotnet", "push"),
}  # fmt: skip
_REHEARSED = frozenset({"--dry-run", "--help", "-h"})
# What a shell fills in: `$NAME`, `$(date)`, a backtick.
_FILLED_IN = re.compile(r"\$[\w({]|`")
# `NAME=value` before a command.
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_REDIRECTION = re.compile(r"[<>&]+")
# `-m`, also behind other options: `-qm`.
_MESSAGE = re.compile(r"-[a-zA-Z]*m")
_ADVANCED = {("gh", "release", "create"), ("glab", "release", "create")}


def deeds_of(command: str) -> list[Deed]:
    """The commits, pushes and releases that a command has made when its status is 0, in their order."""
    texts = list[str]()
    if not _DONE.search(command.translate(_NO_QUOTES)):
        return []

    def replace_text(match: re.Match[str]) -> str:
        texts.append(match["text"])
        return f" here:{len(texts) - 1}: "

    words = _words(_HERE.sub(replace_text, command.replace("\\\n", " ")))
    return [deed for simple in _proven(words) if (deed := _deed([_restore_text(word, texts) for word in simple]))]


def _words(command: str) -> list[str]:
    """The words and operators; none of a command that is not understood."""
    words, end = list[str](), 0
    for token in _TOKEN.finditer(command):
        if command[end : token.start()].strip():  # such as a quotation mark without its other one
            return []
        end = token.end()
        if token.lastgroup != "comment":
            words += shlex.split(token[0]) if token.lastgroup == "word" and _QUOTED.search(token[0]) else [token[0]]
    return [] if command[end:].strip() else words


def _proven(words: Sequence[str]) -> Iterator[list[str]]:
    """The simple commands whose success the status of the whole proves: those joined by `&&` at the end."""
    words = list(words)
    while words and not words[-1].strip(";\n"):
        words.pop()
    if "<<" in words:  # the rest is a text
        return
    begin = len(words)
    while begin and words[begin - 1] not in _LISTS and words[begin - 1].strip(";\n"):
        begin -= 1
    joined = [list(simple) for is_and, simple in groupby(words[begin:], lambda word: word == "&&") if not is_and]
    if begin and words[begin - 1] == "||":  # its first command runs only where the one before failed
        del joined[:1]
    for simple in joined:
        pipe = max((place for place, word in enumerate(simple) if word == "|"), default=-1)
        yield simple[pipe + 1 :]  # of a pipe the last command alone


def _restore_text(word: str, texts: Sequence[str]) -> str:
    place = word.removeprefix("here:").removesuffix(":")
    return texts[int(place)] if word.startswith("here:") and place.isdecimal() and int(place) < len(texts) else word


def _deed(given: Sequence[str]) -> Deed | None:
    """The deed of one simple command; its settings of variables and its redirections aside."""
    words = list(dropwhile(_SETTING.match, takewhile(lambda word: not _REDIRECTION.fullmatch(word), given)))
    if len(words) < len(given) and words[-1:] == ["2"]:  # of `2>&1`
        words.pop()
    if not words or _REHEARSED.intersection(words):
        return None
    if words[0] == "git":
        return _of_git(words[1:])
    if tuple(words[:3]) in _ADVANCED:
        return EvidenceKind.RELEASE, " ".join(words[3:4])
    return (EvidenceKind.RELEASE, " ".join(words[:3])) if tuple(words[:2]) in _PUBLISHED else None


def _of_git(words: Sequence[str]) -> Deed | None:
    rest = list(words)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in _GIT_VALUES else 1]
    if rest[:1] == ["commit"]:
        return EvidenceKind.COMMIT, _message(rest[1:])
    if rest[:1] == ["push"] and "-n" not in rest:
        return EvidenceKind.PUSH, " ".join(word for word in rest[1:] if not word.startswith("-"))
    return None


def _message(options: Sequence[str]) -> str:
    """The first line of the message of a commit; empty when it stands elsewhere."""
    for place, option in enumerate(options):
        following = options[place + 1] if place + 1 < len(options) else ""
        if option.startswith("--message="):
            return _first_line(option.partition("=")[2])
        if option == "--message" or _MESSAGE.fullmatch(option):
            return _first_line(following)
    return ""


def _first_line(text: str) -> str:
    """The first line with words; nothing of one that the shell would have filled in."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return "" if _FILLED_IN.search(line) else line


_OPEN = frozenset({"pending", "not_started", "not-started", "todo", "open"})
_BEGUN = frozenset({"in_progress", "in-progress"})
_MOST_TODOS, _MOST_COMMAND, _MOST_LINES = 100, 100_000, 500
_OF_NOTES = re.compile(
    r"(?:^|/)(?:(?:CLAUDE(?:\.local)?|AGENTS|GEMINI|MEMORY|USER|IDENTITY|SOUL|HEARTBEAT|copilot-instructions)\.md|\.(?:cursor|windsurf)rules"
    r"|\.(?:cursor|windsurf)/rules/.+|\.github/instructions/.+|memor(?:y|ies)/.+\.md)$",
    re.IGNORECASE,
)
"""The path of a file in which agents keep what they remember, or people what agents have to follow."""
# The heading of a file in a patch.
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
# The marks before the words of a line: `## `, `> - `, `Plan: `.
_MARKS = re.compile(r"^(?:[#>*+\s-]+|plan\s*[:\N{EN DASH}-]\s*)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CallClaim:
    """The claim of a call, before its result is known.

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


def list_tool(items: str, text: str, status: str = "status") -> Reading:
    """A tool that writes a whole list anew: the names of the fields of its items, their texts and their states."""

    def read(arguments: Record) -> list[CallClaim]:
        states = [(block.get(text), block.get(status)) for block in blocks(arguments.get(items))]
        return (
            [CallClaim(EvidenceKind.TODOS, todos=open_todos(states))] if isinstance(arguments.get(items), list) else []
        )

    return read


def task_tool(arguments: Record) -> list[CallClaim]:
    """A tool that adds or changes one task of a list."""
    task = (one_line(arguments.get("taskId")), short(arguments.get("subject")), word(arguments.get("status")))
    return [CallClaim(EvidenceKind.TODOS, task=task)]


def file_tool(path: str, new: str = "", old: str = "") -> Reading:
    """A tool that writes a file, by the field of its path; `new` and `old` are those of a text and what it replaces.

    Both may stand in each item of a list `edits` too.
    """

    def read(arguments: Record) -> list[CallClaim]:
        changes = [(word(edit.get(new)), word(edit.get(old))) for edit in (arguments, *blocks(arguments.get("edits")))]
        return _file(short(arguments.get(path)), changes)

    return read


def either(*readings: Reading) -> Reading:
    """A tool whose fields have other names in other records: the claims of the first reading that has any."""
    return lambda arguments: next((claims for read in readings if (claims := read(arguments))), [])


def patch_tool(arguments: Record) -> list[CallClaim]:
    """A tool that takes a patch: the files in its headings."""
    _, *files = _PATCHED.split(word(arguments.get("input")))
    named = zip(files[::2], files[1::2], strict=True)
    return [
        claim
        for name, body in named
        for claim in _file(short(name), [(_lines_with(body, "+"), _lines_with(body, "-"))])
    ]


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
    before = set(_plain_lines(old))
    return [line for line in _plain_lines(new) if line and len(line) <= LONGEST and line not in before]


def _plain_lines(text: str) -> list[str]:
    lines = (one_line(line) for line in text.splitlines())
    return [" ".join(_MARKS.sub("", line).split()) for line in lines if not line.startswith(("#", "|"))]


def _lines_with(body: str, mark: str) -> str:
    """The lines of a patch that it adds or removes."""
    return "\n".join(line[1:] for line in body.splitlines() if line.startswith(mark))


def note_tool(text: str) -> Reading:
    """A tool that remembers, by the field of the words."""
    return lambda arguments: [CallClaim(EvidenceKind.NOTE, words)] if (words := short(arguments.get(text))) else []


def plan_tool(arguments: Record) -> list[CallClaim]:
    """A tool that shows a plan to the owner: its title."""
    title = plan_title(arguments.get("plan"))
    return [CallClaim(EvidenceKind.PLAN_APPROVED, title)] if title else []


def shell_tool(command: str) -> Reading:
    """A tool that runs a command: a text, or a list of which a shell takes the last word."""

    def read(arguments: Record) -> list[CallClaim]:
        given = arguments.get(command)
        words = strings(given) or [word(given)]
        if words[:1] == ["apply_patch"]:
            return patch_tool({"input": words[-1]})
        text = words[-1] if words and len(words[-1]) <= _MOST_COMMAND else ""
        if not text:
            return []
        return [
            CallClaim(EvidenceKind.FAILED, short(text)),
            *(CallClaim(kind, short(said)) for kind, said in deeds_of(text)),
        ]

    return read


def plan_title(plan: object) -> str:
    """The first line of a plan with words, without the marks around it, however long the plan is."""
    lines = (_MARKS.sub("", line) for line in word(plan)[:_MOST_COMMAND].splitlines())
    return short(next((line for line in lines if any(map(str.isalnum, line))), ""))


def open_todos(states: Sequence[tuple[object, object]]) -> tuple[Todo, ...]:
    """The open items among texts with their states; what has another state is done, or nothing is known of it."""
    known = [(short(text), word(state)) for text, state in states[:_MOST_TODOS]]
    return tuple(Todo(text=text, begun=state in _BEGUN) for text, state in known if text and state in _OPEN | _BEGUN)


_OPENCLAW: Mapping[str, Reading] = {
    "update_plan": list_tool("plan", "step"),
    "exec": shell_tool("command"),
    "bash": shell_tool("command"),
    "write": either(file_tool("path", "content"), file_tool("file_path", "content")),
    "edit": either(file_tool("path", "newText", "oldText"), file_tool("file_path", "new_string", "old_string")),
}

TOOLS: Mapping[str, Mapping[str, Reading]] = {
    "claude_code": {
        "ExitPlanMode": plan_tool,
        "exit_plan_mode": plan_tool,
        "TodoWrite": list_tool("todos", "content"),
        "TaskCreate": task_tool,
        "TaskUpdate": task_tool,
        "Bash": shell_tool("command"),
        "Write": file_tool("file_path", "content"),
        "Edit": file_tool("file_path", "new_string", "old_string"),
        "MultiEdit": file_tool("file_path", "new_string", "old_string"),
        "NotebookEdit": file_tool("notebook_path"),
    },
    "codex": {
        "update_plan": list_tool("plan", "step"),
        "shell": shell_tool("command"),
        "shell_command": shell_tool("command"),
        "exec_command": shell_tool("cmd"),
        "apply_patch": patch_tool,
    },
    "gemini_cli": {
        "write_todos": list_tool("todos", "description"),
        "save_memory": note_tool("fact"),
        "write_file": file_tool("file_path", "content"),
        "replace": file_tool("file_path", "new_string", "old_string"),
    },
    "qwen": {
        "todo_write": list_tool("todos", "content"),
        "save_memory": note_tool("fact"),
        "write_file": file_tool("file_path", "content"),
        "edit": file_tool("file_path", "new_string", "old_string"),
    },
    "openclaw": _OPENCLAW,
    "opencode": {
        "todowrite": list_tool("todos", "content"),
        "bash": shell_tool("command"),
        "write": file_tool("filePath", "content"),
        "edit": file_tool("filePath", "newString", "oldString"),
    },
    "kimi": {
        "TodoList": list_tool("todos", "title"),
        "Bash": shell_tool("command"),
        "Write": file_tool("path", "content"),
        "Edit": file_tool("path", "new_string", "old_string"),
    },
    "copilot_cli": {
        "bash": shell_tool("command"),
        "create": file_tool("path", "file_text"),
        "edit": file_tool("path", "new_str", "old_str"),
    },
}


_SAID = frozenset({EvidenceKind.TODOS, EvidenceKind.NOTE})
"""What counts by the call alone, unless it failed; a line of a file only when that was written."""


class RecordPlace(NamedTuple):
    """The place of a record: its number, its time if one is known, and the folder of the work."""

    number: int
    time: datetime | None
    folder: str


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a call, as the program recorded it; `None` where it recorded nothing.

    `approved` is whether the owner allowed the call by an act of his own, or refused it; `outcome` is the program's own
    record.
    """

    succeeded: bool | None = None
    approved: bool | None = None
    outcome: object = None


def by_status(code: object, *, otherwise: bool | None = None) -> bool | None:
    """Whether a command succeeded, by its status; `otherwise` where there is none."""
    return code == 0 if isinstance(code, int) and not isinstance(code, bool) else otherwise


@dataclass(slots=True)
class CallLog:
    """The calls that wait for their result, and the evidence so far, in the order of the results."""

    _waiting: dict[str, tuple[RecordPlace, list[CallClaim]]] = field(default_factory=dict)
    _proven: list[RecordEvidence] = field(default_factory=list)
    _tasks: dict[str, tuple[str, str]] = field(default_factory=dict)
    _failing: bool = False

    def take_call(self, harness: str, name: str, call_id: object, arguments: object, place: RecordPlace) -> None:
        """Take a call of a tool; one that the table does not have, or without an id, is no evidence."""
        reading, key = TOOLS[harness].get(name), identifier(call_id)
        if reading and key and (claims := list(reading(mapping(arguments)))):
            self._waiting[key] = (place, claims)

    def take_result(self, call_id: object, result: CallResult) -> None:
        """Take the result of a call."""
        if waiting := self._waiting.pop(identifier(call_id), None):
            for claim in waiting[1]:
                self._settle(waiting[0], claim, result)

    def take_act(self, kind: EvidenceKind, place: RecordPlace, text: str, about: str = "") -> None:
        """Take an act of the owner."""
        self._add(place, CallClaim(kind, text, about=about))

    def keep(self, stays: Callable[[RecordEvidence], bool]) -> None:
        """Drop what was taken back, or belongs to another session."""
        self._proven = [evidence for evidence in self._proven if stays(evidence)]

    def evidence(self) -> tuple[RecordEvidence, ...]:
        """All evidence in the order of the records; a list or a note whose result never came counts too."""
        for place, claims in self._waiting.values():
            for claim in claims:
                self._settle(place, claim, CallResult())
        self._waiting.clear()
        return tuple(sorted(self._proven, key=lambda evidence: evidence.number))

    def _settle(self, place: RecordPlace, claim: CallClaim, result: CallResult) -> None:
        if claim.kind is EvidenceKind.PLAN_APPROVED:
            if result.approved is not None:
                kind = EvidenceKind.PLAN_APPROVED if result.approved else EvidenceKind.PLAN_REJECTED
                self._add(place, CallClaim(kind, claim.text))
        elif claim.kind is EvidenceKind.FAILED:
            self._settle_command(place, claim, result)
        elif result.succeeded or (claim.kind in _SAID and not claim.about and result.succeeded is None):
            todos = claim.todos if claim.task is None else self._tasks_after(claim.task, result.outcome)
            self._add(place, replace(claim, todos=todos))

    def _settle_command(self, place: RecordPlace, claim: CallClaim, result: CallResult) -> None:
        """Keep a command that failed, and the first that succeeded after it."""
        if result.succeeded is None:
            return
        if not result.succeeded:
            self._add(place, claim)
        elif self._failing:
            self._add(place, CallClaim(EvidenceKind.PASSED, claim.text))
        self._failing = not result.succeeded

    def _tasks_after(self, task: tuple[str, str, str], outcome: object) -> tuple[Todo, ...]:
        """The open tasks after a task was added, whose id stands in the outcome, or changed."""
        given, text, state = task
        key = given or identifier(mapping(mapping(outcome).get("task")).get("id"))
        before = self._tasks.get(key, ("", "pending"))
        if key:
            self._tasks[key] = (text or before[0], state or before[1])
        return open_todos(list(self._tasks.values()))

    def _add(self, place: RecordPlace, claim: CallClaim) -> None:
        if place.time is not None:
            self._proven.append(
                RecordEvidence(
                    kind=claim.kind,
                    number=place.number,
                    time=place.time,
                    text=claim.text,
                    about=claim.about,
                    todos=claim.todos,
                    project=place.folder,
                )
            )
