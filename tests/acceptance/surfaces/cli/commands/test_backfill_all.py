"""`memory backfill --all`: all there is, in portions, and on again after any end."""

import re
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from fcntl import F_SETPIPE_SZ, fcntl
from pathlib import Path

import pytest

from tests.support.afternoon import afternoon_zone
from tests.support.processes.command_line import CommandLine, Said, end_of
from tests.support.workspaces.many_years import years_of_talk

TODAY = datetime.now(UTC).date()
FIRST = TODAY - timedelta(days=14 + TODAY.weekday())
PAGE = 4096  # bytes, the smallest pipe
DAYS = 9
ENTRIES = DAYS + DAYS // 3
FACTS = ENTRIES  # each says a figure, or where something is
ALL = ("backfill", "--all")
JOBS = {"micro_sync", "daily_wrapup", "retain", "weekly_plan", "weekly_compound", "reflect", "entity_pages", "articles"}


@pytest.fixture
def talked(tmp_path: Path) -> Path:
    """A workspace over nine days that end a week ago at the latest, of which nothing has been read."""
    return years_of_talk(tmp_path / "w", FIRST, DAYS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, bytes]]:
    """The Markdown of the nine days after one back-fill that nobody disturbed."""
    home = tmp_path_factory.mktemp("whole")
    root = years_of_talk(home / "w", FIRST, DAYS)
    assert 0 == CommandLine(home)(*ALL, "--workspace", root).code
    yield pages(root)
    shutil.rmtree(root)


def pages(root: Path) -> dict[str, bytes]:
    """Every Markdown file of a workspace."""
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*.md")}


def backfill_ids(call: Callable[..., Said], root: Path) -> set[str]:
    """The back-fills of all runs."""
    return {run["backfill"] for run in call("show", "runs", "--limit", 9_999, "--json", "--workspace", root).records}


def test_reads_all_there_is(talked: Path, whole: dict[str, bytes], memory: CommandLine) -> None:
    """All jobs, from the first message on; the command that takes all of it back has its id."""
    said = memory(*ALL, "--workspace", talked)
    assert 0 == said.code, said.shown
    size = re.search(r"back-fill (\S+): (\d+) windows over 27 sessions, (\S+) to (\S+)\.$", said.err, re.MULTILINE)
    assert size
    first = min(path.name for path in (talked / "memory").glob("*-*-*.md"))[:10]
    assert (first, True) == (size[3], date.fromisoformat(size[4]) <= datetime.now(UTC).date())
    assert f"`memory undo --backfill {size[1]}` takes all of it back" in said.err
    assert f"{ENTRIES} entries and {FACTS} other lines written" in said.out
    assert whole == pages(talked)
    assert {"MEMORY.md", f"memory/{first}.md"} <= whole.keys()


def test_as_json(talked: Path, memory: CommandLine) -> None:
    """The estimate has the days; each outcome has the id, those of the folds too."""
    said = memory(*ALL, "--json", "--workspace", talked)
    [estimated] = [line for line in said.log if line["event"] == "backfill.estimated"]
    assert (27, 0, "offline") == (estimated["sessions"], estimated["later"], estimated["model"])
    assert 2 == len(estimated["days"])
    assert {estimated["backfill"]} == {outcome["backfill"] for outcome in said.records}
    assert {outcome["job"] for outcome in said.records} == JOBS


def test_a_second_time_there_is_nothing_left(filled: Path, memory: CommandLine) -> None:
    """But what came in the meantime; the first time does what single back-fills have left."""
    zone = {"MEMORY_TIMEZONE": afternoon_zone()}
    assert 0 == memory(*ALL, "--workspace", filled, **zone).code
    again = memory(*ALL, "--workspace", filled, **zone)
    assert (0, "Nothing is left to do.\n") == (again.code, again.out)


def test_without_a_message_it_says_so(workspace: Path, memory: CommandLine) -> None:
    """A folder in which no session lies yet is no error; without any source there is nothing to go through."""
    for file in (workspace / "sessions").rglob("*.jsonl"):
        file.unlink()
    said = memory(*ALL, "--workspace", workspace)
    assert (0, "No session has a message yet; `memory show transcripts` lists what is read.\n") == (said.code, said.out)
    settings = workspace / "memory.toml"
    settings.write_text(settings.read_text().partition("[[sources]]")[0])
    refused = memory(*ALL, "--workspace", workspace)
    assert (2, "") == (refused.code, refused.out)
    assert "[[sources]]" in refused.err


def test_jobs_and_days_narrow_it_down(workspace: Path, memory: CommandLine) -> None:
    """Those that are given; the others stay open."""
    (workspace / "MEMORY.md").write_text("# What to read first\n")
    words = (*ALL, "micro_sync", "--to", "2026-02-02", "--json", "--workspace", workspace)
    said = memory(*words)
    [estimated] = [line for line in said.log if line["event"] == "backfill.estimated"]
    assert (["2026-02-02"] * 2, 8, {"micro_sync"}) == (
        estimated["days"],
        estimated["partitions"],
        {outcome["job"] for outcome in said.records},
    )


def test_a_portion_at_a_time(
    talked: Path, whole: dict[str, bytes], memory: CommandLine, call: Callable[..., Said]
) -> None:
    """`--max-windows` stops well with the command that goes on, which keeps the limit; the files are the same."""
    said = memory(*ALL, "--max-windows", 40, "--workspace", talked)
    assert 0 == said.code, said.shown
    assert re.search(r"back-fill \S+: 40 windows over \d+ sessions", said.err)
    assert re.search(r"^  \d+ windows more are left for another time \(--max-windows\)\.$", said.err, re.MULTILINE)
    assert "all jobs from the first message to now was stopped" in call("status", "--workspace", talked).out
    for _ in range(9):
        if "To go on:" not in said.out:
            break
        again = shlex.split(said.out.splitlines()[-1])
        assert ["memory", "backfill", "--resume"] == again[:3]
        said = memory(*again[1:])
        assert 0 == said.code, said.shown
    assert whole == pages(talked)
    assert 1 == len(backfill_ids(call, talked))
    assert "was stopped" not in call("status", "--workspace", talked).out


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_started_again_it_goes_on(
    number: signal.Signals, talked: Path, whole: dict[str, bytes], memory: CommandLine, call: Callable[..., Said]
) -> None:
    """Stopped or killed in the middle, the same command goes on under the same id, to the same files."""
    process = memory.start(*ALL, "--json", "--workspace", talked)
    assert process.stdout
    fcntl(process.stdout, F_SETPIPE_SZ, PAGE)  # so that it cannot end before it is read
    for _ in range(30):
        assert process.stdout.readline()
    process.send_signal(number)
    ended = end_of(process)
    assert (128 + number if number == signal.SIGTERM else -number) == ended.code
    assert whole != pages(talked)
    again = memory(*ALL, "--workspace", talked)
    assert 0 == again.code, again.shown
    assert whole == pages(talked)
    assert 1 == len(backfill_ids(call, talked))
    assert [] == list((talked / ".memory" / "backfills").glob("*.json"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--all", "--resume", "x"), "--resume goes on with the same jobs and days"),
        (("--all", "nightly"), "There is no job 'nightly'"),
        (("--all", "--from", "2998-01-01"), "--from 2998-01-01 has not come yet"),
        (("--all", "--from", "2026-02-03", "--to", "2026-02-02"), "is later than"),
        (("--all", "--max-windows", "0"), "--max-windows"),
        (("micro_sync",), "or --all"),
    ],
)
def test_wrong_words_are_refused(words: tuple[str, ...], sentence: str, workspace: Path, memory: CommandLine) -> None:
    """With exit code 2 and a sentence."""
    said = memory("backfill", *words, "--workspace", workspace)
    assert (2, True) == (said.code, sentence in said.err), said.err


def test_a_dry_run_shows_all_of_it(workspace: Path, memory: CommandLine) -> None:
    """On a copy: no id, no run, no page."""
    said = memory(*ALL, "--dry-run", "--workspace", workspace)
    assert (0, True) == (said.code, "+++ b/MEMORY.md" in said.out)
    assert ("undo --backfill" in said.err, (workspace / "memory").exists()) == (False, False)
