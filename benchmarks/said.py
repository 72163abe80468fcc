"""What was said in transcripts, against SQLite's own full-text search over the same messages in the same run.

`python -m benchmarks.said [--megabytes N] [--text DIR]`. Each turn has some 3 KB of output of a tool beside what is
said, and times are those of a processor.
"""

import argparse
import json
import re
import sqlite3
import statistics
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.index import MAIN
from benchmarks.measuring import figures, head, middle, processor_seconds, row, spent, spread
from benchmarks.notes import said_in
from benchmarks.samples import claude_code, write
from pipeline.adapters.sources.claude_code import KIND
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.app.index import IndexOptions, OpenIndex, open_index
from pipeline.app.said_index import update_said_index
from pipeline.index.said.search import search_said
from pipeline.ports.engine import TranscriptSource
from pipeline.process.context import ProcessContext
from schemas.requests import SearchRequest
from schemas.settings import SourceSettings
from schemas.transcript import Session

MEGABYTES, TURNS, SENTENCES = 20, 60, 3
UPDATES, ASKED, BEST = 9, 100, 6
LINGER_SECONDS = 3600.0
PLAIN, READ = "FTS5 over the same messages", "reading the same transcripts once"
START = datetime(2026, 1, 1, 8, tzinfo=UTC)

_WORD = re.compile(r"[^\W\d_]{4,}")
_READING = """
import sys
from pathlib import Path
from benchmarks.said import sessions
for session in sessions(Path(sys.argv[1])): pass
"""


@dataclass(frozen=True)
class Talk:
    """A workspace in `root` whose source is `folder`, with so many `megabytes` of sessions made of things `said`."""

    root: Path
    folder: Path
    megabytes: int
    said: Sequence[str]

    def write(self) -> None:
        """Make it."""
        self.root.mkdir(parents=True)
        source = f'[[sources]]\nkind = "claude_code"\npath = "{self.folder}"\n'
        (self.root / "memory.toml").write_text(f'[embedder]\nkind = "none"\n{source}', encoding="utf-8")
        random, size, number = Random(self.megabytes), 0, 0  # noqa: S311 - the same talk each time, and no secret
        while size < 1_000_000 * self.megabytes:
            file = self.file(number)
            write(file, self._session(random, number))
            size, number = size + file.stat().st_size, number + 1

    def file(self, number: int) -> Path:
        """The transcript of a session."""
        return self.folder / f"project-{number % 20}" / f"s-{number:06}.jsonl"

    def say(self, number: int, word: str) -> None:
        """Append a message of the owner to a session; no other message has its word."""
        last = next(claude_code(START + timedelta(days=200), 1, f"new-{word}"))
        last |= {"sessionId": f"s-{number:06}", "message": {"role": "user", "content": f"We agreed on {word} today."}}
        with self.file(number).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(last) + "\n")

    def _session(self, random: Random, number: int) -> Iterator[dict[str, Any]]:
        start = START + timedelta(minutes=number)
        for record in claude_code(start, TURNS, f"s-{number:06}"):
            content, text = record["message"]["content"], " ".join(random.choices(self.said, k=SENTENCES))
            if isinstance(content, str):
                record["message"]["content"] = text
            elif content[0]["type"] == "text":
                content[0]["text"] = text
            yield record


def said(folder: Path, megabytes: int = MEGABYTES, texts: Sequence[str] = ()) -> None:
    """All measurements on so many megabytes of transcripts."""
    talk = Talk(folder / "talk", folder / "sessions", megabytes, texts or said_in(None))
    talk.write()
    size = f"{megabytes:,} MB of transcripts"
    built = spent("-m", MAIN, "reindex", "--workspace", str(talk.root))
    read = spent("-c", _READING, str(talk.folder))
    times = f"{built.seconds / read.seconds:.1f} x the time, {built.mebibytes / read.mebibytes:.1f} x the memory"
    both = f"{built.seconds:.0f} to {read.seconds:.0f} s, {built.mebibytes:.0f} to {read.mebibytes:.0f} MiB"
    row(f"first `memory doctor reindex`, {size}", READ, [times, both])
    database = folder / "plain.db"
    said_bytes = _plain(talk.folder, database)
    _room(talk, database, said_bytes, size)
    with open_index(talk.root, ProcessContext({}), IndexOptions(linger=LINGER_SECONDS)) as opened:
        _updates(talk, opened, size)
        _questions(talk, opened, database, size)


def _room(talk: Talk, database: Path, said_bytes: int, size: str) -> None:
    index = talk.root / ".memory" / "index" / "said"
    mine = sum(file.stat().st_size for file in index.rglob("*") if file.is_file())
    plain = database.stat().st_size
    shares = f"{100 * mine / said_bytes:.0f} % to {100 * plain / said_bytes:.0f} % of {said_bytes / 1e6:.1f} MB said"
    row(f"the index on the disk, {size}", PLAIN, [f"{mine / plain:.2f} x the room", shares])


def _updates(talk: Talk, opened: OpenIndex, size: str) -> None:
    """The look at all transcripts and the update after a message was said, against reading that transcript once."""
    source = _source(talk.folder)
    times = list[tuple[float, float]]()
    for number in range(UPDATES):
        talk.say(number, f"agreement{number}mark")
        mine = processor_seconds(lambda: update_said_index(opened))
        if not search_said(opened.said.searching, SearchRequest(query=f"agreement{number}mark")).hits:
            message = f"agreement{number}mark is not found"
            raise RuntimeError(message)
        path = talk.file(number).relative_to(talk.folder).as_posix()
        times.append((mine, processor_seconds(lambda: source.read(path))))  # noqa: B023 - called at once
    row(f"an update after a message, {size}", "reading its transcript", figures(*middle(times)))


def _questions(talk: Talk, opened: OpenIndex, database: Path, size: str) -> None:
    random = Random(ASKED)  # noqa: S311 - the same questions each time, and no secret
    questions = [" ".join(_WORD.findall(random.choice(talk.said))[:5]) for _ in range(ASKED)]
    with closing(sqlite3.connect(database)) as plain:
        search_said(opened.said.searching, SearchRequest(query=questions[0]))
        pairs = [
            (
                processor_seconds(lambda: search_said(opened.said.searching, SearchRequest(query=question))),  # noqa: B023 - called at once
                processor_seconds(lambda: _plainly(plain, question)),  # noqa: B023 - the same
            )
            for question in questions
        ]
    mine, base = ([pair[side] for pair in pairs] for side in (0, 1))
    share = statistics.median(mine) / statistics.median(base)
    row(f"a question, {size}, p50 / p95", PLAIN, [f"{share:.1f} x the time", f"{spread(mine)} to {spread(base)} ms"])


def sessions(folder: Path) -> Iterator[Session]:
    """All sessions of a folder, read."""
    source = _source(folder)
    for file in source.files():
        yield from source.read(file.path)


def _source(folder: Path) -> TranscriptSource:
    return KIND.source(SourcePlace(SourceSettings(kind="claude_code", path=str(folder)), folder, "UTC"))


def _plain(folder: Path, database: Path) -> int:
    """Put all messages into a table of SQLite's full-text search; their bytes."""
    said_bytes = 0
    with closing(sqlite3.connect(database)) as plain:
        plain.execute("CREATE VIRTUAL TABLE said USING fts5 (text, content='', tokenize = 'porter unicode61')")
        for session in sessions(folder):
            texts = [(message.text,) for message in session.conversation]
            plain.executemany("INSERT INTO said (text) VALUES (?)", texts)
            said_bytes += sum(len(text.encode()) for (text,) in texts)
        plain.commit()
        plain.execute("INSERT INTO said (said) VALUES ('optimize')")
        plain.commit()
        plain.execute("VACUUM")
    return said_bytes


def _plainly(plain: sqlite3.Connection, question: str) -> list[tuple[int]]:
    wanted = " OR ".join(f'"{word}"' for word in question.split())
    asked = "SELECT rowid FROM said WHERE said MATCH ? ORDER BY bm25(said) LIMIT ?"
    return plain.execute(asked, (wanted, BEST)).fetchall()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=MEGABYTES)
    parser.add_argument("--text", type=Path)
    options = parser.parse_args()
    head()
    with TemporaryDirectory(prefix="memory-said-") as folder:
        said(Path(folder), options.megabytes, said_in(options.text))


if __name__ == "__main__":
    main()
