"""Whoever searches changes no byte outside the index's own folder."""

import hashlib
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.support.processes.command_line import SECONDS, CommandLine, bare_environment
from tests.support.processes.commands import RealWorkspace
from tests.support.workspaces.sample_workspace import sample

INDEX = ".memory/index"
WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
State = dict[str, tuple[str, str]]


def state_of(folder: Path) -> State:
    """All that is in a folder, the index apart: names, modes, and the hashes of the bytes; links are not followed."""
    paths = sorted(folder.rglob("*"))
    outside = [path for path in paths if not path.relative_to(folder).as_posix().startswith(INDEX)]
    return {path.relative_to(folder).as_posix(): (stat.filemode(path.lstat().st_mode), _hash(path)) for path in outside}


def _hash(path: Path) -> str:
    if path.is_symlink():
        return f"to {path.readlink()}"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def search(memory: CommandLine, root: Path) -> None:
    """Ask on the command line, in several ways."""
    for words in (("deposit",), ("--tier", "all", "--as-of", "2026-03-05", "押金"), ("--json", "zaliczka")):
        said = memory("search", *words, "--workspace", root, **WORDS_ALONE)
        assert said.code == 0, said.shown


def get(memory: CommandLine, root: Path) -> None:
    """Read an entry and a file; what is not there too."""
    assert memory("show", "lines", "RULE-20260307-photos", "--workspace", root, **WORDS_ALONE).code == 0
    assert memory("show", "lines", "memory/2026-03-02.md#L1-L3", "--workspace", root, **WORDS_ALONE).code == 0
    assert memory("show", "lines", "nothing", "--workspace", root, **WORDS_ALONE).code == 2


def check(memory: CommandLine, root: Path) -> None:
    """Go through the checklist; whether it passes does not matter here."""
    said = memory("doctor", "search", "--json", "--workspace", root, **WORDS_ALONE)
    assert said.code in {0, 1}, said.shown
    assert said.records[0]["types"]


def converse(memory: CommandLine, root: Path) -> None:
    """An agent's session: both tools, and a call that fails."""
    words = memory.words("mcp", "--workspace", root)
    environment = bare_environment(memory.home, **WORDS_ALONE)
    server = StdioServerParameters(command=words[0], args=words[1:], env=environment, cwd=memory.home)

    async def talk() -> None:
        with anyio.fail_after(SECONDS):
            async with stdio_client(server) as streams, ClientSession(*streams) as client:
                await client.initialize()
                assert not (await client.call_tool("memory_search", {"query": "deposit"})).is_error
                assert not (await client.call_tool("memory_get", {"place": "MEMORY.md"})).is_error
                assert (await client.call_tool("memory_get", {"place": "nothing"})).is_error

    anyio.run(talk)


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> RealWorkspace:
    """Two weeks of sample sessions, written down and indexed; a link and a file of a person among them."""
    memory = sample(tmp_path_factory.mktemp("sampled") / "w")
    for jobs in (("micro_sync", "daily_wrapup"), ("weekly_plan", "weekly_compound")):
        ended = memory.memory("backfill", *jobs, "--from", "2026-03-02", "--to", "2026-03-15")
        assert ended.code == 0, ended.shown
    ended = memory.memory("doctor", "reindex", **WORDS_ALONE)
    assert ended.code == 0, ended.shown
    projects = memory.root / "memory" / "projects"
    projects.mkdir()
    (projects / "boats.md").write_text("# Boats\n\nThe deposit of the red boat is 50 zl.\n")
    (memory.root / "latest.md").symlink_to("memory/2026-03-14.md")
    return memory


@pytest.mark.parametrize(
    ("reader", "indexed"),
    [
        *((reader, True) for reader in (search, get, converse)),
        *((reader, False) for reader in (search, check)),
        pytest.param(check, True, marks=pytest.mark.soak),
        *(pytest.param(reader, False, marks=pytest.mark.soak) for reader in (get, converse)),
    ],
    ids=lambda item: str(getattr(item, "__name__", "changed-files-wait" if item else "no-index-yet")),
)
def test_reading_changes_nothing_but_the_index(
    reader: Callable[[CommandLine, Path], None], sampled: RealWorkspace, tmp_path: Path, *, indexed: bool
) -> None:
    """Names, modes and bytes are the same after it: with changed, new and gone files waiting, and before any index."""
    root, home = tmp_path / "w", tmp_path / "home"
    home.mkdir()
    shutil.copytree(sampled.root, root, symlinks=True)
    if not indexed:
        shutil.rmtree(root / INDEX)
    with (root / "memory" / "2026-03-02.md").open("a", encoding="utf-8") as page:
        page.write("\n- a line of a person, without an end")
    (root / "memory" / "2026-03-10.md").unlink()
    (root / "second-brain" / "summaries" / "2026-03-07-wrapup.md").chmod(0o444)
    before, index = state_of(root), _times(root / INDEX)
    reader(CommandLine(home), root)
    assert before == state_of(root)
    assert list(home.iterdir()) == []
    assert index != _times(root / INDEX) or reader is get  # so the files that waited were indexed


def _times(folder: Path) -> list[tuple[str, int]]:
    return [(str(path), path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))]
