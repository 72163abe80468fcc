"""The settings, and the links, by which something leaves a workspace or comes from outside of it."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from schemas.service_settings import host_and_port
from schemas.settings import Settings

Location = tuple[int | str, ...]
_THIS_MACHINE = re.compile(
    r"[a-z]+://(?:[^@/?#\\\s]*@)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:/.*)?", re.IGNORECASE
)
_REPOSITORY = ".git"  # which brings no links of its own
_OWN_HOSTS = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1", re.IGNORECASE)


def leading_out(root: Path, settings: Settings, variables: Mapping[Location, str]) -> list[str]:
    """The names of the settings of the file that lead out; those that `variables` set are the person's own words."""
    addresses, links = _addresses(settings, variables), ((link,) for link in links_out(root))
    paths = (*addresses, *_programs(settings), *_paths(root, settings), *links)
    return sorted({".".join(path) for path in paths if not {path[:1], path[:2]} & {*variables}})


def is_outside(root: Path, path: str) -> bool:
    """Whether a path of a workspace's settings leads out of it, also by a link."""
    place = Path(os.path.realpath(root / Path(path).expanduser()))
    return not place.is_relative_to(os.path.realpath(root))


def _addresses(settings: Settings, variables: Mapping[Location, str]) -> Iterator[tuple[str, ...]]:
    """Servers of other machines, those of this machine that would get a key of the environment, and databases.

    A database of this machine may hold what other workspaces of the person keep.
    """
    models = {"model": settings.model.base_url, "embedder": settings.embedder.base_url}
    for name, address in models.items():
        if address and not (_THIS_MACHINE.fullmatch(address) and (name, "api_key") not in variables):
            yield name, "base_url"
    others = {
        "index": settings.index.url,
        "store": settings.store.url,
        "pings": settings.pings.url,
        "ship": settings.ship.url,
    }
    yield from ((name, "url") for name, address in others.items() if address)
    if (http := settings.service.http) and not _OWN_HOSTS.fullmatch(host_and_port(http)[0]):
        yield "service", "http"


def _programs(settings: Settings) -> Iterator[tuple[str, ...]]:
    """Programs of agents, with their logins, and models that are downloaded."""
    model, embedder, reranker = settings.model, settings.embedder, settings.reranker
    programs: dict[str, set[str]] = {
        "program": {model.program},
        "mixed": {model.mixed},
        "sources": {*model.sources.values()},
    }
    yield from (("model", name) for name, named in programs.items() if named - {"", "offline"})
    if embedder.kind == "fastembed" and not embedder.folder:
        yield "embedder", "kind"
    if reranker.model and not reranker.folder:
        yield "reranker", "model"


def _paths(root: Path, settings: Settings) -> Iterator[tuple[str, ...]]:
    yield from (("sources", source.root_name) for source in settings.sources if is_outside(root, source.path))
    extra_paths = (extra for extra in settings.index.extra_paths if is_outside(root, extra.path))
    yield from (("index", "extra_paths", extra.name) for extra in extra_paths)
    files = {
        ("service", "metrics_file"): settings.service.metrics_file,
        ("embedder", "folder"): settings.embedder.folder,
        ("reranker", "folder"): settings.reranker.folder,
    }
    yield from (name for name, path in files.items() if is_outside(root, path))


def links_out(root: Path) -> Iterator[str]:
    """The links of a workspace that lead out of it, wherever they are: another link in it may lead to them."""
    folders = [str(root)]
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:  # what reads it says why
            continue
        for entry in entries:
            if entry.is_symlink():
                if is_outside(root, entry.path):
                    yield f"the link {os.path.relpath(entry.path, root)}"
            elif entry.is_dir() and entry.name != _REPOSITORY:
                folders.append(entry.path)
