"""The choice of sessions: which of a source's are left out, and by which setting."""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import NamedTuple

from pipeline.language.text import weight
from pipeline.ledger.transcripts import FileRecord
from pipeline.model.question import is_fenced
from pipeline.transcripts.projects import Projects
from pipeline.workspace.asking import ASKING_FOLDER
from schemas.settings import SessionRule, SourceSettings
from schemas.transcript import Origin, Role, Session, id_in_file

SEVERAL = 3
"""Earlier sessions with the same opening, from which on a session is routine."""
SHORTEST = 60
"""Latin letters of an opening, or as much in Chinese: a greeting opens many sessions, and says nothing of them."""

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_NUMBER = re.compile(r"\d+")


class SessionOpening(NamedTuple):
    """The owner's opening of a session: a digest of the first paragraph, and the time of the owner's second message."""

    digest: str
    second: datetime | None


def opening_of(session: Session) -> SessionOpening:
    """The opening of a session; its digest is empty when the first paragraph is short, or nobody speaks.

    White space, case and numbers make no difference: prompts of scripts hold dates.
    """
    said = [message for message in session.messages if message.origin is Origin.OWNER]
    paragraph = _PARAGRAPH_END.split(said[0].text.strip(), maxsplit=1)[0] if said else ""
    words = " ".join(_NUMBER.sub("0", paragraph).casefold().split())
    digest = hashlib.sha256(words.encode()).hexdigest()[:16] if weight(words) >= SHORTEST else ""
    return SessionOpening(digest, said[1].time if len(said) > 1 else None)


MACHINE, NO_SESSION, NO_MESSAGES = "machine", "no session", "no messages"
"""Reasons why nothing is read of a file: only machines speak in its session, it holds none, or an empty one."""
_READING = 2  # raised when the same files are read in another way: then all of them are read once more


class Selection:
    """The choice of the sessions of all sources that are read, and the names of their projects."""

    def __init__(self, settings: Sequence[SourceSettings] = (), home: str = "") -> None:
        """`home` is the owner's home folder, empty where it is not known."""
        self.projects = Projects(home)
        self._settings = {source.root_name: source for source in settings}

    @property
    def kinds(self) -> dict[str, str]:
        """The kinds of the sources, by their names."""
        return {name: source.kind for name, source in self._settings.items()}

    def fingerprint(self, source: str) -> str:
        """A text of all that the reading of a source's files depends on besides the files."""
        settings = self._settings.get(source)
        return f"{_READING} {settings.model_dump_json(exclude={'search'})}" if settings else ""

    def why_left_out(self, session: Session, source: str) -> str:
        """The setting of the source with its file that leaves a session out, as a sentence; empty when it is read."""
        settings = self._settings.get(source)
        return why_left_out(session, settings) if settings else ""


def why_left_out(session: Session, settings: SourceSettings) -> str:
    """The setting of its source that leaves a session out, as a sentence; empty when it is read.

    A question of ours to an agent's program is left out whatever the settings say: else every answer would be asked
    about again.
    """
    if _is_our_question(session):
        return "it is a question of memory to its model"
    if settings.agents and session.agent not in settings.agents:
        return f"its agent is {_quote(session.agent)}, which `agents` does not name"
    if settings.projects and not any(_in_project(session.project, project) for project in settings.projects):
        return f"its project is {_quote(session.project)}, which `projects` does not name"
    if settings.include and not any(_fits_rule(session, rule) for rule in settings.include):
        return "no rule of `include` fits"
    rule = next((rule for rule in settings.exclude if _fits_rule(session, rule)), None)
    if rule is None:
        return ""
    written = ", ".join(f'{name} = "{value}"' for name, value in rule if value)
    return f"a rule of `exclude` fits: {written}"


def why_not_read(record: FileRecord) -> str:
    """The reason why nothing is read of a file's session: a setting, or a word or two; empty when it is read."""
    if record.session is None:
        return NO_SESSION
    if record.left_out:
        return record.left_out
    if record.first is None:
        return NO_MESSAGES
    return MACHINE if record.machine else ""


def _fits_rule(session: Session, rule: SessionRule) -> bool:
    names = (session.session_id, id_in_file(session.session_id))
    return (
        (not rule.session or any(fnmatchcase(name, f"{rule.session}*") for name in names))
        and (not rule.path or fnmatchcase(session.path, rule.path))
        and (not rule.agent or fnmatchcase(session.agent, rule.agent))
        and (not rule.project or _in_project(session.project, rule.project))
        and (not rule.first_words or fnmatchcase(_first_words(session), f"{rule.first_words}*"))
    )


def _first_words(session: Session) -> str:
    """The first message in the role of the user, whoever wrote it."""
    texts = (message.text for message in session.messages if message.role is Role.USER)
    return next(texts, "").lstrip()


def _is_our_question(session: Session) -> bool:
    """Whether a program was asked here by us, or by another workspace: by its folder, and the marks of its first words.

    Words that only quote such a question stand in another folder, or do not begin with it.
    """
    asked_in = PurePosixPath(session.project.replace("\\", "/")).name
    return asked_in == ASKING_FOLDER and is_fenced(_first_words(session).rstrip())


def _in_project(project: str, wanted: str) -> bool:
    """Whether a working folder is the wanted one, below it, or has its name."""
    folder, named = PurePosixPath(project.replace("\\", "/")), PurePosixPath(wanted.replace("\\", "/"))
    if not project:
        return False
    return fnmatchcase(folder.name, wanted) or folder.is_relative_to(named) or fnmatchcase(str(folder), str(named))


def _quote(name: str) -> str:
    return f'"{name}"' if name else "not recorded"
