"""How many of a labelled set's questions `memory search` answers with the entries that were written from it.

`python -m benchmarks.retrieval_quality --memory .venv/bin/memory --set DIR` makes a workspace that reads the set's
sessions, back-fills `micro_sync` and `daily_wrapup` over the set's days and asks all questions, with the command line
alone. A question is answered within the first k hits when one of them, or one of its places, is an entry of the session
of one of the question's items that names a message of that item. `written` is the share of questions for which there is
such an entry at all: what no search can better.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

FIRST = (1, 3, 6)
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """A question with the items that answer it; `spoken` are the languages of their sessions."""

    text: str
    language: str
    spoken: frozenset[str]
    items: Sequence[Record]

    @property
    def row(self) -> str:
        """The row of the table it counts in."""
        return self.language if self.language in self.spoken else "across"

    def answered_by(self, entry: Record) -> bool:
        """Whether an entry says one of its items."""
        source = entry["source"]
        return any(
            source["session_id"] == item["session"] and not set(item["entry_ids"]).isdisjoint(source["entry_ids"])
            for item in self.items
        )


@dataclass(frozen=True)
class Outcome:
    """A question and what came of it: `place` is the first hit that answers, from 1; 0 is none."""

    question: Question
    written: bool
    place: int
    first: str


def read_questions(sets: Path) -> list[Question]:
    """The questions of a set."""
    rows = _records((sets / "labels.jsonl").read_text(encoding="utf-8"))
    spoken = {row["session_id"]: row["lang"] for row in rows}
    items = {item["id"]: item | {"session": row["session_id"]} for row in rows for item in row["items"]}
    return [
        Question(
            question["question"],
            question["lang"],
            frozenset(spoken[session] for session in question["session_ids"]),
            [items[item_id] for item_id in question["item_ids"]],
        )
        for question in _records((sets / "questions.jsonl").read_text(encoding="utf-8"))
    ]


def workspace(memory: str, sets: Path, root: Path, settings: str) -> None:
    """Make a workspace on the set's sessions, back-fill it over the days of the labels, and index it."""
    _command(memory, "init", str(root))
    file = root / "memory.toml"
    kept = re.sub(r"(?m)^timezone\s*=.*\n", "", file.read_text(encoding="utf-8"))
    path = json.dumps(str((sets / "sessions").resolve()))
    sources = [f'[[sources]]\nkind = "{kind}"\npath = {path}\n' for kind in ("openclaw", "claude_code")]
    file.write_text("\n".join(['timezone = "Europe/Warsaw"', kept, *sources, settings]), encoding="utf-8")
    labels = _records((sets / "labels.jsonl").read_text(encoding="utf-8"))
    days = [item["date"] for row in labels for item in row["items"]]
    last = (date.fromisoformat(max(days)) + timedelta(days=1)).isoformat()
    span = ("--from", min(days), "--to", last, "--workspace", str(root))
    _command(memory, "backfill", "micro_sync", "daily_wrapup", *span)
    _command(memory, "reindex", "--workspace", str(root))


def outcomes(memory: str, root: Path, questions: Sequence[Question]) -> list[Outcome]:
    """Ask all questions."""
    entries = _records(_command(memory, "entries", "--json", "--workspace", str(root)))
    asked = "".join(json.dumps({"query": question.text, "k": max(FIRST)}) + "\n" for question in questions)
    answers = _records(_command(memory, "search", "--stdin", "--json", "--workspace", str(root), text=asked))
    for note in sorted({note for answer in answers for note in answer["notes"]}):
        print("note:", note)
    return [
        Outcome(
            question,
            any(question.answered_by(entry) for entry in entries),
            next(_places(question, answer["hits"], entries), 0),
            answer["hits"][0]["snippet"] if answer["hits"] else "",
        )
        for question, answer in zip(questions, answers, strict=True)
    ]


def _places(question: Question, hits: Sequence[Record], entries: Sequence[Record]) -> Iterator[int]:
    for number, hit in enumerate(hits, start=1):
        if any(question.answered_by(entry) for entry in entries if _stands_in(entry, hit)):
            yield number


def _stands_in(entry: Record, hit: Record) -> bool:
    """Whether a hit is an entry, or one of its places is."""
    return entry["id"] == hit["entry_id"] or any(
        place["path"] == entry["path"] and place["start_line"] <= entry["line"] <= place["end_line"]
        for place in (hit, *hit["places"])
    )


def table(actual: Sequence[Outcome]) -> None:
    """Print the share answered by language of the question, those across languages apart."""
    print("\n| questions | number | written | " + " | ".join(f"in the first {k}" for k in FIRST) + " |")
    print("|---" * (3 + len(FIRST)) + "|")
    names = sorted({outcome.question.row for outcome in actual} - {"across"})
    for name in (*names, "across", "all"):
        mine = [outcome for outcome in actual if name in {outcome.question.row, "all"}]
        shares = [
            _share(outcome.written for outcome in mine),
            *(_share(0 < outcome.place <= k for outcome in mine) for k in FIRST),
        ]
        print(f"| {name} | {len(mine)} | " + " | ".join(f"{share:.2f}" for share in shares) + " |")


def _share(good: Iterable[bool]) -> float:
    flags = list(good)
    return sum(flags) / len(flags) if flags else 0.0


def misses(actual: Sequence[Outcome]) -> None:
    """Print what is not answered by the first three hits, though it was written."""
    print()
    for outcome in actual:
        if outcome.written and not 0 < outcome.place <= FIRST[1]:
            wanted = "; ".join(item["quote"] for item in outcome.question.items)
            place = f"hit {outcome.place}" if outcome.place else "not found"
            print(f"{place}: {outcome.question.text}\n    wanted {wanted}\n    first  {outcome.first}")


def _records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _command(memory: str, *arguments: str, text: str = "") -> str:
    done = subprocess.run([memory, *arguments], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{memory} {' '.join(arguments)} ended with {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", required=True, help="the command")
    parser.add_argument("--set", required=True, type=Path, dest="sets", help="questions.jsonl, labels.jsonl, sessions/")
    parser.add_argument("--embedder", choices=("none", "auto"), default="auto")
    parser.add_argument("--keep", type=Path, help="make the workspace here and leave it; use it when it is there")
    parser.add_argument("--misses", action="store_true", help="also print what is not answered")
    return parser.parse_args()


def main() -> None:
    """Print the table."""
    given = _arguments()
    with tempfile.TemporaryDirectory(prefix="retrieval-quality-") as folder:
        root = given.keep or Path(folder, "workspace")
        if not (root / "memory.toml").exists():
            workspace(given.memory, given.sets, root, f'[embedder]\nkind = "{given.embedder}"\n')
        answered = outcomes(given.memory, root, read_questions(given.sets))
    table(answered)
    if given.misses:
        misses(answered)


if __name__ == "__main__":
    main()
