"""The plainest thing that searches notes: SQLite's own full-text search, one row for about four lines of a file.

`plain_script.py index ROOT DATABASE` takes in what changed, `plain_script.py search DATABASE WORD...` prints what is
found. It knows no vectors, no structure, no tiers, and waits for nobody: what it takes is a lower bound.
"""

import hashlib
import re
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

LINES = 4
BEST = 6

_TABLES = """
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, mtime INTEGER, hash TEXT, first INTEGER, last INTEGER);
CREATE VIRTUAL TABLE IF NOT EXISTS rows
    USING fts5 (text, path UNINDEXED, line UNINDEXED, tokenize = 'porter unicode61');
"""
_WORD = re.compile(r"\w+")


def index(root: Path, database: Path) -> None:
    """Bring the database up to date with the Markdown files: those of another time and other bytes are read anew."""
    with sqlite3.connect(database) as connection:
        connection.executescript(_TABLES)
        known = {path: fields for path, *fields in connection.execute("SELECT * FROM files")}
        for file in sorted(root.rglob("*.md")):
            path, mtime = str(file), file.stat().st_mtime_ns
            if path in known and known[path][0] == mtime:
                continue
            _take_in(connection, path, mtime, known.get(path))
        for path, (_, _, first, last) in known.items():
            if not Path(path).exists():
                _forget(connection, path, first, last)
    connection.close()


def _take_in(connection: sqlite3.Connection, path: str, mtime: int, known: list[object] | None) -> None:
    data = Path(path).read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if known and known[1] == digest:
        connection.execute("UPDATE files SET mtime = ? WHERE path = ?", (mtime, path))
        return
    if known:
        _forget(connection, path, known[2], known[3])
    lines = data.decode("utf-8", "replace").splitlines()
    (highest,) = connection.execute("SELECT coalesce(max(rowid), 0) FROM rows").fetchone()
    rows = [
        (highest + 1 + at // LINES, "\n".join(lines[at : at + LINES]), path, at + 1)
        for at in range(0, len(lines), LINES)
    ]
    connection.executemany("INSERT INTO rows (rowid, text, path, line) VALUES (?, ?, ?, ?)", rows)
    texts = (path, mtime, digest, highest + 1, highest + len(rows))
    connection.execute("INSERT INTO files VALUES (?, ?, ?, ?, ?)", texts)


def _forget(connection: sqlite3.Connection, path: str, first: object, last: object) -> None:
    connection.execute("DELETE FROM rows WHERE rowid BETWEEN ? AND ?", (first, last))
    connection.execute("DELETE FROM files WHERE path = ?", (path,))


def search(connection: sqlite3.Connection, question: str) -> list[tuple[str, int, str]]:
    """The best rows for any of the words: path, line and text."""
    wanted = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
    asked = "SELECT path, line, text FROM rows WHERE rows MATCH ? ORDER BY bm25(rows) LIMIT ?"
    return connection.execute(asked, (wanted, BEST)).fetchall()


def main(words: Sequence[str]) -> None:
    """Do what the words say."""
    if words[0] == "index":
        index(Path(words[1]), Path(words[2]))
        return
    connection = sqlite3.connect(words[1])
    for path, line, text in search(connection, " ".join(words[2:])):
        print(f"{path}:{line}: {text}")


if __name__ == "__main__":
    main(sys.argv[1:])
