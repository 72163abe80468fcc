"""The texts that a session wrote, by the calls of its tools."""

import os
from collections.abc import Iterator
from pathlib import Path

from schemas.evidence import EvidenceKind
from schemas.transcript import Session

_SUFFIXES = (".md", ".mdc", ".markdown", ".txt", "rules")
"""The ends of the names of files that agents note something in, such as `.cursorrules`."""


def written_texts(session: Session) -> Iterator[Path]:
    """The real paths of the texts that a session wrote; of a relative path in a folder that is not known, none."""
    for proven in session.evidence:
        folder, name = proven.project or session.project, proven.text
        if proven.kind is EvidenceKind.FILE and name.lower().endswith(_SUFFIXES):
            path = Path(folder) / name
            if path.is_absolute() and "\0" not in name:
                yield Path(os.path.realpath(path))
