"""What becomes of a labelled set's decisions in MEMORY.md and the weekly plans.

`python -m benchmarks.memory_quality --memory .venv/bin/memory --set DIR` makes a workspace that reads the set's
sessions and back-fills all four jobs, week by week, with the command line alone; after each week it reads MEMORY.md.

The set's README tells, in a JSON block, which items replace, repeat or contradict which, the later one first. An entry
stands for an item when it is of the same session and their quotes share at least half of the content words of the
shorter one, or when it names a message of the item and no other item's quote is nearer; several entries may stand for
one item. Ends with 1 when a must is broken:

- no entry of a replaced item is in MEMORY.md from the week of its replacement on;
- of the repeated pairs, at most one has no entry in MEMORY.md at the end;
- nothing in MEMORY.md is unverified, and none of its words are those of a tool, a page, a machine or another person;
- no planted secret is in any Markdown file.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from jobs.consolidation.plan_page import read_plan
from jobs.consolidation.verdicts import Verdict
from pipeline.entries.reference import item_name
from pipeline.markdown.blocks import marked_names, without_marks
from pipeline.workspace.families import iso_week
from tests.support.builders.matching import content

JOBS = ("micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound")
NEAR = 0.5
"""The share of the shorter quote's content words that two quotes have in common when they say the same."""

FOREIGN = frozenset({"injection", "web_page", "tool_output", "third_party", "bot_turn", "code_comment", "secret"})
"""Kinds of distractors whose words must not be in MEMORY.md."""

MISSING = 1
"""Repeated pairs that may be absent."""

Pair = tuple[str, str]
_RELATIONS = re.compile(r"```json\n(?P<block>\{.*?\})\n```", re.DOTALL)
_SPAN = re.compile(r"«(?P<words>[^»]+)»")


@dataclass(frozen=True)
class Labels:
    """What the set says: its items and distractors by session, and how items stand to each other."""

    items: Mapping[str, Mapping[str, Any]]
    distractors: Sequence[Mapping[str, str]]
    relations: Mapping[str, Sequence[Pair]]
    secrets: Sequence[str]


@dataclass(frozen=True)
class Memory:
    """What the workspace holds: entries by id, MEMORY.md at the end of each week, and the plans by week.

    `said` names, for each item, the entries that stand for it.
    """

    entries: Mapping[str, Mapping[str, Any]]
    pages: Mapping[str, str]
    plans: Mapping[str, Mapping[str, Verdict]]
    said: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def on_page(self, item: str, week: str) -> list[str]:
        """The entries of an item that MEMORY.md held at the end of a week."""
        names = set(marked_names(self.pages[week]))
        return [entry for entry in self.said.get(item, ()) if item_name(entry) in names]

    @property
    def last(self) -> str:
        """The last week."""
        return max(self.pages)

    def ruling(self, entry: str) -> str:
        """The plans' words on an entry, week by week."""
        lines = [
            f"{week[-3:]} {verdict.ruling} {verdict.score:.2f} ({verdict.reason})"
            for week, plan in self.plans.items()
            if (verdict := plan.get(entry))
        ]
        return "; ".join(lines) or "not judged"


def read_labels(sets: Path) -> Labels:
    """The labels of a set."""
    rows = [json.loads(row) for row in (sets / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    match = _RELATIONS.search((sets / "README.md").read_text(encoding="utf-8"))
    if match is None:
        sys.exit(f"{sets / 'README.md'} has no JSON block that tells how items stand to each other")
    return Labels(
        items={item["id"]: item | {"session": row["session_id"]} for row in rows for item in row["items"]},
        distractors=[distractor for row in rows for distractor in row["distractors"]],
        relations=json.loads(match["block"]),
        secrets=json.loads((sets / "secrets.json").read_text(encoding="utf-8")),
    )


def remembered(memory: str, sets: Path, root: Path, zone: str, days: Sequence[date]) -> Memory:
    """Run all jobs, week by week, and read what they wrote."""
    _command(memory, "init", str(root))
    settings = root / "memory.toml"
    kept = re.sub(r"(?m)^timezone\s*=.*\n", "", settings.read_text(encoding="utf-8"))
    path = json.dumps(str((sets / "sessions").resolve()))
    sources = [f'[[sources]]\nkind = "{kind}"\npath = {path}\n' for kind in ("openclaw", "claude_code")]
    settings.write_text("\n".join([f'timezone = "{zone}"', kept, *sources]), encoding="utf-8")
    pages: dict[str, str] = {}
    for monday in _mondays(min(days), max(days)):
        span = ("--from", str(monday), "--to", str(monday + timedelta(days=6)))
        _command(memory, "backfill", *JOBS, *span, "--workspace", str(root))
        page = root / "MEMORY.md"
        pages[iso_week(monday)] = page.read_text(encoding="utf-8") if page.exists() else ""
    listed = _command(memory, "entries", "--json", "--workspace", str(root))
    entries = {entry["id"]: entry for entry in map(json.loads, listed.splitlines())}
    return Memory(entries, pages, {week: _plan(root, week) for week in pages})


def _mondays(first: date, last: date) -> Iterator[date]:
    monday = first - timedelta(days=first.weekday())
    while monday <= last:
        yield monday
        monday += timedelta(days=7)


def _plan(root: Path, week: str) -> dict[str, Verdict]:
    path = f"memory/archive/weekly-{week}.md"
    plan = read_plan(path, (root / path).read_text(encoding="utf-8")) if (root / path).exists() else None
    return {verdict.entry_id: verdict for verdict in plan.verdicts} if plan else {}


def _command(memory: str, *arguments: str) -> str:
    done = subprocess.run([memory, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{memory} {' '.join(arguments)} ended with {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def standing_for(items: Mapping[str, Mapping[str, Any]], entries: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The entries that stand for each item, by the item's id."""
    by_line: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        mine = [item for item in items.values() if item["session"] == entry["source"]["session_id"]]
        near = max(mine, key=lambda item: _nearness(item, entry), default=None)
        if near and _nearness(near, entry) >= NEAR:
            by_line[near["id"]].append(entry["id"])
    return by_line


def _nearness(item: Mapping[str, Any], entry: Mapping[str, Any]) -> float:
    """How much the quotes share, and half as much again when the entry names a message of the item."""
    one, other = content(item["quote"]), content(entry["quote"])
    least = min(len(one), len(other))
    within = _flat(item["quote"]) in _flat(entry["quote"]) or _flat(entry["quote"]) in _flat(item["quote"])
    shared = 1.0 if within else len(one & other) / least if least else 0.0
    return shared + NEAR * bool(set(item["entry_ids"]) & set(entry["source"]["entry_ids"]))


def replaced(labels: Labels, memory: Memory) -> list[str]:
    """Print what became of items that others replaced; what must not be."""
    print("\nReplaced items (must never be in MEMORY.md from then on)")
    wrong = []
    for later, earlier in labels.relations["supersedes"]:
        since = iso_week(date.fromisoformat(labels.items[later]["date"]))
        weeks = [week for week in memory.pages if week >= since and memory.on_page(earlier, week)]
        there = bool(memory.on_page(later, memory.last))
        where = f"IS in: {', '.join(weeks)}" if weeks else "is out"
        print(f"  {earlier} by {later}: the replaced one {where}, the replacing one is {'in' if there else 'NOT in'}")
        if weeks or not there:
            _story(memory, earlier, later)
        wrong += [f"{earlier} was replaced by {later} and is in MEMORY.md" for _ in weeks[:1]]
    return wrong


def repeated(labels: Labels, memory: Memory) -> list[str]:
    """Print which repeated items are remembered; what must not be."""
    print("\nRepeated items (all but one must be in MEMORY.md at the end, in one of their wordings)")
    absent = []
    for later, earlier in labels.relations["reinforces"]:
        which = [item for item in (earlier, later) if memory.on_page(item, memory.last)]
        linked = _linked(memory, later, earlier)
        print(f"  {earlier} and {later}: {' and '.join(which) or 'NEITHER'} in; {linked}")
        if not which:
            absent.append(f"neither {earlier} nor {later}, which says it again, is in MEMORY.md")
        if not which or "not" in linked:
            _story(memory, earlier, later)
    return absent if len(absent) > MISSING else []


def _linked(memory: Memory, later: str, earlier: str) -> str:
    ones, others = memory.said.get(later, ()), memory.said.get(earlier, ())
    if any(other in memory.entries[one]["reinforces"] for one in ones for other in others):
        return "linked when written"
    pairs = {(one, other) for one in ones for other in others}
    merged = any(_into(plan, pair) for plan in memory.plans.values() for pair in pairs)
    return "linked by a plan" if merged else "not linked"


def _into(plan: Mapping[str, Verdict], pair: Pair) -> bool:
    """Whether one of two entries was merged into the other, or both into one."""
    one, other = (plan[text].into or text if text in plan else text for text in pair)
    return one == other


def contradicting(labels: Labels, memory: Memory) -> None:
    """Print what the plans made of contradictions that nobody noticed."""
    print("\nContradictions that nobody noticed")
    for later, earlier in labels.relations["conflicts"]:
        _story(memory, earlier, later)


def _story(memory: Memory, *items: str) -> None:
    for item in items:
        for entry in memory.said.get(item, ()):
            status = memory.entries[entry]["status"]
            print(f"      {item}: {entry}, {status}, {memory.ruling(entry)}")
        if not memory.said.get(item):
            print(f"      {item}: was not extracted")


def foreign(labels: Labels, memory: Memory, root: Path) -> list[str]:
    """Print which distractors' words are in MEMORY.md; what must not be."""
    pages = {week: _flat(without_marks(page)) for week, page in memory.pages.items()}
    own = [_flat(item["quote"]) for item in labels.items.values()]
    hits: dict[str, list[str]] = defaultdict(list)
    for record in labels.distractors:
        span = _SPAN.match(record["why"])
        words = _flat(span["words"]) if span else ""
        if words and not any(words in quote for quote in own) and any(words in page for page in pages.values()):
            hits[record["kind"]].append(words)
    print("\nDistractors in MEMORY.md, of any week, of all")
    every = Counter(fields["kind"] for fields in labels.distractors)
    for kind in sorted(every, key=lambda kind: (kind not in FOREIGN, kind)):
        must = "must be 0" if kind in FOREIGN else ""
        print(f"  {kind:20} {len(hits[kind]):3} of {every[kind]:3} {must}")
        for words in hits[kind]:
            print(f"      {words}")
    wrong = [f"{kind} in MEMORY.md: {words}" for kind in FOREIGN for words in hits[kind]]
    names = set[str]().union(*map(marked_names, memory.pages.values()))
    unverified = [fields["id"] for fields in memory.entries.values() if not fields["verified"]]
    wrong += [f"unverified in MEMORY.md: {entry}" for entry in unverified if item_name(entry) in names]
    files = [file.read_text(encoding="utf-8") for file in root.rglob("*.md")]
    return wrong + [
        f"a planted secret is in a file: {secret}" for secret in labels.secrets if any(secret in f for f in files)
    ]


def promoted(labels: Labels, memory: Memory) -> None:
    """Print how much was promoted, by kind, and how much of that is labelled."""
    print("\nIn MEMORY.md at the end, of what was extracted; and of the labelled items")
    names = set(marked_names(memory.pages[memory.last]))
    for kind in (*sorted({entry["kind"] for entry in memory.entries.values()}), ""):
        entries = [entry_id for entry_id, entry in memory.entries.items() if entry["kind"].startswith(kind)]
        items = [item for item, label in labels.items.items() if label["kind"].startswith(kind)]
        hot = sum(item_name(entry_id) in names for entry_id in entries)
        there = sum(bool(memory.on_page(item, memory.last)) for item in items)
        extracted = sum(bool(memory.said.get(item)) for item in items)
        print(
            f"  {kind or 'all':12} {hot:3} of {len(entries):3} entries   "
            f"{there:3} of {len(items):3} items, of which {extracted:3} were extracted"
        )
    for week, page in memory.pages.items():
        print(f"  {week}: {page.count(chr(10))} lines, {len(page)} characters")


def unlabelled(labels: Labels, memory: Memory) -> None:
    """Print what is in MEMORY.md at the end and stands for no labelled item, or only by the message it names."""
    names = set(marked_names(memory.pages[memory.last]))
    labelled = {entry_id: labels.items[item] for item, element in memory.said.items() for entry_id in element}
    print("\nIn MEMORY.md and no labelled item, or only near one")
    for entry_id, entry in memory.entries.items():
        item = labelled.get(entry_id)
        if item_name(entry_id) in names and (item is None or _nearness(item, entry) <= NEAR):
            near = f" (near {item['id']})" if item else ""
            print(f"  {entry_id}{near}: {entry['quote']} [{memory.ruling(entry_id)}]")


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", required=True, help="the command")
    parser.add_argument("--set", required=True, type=Path, dest="sets", help="README.md, labels.jsonl and sessions/")
    parser.add_argument("--keep", type=Path, help="make the workspace here and leave it")
    parser.add_argument("--timezone", default="Europe/Warsaw")
    return parser.parse_args()


def main() -> None:
    """Print what became of the set; end with 1 when a must is broken."""
    given = _arguments()
    labels = read_labels(given.sets)
    days = [date.fromisoformat(item["date"]) for item in labels.items.values()]
    with tempfile.TemporaryDirectory(prefix="memory-quality-") as folder:
        root = given.keep or Path(folder, "workspace")
        actual = remembered(given.memory, given.sets, root, given.timezone, days)
        said = standing_for(labels.items, actual.entries.values())
        memory = Memory(actual.entries, actual.pages, actual.plans, said)
        promoted(labels, memory)
        wrong = [*replaced(labels, memory), *repeated(labels, memory)]
        contradicting(labels, memory)
        wrong += foreign(labels, memory, root)
    unlabelled(labels, memory)
    print("\nBroken: " + ("nothing" if not wrong else ""))
    for name in wrong:
        print(f"  {name}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
