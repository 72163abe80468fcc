"""The page over 10,000 entries: how long its documents take on the server, against parsing the same files once.

`python -m benchmarks.page [--entries N]`. A document is asked for over the loopback, as a browser does; the first
request of each, which may read the files, stands beside the others.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from benchmarks.measuring import head, process, ratio, row, seconds
from benchmarks.weekly import fill
from pipeline.markdown.entries import parse_entries
from pipeline.surfaces.http.security.cookies import cookie_name
from tests.support.workspaces.served_demo import ServedWorkspace, served

MAIN = "pipeline.surfaces.cli.main"
ENTRIES, ROUNDS = 10_000, 7
PARSING = "parsing the daily files"
SETTINGS = '\n[embedder]\nkind = "none"\n'


@dataclass(frozen=True)
class _Asked:
    """A document and its address."""

    name: str
    path: str


def page(folder: Path, entries: int = ENTRIES) -> None:
    """Each document with entries, after the service has been asked once and after a daily file has changed."""
    root = folder / "page"
    fill(root, entries)
    with (root / "memory.toml").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    process("-m", MAIN, "reindex", "--workspace", str(root))()
    days = sorted((root / "memory").rglob("????-??-??*.md"))
    with served(root) as workspace:
        for asked in _documents(days[len(days) // 2]):
            _measured(workspace, asked, f"{entries:,} entries", lambda: _parse(days))
        changed = ratio(lambda: _get_after_an_edit(workspace, days[-1]), lambda: _parse(days), ROUNDS)
        _row("the list after a person changed a daily file", changed)


def _documents(day: Path) -> list[_Asked]:
    entry = next(block.name for block, _ in parse_entries(day.read_bytes()))
    return [
        _Asked("Today", "/"),
        _Asked("the list of entries", "/entries"),
        _Asked("the list by a word", "/entries?words=cache"),
        _Asked("the story of an entry", f"/entries/{quote(entry)}"),
        _Asked("a search", "/search?query=cache"),
        _Asked("MEMORY.md", "/memory"),
    ]


def _measured(workspace: ServedWorkspace, asked: _Asked, size: str, base: Callable[[], object]) -> None:
    first = seconds(lambda: _get(workspace, asked.path))
    measured = ratio(lambda: _get(workspace, asked.path), base, ROUNDS)
    _row(f"{asked.name}, {size}", measured, f"; the first {1000 * first:.0f} ms")


def _row(what: str, measured: tuple[float, float, float], more: str = "") -> None:
    times, mine, base = measured
    row(what, PARSING, [f"{times:.2f} x the time", f"{1000 * mine:.0f} ms to {1000 * base:.0f} ms{more}"])


def _get(workspace: ServedWorkspace, path: str) -> None:
    cookie = f"{cookie_name(workspace.root)}={workspace.person}"
    answer = workspace.ask(path, authorization="", cookie=cookie, accept="text/html")
    if answer.status != 200:  # noqa: PLR2004 - OK
        raise RuntimeError(answer.body.decode())


def _get_after_an_edit(workspace: ServedWorkspace, day: Path) -> None:
    with day.open("a", encoding="utf-8") as file:
        file.write("\nA line of a person.\n")
    _get(workspace, "/entries")


def _parse(days: list[Path]) -> list[object]:
    return [parse_entries(day.read_bytes()) for day in days]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES, help="how many entries the workspace has")
    entries = parser.parse_args().entries
    head()
    with TemporaryDirectory(prefix="memory-page-") as folder:
        page(Path(folder), entries)


if __name__ == "__main__":
    main()
