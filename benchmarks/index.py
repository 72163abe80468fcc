"""The index and searching, against a plain full-text script of SQLite that searches the same files in the same run.

`python -m benchmarks.index [--files N ...] [--large] [--text DIR] [--peers [VENV]]`. Embedding is taken out: inside a
process a hashing embedder is used and its time taken off; commands make an index of words alone.
"""

import argparse
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import plain_script
from benchmarks.hashed_index import Hashed, hashed
from benchmarks.measuring import Spent, figures, head, middle, process, ratio, row, seconds, spent, spread
from benchmarks.notes import Notes, said_in
from benchmarks.peers import beside_memsearch
from pipeline.clock import stopwatch
from pipeline.index.context import Updated
from pipeline.index.search.fresh_search import Answering
from pipeline.index.sync.update import update
from schemas.requests import SearchRequest

MAIN = "pipeline.surfaces.cli.main"
SETTINGS = '[embedder]\nkind = "none"\n'
SIZES = (200, 2_000)
LARGE = 20_000
SEVERAL, WARM, COLD, EDITS = 3, 100, 5, 3
PLAIN = "plain FTS5 script"
LEFT_ALONE = "the same, left alone"
SETTLED_SECONDS = 2.1
"""Files that changed less than 2 s before they are read are looked at again; those here shall be older."""


@dataclass(frozen=True)
class Bench:
    """A workspace and what searches it: our index in its own folder, and the plain script's database beside it."""

    notes: Notes
    folder: Path
    rounds: int = SEVERAL
    edits: list[int] = field(default_factory=list)

    @property
    def root(self) -> Path:
        """The workspace."""
        return self.notes.root

    @property
    def database(self) -> Path:
        """The plain script's."""
        return self.folder / "plain.db"

    def name(self, what: str) -> str:
        """A measurement's name."""
        return f"{what}, {self.notes.files:,} files"

    def drop(self) -> None:
        """Remove our index."""
        shutil.rmtree(self.root / ".memory" / "index", ignore_errors=True)

    def edit(self) -> str:
        """Change a file, each time another; the word that only it has now."""
        self.edits.append(len(self.edits))
        return self.notes.edit(self.edits[-1] * 7)

    def command(self, *words: str) -> Callable[[], object]:
        """Our command on this workspace."""
        return process("-m", MAIN, *words, "--workspace", str(self.root))

    def plain(self, *words: str) -> Callable[[], object]:
        """The plain script on the same files."""
        lines = [str(self.root / "memory")] if words[0] == "index" else []
        return process(plain_script.__file__, words[0], *lines, str(self.database), *words[1:])


def index(folder: Path, files: int = SIZES[0], said: Sequence[str] = ()) -> None:
    """All measurements on a workspace of so many files, made of the things said, or of made-up ones."""
    notes = Notes(folder / f"notes-{files}", files, said or said_in(None))
    notes.write(SETTINGS)
    time.sleep(SETTLED_SECONDS)
    bench = Bench(notes, folder, rounds=1 if files >= LARGE else SEVERAL)
    _full(bench)
    _nothing_new(bench)
    _edited(bench)
    _warm(bench)
    _cold(bench)
    for role in ("updates", "rebuilds"):
        _meanwhile(bench, role)
    _room(bench)
    bench.database.unlink()


def _full(bench: Bench) -> None:
    times, rows = list[tuple[float, float]](), list[Updated]()
    for _ in range(bench.rounds):
        bench.drop()
        bench.database.unlink(missing_ok=True)
        with hashed(bench.root) as ours:
            mine = ours.spent(lambda: rows.append(update(ours.indexing)))
        began = stopwatch()
        plain_script.index(bench.root / "memory", bench.database)
        times.append((mine, stopwatch() - began))
    expected = f"{rows[0].passages:,} passages of {bench.notes.size / 1e6:.1f} MB"
    row(bench.name("full index, embedding apart"), PLAIN, [*figures(*middle(times)), expected])


def _nothing_new(bench: Bench) -> None:
    with hashed(bench.root) as ours:
        within = ratio(lambda: update(ours.indexing), lambda: plain_script.index(bench.root / "memory", bench.database))
    row(bench.name("no-op"), f"{PLAIN}, in process", figures(*within))
    commands = ratio(bench.command("doctor", "reindex"), bench.plain("index"))
    row(bench.name("no-op `memory doctor reindex`"), f"{PLAIN}, a process", figures(*commands))


def _edited(bench: Bench) -> None:
    times = list[tuple[float, float]]()
    with hashed(bench.root) as ours:
        answering = ours.answering(every=0.0)
        answering(SearchRequest(query="first"))
        for _ in range(EDITS):
            word = bench.edit()
            mine = ours.spent(lambda: _find(answering, word))  # noqa: B023 - called at once
            began = stopwatch()
            plain_script.index(bench.root / "memory", bench.database)
            with sqlite3.connect(bench.database) as connection:
                plain_script.search(connection, word)
            times.append((mine, stopwatch() - began))
    row(bench.name("one file edited, until it is found"), f"{PLAIN}, in process", figures(*middle(times)))
    ours_again, plain_again = bench.command("doctor", "reindex"), bench.plain("index")
    again = list[tuple[float, float]]()
    for _ in range(EDITS):
        bench.edit()
        again.append((seconds(ours_again), seconds(plain_again)))
    row(bench.name("one file edited, `memory doctor reindex`"), f"{PLAIN}, a process", figures(*middle(again)))


def _find(answering: Answering, word: str) -> None:
    hits = answering(SearchRequest(query=word)).hits
    if not hits or word not in hits[0].text:
        message = f"{word} is not found"
        raise RuntimeError(message)


def _warm(bench: Bench) -> None:
    connection = sqlite3.connect(bench.database)
    with hashed(bench.root) as ours:
        answer = _answer(ours)
        times = [
            (answer(question), seconds(partial(plain_script.search, connection, question)))
            for question in bench.notes.questions(WARM)
        ]
    connection.close()
    _spread_row(bench.name("a warm question"), PLAIN, times)


def _answer(ours: Hashed) -> Callable[[str], float]:
    """Answering in a process that has answered before; the seconds that it takes."""
    answering = ours.answering()
    answering(SearchRequest(query="first"))
    return lambda question: ours.spent(lambda: answering(SearchRequest(query=question)))


def _cold(bench: Bench) -> None:
    questions = bench.notes.questions(COLD)
    with_vectors = partial(process, "-m", "benchmarks.hashed_index", str(bench.root), "search")
    asked = {"`memory search` by words": partial(bench.command, "search"), "search with vectors": with_vectors}
    for what, ask in asked.items():
        times = [(seconds(ask(question)), seconds(bench.plain("search", question))) for question in questions]
        _spread_row(bench.name(f"a cold {what}"), PLAIN, times)


def _meanwhile(bench: Bench, role: str) -> None:
    """Questions while another process updates or rebuilds the index, against the same ones while it is left alone."""
    questions = bench.notes.questions(WARM)
    with hashed(bench.root) as ours:
        update(ours.indexing)
        answer = _answer(ours)
        alone = [answer(question) for question in questions]
        with _working(bench.root, role):
            busy = [answer(question) for question in questions]
    what = f"while another process {role[:-1]}s"
    _spread_row(bench.name(f"a warm question {what}"), LEFT_ALONE, list(zip(busy, alone, strict=True)))
    cold = [bench.command("search", question) for question in bench.notes.questions(COLD)]
    alone = [seconds(call) for call in cold]
    with _working(bench.root, role):
        busy = [seconds(call) for call in cold]
    _spread_row(bench.name(f"a cold one {what}"), LEFT_ALONE, list(zip(busy, alone, strict=True)))


@contextmanager
def _working(root: Path, role: str) -> Iterator[None]:
    """Another process that changes the index over and over."""
    words = [sys.executable, "-m", "benchmarks.hashed_index", str(root), role]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        if child.stdin is None or child.stdout is None:
            raise RuntimeError(role)
        child.stdout.readline()
        try:
            yield
        finally:
            child.stdin.close()
            child.stdout.read()
            if child.wait():
                raise RuntimeError(role)


def _room(bench: Bench) -> None:
    folder = bench.root / ".memory" / "index"
    mine, base = _size(folder), _size(bench.database)
    expected = f"{mine / 1e6:.1f} MB to {base / 1e6:.1f} MB, for {bench.notes.size / 1e6:.1f} MB of text"
    row(bench.name("size on disk"), PLAIN, [f"{mine / base:.1f} x", expected])
    bench.drop()
    bench.database.unlink()
    ours, question = ("-m", "benchmarks.hashed_index", str(bench.root)), bench.notes.questions(1)[0]
    plain = (plain_script.__file__, "index", str(bench.root / "memory"), str(bench.database))
    _peaks_row(bench.name("peak memory of a full index"), spent(*ours, "full"), spent(*plain))
    plain = (plain_script.__file__, "search", str(bench.database), question)
    _peaks_row(bench.name("peak memory of a cold search"), spent(*ours, "search", question), spent(*plain))


def _peaks_row(what: str, mine: Spent, base: Spent) -> None:
    both = f"{mine.mebibytes:.0f} MiB to {base.mebibytes:.0f} MiB"
    row(what, PLAIN, [f"{mine.mebibytes / base.mebibytes:.1f} x", both])


def _size(folder: Path) -> int:
    """Bytes that files take on the disk; those that are sparse take less than they are long."""
    return sum(file.stat().st_blocks * 512 for file in (folder, *folder.rglob("*")) if file.is_file())


def _spread_row(what: str, against: str, times: Sequence[tuple[float, float]]) -> None:
    mine, base = zip(*times, strict=True)
    share = statistics.median(one / other for one, other in times)
    row(f"{what}, p50 / p95", against, [f"{share:.1f} x the time", f"{spread(mine)} to {spread(base)} ms"])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--files", type=int, nargs="*", default=SIZES, help="how many files; several sizes may be named"
    )
    parser.add_argument("--large", action="store_true", help=f"also {LARGE:,} files, which takes half an hour")
    parser.add_argument("--text", type=Path, help="a folder of text, Markdown or JSON to make the notes of")
    parser.add_argument(
        "--peers", nargs="?", const="", help="also memsearch; VENV is where it is, or will be, installed"
    )
    return parser.parse_args()


def main() -> None:
    """Print the table."""
    given = _arguments()
    said = said_in(given.text)
    head()
    with TemporaryDirectory(prefix="memory-index-") as folder:
        for files in [*given.files, *([LARGE] if given.large else [])]:
            index(Path(folder), files, said)
            if given.peers is not None and files < LARGE:
                beside_memsearch(Path(folder), files, said, Path(given.peers or Path(folder, "venv")))
            shutil.rmtree(Path(folder, f"notes-{files}"))


if __name__ == "__main__":
    main()
