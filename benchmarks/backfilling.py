"""Back-fills: over dense years without a model, and with a model that takes a second for each answer, over real HTTP.

`python -m benchmarks.backfilling` takes about two minutes; `--partitions 200` a quarter of a minute. The ideal is what
the answers alone take when as many as allowed are always under way: partitions x latency / parallel.
`--dense` measures the years without a model instead: all windows of all jobs, and how the months grow slower.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.measuring import head, row
from benchmarks.samples import openclaw, workspace, write
from tests.support.processes.command_line import CommandLine
from tests.support.servers.behaviours import Received, slow
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import PROMISE, keeping_promises

PARTITIONS = 1_825
PARALLEL = 16
LATENCY = 1.0
TURNS = 3
_HOUR = 9
DENSE_DAYS = 731
DENSE_SESSIONS = 1_319
_FIRST_DENSE = date(2024, 1, 1)
_SAID = (
    "from now on use {1} for the {0}, with {3} workers",
    "let's go with {1} for the {0}, because {2} is too slow",
    "how long does the {0} take with {1} now?",
    "remember that the key of the {0} hangs behind the {1}, row {3}",
    "please look at the log of {1} again, there is something about {2} in it",
    "new rule: never restart the {0} before {1} has ended",
    "I prefer {2} to {1} for everything about the {0}",
    "my colleague {4} looks after the {0}",
    "decision: {0} runs on {1} from today on, {3} MB each",
    "ok, thanks",
)
"""What the owner says in turn: of decisions, things to remember and facts about as many as of talk."""
_ANSWER = "I looked at it: the {0} took {3} seconds, most of it in {1}. Shall I go on with {2}?"
_SYLLABLES = ("ka", "lo", "mi", "ter", "van", "dro", "sel", "pu", "rin", "bex", "to", "gan", "zu", "hof", "li", "nes")


@dataclass(frozen=True)
class Sizes:
    """How many partitions, how many questions at once, and the seconds that an answer takes."""

    partitions: int = PARTITIONS
    parallel: int = PARALLEL
    latency: float = LATENCY

    @property
    def ideal(self) -> float:
        """Seconds."""
        return self.partitions * self.latency / self.parallel


def backfilling(folder: Path, sizes: Sizes) -> None:
    """Daily windows with a session each, asked about one by one and filled by the command of a person."""
    last = datetime.now(UTC).replace(hour=_HOUR, minute=0, second=0, microsecond=0) - timedelta(days=2)
    first = last - timedelta(days=sizes.partitions - 1)
    root = _workspace(folder, first, sizes)
    span = ("--from", f"{first:%Y-%m-%d}", "--to", f"{last:%Y-%m-%d}")
    with ScriptedServer(slow(_remembering, sizes.latency)) as server:
        model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "scripted"}
        began = perf_counter()
        command = CommandLine(folder, seconds=20 * sizes.ideal + 600)
        words = ("backfill", "micro_sync", *span, "--parallel", sizes.parallel, "--json", "--workspace", root)
        ended = command(*words, **model)
        seconds = perf_counter() - began
    done = sum((record["job"], record["ending"]) == ("micro_sync", "done") for record in ended.records)
    if (ended.code, done, len(server.requests)) != (0, sizes.partitions, sizes.partitions):
        raise RuntimeError(ended.code, done, len(server.requests), ended.err[-2000:])
    row(
        f"back-fill of {sizes.partitions} partitions, {sizes.parallel} questions at once, {sizes.latency:g} s each",
        "the answers alone",
        [f"{sizes.ideal / seconds:.0%} of the ideal", f"{seconds:.1f} s to {sizes.ideal:.1f} s"],
    )


def dense_years(folder: Path) -> None:
    """Every window of every job over two years of talk with one agent, without a model."""
    root = dense_workspace(folder)
    last = _FIRST_DENSE + timedelta(days=DENSE_DAYS - 1)
    words = ("backfill", "--all", "--from", str(_FIRST_DENSE), "--to", str(last), "--json", "--workspace", str(root))
    command = [sys.executable, "-m", "pipeline.surfaces.cli.main", *words]
    months, windows, began = dict[str, float](), 0, perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        before = began
        for line in process.stdout or ():
            windows, now = windows + 1, perf_counter()
            month = json.loads(line)["window"]["start"][:7]
            months[month] = months.get(month, 0.0) + now - before
            before = now
    if process.returncode:
        raise RuntimeError(process.returncode)
    seconds = perf_counter() - began
    # What belongs to no time is made at the end, as of now.
    whole = [months[month] for month in sorted(months) if f"{_FIRST_DENSE:%Y-%m}" <= month <= f"{last:%Y-%m}"]
    row(
        f"back-fill of {DENSE_SESSIONS:,} sessions in two years, {windows:,} windows, no model",
        "its second month",
        [f"{whole[-1] / whole[1]:.1f} x the time of a month at the end", f"{seconds:.0f} s: {_in_months(whole)}"],
    )


def _in_months(seconds: list[float]) -> str:
    return " ".join(f"{month:.1f}" for month in seconds)


def dense_workspace(folder: Path) -> Path:
    """A workspace over two years of an agent's sessions, the same every time."""
    root, sessions = folder / "w", folder / "agents" / "main" / "sessions"
    dice = Random(DENSE_SESSIONS)  # noqa: S311 - the same sessions every time
    start = datetime.combine(_FIRST_DENSE, datetime.min.time(), UTC)
    for number in range(DENSE_SESSIONS):
        begin = start + timedelta(days=number * DENSE_DAYS // DENSE_SESSIONS, hours=dice.randrange(7, 20))
        name = f"s-{number:05}"
        write(sessions / f"{name}.jsonl", _dense_session(begin, name, 4 + number % 6, dice))
    workspace(root, str(folder), start)
    with (root / "memory.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[agents.main]\nsources = ["openclaw"]\n')
    return root


def _dense_session(start: datetime, name: str, turns: int, dice: Random) -> Iterator[dict[str, Any]]:
    """A session about named things, most of them new."""
    yield {"type": "session", "version": 3, "id": name, "timestamp": start.isoformat(), "cwd": "/srv/app"}
    for place in range(2 * turns):
        words = ["".join(dice.choices(_SYLLABLES, k=dice.randint(2, 3))) for _ in range(3)]
        words_said = (_ANSWER if place % 2 else dice.choice(_SAID)).format(
            *words, dice.randrange(2, 400), words[0].title()
        )
        message = {"role": ("user", "assistant")[place % 2], "content": [{"type": "text", "text": words_said}]}
        moment = (start + timedelta(minutes=place)).isoformat()
        above = f"{place - 1:08x}" if place else None
        yield {"type": "message", "id": f"{place:08x}", "parentId": above, "timestamp": moment, "message": message}


def _workspace(folder: Path, first: datetime, sizes: Sizes) -> Path:
    root, sessions = folder / "w", folder / "sessions"
    for number in range(sizes.partitions):
        name = f"day-{number:05}"
        write(sessions / f"{name}.jsonl", _session(first + timedelta(days=number), name, number))
    workspace(root, str(sessions), first)
    with (root / "memory.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[jobs.micro_sync]\nschedule = "0 0 * * *"\n')
    return root


def _session(start: datetime, name: str, number: int) -> Iterator[dict[str, Any]]:
    """A session with something to remember that has nothing to do with what was said before."""
    yield from openclaw(start, TURNS, name)
    said = [{"type": "text", "text": f"{PROMISE} {' '.join(_word(4 * number + place) for place in range(4))}."}]
    moment = (start + timedelta(minutes=TURNS)).isoformat()
    message = {"role": "user", "content": said}
    own = f"{0xFFFFFFFF - number:08x}"  # no two sessions have a record of one id
    yield {"type": "message", "id": own, "parentId": None, "timestamp": moment, "message": message}


def _word(number: int) -> str:
    """A word whose beginning no other number's word has."""
    letters = ["bcdfgklmnprt"[number // 12**place % 12] for place in range(4)]
    return f"{letters[0]}a{letters[1]}{letters[2]}{letters[3]}o"


def _remembering(request: Received) -> str:
    """One candidate from each session, so that every partition writes.

    Its title has no words but its own: entries that are alike would each ask about their links, and wait for it.
    """
    answer = keeping_promises(request)
    for candidate in answer.get("candidates", ()):
        candidate["title"] = candidate["quote"][:100]
    return json.dumps(answer)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.backfilling", description=__doc__)
    parser.add_argument("--partitions", type=int, default=PARTITIONS)
    parser.add_argument("--parallel", type=int, default=PARALLEL)
    parser.add_argument("--latency", type=float, default=LATENCY, metavar="SECONDS")
    parser.add_argument("--dense", action="store_true")
    given = vars(parser.parse_args())
    dense, sizes = given.pop("dense"), Sizes(**given)
    head()
    with TemporaryDirectory(prefix="memory-benchmarks-") as folder:
        dense_years(Path(folder)) if dense else backfilling(Path(folder), sizes)


if __name__ == "__main__":
    main()
