"""The refusal of settings that lead out of a workspace which is nobody's here.

A repository may hold a `memory.toml`, and whoever goes into its folder has chosen none of what it says. So only a
workspace of this person may send text to a server, use a key or a login, read folders beside itself, or write there.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.settings.locate import WORKSPACE_VARIABLE
from pipeline.workspace.regular_files import read_regular
from schemas.service_settings import host_and_port
from schemas.settings import Settings

_RECORD = ".memory/integrations/record.json"
_LEDGER = ".memory/state.db"
_SYSTEM_UNITS = Path("/etc/systemd/system")
_THIS_MACHINE = re.compile(
    r"[a-z]+://(?:[^@/?#\\\s]*@)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:/.*)?", re.IGNORECASE
)
_OWN_HOSTS = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1", re.IGNORECASE)
_WHOLE_SECOND = 1_000_000_000  # nanoseconds
_LOOKED_AT = 2000  # files of transcripts


def require_listed(
    root: Path, settings: Settings, variables: Mapping[tuple[int | str, ...], str], environment: Mapping[str, str]
) -> None:
    """Refuse settings of a file that lead out of a workspace which is not this person's.

    `variables` are those of the environment, by the settings that they are for: these are the person's own words.
    """
    named = sorted(set(_leading_out(root, settings, variables)))
    if named and not is_own(root, settings, environment):
        from pipeline.errors.workspaces import WorkspaceNotListed  # noqa: PLC0415 - most commands need no list

        raise WorkspaceNotListed(str(root), named)


def is_own(root: Path, settings: Settings, environment: Mapping[str, str]) -> bool:
    """Whether a workspace is this person's, by what no clone brings along.

    It is on the person's list; the environment names it, as in our units; the home knows a file in it, or has units for
    it; or its ledger knows the person's transcripts to the nanosecond. A process without a home has no list, and is
    nobody who goes into a folder.
    """
    from pipeline.settings.workspaces import (  # noqa: PLC0415 - most commands need no list
        PLACE,
        KnownWorkspaces,
        configuration_folder,
        own_list,
    )

    folder = os.path.realpath(root)
    named = environment.get(WORKSPACE_VARIABLE, "")
    if configuration_folder(environment) is None:
        return True
    if named.startswith(("/", "~")) and os.path.realpath(Path(named).expanduser()) == folder:
        return True
    listed = KnownWorkspaces()
    with suppress(PipelineError):
        listed = own_list(environment).read()
    return bool(
        listed.name_of(folder)
        or any(listed.has_written(_read(root / file)) for file in (PLACE, _RECORD))
        or _has_units(folder, environment)
        or _knows_transcripts(root, settings)
    )


def _leading_out(root: Path, settings: Settings, variables: Mapping[tuple[int | str, ...], str]) -> Iterator[str]:
    """The settings of the file by which something leaves the workspace, or comes from outside of it."""
    addresses = {
        ("model", "base_url"): settings.model.base_url,
        ("embedder", "base_url"): settings.embedder.base_url,
        ("index", "url"): settings.index.url,
        ("store", "url"): settings.store.url.get_secret_value(),
        ("pings", "url"): settings.pings.url.get_secret_value(),
    }
    for path, address in addresses.items():
        here = _THIS_MACHINE.fullmatch(address) and not (path[0] == "store" and "?" in address)
        if address and path not in variables and not (here and (path[0], "api_key") not in variables):
            yield ".".join(path)
    model, embedder = settings.model, settings.embedder
    programs = {"program": model.program, "mixed": model.mixed, "sources": "".join(model.sources.values())}
    yield from (f"model.{name}" for name, said in programs.items() if said and ("model", name) not in variables)
    if embedder.kind == "fastembed" and not embedder.folder and ("embedder", "kind") not in variables:
        yield "embedder.kind"
    if settings.reranker.model and not settings.reranker.folder and ("reranker", "model") not in variables:
        yield "reranker.model"
    http = settings.service.http
    if http and ("service", "http") not in variables and not _OWN_HOSTS.fullmatch(host_and_port(http)[0]):
        yield "service.http"
    if _is_outside(root, settings.service.metrics_file) and ("service", "metrics_file") not in variables:
        yield "service.metrics_file"
    folders = chain(
        ((f"sources.{source.root_name}", source.path) for source in settings.sources),
        ((f"index.extra_paths.{extra.name}", extra.path) for extra in settings.index.extra_paths),
    )
    yield from (name for name, path in folders if _is_outside(root, path))


def _is_outside(root: Path, path: str) -> bool:
    place = Path(os.path.realpath(root / Path(path).expanduser()))
    return not place.is_relative_to(os.path.realpath(root))


def _read(file: Path) -> bytes:
    with suppress(OSError):
        return read_regular(file)
    return b""


def _has_units(folder: str, environment: Mapping[str, str]) -> bool:
    from pipeline.install import UnitFolder, user_units  # noqa: PLC0415 - a listed workspace does not need it

    with suppress(PipelineError, OSError):
        return any(UnitFolder(place, folder).ours() for place in (user_units(environment), _SYSTEM_UNITS))
    return False


def _knows_transcripts(root: Path, settings: Settings) -> bool:
    """Whether the ledger has the size and the time of a file in a source beside the workspace, as it is now.

    A time of a whole second proves nothing: it may be that of a package, the same on every machine.
    """
    from pipeline.ledger.store import ReadOnlyStore  # noqa: PLC0415 - a listed workspace does not need it

    folders = {
        source.root_name: root / Path(source.path).expanduser()
        for source in settings.transcript_sources
        if _is_outside(root, source.path)
    }
    if not folders or not (root / _LEDGER).exists():
        return False
    with suppress(PipelineError):
        store = ReadOnlyStore(root / _LEDGER)
        try:
            rows = store.rows("SELECT source, path, size, mtime_ns FROM files LIMIT ?", (_LOOKED_AT,))
            return any(
                _is_same(folders[row["source"]] / row["path"], row["size"], row["mtime_ns"])
                for row in rows
                if row["source"] in folders
            )
        finally:
            store.close()
    return False


def _is_same(file: Path, size: int, time: int) -> bool:
    with suppress(OSError, ValueError):
        status = file.stat()
        return (status.st_size, status.st_mtime_ns) == (size, time) and time % _WHOLE_SECOND != 0
    return False
