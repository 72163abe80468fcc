"""`memory/forgotten.md`: the entries, messages and topics that a person forgot, which no job reads again.

A topic is listed as a salted hash. The file belongs to the people: a person who removes a line lets jobs read those
messages again.
"""

import re
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import FORGOTTEN
from pipeline.workspace.listed_lines import append_lines, keep_lines, reword_lines, salted_hash

PATH = FORGOTTEN
HEADER = (
    "# Forgotten\n\nEntries that a person deleted, as ids and hashes. They are not extracted again; "
    "remove a line to allow it.\n\n"
)
_LINE = re.compile(rb"[ \t]*- (\S+) identity:([0-9a-f]*) on \d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Tombstone:
    """An entry that is to stay away. `identity` is empty when its source is gone too."""

    entry_id: str
    identity: str


def read_forgotten(workspace: Workspace) -> list[Tombstone]:
    """The entries in `memory/forgotten.md`, in its order."""
    data = workspace.read(PATH) or b""
    return [listed for line in data.splitlines() if (listed := _parse_tombstone(line))]


def _parse_tombstone(line: bytes) -> Tombstone | None:
    """The tombstone of a line; `None` when it is a person's line, which may also be about a tombstone."""
    match = _LINE.match(line)
    return Tombstone(match.group(1).decode(errors="replace"), match.group(2).decode()) if match else None


def note_forgotten(workspace: Workspace, gone: Sequence[Tombstone], day: date) -> None:
    """Append entries that are not listed yet. The caller holds the lock `forget`.

    Raises:
        WriteFailed: the system refuses.
    """
    # By both: an id that is free again may be given to another entry, which may be deleted too.
    listed = set(read_forgotten(workspace))
    new = dict.fromkeys(tombstone for tombstone in gone if tombstone not in listed)
    lines = [f"- {tombstone.entry_id} identity:{tombstone.identity} on {day}" for tombstone in new]
    append_lines(workspace, PATH, HEADER, lines)


def rename(workspace: Workspace, names: Mapping[str, str]) -> None:
    """Replace ids of entries in their lines; every other byte stays. The caller holds the lock `forget`.

    Raises:
        WorkspaceError: another program kept writing to the file; the system refuses.
    """

    def rename_in_line(line: bytes) -> bytes:
        listed = _parse_tombstone(line)
        name = listed.entry_id if listed else ""
        return line.replace(name.encode(), names[name].encode(), 1) if name in names else line

    reword_lines(workspace, PATH, rename_in_line)


def strike_out(workspace: Workspace, back: Collection[Tombstone]) -> None:
    """Remove the lines of entries that are in files again; every other byte stays.

    The caller holds the lock `forget`.

    Raises:
        WorkspaceError: another program kept writing to the file; the system refuses.
    """
    keep_lines(workspace, PATH, lambda line: _parse_tombstone(line) not in back)


_MESSAGE_LINE = re.compile(r"[ \t]*- said salt:(?P<salt>[0-9a-f]+) message:(?P<message>[0-9a-f]+) on ")
_SALT_BYTES = 8


@dataclass(frozen=True)
class ForgottenMessages:
    """The listed hashes, each with its salt."""

    listed: frozenset[tuple[str, str]]

    def have(self, session_id: str, names: Sequence[str]) -> bool:
        """Whether the message of a session with one of these names is listed."""
        salts = {salt for salt, _ in self.listed}
        return any((salt, _hash(salt, session_id, name)) in self.listed for salt in salts for name in names)


def read_forgotten_messages(workspace: Workspace) -> ForgottenMessages:
    """The messages in `memory/forgotten.md`."""
    text = (workspace.read(FORGOTTEN) or b"").decode(errors="replace")
    return ForgottenMessages(frozenset((match["salt"], match["message"]) for match in _MESSAGE_LINE.finditer(text)))


def note_forgotten_messages(workspace: Workspace, messages: Sequence[tuple[str, str]], day: date) -> None:
    """Append messages, each by the id of its session and its own there. The caller holds the lock `forget`.

    Raises:
        WriteFailed: the system refuses.
    """
    known = read_forgotten_messages(workspace)
    salt = next((salt for salt, _ in sorted(known.listed)), "") or secrets.token_hex(_SALT_BYTES)
    new = dict.fromkeys(message for message in messages if not known.have(message[0], message[1:]))
    lines = [f"- said salt:{salt} message:{_hash(salt, session, name)} on {day}" for session, name in new]
    append_lines(workspace, FORGOTTEN, HEADER, lines)


def _hash(salt: str, session_id: str, name: str) -> str:
    return salted_hash(salt, f"{session_id}#{name}")


_TOPIC_LINE = re.compile(
    r"[ \t]*- topic letters:(?P<letters>[0-9]+) salt:(?P<salt>[0-9a-f]+) text:(?P<text>[0-9a-f]+) "
    r"until:(?P<until>\S+) on "
)


@dataclass(frozen=True)
class ForgottenTopic:
    """A name of a topic: the number of its `letters`, and their hash. It counts for messages `until` a moment."""

    letters: int
    salt: str
    text: str
    until: datetime

    def stands_in(self, words: Sequence[str]) -> bool:
        """Whether some of these words in a row are the name."""
        return any(self.runs_in(words))

    def runs_in(self, words: Sequence[str]) -> Iterator[Sequence[str]]:
        """The words in a row that are the name."""
        runs = _runs_of(words, self.letters)
        return (run for run in runs if salted_hash(self.salt, "".join(run)) == self.text)


def read_topics(workspace: Workspace) -> list[ForgottenTopic]:
    """The topics in `memory/forgotten.md`, in its order; other lines are no topics."""
    lines = (workspace.read(FORGOTTEN) or b"").decode(errors="replace").splitlines()
    return [topic for line in lines if (topic := _parse_topic(line))]


def _parse_topic(line: str) -> ForgottenTopic | None:
    match = _TOPIC_LINE.match(line)
    try:
        until = datetime.fromisoformat(match["until"]) if match else None
    except ValueError:
        return None
    if match is None or until is None or until.tzinfo is None:
        return None
    return ForgottenTopic(int(match["letters"]), match["salt"], match["text"], until)


def note_topics(workspace: Workspace, names: Sequence[Sequence[str]], until: datetime, day: date) -> None:
    """Append topics, each as the words of its name. The caller holds the lock `forget`.

    Raises:
        WriteFailed: the system refuses.
    """
    salt = secrets.token_hex(_SALT_BYTES)
    texts = dict.fromkeys(filter(None, map("".join, names)))
    append_lines(
        workspace,
        FORGOTTEN,
        HEADER,
        [
            f"- topic letters:{len(text)} salt:{salt} text:{salted_hash(salt, text)} until:{until.isoformat()} on {day}"
            for text in texts
        ],
    )


def _runs_of(words: Sequence[str], letters: int) -> Iterator[Sequence[str]]:
    """The runs of words that have so many letters."""
    for start in range(len(words)):
        size, end = 0, start
        while size < letters and end < len(words):
            size, end = size + len(words[end]), end + 1
        if size == letters:
            yield words[start:end]
