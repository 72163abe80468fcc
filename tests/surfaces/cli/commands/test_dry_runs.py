"""A dry run leaves the workspace as it was: the whole tree, file for file and byte for byte."""

import re
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.marks import at_length
from tests.support.processes.command_line import CommandLine
from tests.support.servers.behaviours import answering, failing
from tests.support.servers.model_server import ScriptedServer

AT = ("run", "--at", "2026-02-02T12:00")
JOBS = ("micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound")
WEEK = ("backfill", *JOBS, "--from", "2026-02-02", "--to", "2026-02-08")
WAYS = [("run",), (*AT, "--take-over"), (*WEEK, "--only", "missing", "--parallel", "2", "--json")]
MORE_WAYS = [("run", "weekly_compound", "--allow-shrink"), ("run", "--wait", "1", "--json"), WEEK]

Tree = dict[str, tuple[str, bytes]]


def tree(root: Path) -> Tree:
    """Everything below a folder, folders and links too: its kind with its rights, and its bytes or where it leads."""
    return {path.relative_to(root).as_posix(): _standing(path) for path in root.rglob("*")}


def _standing(path: Path) -> tuple[str, bytes]:
    rights = stat.filemode(path.lstat().st_mode)
    if path.is_symlink():
        return rights, str(path.readlink()).encode()
    return rights, path.read_bytes() if path.is_file() else b""


@pytest.mark.parametrize("words", [*WAYS, *at_length(*MORE_WAYS)])
@pytest.mark.parametrize("name", ["workspace", "judged"])
def test_a_dry_run_leaves_everything_as_it_was(
    name: str, words: tuple[str, ...], request: pytest.FixtureRequest, memory: CommandLine
) -> None:
    """In a workspace in which nothing was ever run, no folder of ours is made: neither the ledger's nor the locks'."""
    root: Path = request.getfixturevalue(name)
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory" / "elsewhere").symlink_to("nowhere")
    before = tree(root)
    assert 0 == memory(*words, "--dry-run", "--workspace", root).code
    assert before == tree(root)


def test_the_first_dry_run_reads_the_last_day_and_asks_the_model(workspace: Path, memory: CommandLine) -> None:
    """In a workspace in which nothing is due yet, so that a wrong key shows at once and not with the first window."""
    with ScriptedServer(failing(401)) as server:
        settings = workspace / "memory.toml"
        fresh = re.sub(r"(?m)^start = .*$", f"start = {datetime.now(UTC).isoformat()}", settings.read_text())
        settings.write_text(f'{fresh}\n[model]\nbase_url = "{server.base_url}"\nname = "m"\nattempts = 1\n')
        said = memory("run", "micro_sync", "--dry-run", "--workspace", workspace)
    assert (4, True) == (said.code, "refuses the key" in said.out + said.err)
    assert 0 < len(server.requests)


def test_a_dry_run_on_another_host_takes_nothing_over(judged: Path, memory: CommandLine) -> None:
    """Who runs the workspace does not matter to it, and stays."""
    (judged / "memory" / ".locks" / "owner.json").write_text('{"host": "elsewhere", "machine": "elsewhere"}')
    before = tree(judged)
    for words in WAYS:
        assert 0 == memory(*words, "--dry-run", "--workspace", judged).code
    assert before == tree(judged)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A model that finds nothing."""
    with ScriptedServer(answering(lambda _request: {"candidates": []})) as opened:
        yield opened


def test_only_answers_that_were_paid_for_are_kept(workspace: Path, memory: CommandLine, server: ScriptedServer) -> None:
    """With a model the ledger keeps its answers, so that the run that follows is not paid again; nothing else comes."""
    model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "m"}
    before = tree(workspace)
    assert 0 == memory(*AT, "--dry-run", "--workspace", workspace, **model).code
    after = tree(workspace)
    assert {".memory", ".memory/state.db"} == after.keys() - before.keys()
    assert before == {name: pair for name, pair in after.items() if name in before}
    assert 0 == memory(*AT, "--workspace", workspace, **model).code
    assert 1 == len(server.requests)
