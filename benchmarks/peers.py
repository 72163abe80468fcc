"""Our index beside that of memsearch, which also keeps Markdown, words and vectors together.

Both ask one embedding server on this machine, whose time is taken off, through the OpenAI client that each brings
along; it does not take off what that client itself takes, in either. memsearch is installed from PyPI into an
environment of its own. Where that does not go, the table says so instead of a figure.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from benchmarks.hashed_index import HashedWords
from benchmarks.measuring import row
from benchmarks.notes import Notes
from pipeline.clock import stopwatch
from tests.support.servers.behaviours import Received, Sent
from tests.support.servers.embedding_server import MODEL, EmbeddingServer, Place, answer

MAIN = "pipeline.surfaces.cli.main"
PEER = "memsearch"
COLD, WARM, EDITS = 5, 100, 3
SETTLED_SECONDS = 2.1

_WARM = """
import asyncio, json, sys, time
from memsearch import MemSearch
from memsearch.embeddings import get_provider
database, base_url, model, *questions = sys.argv[1:]
told = {"model": model, "base_url": base_url, "api_key": "none"}
embedded = {f"embedding_{name}": value for name, value in told.items()}
memory = MemSearch([], embedding_provider="openai", milvus_uri=database, **embedded)
provider = get_provider("openai", **told)
async def main():
    await memory.search("first", top_k=6)
    await provider.embed(["first"])
    times = []
    for question in questions:
        began = time.perf_counter()
        await memory.search(question, top_k=6)
        ended = time.perf_counter()
        await provider.embed([question])
        times.append(ended - began - (time.perf_counter() - ended))
    print(json.dumps(times))
asyncio.run(main())
"""


@dataclass(frozen=True)
class Contender:
    """What is compared: a way to call its commands, whose embedding `served` counts."""

    name: str
    index: Sequence[str]
    search: Sequence[str]
    environment: dict[str, str]
    served: HashedWords

    def run(self, words: Sequence[str]) -> float:
        """The seconds that a command takes, those of the embedding server apart.

        Raises:
            CalledProcessError: it does not succeed.
        """
        began, before = stopwatch(), self.served.seconds
        subprocess.run(words, check=True, capture_output=True, env=self.environment)
        return stopwatch() - began - (self.served.seconds - before)

    def again(self) -> float:
        """The seconds of bringing its index up to date."""
        return self.run(self.index)

    def asked(self, question: str) -> float:
        """The seconds of a question in a fresh process."""
        return self.run([*self.search, question])


def beside_memsearch(folder: Path, files: int, said: Sequence[str], environment: Path) -> None:
    """The rows of both on a workspace of so many files."""
    python = environment / "bin" / "python"
    if problem := _installed(environment, python):
        row(f"the index, {files:,} files", PEER, ["not measured", problem])
        return
    notes = Notes(folder / f"beside-{files}", files, said)
    embedder = HashedWords()
    with EmbeddingServer(_behave(embedder)) as server:
        notes.write(f'[embedder]\nkind = "openai"\nmodel = "{MODEL}"\nbase_url = "{server.base_url}"\nbatch = 256\n')
        time.sleep(SETTLED_SECONDS)
        ours, theirs = _ours(notes, embedder), _theirs(notes, embedder, server.base_url, environment)
        try:
            _rows(notes, ours, theirs)
            _warm_row(notes, python, theirs, server.base_url)
        except subprocess.CalledProcessError as error:
            row(f"the rest, {files:,} files", PEER, ["not measured", _last_line(error)])


def _rows(notes: Notes, ours: Contender, theirs: Contender) -> None:
    def add_row(what: str, mine: Sequence[float], base: Sequence[float]) -> None:
        one, other = statistics.median(mine), statistics.median(base)
        figures = [f"{one / other:.3f} x the time", f"{one:.2f} s to {other:.2f} s"]
        row(f"{what}, {notes.files:,} files", PEER, figures)

    add_row("full index by command", [ours.again()], [theirs.again()])
    add_row("no-op by command", *_in_turn([ours.again, theirs.again], EDITS))
    add_row("one file edited, by command", *_in_turn([ours.again, theirs.again], EDITS, lambda: notes.edit(EDITS)))
    questions = iter(notes.questions(COLD) * 2)
    add_row(
        "a cold question", *_in_turn([lambda: ours.asked(next(questions)), lambda: theirs.asked(next(questions))], COLD)
    )
    for one in (ours, theirs):
        times, failed, why = _while_updating(notes, one)
        p50 = f"p50 {statistics.median(times):.2f} s" if times else "no answer"
        row(
            f"cold questions to {one.name} while it updates, {notes.files:,} files",
            "all answered",
            [f"{failed} of {failed + len(times)} failed", f"{p50}{'; ' * bool(why)}{why}"],
        )


def _in_turn(
    calls: Sequence[Callable[[], float]], rounds: int, before: Callable[[], object] = lambda: None
) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        before()
        for place, call in enumerate(calls):
            times[place].append(call())
    return times


def _while_updating(notes: Notes, one: Contender) -> tuple[list[float], int, str]:
    """The seconds of the questions that were answered, how many were not, and why the last of those was not."""
    ended, updated = Event(), Event()

    def work() -> None:
        number = 0
        while not ended.is_set():
            notes.edit(number := number + 1)
            with suppress(subprocess.CalledProcessError):  # it fails where a question comes in between
                one.again()
            updated.set()

    worker = Thread(target=work)
    worker.start()
    updated.wait()
    times, failed, why = list[float](), 0, ""
    for question in notes.questions(COLD):
        try:
            times.append(one.asked(question))
        except subprocess.CalledProcessError as error:
            failed, why = failed + 1, _last_line(error)
    ended.set()
    worker.join()
    return times, failed, why


def _warm_row(notes: Notes, python: Path, theirs: Contender, base_url: str) -> None:
    words = [str(python), "-c", _WARM, _database(notes), base_url, MODEL, *notes.questions(WARM)]
    done = subprocess.run(words, check=True, capture_output=True, text=True, env=theirs.environment)
    times = json.loads(done.stdout.splitlines()[-1])
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[18]
    row(
        f"a warm question to {PEER}, {notes.files:,} files, p50 / p95",
        "the time of its embedding taken off",
        ["see ours above", f"{1000 * p50:.1f} / {1000 * p95:.1f} ms"],
    )


def _ours(notes: Notes, embedder: HashedWords) -> Contender:
    def words(command: str) -> list[str]:
        return [sys.executable, "-m", MAIN, command, "--workspace", str(notes.root)]

    return Contender("memory", words("reindex"), words("search"), _environment(notes), embedder)


def _theirs(notes: Notes, embedder: HashedWords, base_url: str, environment: Path) -> Contender:
    program = str(environment / "bin" / PEER)
    lines = ["--milvus-uri", _database(notes), "-p", "openai", "-m", MODEL, "--base-url", base_url, "--api-key", "none"]
    index = [program, "index", *lines, str(notes.root / "memory")]
    return Contender(PEER, index, [program, "search", *lines, "-k", "6"], _environment(notes), embedder)


def _environment(notes: Notes) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"HOME": str(notes.root), "OPENAI_API_KEY": "none"}


def _database(notes: Notes) -> str:
    return str(notes.root / "milvus.db")


def _installed(environment: Path, python: Path) -> str:
    """Make the environment unless it is there; why that does not go, empty when it does."""
    if (environment / "bin" / PEER).exists():
        return ""
    venv.create(environment, with_pip=True)
    done = subprocess.run([python, "-m", "pip", "install", "-q", PEER], check=False, capture_output=True, text=True)
    return f"cannot be installed: {done.stderr.strip().splitlines()[-1]}" if done.returncode else ""


def _behave(embedder: HashedWords) -> Callable[[Received], Sent]:
    def behave(request: Received) -> Sent:
        texts = request.body["input"]
        began, before = stopwatch(), embedder.seconds
        vectors = embedder.passages([texts] if isinstance(texts, str) else texts)
        sent = answer([Place(number, vector) for number, vector in enumerate(vectors)])
        embedder.seconds = before + stopwatch() - began
        return sent

    return behave


def _last_line(error: subprocess.CalledProcessError) -> str:
    output = error.stderr if isinstance(error.stderr, str) else (error.stderr or b"").decode(errors="replace")
    return (output.strip().splitlines() or [f"it ended with {error.returncode}"])[-1][:160].replace("|", "/")
