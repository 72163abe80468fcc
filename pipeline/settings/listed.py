"""The refusal of settings that lead out of a workspace which is nobody's here.

A repository may hold a `memory.toml`, and whoever goes into its folder has chosen none of what it says. So only a
workspace of this person may send text to a server, use a key or a login, read folders beside itself, or write there.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.errors.workspaces import WorkspaceNotListed
from pipeline.settings.leading_out import is_outside
from pipeline.settings.locate import configuration_folder
from pipeline.settings.workspaces import PLACE, RECORD, KnownWorkspaces, own_list
from pipeline.workspace.regular_files import read_regular
from schemas.settings import Settings

_LEDGER = ".memory/state.db"
_SYSTEM_UNITS = Path("/etc/systemd/system")
_WHOLE_SECOND = 1_000_000_000  # nanoseconds
_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'files' AND type = 'table' AND rootpage > 0"
_LATEST = "SELECT source, path, size, mtime_ns FROM files ORDER BY mtime_ns DESC LIMIT 2000"


def require_own(root: Path, settings: Settings, named: Sequence[str], environment: Mapping[str, str]) -> None:
    """Refuse a workspace that is not this person's, whose settings lead out of it by those that are named."""
    if not is_own(root, settings, environment):
        raise WorkspaceNotListed(str(root), named)


def is_own(root: Path, settings: Settings, environment: Mapping[str, str]) -> bool:
    """Whether a workspace is this person's, by what no clone and no archive brings along.

    It is on the person's list; the home knows a file in it, or has units for it; or its ledger knows the person's
    transcripts to the nanosecond. A process without a home has no list, and is nobody who goes into a folder.
    """
    folder = os.path.realpath(root)
    if configuration_folder(environment) is None:
        return True
    listed = KnownWorkspaces()
    with suppress(PipelineError):
        listed = own_list(environment).read()
    return (
        folder in map(os.path.realpath, listed.folders.values())
        or _is_known(root, listed)
        or _has_units(folder, environment)
        or _knows_transcripts(root, settings)
    )


def _is_known(root: Path, listed: KnownWorkspaces) -> bool:
    """Whether the home knows the id in the place of a workspace, wherever it is now, or its record at this path."""
    return listed.has_written(_read(root, PLACE), PLACE) or (
        str(root / RECORD) in listed.written and listed.has_written(_read(root, RECORD), RECORD)
    )


def _read(root: Path, path: str) -> bytes:
    if _has_link(root, path):
        return b""
    with suppress(OSError):
        return read_regular(root / path)
    return b""


def _has_link(root: Path, path: str) -> bool:
    """Whether a link stands on the way to a file: a clone may bring one that leads to the files of the person."""
    file = root / path
    return any(place.is_symlink() for place in (file, *file.parents) if place.is_relative_to(root) and place != root)


def _has_units(folder: str, environment: Mapping[str, str]) -> bool:
    from pipeline.install import UnitFolder, user_units  # a listed workspace does not need it

    with suppress(PipelineError, OSError):
        return any(UnitFolder(place, folder).ours() for place in (user_units(environment), _SYSTEM_UNITS))
    return False


def _knows_transcripts(root: Path, settings: Settings) -> bool:
    """Whether the ledger has the size and the time of a file in a source beside the workspace, as it is now."""
    from pipeline.ledger.store import ReadOnlyStore  # a listed workspace does not need it

    folders = {
        source.root_name: root / Path(source.path).expanduser()
        for source in settings.transcript_sources
        if is_outside(root, source.path)
    }
    if not folders or _has_link(root, _LEDGER) or not (root / _LEDGER).is_file():
        return False
    with suppress(PipelineError):
        store = ReadOnlyStore(root / _LEDGER)
        try:
            return any(
                _is_same(file, row["size"], row["mtime_ns"])
                for row in (store.rows(_LATEST) if store.rows(_TABLE) else ())  # a view may never end
                if row["source"] in folders and is_outside(root, file := f"{folders[row['source']]}/{row['path']}")
            )
        finally:
            store.close()
    return False


def _is_same(file: str, size: object, time: object) -> bool:
    """Whether a file of this person has this size and time, and got its time by being written here.

    The system gives a file that is written the same time twice, and nobody can set the second: it shows when an archive
    or a copy has set the first. A time of a whole second may be that of any file where the system has no finer times.
    """
    with suppress(OSError, ValueError):
        status = Path(file).stat()
        written = status.st_mtime_ns == status.st_ctime_ns and status.st_mtime_ns % _WHOLE_SECOND != 0
        return written and status.st_uid == os.getuid() and (status.st_size, status.st_mtime_ns) == (size, time)
    return False
