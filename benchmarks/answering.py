"""What a service saves: a search through its socket, against the least that a command can do, and against no service.

`python -m benchmarks.answering [--files N]`. Nobody's embedder is measured: the index goes by words alone.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from benchmarks.index import MAIN, SETTINGS, SETTLED_SECONDS
from benchmarks.measuring import figures, head, process, ratio, resident_mebibytes, row, spread, ticks
from benchmarks.notes import Notes, said_in
from benchmarks.slow_reranker import slow_reranker
from benchmarks.waking import unserved
from pipeline.app.index import IndexOptions, open_index
from pipeline.app.questions import JsonQuestions, Questions
from pipeline.clock import stopwatch
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
from pipeline.service.socket.client import ask
from tests.support.processes.serving_process import serving_process

FILES, WARM, ROUNDS, IDLE_SECONDS = 400, 200, 9, 20.0
LINGER_SECONDS = 3600.0
CLICK = "a process that imports click"
IN_PROCESS = "the same questions in process"
ALONE = "the same questions alone"

Ask = Callable[[str], object]


def answering(folder: Path, files: int = FILES) -> None:
    """All measurements, on a workspace of so many files."""
    notes = Notes(folder / "notes", files, said_in(None))
    slow_reranker(folder / "reranker", notes.said[:100])
    notes.write(f'{SETTINGS}[reranker]\nfolder = "{folder / "reranker"}"\n')
    time.sleep(SETTLED_SECONDS)
    with open_index(notes.root, ProcessContext({})) as opened:
        passages = update(opened.indexing).passages
    with serving_process(notes.root, folder) as service:
        _cold(notes, f"{files:,} files, {passages:,} passages")
        alone = _idle(service, f"{passages:,} passages")
        _warm(notes, "a warm question through the socket", lambda: None)
        with _rebuilding(notes.root) as still:
            _warm(notes, "the same while the index is rebuilt", still)
        _beside(notes)
    row("resident size of what answers", "-", [f"{alone:.0f} MiB", "with the index open, no embedder"])


def _cold(notes: Notes, size: str) -> None:
    words = ("-m", MAIN, "search", "--workspace", str(notes.root), notes.questions(1)[0])
    search = process(*words)
    search()
    times, mine, base = ratio(search, process("-c", "import click"), ROUNDS)
    row(f"a cold `memory search` by the service, {size}", CLICK, figures(times, mine, base))
    with unserved(notes.root):
        times, mine, base = ratio(search, process("-c", "import click"), ROUNDS)
    row("the same without a service", CLICK, figures(times, mine, base))


def _warm(notes: Notes, what: str, still: Callable[[], None]) -> None:
    """Through the socket and in process, in turn; `still` fails when what disturbs them has ended too soon."""
    questions = notes.questions(WARM)
    with open_index(notes.root, ProcessContext({}), IndexOptions(linger=LINGER_SECONDS)) as opened:
        handler = JsonQuestions(Questions(opened))
        mine = _timed(questions, lambda question: ask(notes.root, "search", {"query": question}), still)
        base = _timed(questions, lambda question: handler.search({"query": question}), still)
    share = statistics.median(mine) / statistics.median(base)
    row(f"{what}, p50 / p95", IN_PROCESS, [f"{share:.1f} x the time", f"{spread(mine)} to {spread(base)} ms"])


def _beside(notes: Notes) -> None:
    """Plain questions through the socket while somebody else has every answer ranked again."""
    questions = notes.questions(WARM)

    def plain(question: str) -> object:
        return ask(notes.root, "search", {"query": question})

    base = _timed(questions, plain, lambda: None)
    with _ranking_again(notes) as ranked:
        mine = _timed(questions, plain, lambda: None)
    share = statistics.median(mine) / statistics.median(base)
    row(
        "a plain question while another is ranked again, p50 / p95",
        ALONE,
        [
            f"{share:.1f} x the time",
            f"{spread(mine)} to {spread(base)} ms; {len(ranked)} were ranked, {statistics.median(ranked):.1f} s each",
        ],
    )


@contextmanager
def _ranking_again(notes: Notes) -> Iterator[list[float]]:
    """Somebody asks for that over and over; gives the seconds that each took."""
    question, seconds, ended = notes.questions(1)[0], list[float](), Event()

    def over_and_over() -> None:
        while not ended.is_set():
            began = stopwatch()
            ask(notes.root, "search", {"query": question, "rerank": True})
            seconds.append(stopwatch() - began)

    ask(notes.root, "search", {"query": question, "rerank": True})  # the model is loaded
    asking = Thread(target=over_and_over)
    asking.start()
    try:
        yield seconds
    finally:
        ended.set()
        asking.join()


def _timed(questions: Sequence[str], answer: Ask, still: Callable[[], None]) -> list[float]:
    answer(questions[0])
    seconds = []
    for question in questions:
        still()
        began = stopwatch()
        if answer(question) is None:
            message = "the service does not answer"
            raise RuntimeError(message)
        seconds.append(stopwatch() - began)
    return seconds


def _idle(service: "subprocess.Popen[str]", size: str) -> float:
    """The share of a processor that the service takes while nobody asks, and its resident size in MiB."""
    before = ticks(service.pid)
    time.sleep(IDLE_SECONDS)
    share = (ticks(service.pid) - before) / IDLE_SECONDS
    row(f"processor time of what answers, idle, {size}", "-", [f"{share:.2f} %", f"{IDLE_SECONDS:.0f} s"])
    return resident_mebibytes(service.pid)


@contextmanager
def _rebuilding(root: Path) -> Iterator[Callable[[], None]]:
    """Another process that makes the index anew, over and over; gives what fails when it has ended."""
    words = [sys.executable, "-m", "benchmarks.hashed_index", str(root), "rebuilds"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        if child.stdin is None or child.stdout is None:
            raise RuntimeError(words)

        def still() -> None:
            if child.poll() is not None:
                message = "nothing is rebuilt any more"
                raise RuntimeError(message)

        child.stdout.readline()
        try:
            yield still
        finally:
            child.stdin.close()
            child.stdout.read()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=FILES, help="how many files of some 8 KB the workspace has")
    files = parser.parse_args().files
    head()
    with TemporaryDirectory(prefix="memory-answering-") as folder:
        answering(Path(folder), files)


if __name__ == "__main__":
    main()
