"""The copies of databases from before an upgrade, in `.memory/upgrades/`, each in a folder named by both versions."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

FOLDER = "upgrades"
"""The folder of the copies, relative to `.memory/`."""
_NAME = re.compile(r"(ledger|store)-(\d+)-to-(\d+)")


@dataclass(frozen=True)
class KeptUpgrade:
    """The copy of a database, `ledger` or `store`, from before it was upgraded, at `moment`, to another version."""

    database: str
    before: int
    after: int
    file: Path
    moment: datetime


def upgrade_folder(state: Path, database: str, before: int, after: int) -> Path:
    """The folder for the copy of a database before an upgrade; `state` is `.memory/`."""
    return state / FOLDER / f"{database}-{before}-to-{after}"


def kept_upgrades(state: Path) -> list[KeptUpgrade]:
    """The copies, the newest first."""
    copies = (kept for kept in _list_kept(state) if kept.file.suffix == ".db")
    return sorted(copies, key=lambda kept: kept.moment, reverse=True)


def drop_upgrades(state: Path, database: str = "", before: datetime | None = None) -> None:
    """Delete the copies of a database, or all, that were made before a moment: they hold words that are gone elsewhere.

    Of a link in place of a folder the link itself is deleted.

    Raises:
        OSError: the system refuses.
    """
    of_database = (kept for kept in _list_kept(state) if database in {"", kept.database})
    for folder in {kept.file.parent for kept in of_database if before is None or kept.moment < before}:
        folder.unlink() if folder.is_symlink() else shutil.rmtree(folder)


def _list_kept(state: Path) -> Iterator[KeptUpgrade]:
    for file in [*state.glob(f"{FOLDER}/*-to-*/*.db*")]:
        if match := _NAME.fullmatch(file.parent.name):
            moment = datetime.fromtimestamp(file.lstat().st_mtime, UTC)
            yield KeptUpgrade(match[1], int(match[2]), int(match[3]), file, moment)
