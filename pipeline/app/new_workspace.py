"""A new workspace: its folder, and a `memory.toml` of a few lines."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pipeline.errors import WriteFailed
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.tables import source_tables, toml_text
from pipeline.workspace.files import STATE_FOLDER
from pipeline.workspace.regular_files import make_folder, open_regular, write_regular
from schemas.settings import SourceSettings

MOST_LINES = 25
"""The most lines of new settings; a source that is read takes its three or four beyond them, where it has to."""
_HEAD = """\
timezone = {zone}
# The zone in which days begin and entries are dated. Before this moment nothing is due; `memory backfill` reads it:
start = {start}
"""
_IGNORED = "# Folders that you do not want to be read, and that no hint names:\nsources_ignored = [{}]\n"
_REST = "# `memory config sample` prints all settings with their meaning, `memory config show` those in force.\n"
_READ = "\n# Read, as you said to `memory init`:\n"
_PROPOSALS = "\n# Found on this machine by `memory init`; take the # away where this workspace should read:\n"


@dataclass(frozen=True)
class NewSettings:
    """The settings of a new workspace: what it reads, what stands there as a proposal, and what was declined.

    `tables` have values by their tables, such as `{"model": {"program": "claude"}}`.
    """

    timezone: str
    start: datetime
    sources: Sequence[SourceSettings] = ()
    proposed: Sequence[SourceSettings] = ()
    declined: Sequence[SourceSettings] = ()
    tables: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of `memory.toml`; proposals that are too many for it are left to the printed list."""
        ignored = [toml_text(source.path) for source in self.declined if not source.holds_notes]
        text = _HEAD.format(zone=toml_text(self.timezone), start=start_text(self.start))
        text += (_IGNORED.format(", ".join(ignored)) if ignored else "") + _REST
        for table, values in self.tables.items():
            text += f"\n[{table}]\n" + "".join(f"{key} = {toml_text(value)}\n" for key, value in values.items())
        text += _READ + source_tables(self.sources) if self.sources else ""
        commented = ""
        for source in self.proposed:
            more = "".join(f"#{line}\n" for line in source_tables([source]).splitlines())
            if f"{text}{_PROPOSALS}{commented}{more}".count("\n") <= MOST_LINES:
                commented += more
        return text + (_PROPOSALS + commented if commented else "")


def make_workspace(root: Path, settings: str) -> bool:
    """Make the folder, for us alone, and its settings file; `False`, and nothing changed, when there is one.

    A folder that is there keeps its mode.
    """
    try:
        if not root.is_dir():
            make_folder(root.parent)
            root.mkdir(0o700)
        make_folder(root / "memory")
        _write_new(root / SETTINGS_FILE, settings)
        # What is derived is for us alone and out of git: a scheduler may want to log into it.
        (root / STATE_FOLDER).mkdir(mode=0o700, exist_ok=True)
        write_regular(root / STATE_FOLDER / ".gitignore", b"*\n")
    except FileExistsError as error:
        if (root / SETTINGS_FILE).is_file():
            return False
        raise WriteFailed(str(error.filename), "it is in the way") from error
    except OSError as error:
        raise WriteFailed(str(error.filename or root), error.strerror or str(error)) from error
    return True


def _write_new(file: Path, settings: str) -> None:
    """Write settings for us alone, for they may come to hold keys; a part of them is taken away again."""
    descriptor = open_regular(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL)  # whatever stands there is left alone
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(settings)
    except OSError:
        file.unlink()
        raise


def start_text(now: datetime) -> str:
    """A moment as `start` has it."""
    return now.isoformat(timespec="seconds").replace("+00:00", "Z")
