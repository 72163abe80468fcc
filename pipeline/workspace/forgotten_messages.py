"""The messages in `memory/forgotten.md` that no search finds any more: what a forgotten entry quotes, or what says it.

Each is listed as a salted hash of its session and its id there. A person who removes a line lets it be found again.
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import FORGOTTEN
from pipeline.workspace.listed_lines import append_lines
from pipeline.workspace.salted_hashes import salted_hash
from pipeline.workspace.tombstones import HEADER

_LINE = re.compile(r"[ \t]*- said salt:(?P<salt>[0-9a-f]+) message:(?P<message>[0-9a-f]+) on ", re.MULTILINE)
_SALT_BYTES = 8


@dataclass(frozen=True)
class ForgottenMessages:
    """The listed hashes, each with its salt."""

    listed: frozenset[tuple[str, str]]

    def have(self, session_id: str, names: Sequence[str]) -> bool:
        """Whether the message of a session that has one of these names is listed."""
        salts = {salt for salt, _ in self.listed}
        return any((salt, _hash(salt, session_id, name)) in self.listed for salt in salts for name in names)


def read_forgotten_messages(workspace: Workspace) -> ForgottenMessages:
    """The messages in `memory/forgotten.md`."""
    text = (workspace.read(FORGOTTEN) or b"").decode(errors="replace")
    return ForgottenMessages(frozenset((match["salt"], match["message"]) for match in _LINE.finditer(text)))


def note_forgotten_messages(workspace: Workspace, messages: Sequence[tuple[str, str]], day: date) -> None:
    """Append messages, each by the id of its session and its own there. The caller holds the lock `forget`.

    Raises:
        WriteFailed: the system refuses.
    """
    known = read_forgotten_messages(workspace)
    salt = next((salt for salt, _ in sorted(known.listed)), "") or secrets.token_hex(_SALT_BYTES)
    new = dict.fromkeys(one for one in messages if not known.have(one[0], one[1:]))
    lines = [f"- said salt:{salt} message:{_hash(salt, session, name)} on {day}" for session, name in new]
    append_lines(workspace, FORGOTTEN, HEADER, lines)


def _hash(salt: str, session_id: str, name: str) -> str:
    return salted_hash(salt, f"{session_id}#{name}")
