"""`memory/declined.md`: the suggestions that a person declined, as salted hashes, so that they do not come back.

The file belongs to the people: a person who removes a line lets its suggestion wait again.
"""

import re
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.language.folding import folded_words
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import DECLINED
from pipeline.workspace.listed_lines import append_lines, keep_lines, salted_hash

PATH = DECLINED
LOCK = "declined"
_HEADER = (
    "# Declined\n\nSuggestions that a person declined, as ids and salted hashes. They are not suggested again; "
    "remove a line to allow it.\n\n"
)
_LINE = re.compile(
    r"[ \t]*- (?P<id>\S+) salt:(?P<salt>[0-9a-f]+) text:(?P<text>[0-9a-f]+) identity:(?P<identity>[0-9a-f]+) on "
)
_SALT_BYTES = 8


@dataclass(frozen=True)
class Declined:
    """The declined suggestions: ids, salts, and the hashes of texts and of identities with these salts."""

    ids: frozenset[str] = frozenset()
    salts: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    identities: frozenset[str] = frozenset()

    def has_text(self, text: str) -> bool:
        """Whether a suggestion with these words was declined, whoever said them when."""
        words = folded_words(text)
        return bool(words) and any(salted_hash(salt, words) in self.texts for salt in self.salts)

    def has_identity(self, identity: str) -> bool:
        """Whether the suggestion of this identity was declined, in whatever words."""
        return any(salted_hash(salt, identity) in self.identities for salt in self.salts)


def read_declined(workspace: Workspace) -> Declined:
    """The suggestions in `memory/declined.md`; other lines are a person's."""
    lines = (workspace.read(PATH) or b"").decode(errors="replace").splitlines()
    matches = [match for line in lines if (match := _LINE.match(line))]
    return Declined(*(frozenset(match[name] for match in matches) for name in ("id", "salt", "text", "identity")))


def note_declined(workspace: Workspace, gone: Sequence[tuple[str, str, str]], day: date) -> None:
    """Append suggestions that are not listed yet, each as its id, its identity and its text.

    The caller holds the lock `declined`.

    Raises:
        WriteFailed: the system refuses.
    """
    known = read_declined(workspace)
    salt = min(known.salts, default="") or secrets.token_hex(_SALT_BYTES)
    lines = [
        f"- {name} salt:{salt} text:{salted_hash(salt, folded_words(text))} "
        f"identity:{salted_hash(salt, identity)} on {day}"
        for name, identity, text in gone
        if not (known.has_identity(identity) and known.has_text(text))
    ]
    append_lines(workspace, PATH, _HEADER, lines)


def allow_declined(workspace: Workspace, ids: Collection[str]) -> None:
    """Take out the lines of these suggestions; every other byte stays. The caller holds the lock `declined`.

    Raises:
        WorkspaceError: another program kept writing to the file; the system refuses.
    """
    keep_lines(
        workspace,
        PATH,
        lambda line: not (match := _LINE.match(line.decode(errors="replace"))) or match["id"] not in ids,
    )
