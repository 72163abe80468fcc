"""The page over 10,000 entries: how long its documents take on the server, against parsing the same files once.

`python -m benchmarks.page [--entries N]`. A document is asked for over the loopback, as a browser does; the first
request of each, which may read the files, stands beside the others. Then each is asked for after an entry was appended.
In the end the service runs as a process of its own: idle, and with readers who have Today open.
"""

import argparse
import gc
import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from benchmarks.measuring import head, middle, process, ratio, resident_mebibytes, row, seconds, spread, ticks
from benchmarks.weekly import fill
from pipeline.clock import stopwatch
from pipeline.markdown.entries import parse_entries, render_entry
from pipeline.surfaces.http.security.rules import cookie_name
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from tests.support.processes.serving_process import serving_process
from tests.support.workspaces.served_demo import ServedWorkspace, served

MAIN = "pipeline.surfaces.cli.main"
ENTRIES, ROUNDS = 10_000, 5
PARSING = "parsing the daily files"
SETTINGS = '\n[embedder]\nkind = "none"\n'
READERS, POLL_SECONDS, POLLS = 20, 15.0, 3
"""Readers who have Today open, and how often their browsers ask for what is new."""


@dataclass(frozen=True)
class _Asked:
    """A document and its address; `of_entries` says that it reads them."""

    name: str
    path: str
    of_entries: bool = True


def page(folder: Path, entries: int = ENTRIES) -> None:
    """Each document with entries, after the service has been asked once and after an entry was appended."""
    root = folder / "page"
    fill(root, entries)
    # Time is due from the newest day on, as where the jobs have run for the days before.
    file = root / "memory.toml"
    started = re.sub(
        "^start = .*$", f"start = {datetime.now(UTC).isoformat()}", file.read_text("utf-8"), flags=re.MULTILINE
    )
    file.write_text(f"{started}{SETTINGS}", encoding="utf-8")
    process("-m", MAIN, "reindex", "--workspace", str(root))()
    days = sorted((root / "memory").rglob("????-??-??*.md"))
    with served(root) as workspace:
        for asked in documents(days[len(days) // 2]):
            _measured(workspace, asked, f"{entries:,} entries", lambda: _parse(days))
        for asked in documents(days[len(days) // 2]):
            if asked.of_entries:
                _measured_after_an_entry(workspace, asked, days)
    _measure_opendocuments(root, folder, f"{entries:,} entries")


def _measure_opendocuments(root: Path, folder: Path, size: str) -> None:
    """The processor time of a service: idle, and while readers have Today open; and its resident size."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        where = f"127.0.0.1:{free.getsockname()[1]}"
    file = root / "memory.toml"
    file.write_text(f'{file.read_text("utf-8")}\n[service]\nhttp = "{where}"\n', encoding="utf-8")
    person = TokenFile(root).add("watcher", CallerKind.PERSON, "", datetime.now(UTC))
    workspace = ServedWorkspace(root, f"http://{where}", person, "")
    with serving_process(root, folder) as service:
        for asked in documents(next((root / "memory").rglob("????-??-??*.md"))):
            get(workspace, asked.path)
        before, began, times = ticks(service.pid), stopwatch(), list[float]()
        time.sleep(POLLS * POLL_SECONDS)
        idle = (ticks(service.pid) - before) / (stopwatch() - began)
        before, began = ticks(service.pid), stopwatch()
        for number in range(POLLS * READERS):
            time.sleep(max(0.0, began + number * POLL_SECONDS / READERS - stopwatch()))
            times.append(seconds(lambda: get(workspace, "/today/now")))
        polled = (ticks(service.pid) - before) / (stopwatch() - began)
        resident = resident_mebibytes(service.pid)
    row(f"a service that is idle, {size}", "one core", [f"{idle:.2f} %", f"{resident:.0f} MiB resident"])
    row(f"the same, {READERS} readers of Today", "one core", [f"{polled:.2f} %", f"an answer {spread(times)}"])


def documents(day: Path) -> list[_Asked]:
    """The documents to ask for, with an entry of a day."""
    entry = next(block.name for block, _ in parse_entries(day.read_bytes()))
    return [
        _Asked("Today", "/"),
        _Asked("the list of entries", "/entries"),
        _Asked("the list by a word", "/entries?words=cache"),
        _Asked("the story of an entry", f"/entries/{quote(entry)}"),
        _Asked("a search", "/search?query=cache", of_entries=False),
        _Asked("MEMORY.md", "/memory", of_entries=False),
        _Asked("the inbox", "/inbox", of_entries=False),
        _Asked("agents", "/agents", of_entries=False),
        _Asked("files", "/files", of_entries=False),
        _Asked("people and things", "/entities"),
        _Asked("the graph as JSON", "/api/v1/graph"),
        _Asked("the grid of runs", "/grid", of_entries=False),
        _Asked("Health", "/health"),
        _Asked("findings that were kept", "/health/findings?kept=true", of_entries=False),
        _Asked("fresh findings", "/health/findings", of_entries=False),
        _Asked("settings", "/settings", of_entries=False),
    ]


def _measured(workspace: ServedWorkspace, asked: _Asked, size: str, base: Callable[[], object]) -> None:
    first = seconds(lambda: get(workspace, asked.path))
    measured = ratio(lambda: get(workspace, asked.path), base, ROUNDS)
    packed = get(workspace, asked.path) / 1000
    _row(f"{asked.name}, {size}", measured, f"; the first {1000 * first:.0f} ms; {packed:.1f} KB compressed")


def _measured_after_an_entry(workspace: ServedWorkspace, asked: _Asked, days: list[Path]) -> None:
    pairs = list[tuple[float, float]]()
    for _ in range(ROUNDS):
        _append(days[-1])
        gc.collect()  # what parsing has left is no matter of the service
        pairs.append((seconds(lambda: get(workspace, asked.path)), seconds(lambda: _parse(days))))
    _row(f"{asked.name}, after an entry was appended", middle(pairs))


def _row(what: str, measured: tuple[float, float, float], more: str = "") -> None:
    times, mine, base = measured
    row(what, PARSING, [f"{times:.2f} x the time", f"{1000 * mine:.0f} ms to {1000 * base:.0f} ms{more}"])


def get(workspace: ServedWorkspace, path: str) -> int:
    """Ask for a document; the bytes of its body, as it was sent."""
    cookie = f"{cookie_name(workspace.root)}={workspace.person}"
    token = {} if path.startswith("/api/") else {"authorization": "", "cookie": cookie}
    answer = workspace.ask(path, accept="text/html", accept_encoding="gzip", **token)
    if answer.status != 200:  # noqa: PLR2004 - OK
        raise RuntimeError(answer.body.decode(errors="replace"))
    return len(answer.body)


def _append(day: Path) -> None:
    """Write an entry behind the others of a daily file, as a person may."""
    entries = [entry for _, entry in parse_entries(day.read_bytes()) if entry]
    another = entries[0].model_copy(update={"id": f"{entries[0].id}-{len(entries)}"})
    with day.open("a", encoding="utf-8") as file:
        file.write(f"\n{render_entry(another)}")


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
