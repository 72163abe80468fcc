"""The chats of Aider: a Markdown file a folder, to which each chat is appended.

Lines that begin with `#### ` are a person's, lines that begin with `> ` are the program's, all else is the answer. An
answer can hold such lines as well, so the two spaces count with which Aider ends its own lines.
"""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import clean, local_moment, one_line, whole_content
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin, Role, Session

_NAME = "aider.chat.history.md"
_ASIDE = frozenset({".git", ".venv", "venv", "node_modules", "__pycache__", "target", ".tox", ".cache"})
_HEADER = re.compile(r"# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\s*")
_PERSON, _PROGRAM, _ENDED = "#### ", "> ", "  "
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_TURN_ENDS = "> Tokens: "
_BLANK = "<blank>"
_CONFIRMED = re.compile(r"[^\n]*\(Y\)es/\(N\)o[^\n]*\]: \w{0,10}")
_ASKING = re.compile(r"/(?:ask|architect|code|context|help)\s+(?=\S)")


def _roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:  # noqa: ARG001 - as of every source
    # Without the variable each project has a file of its own, and nobody knows which projects there are.
    named = environment.get("AIDER_CHAT_HISTORY_FILE", "")
    return (Path(os.path.expanduser(named)).parent,) if named.endswith(_NAME) else ()


KIND = SourceKind("aider", lambda place: FileSource(place, lambda name: name.endswith(_NAME), _parse, _ASIDE), _roots)


@dataclass
class _Chat:
    """A chat: its start as it is written, and its blocks, each with the mark of its lines and the lines."""

    start: str
    blocks: list[tuple[str, list[str]]] = field(default_factory=list)

    def add(self, mark: str, line: str) -> None:
        """Add a line to the last block, or begin one."""
        if not self.blocks or self.blocks[-1][0] != mark:
            self.blocks.append((mark, []))
        self.blocks[-1][1].append(line)


def _parse(file: SourceFile) -> Sequence[Session]:
    text = whole_content(file.stream).decode("utf-8", "replace").replace("\r\n", "\n")
    starts = Counter[str]()
    sessions = []
    for chat in _chats(text):
        starts[chat.start] += 1
        sessions.append(_session(file, chat, starts[chat.start]))
    return sessions


def _chats(text: str) -> Iterator[_Chat]:
    """The chats in a file. In a fence no line counts as another's; the end of a turn ends one that is still open."""
    chat, fence, above = None, "", _LineAbove()
    trimmed = f"{_ENDED}\n" not in text  # by an editor
    for line in text.split("\n")[:-1]:
        ended = trimmed or line.endswith(_ENDED)
        if line.startswith(_TURN_ENDS) and ended:
            fence = ""
        header = None if fence else _HEADER.fullmatch(line)
        if header:
            if chat:
                yield chat
            chat = _Chat(header[1])
        elif chat:
            chat.add("" if fence or not ended else above.mark_of(line, trimmed=trimmed), line)
            fence = _fence_after(line, fence)
        above.take(line)
    if chat:
        yield chat


@dataclass
class _LineAbove:
    """The line above, and the last one that is not blank."""

    line: str = ""
    words: str = ""

    def take(self, line: str) -> None:
        """Go on to the next line."""
        self.line = line
        self.words = line if line.strip() else self.words

    def mark_of(self, line: str, *, trimmed: bool) -> str:
        """The mark of a line below.

        A person's first line stands after an empty one; in a trimmed file that one also has to follow the program's.
        """
        if line.startswith(_PROGRAM):
            return _PROGRAM
        opens = not self.line and (not trimmed or self.words.startswith((_PROGRAM, "# aider chat")))
        return _PERSON if line.startswith(_PERSON) and (opens or self.line.startswith(_PERSON)) else ""


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after a line."""
    match = _FENCE.match(line)
    if match is None:
        return fence
    if not fence:
        return match[1]
    return "" if match[1].startswith(fence) else fence


def _session(file: SourceFile, chat: _Chat, ordinal: int) -> Session:
    """A chat as a session; all messages have the time of its start. It is named by the start and by the file's path."""
    assembly = Assembly(clock=local_moment(chat.start, file.place.zone))
    for number, (mark, lines) in enumerate(chat.blocks, start=1):
        entry_id = assembly.admit(number, {"mark": mark, "line": lines[0]}, "id")
        draft = _draft(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, []), mark, lines)
        if draft.parts:  # else blank lines between the others
            assembly.add(draft)
    assembly.skipped.pop("no_time", None)  # none has one
    place = hashlib.sha256(file.path.encode()).hexdigest()[:8]
    stamp = "".join(sign for sign in chat.start if sign.isdigit())
    session_id = f"aider-{stamp}-{place}" + (f"-{ordinal}" if ordinal > 1 else "")
    return file.place.session(file.path, session_id, assembly, project=one_line(str(file.location.parent)))


def _draft(draft: DraftMessage, mark: str, lines: list[str]) -> DraftMessage:
    said = clean("\n".join(line.removeprefix(mark).rstrip() for line in lines)).strip()
    if mark == _PROGRAM:
        draft.role, draft.origin, draft.parts = Role.TOOL, Origin.TOOL, [said] if said else []
    elif mark == _PERSON:
        draft.role, typed = Role.USER, _ASKING.sub("", said, count=1).replace(_BLANK, "").strip()
        draft.origin, draft.parts = typed_words([typed] if typed else [], _is_program)
        draft.parts = draft.parts or [said]
    else:
        draft.parts = [said] if said else []
    return draft


def _is_program(text: str) -> bool:
    """Whether a person's line is a command, or an answer that the program gave itself."""
    return text.startswith(("/", "!")) or _CONFIRMED.fullmatch(text) is not None
