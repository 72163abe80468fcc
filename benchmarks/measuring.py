"""Running things several times and telling the middle of it."""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

ROUNDS = 5


def ratio(
    measured: Callable[[], object], baseline: Callable[[], object], rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """The median ratio of two timings taken in turn, and the median seconds of each."""
    return middle([(seconds(measured), seconds(baseline)) for _ in range(rounds)])


def middle(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """The median ratio of timings and their baselines, and the median of each."""
    return (
        statistics.median(mine / base for mine, base in pairs),
        statistics.median(mine for mine, _ in pairs),
        statistics.median(base for _, base in pairs),
    )


def process(*arguments: str) -> Callable[[], object]:
    """Running a Python process to its end; it must succeed."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=_environment())


_LAUNCHER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


@dataclass(frozen=True)
class Spent:
    """What a process and those it waited for took: processor time, and the largest resident size of one of them."""

    seconds: float
    mebibytes: float


def spent(*arguments: str) -> Spent:
    """The cost of running a Python process to its end; it must succeed.

    A small process starts it and asks the kernel: of what this large one starts, the kernel would count our own size.
    """
    command = [sys.executable, "-c", _LAUNCHER, sys.executable, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=_environment())
    taken, size = done.stdout.split()
    return Spent(float(taken), int(size) / 1024)


def ticks(pid: int) -> int:
    """The processor time that a living process has taken, in hundredths of a second."""
    lines = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(lines[11]) + int(lines[12])


def resident_mebibytes(pid: int) -> float:
    """The resident size of a living process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def head() -> None:
    """The head of the table."""
    print("| measured | against | ratio | figures |")
    print("|---|---|---|---|")


def row(what: str, against: str, figures: Sequence[str]) -> None:
    """Print a line of the table; the first of the figures is the ratio."""
    times, *others = figures
    print(f"| {what} | {against} | {times} | {'; '.join(others)} |")


def figures(times: float, mine: float, base: float) -> list[str]:
    """What `ratio` gives, for a row of milliseconds."""
    return [f"{times:.1f} x the time", f"{1000 * mine:.0f} ms to {1000 * base:.0f} ms"]


def spread(times: Sequence[float]) -> str:
    """The median of timings and what nineteen in twenty do not exceed, in milliseconds."""
    return " / ".join(
        f"{1000 * seconds:.1f}" for seconds in (statistics.median(times), statistics.quantiles(times, n=20)[18])
    )


def _environment() -> dict[str, str]:
    # Compiled files are kept, as they are for people.
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    began = perf_counter()
    call()
    return perf_counter() - began


def processor_seconds(call: Callable[[], object]) -> float:
    """How much time of a processor a call takes in this process, all threads together."""
    began = process_time()
    call()
    return process_time() - began
