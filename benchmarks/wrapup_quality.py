"""How much of what a labelled set says about each session stands in the nightly wrap-ups.

`python -m benchmarks.wrapup_quality --memory .venv/bin/memory --set DIR` makes a workspace that reads the set's
sessions, back-fills `micro_sync` and `daily_wrapup` over the set's days with the command line alone, and reads the
pages.

`matching` says when a labelled line is found. `by chance` says how often lines are "found" in the
bullets of another session of the language: with half of the words two or three times in a hundred, with two in five
twice as often (and some of those sessions do speak of the same things). Of a decision, its gist in either language or
its quote may be found.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tests.support.builders.matching import OWN_SECTIONS, SECTIONS, Bullet, Line, bullets_of, held_by


def lines_of(label: Mapping[str, Any]) -> list[Line]:
    """The lines of a session's label."""
    items = {item["id"]: item for item in label["items"]}
    slot = label["items"][0]["id"].rpartition("-")[0] if items else label["session_id"]
    parts = [
        (part, _decision(items[text]) if part == "decisions" else (text,))
        for part in OWN_SECTIONS
        for text in (label.get("wrapup") or {}).get(part, [])
    ]
    return [Line(slot, label["session_id"], label["lang"], part, wordings) for part, wordings in parts]


def _decision(item: Mapping[str, str]) -> tuple[str, ...]:
    return (item["gist"], item["gist_en"], item["quote"])


def workspace(memory: str, sets: Path, root: Path, zone: str, days: Sequence[str]) -> None:
    """Make a workspace on the set's sessions and back-fill it over the days of the labels."""
    _command(memory, "init", str(root))
    settings = root / "memory.toml"
    kept = re.sub(r"(?m)^timezone\s*=.*\n", "", settings.read_text(encoding="utf-8"))
    path = json.dumps(str((sets / "sessions").resolve()))
    sources = [f'[[sources]]\nkind = "{kind}"\npath = {path}\n' for kind in ("openclaw", "claude_code")]
    settings.write_text("\n".join([f'timezone = "{zone}"', kept, *sources]), encoding="utf-8")
    last = (date.fromisoformat(max(days)) + timedelta(days=1)).isoformat()
    span = ("--from", min(days), "--to", last, "--workspace", str(root))
    _command(memory, "backfill", "micro_sync", "daily_wrapup", *span)


def _command(memory: str, *arguments: str) -> None:
    done = subprocess.run([memory, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{memory} {' '.join(arguments)} ended with {done.returncode}\n{done.stderr[-2000:]}")


def recall(title: str, lines: Sequence[Line], bullets: Sequence[Bullet]) -> float:
    """Print how many lines are found, by part and language; the share of all."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for line in lines:
        mine = [bullet for bullet in bullets if bullet.rests_on(line.session_id)]
        own = [bullet for bullet in mine if bullet.section in OWN_SECTIONS[line.part]]
        hits = Counter(gold=1, found=int(held_by(line, mine)), own=int(held_by(line, own)))
        for row in ((line.part, line.language), (line.part, "all"), ("all", line.language), ("all", "all")):
            counts[row].update(hits)
    print(f"\n{title}: found (of which in its own section) of labelled")
    languages = ["all", *sorted({line.language for line in lines})]
    print("".join(f"{name:>20}" for name in ["", *languages]))
    for part in (*OWN_SECTIONS, "all"):
        cells = [counts[part, language] for language in languages]
        print(f"{part:>20}" + "".join(f"{_cell(one):>20}" for one in cells))
    return _ratio(counts["all", "all"]["found"], counts["all", "all"]["gold"])


def _cell(one: Counter[str]) -> str:
    return f"{one['found']} ({one['own']}) of {one['gold']} {_ratio(one['found'], one['gold']):.2f}"


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def by_chance(lines: Sequence[Line], bullets: Sequence[Bullet]) -> float:
    """The share of lines found in the bullets of another session of the language."""
    sessions = {(line.session_id, line.language) for line in lines}
    by_session = {session: [bullet for bullet in bullets if bullet.rests_on(session)] for session, _ in sessions}
    tries = [
        held_by(line, by_session[session])
        for line in lines
        for session, language in sessions
        if session != line.session_id and language == line.language
    ]
    return _ratio(sum(tries), len(tries))


def written(lines: Sequence[Line], bullets: Sequence[Bullet]) -> None:
    """Print how many bullets a session has, and how many of them match any labelled line of it."""
    sessions = {line.session_id for line in lines}
    print(f"\n{'section':>38} bullets  a session  matching any label")
    for section in (*SECTIONS, ""):
        mine = [(s, one) for s in sessions for one in bullets if one.rests_on(s) and one.section.startswith(section)]
        good = sum(any(line.session_id == s and held_by(line, [one]) for line in lines) for s, one in mine)
        figures = f"{len(mine):7} {len(mine) / max(1, len(sessions)):10.1f} {_ratio(good, len(mine)):10.2f}"
        print(f"{section or 'all':>38} {figures}")


def broken(labels: Sequence[Mapping[str, Any]], bullets: Sequence[Bullet], wrong: Sequence[str]) -> int:
    """Print what holds of every page, and how often it does not."""
    machines = [label["session_id"] for label in labels if not label["items"]]
    noise = [bullet for bullet in bullets if any(bullet.rests_on(session) for session in machines)]
    print(f"\npages with other than the six sections, bullets without session and messages: {len(wrong)}")
    print(f"bullets from the {len(machines)} sessions without a person: {len(noise)}")
    for row in (*wrong, *(f"{one.page}: {one.text}" for one in noise)):
        print(" ", row)
    return len(wrong) + len(noise)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", required=True, help="the command")
    parser.add_argument("--set", required=True, type=Path, dest="sets", help="labels.jsonl and sessions/")
    parser.add_argument("--keep", type=Path, help="make the workspace here and leave it")
    parser.add_argument("--timezone", default="Europe/Warsaw")
    parser.add_argument("--apart", default="", help="sessions to tell apart, by the beginning of their items' ids")
    parser.add_argument("--at-least", type=float, default=0.0, help="end with 1 below this share found of all lines")
    return parser.parse_args()


def main() -> None:
    """Print the tables; end with 1 when a page is not as it should be, or too little is found."""
    given = _arguments()
    labels = [json.loads(row) for row in (given.sets / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory(prefix="wrapup-quality-") as folder:
        root = given.keep or Path(folder, "workspace")
        days = [item["date"] for label in labels for item in label["items"]]
        workspace(given.memory, given.sets, root, given.timezone, days)
        pages = sorted((root / "second-brain" / "summaries").glob("*-wrapup*.md"))
        read = [bullets_of(page.name, page.read_text(encoding="utf-8")) for page in pages]
    bullets = [bullet for bullets_read, _ in read for bullet in bullets_read]
    lines = [line for label in labels for line in lines_of(label)]
    apart = set(given.apart.split(","))
    print(f"{len(pages)} pages, {len(bullets)} bullets; by chance {by_chance(lines, bullets):.3f}")
    total = recall("all sessions", lines, bullets)
    if apart & {line.slot for line in lines}:
        recall(f"all but {given.apart}", [line for line in lines if line.slot not in apart], bullets)
        recall(f"only {given.apart}", [line for line in lines if line.slot in apart], bullets)
    written(lines, bullets)
    wrong = broken(labels, bullets, [row for _, wrong_lines in read for row in wrong_lines])
    sys.exit(1 if wrong or total < given.at_least else 0)


if __name__ == "__main__":
    main()
