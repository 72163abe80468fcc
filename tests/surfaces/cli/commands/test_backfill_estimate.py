"""What `memory backfill` tells before it starts, and whom it asks."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine
from tests.support.servers.behaviours import answering, failing
from tests.support.servers.model_server import ScriptedServer

DAY = "memory/2026-02-02.md"
WORDS = ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A model that finds nothing."""
    with ScriptedServer(answering(lambda _request: {"candidates": []})) as opened:
        yield opened


def model(server: ScriptedServer, **more: str) -> dict[str, str]:
    """The settings of a model, as variables."""
    fields = {"BASE_URL": server.base_url, "NAME": "m", "ATTEMPTS": "1", **more}
    return {f"MEMORY_MODEL__{name}": value for name, value in fields.items()}


def test_without_a_model_it_tells_sizes(workspace: Path, memory: CommandLine) -> None:
    """Windows and sessions, on stderr; and that nothing is paid."""
    said = memory(*WORDS, "--workspace", workspace)
    assert 0 == said.code
    assert re.search(r"^memory: back-fill [0-9]{8}-[0-9a-f]{6}: 8 windows over 1 session\.$", said.err, re.MULTILINE)
    free = "  No model is set, so the jobs work offline: no question is asked, and nothing is paid.\n"
    assert (1, False) == (said.err.count(free), "token" in said.shown)
    assert not list((workspace / ".memory" / "backfills").iterdir())


def test_a_limit_of_tokens_needs_a_model(workspace: Path, memory: CommandLine) -> None:
    """Without one it would limit nothing: 2, a sentence, and nothing is run. With `--json` it is the same."""
    for way in ((), ("--json",), ("--dry-run",)):
        said = memory(*WORDS, "--max-tokens", 1000, *way, "--workspace", workspace)
        assert (2, "") == (said.code, said.out)
        assert "Error: --max-tokens limits what a model may use, and the settings name no model" in said.err
        assert not (workspace / DAY).exists()


def test_with_a_model_it_tells_tokens_and_money(workspace: Path, memory: CommandLine, server: ScriptedServer) -> None:
    """Tokens in are counted, tokens out are a share of them, and nobody is asked who is not on a terminal."""
    prices = {"INPUT_PRICE": "1000", "OUTPUT_PRICE": "0", "CURRENCY": "PLN"}
    said = memory(*WORDS, "--workspace", workspace, **model(server, **prices))
    assert (0, 1) == (said.code, len(server.requests))
    match = re.search(r"The model m is asked 1 question: (\d+) tokens in \(counted\),", said.err)
    assert match
    tokens = int(match[1])
    assert (
        f"and an estimated {round(tokens * 0.15)} tokens out (15% of that); about {tokens / 1000:.2f} PLN" in said.err
    )


def test_as_json(workspace: Path, memory: CommandLine, server: ScriptedServer) -> None:
    """One line on stderr, like those of the log; stdout has one for each run, also of the first page; nothing else."""
    said = memory(*WORDS, "--json", "--workspace", workspace, **model(server))
    [report] = [line for line in said.log if line["event"] == "backfill.estimated"]
    assert (8, 1, "m", 1, 0, None) == tuple(
        report[name] for name in ("partitions", "sessions", "model", "questions", "answered", "cost")
    )
    assert {"micro_sync": 8, "weekly_compound": 1} == Counter(record["job"] for record in said.records)


def test_as_json_it_tells_how_to_go_on(workspace: Path, memory: CommandLine) -> None:
    """A back-fill that stops names its id, what is left, and the words of the command."""
    with ScriptedServer(failing()) as server:
        said = memory(*WORDS, "--json", "--workspace", workspace, **model(server))
    [stopped] = [line for line in said.log if line["event"] == "backfill.stopped"]
    assert 4 == said.code
    assert ["memory", "backfill", "--resume", stopped["backfill"], "--workspace", str(workspace)] == stopped["resume"]
    assert 5 == stopped["left"]


def test_a_week_that_is_cut_is_reported(workspace: Path, memory: CommandLine) -> None:
    """With the last day that takes it whole; not when its other days have nothing to run, or it is not judged now."""
    cut = "  The last week is judged without the days after --to; --to 2026-02-08 takes it whole.\n"
    days, jobs = ("--from", "2026-02-02", "--to"), ("micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound")
    dry = ("--dry-run", "--workspace", workspace)
    for last, is_shown in (("2026-02-04", True), ("2026-02-08", False)):
        assert is_shown == (cut in memory("backfill", *jobs, *days, last, *dry).err)
    assert cut not in memory("backfill", "micro_sync", "daily_wrapup", *days, "2026-02-04", *dry).err
    said = memory("backfill", *jobs, *days, "2026-02-04", "--json", *dry)
    [estimated] = [line for line in said.log if line["event"] == "backfill.estimated"]
    assert "2026-02-08" == estimated["whole_to"]
    rest = ("--from", "2026-02-05", "--to", "2026-02-08", "--workspace", workspace)
    assert 0 == memory("backfill", "micro_sync", "daily_wrapup", *rest).code
    assert cut not in memory("backfill", *jobs, *days, "2026-02-04", *dry).err
