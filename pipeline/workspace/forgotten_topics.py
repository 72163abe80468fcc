"""The topics in `memory/forgotten.md`: what was said about them until they were forgotten is kept from every job.

A topic is listed as a salted hash. The file belongs to the people: a person who removes a line lets jobs read those
messages again.
"""

import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import FORGOTTEN
from pipeline.workspace.listed_lines import append_lines
from pipeline.workspace.salted_hashes import salted_hash
from pipeline.workspace.tombstones import HEADER

_LINE = re.compile(
    r"[ \t]*- topic letters:(?P<letters>[0-9]+) salt:(?P<salt>[0-9a-f]+) text:(?P<text>[0-9a-f]+) "
    r"until:(?P<until>\S+) on "
)
_SALT_BYTES = 8


@dataclass(frozen=True)
class ForgottenTopic:
    """One name of a topic: how many `letters` it has, and their hash. It counts for messages `until` a moment."""

    letters: int
    salt: str
    text: str
    until: datetime

    def stands_in(self, words: Sequence[str]) -> bool:
        """Whether some of these words in a row are the name."""
        return any(salted_hash(self.salt, part) == self.text for part in _parts(words, self.letters))


def read_topics(workspace: Workspace) -> list[ForgottenTopic]:
    """The topics in `memory/forgotten.md`, in its order; other lines are no topics."""
    lines = (workspace.read(FORGOTTEN) or b"").decode(errors="replace").splitlines()
    return [topic for line in lines if (topic := _topic_of_line(line))]


def _topic_of_line(line: str) -> ForgottenTopic | None:
    match = _LINE.match(line)
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


def _parts(words: Sequence[str], letters: int) -> Iterator[str]:
    """The runs of words that have so many letters."""
    for start in range(len(words)):
        size, end = 0, start
        while size < letters and end < len(words):
            size, end = size + len(words[end]), end + 1
        if size == letters:
            yield "".join(words[start:end])
