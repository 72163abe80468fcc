"""`python -m benchmarks.parsing`: reading all sessions of a kind, against loading the same bytes or rows alone."""

import json
import sqlite3
import statistics
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import zstandard

from benchmarks.conversations import ASKED, FORMATS, TURNS
from benchmarks.measuring import ROUNDS, head, middle, processor_seconds, row
from pipeline.adapters.sources.reading.files import SourcePlace
from schemas.settings import SourceSettings
from schemas.transcript import Session


def parsing(folder: Path) -> None:
    """Parse throughput of each format, with the listing of its sessions."""
    beyond = list[float]()
    for (kind, form), write in FORMATS.items():
        root = folder / kind / form
        root.mkdir(parents=True)
        write(root, ASKED)
        against, bare = _BASELINES[form]
        pairs = [
            (processor_seconds(lambda: list(_sessions(kind, root))), processor_seconds(lambda: bare(root)))  # noqa: B023 - called at once
            for _ in range(ROUNDS)
        ]
        times, mine, base = middle(pairs)
        messages = sum(len(session.messages) for session in _sessions(kind, root))
        if messages < 2 * TURNS:
            raise SystemExit(f"{kind} {form}: {messages}")  # noqa: EM102, TRY003 - the samples have become foreign
        megabytes = sum(file.stat().st_size for file in root.rglob("*") if file.is_file()) / 1e6
        beyond.append(1e6 * statistics.median(one - other for one, other in pairs) / messages)
        speeds = f"{megabytes / mine:.0f} MB/s, {messages / mine:,.0f} messages/s"
        apart = f"{beyond[-1]:.1f} µs a message beyond {1e6 * base / messages:.1f}"
        row(f"parse {kind}, {form}", against, [f"{times:.1f} x the time", speeds, apart])
    both = f"{statistics.median(beyond):.1f} / {max(beyond):.1f} µs"
    row("a message, beyond the baseline, median / worst", "the baselines above", [both])


def _sessions(kind: str, root: Path) -> Iterator[Session]:
    module = import_module(f"pipeline.adapters.sources.{kind}")
    source = module.KIND.source(SourcePlace(SourceSettings(kind=kind, path=str(root)), root, "UTC"))
    for file in source.files():
        yield from source.read(file.path)


def _lines(root: Path) -> None:
    for file in root.rglob("*.jsonl"):
        with file.open("rb") as stream:
            for line in stream:
                json.loads(line)


def _documents(root: Path) -> None:
    for file in root.rglob("*.json"):
        json.loads(file.read_bytes())


def _text(root: Path) -> None:
    for file in root.rglob("*.md"):
        with file.open(encoding="utf-8") as stream:
            list(stream)


def _rows(root: Path) -> list[tuple[object, ...]]:
    (file,) = (*root.rglob("*.db"), *root.rglob("*.sqlite"))
    with closing(sqlite3.connect(file)) as store:
        names = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [row for name in names for row in store.execute(f"SELECT * FROM {name}")]  # noqa: S608 - its own names


def _packed(root: Path) -> None:
    for values in _rows(root):
        for value in values:
            if isinstance(value, bytes):
                json.loads(zstandard.decompress(value))


_BASELINES = {
    "lines": ("`json.loads` of each line", _lines),
    "file": ("`json.loads` of the file", _documents),
    "files": ("`json.loads` of each file", _documents),
    "store": ("`sqlite3` fetching the same rows", _rows),
    "packed": ("`sqlite3`, zstd and `json.loads` of the same rows", _packed),
    "text": ("reading its lines", _text),
}


if __name__ == "__main__":
    head()
    with TemporaryDirectory(prefix="memory-benchmarks-") as room:
        parsing(Path(room))
