"""`memory agents connect`."""

import json
import shlex
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.settings.workspaces import WorkspaceList
from tests.support.processes.command_line import Said
from tests.support.tables import table

AGENTS = ("openclaw", "claude-code", "codex")
LISTS = {"workspaces.toml", ".workspaces.lock"}
FOLDERS = ("w", "with a space", 'it\'s "quoted"', "pamięć 记忆", "back\\slash", "$HOME;rm", "tab\there", "\x7f")
"""Names of folders that shells, JSON or TOML would take apart."""


@pytest.fixture(params=FOLDERS)
def named(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A workspace in a folder of that name."""
    root = tmp_path / str(request.param)
    root.mkdir()
    (root / "memory.toml").write_text("")
    return root


def declare(workspace: Path) -> None:
    """Give `dexter` a memory of its own."""
    with (workspace / "memory.toml").open("a") as file:
        file.write("\n[agents.dexter]\n")


def printed_parts(said: Said) -> tuple[str, str]:
    """The command that is printed, and the lines for the file."""
    assert said.code == 0
    _, command, _, rest = said.out.split("\n\n", 3)
    return command, rest.partition("\n\nThe agent then has")[0]


def server(agent: str, lines: str) -> dict[str, object]:
    """What the lines tell an agent of us, read as that agent reads them."""
    parsed = tomllib.loads(lines) if agent == "codex" else json.JSONDecoder().raw_decode(lines)[0]
    servers: dict[str, dict[str, object]] = {
        "openclaw": lambda: parsed["mcp"]["servers"],
        "claude-code": lambda: parsed["mcpServers"],
        "codex": lambda: parsed["mcp_servers"],
    }[agent]()
    assert ["memory"] == list(servers)
    return servers["memory"]


@table("agent", AGENTS)
def test_the_lines_for_the_file_can_be_read(agent: str, named: Path, call: Callable[..., Said]) -> None:
    """They name `memory` by an absolute path, and the workspace, whatever stands in its name; so does the command."""
    command, lines = printed_parts(call("agents", "connect", agent, "--workspace", named))
    words, result = shlex.split(command), server(agent, lines)
    assert ["mcp", "--workspace", str(named)] == result["args"]
    assert Path(str(result["command"])).is_absolute()
    assert Path(str(result["command"])).name == "memory"
    assert {"command", "args"} == set(result) - {"type"}
    if agent == "openclaw":
        assert ["openclaw", "mcp", "set", "memory"] == words[:4]
        assert [result] == [json.loads(word) for word in words[4:]]
    else:
        start = {
            "claude-code": ["claude", "mcp", "add", "--scope", "user", "memory"],
            "codex": ["codex", "mcp", "add", "memory"],
        }
        assert [*start[agent], "--", result["command"], *result["args"]] == words


def test_the_tools_are_named(workspace: Path, call: Callable[..., Said]) -> None:
    """What the agent gets, and what to tell it."""
    said = call("agents", "connect", "codex", "--workspace", workspace)
    assert "memory_search and memory_get" in said.out
    assert "cite path and lines" in said.out


def test_an_unknown_agent_is_wrong_use(workspace: Path, call: Callable[..., Said]) -> None:
    """The known ones are named."""
    said = call("agents", "connect", "emacs", "--workspace", workspace)
    assert 2 == said.code
    assert all(agent in said.err for agent in AGENTS)


def test_nothing_is_written(workspace: Path, call: Callable[..., Said]) -> None:
    """Neither in the workspace nor in the agent's configuration."""
    before = sorted(workspace.rglob("*"))
    call("agents", "connect", "claude-code", "--workspace", workspace)
    assert before == sorted(workspace.rglob("*"))


ALL = (*AGENTS, "gemini-cli", "opencode", "cursor")


@pytest.mark.parametrize("agent", ALL)
def test_writes_shows_and_takes_back(agent: str, workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """The difference of every file is shown; a second time changes nothing; --remove brings everything back."""
    declare(workspace)
    said = call("agents", "connect", agent, "--apply", "--yes", "--agent", "dexter", "--workspace", workspace)
    files = list(content(home))
    assert (0, True) == (said.code, bool(files))
    assert all(f"+++ {file}\n" in said.out and f"Wrote {file}\n" in said.out for file in files)
    assert (agent == "cursor") == ("no test of ours follows how" in said.out)
    assert (agent == "claude-code") == ("until `memory serve` runs" in said.out)
    assert (agent != "claude-code") == ("Large outputs of tools are not replaced" in said.out)
    again = call("agents", "connect", agent, "--apply", "--yes", "--agent", "dexter", "--workspace", workspace)
    assert again.out.startswith("All is as it should be already.\n")
    said = call("agents", "connect", agent, "--remove", "--yes", "--workspace", workspace)
    assert (0, []) == (said.code, [*content(home)])
    said = call("agents", "connect", agent, "--remove", "--workspace", workspace)
    assert (0, True) == (said.code, said.out.startswith("There is no record"))


def test_programs_read_what_was_changed(workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """Without an option the text for each file; else the difference that was carried out."""
    words = ("agents", "connect", "claude-code", "--json", "--workspace", workspace)
    [shown] = call(*words).records
    assert ("memory", False, True) == (shown["server"], shown["done"], shown["commands"][0].startswith("claude mcp"))
    assert [] == list(home.iterdir())
    [connected] = call(*words, "--apply", "--yes").records
    assert {file["path"] for file in connected["files"]} == set(content(home))
    assert (True, True) == (connected["done"], all("+++ " in file["text"] for file in connected["files"]))
    [removed] = call(*words, "--remove", "--yes").records
    assert {file["path"] for file in removed["files"]} == {file["path"] for file in connected["files"]}


def test_names_the_agents_memory_only_where_it_is_said(workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """Without --agent there is no such option, and a session begins with `MEMORY.md` alone."""
    call("agents", "connect", "claude-code", "--apply", "--yes", "--workspace", workspace)
    text = (home / ".claude.json").read_text()
    assert ["mcp", "--workspace", str(workspace)] == json.loads(text)["mcpServers"]["memory"]["args"]
    hooks = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]
    assert ["PostToolUse", "SessionStart", "UserPromptSubmit", "SessionEnd", "PreCompact"] == list(hooks)
    assert hooks["SessionStart"][0]["hooks"][0]["command"].endswith(f"memory wake --workspace {workspace}")
    declare(workspace)
    call("agents", "connect", "claude-code", "--apply", "--yes", "--agent", "dexter", "--workspace", workspace)
    args = json.loads((home / ".claude.json").read_text())["mcpServers"]["memory"]["args"]
    assert ["mcp", "--workspace", str(workspace), "--agent", "dexter"] == args
    assert "wake dexter --with memory --workspace" in (home / ".claude" / "settings.json").read_text()


def test_the_hook_of_claude_code_is_registered_with_the_tools(
    workspace: Path, home: Path, call: Callable[..., Said]
) -> None:
    """One line for a shell, for the tools whose outputs may be replaced; it names the file that names our server."""
    call("agents", "connect", "claude-code", "--apply", "--yes", "--workspace", workspace)
    (entry,) = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]["PostToolUse"]
    (hook,) = entry["hooks"]
    program, *words = shlex.split(hook["command"])
    assert ("command", "memory-hook") == (hook["type"], Path(program).name)
    assert ["claude-code", str(workspace), "", str(home / ".claude.json")] == words
    assert "Bash" in entry["matcher"].split("|")
    assert "Read" not in entry["matcher"].split("|")


def test_asks_before_it_writes(workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """Where nobody can be asked it shows what it would do, and says how to do it."""
    said = call("agents", "connect", "cursor", "--apply", "--workspace", workspace)
    assert (2, True, True) == (said.code, "--yes" in said.err, "+++" in said.out)
    assert "Cursor may not be installed here" in said.out
    assert [] == list(home.iterdir())


WRONG: tuple[tuple[str, tuple[str, ...], dict[str, str], str], ...] = (
    ("", ("--apply", "--remove"), {}, "not both"),
    ("", ("--apply", "--yes"), {"HOME": ""}, "HOME is not set"),
    ("{", ("--apply", "--yes"), {}, "cannot be read as JSON"),
    ('{"mcpServers": {"memory": {}}}', ("--apply", "--yes", "--name", "memory"), {}, "at mcpServers.memory"),
    ("{}", ("--apply", "--yes", "--agent", "zoe"), {}, "no agent with a memory of its own 'zoe'"),
)


def test_what_cannot_be_done_is_a_sentence(workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """With exit code 2, and nothing written; all wrong rows are listed."""
    file, wrong = home / ".cursor" / "mcp.json", []
    file.parent.mkdir()
    for text, words, variables, sentence in WRONG:
        file.write_text(text)
        said = call("agents", "connect", "cursor", *words, "--workspace", workspace, **variables)
        if (2, True, text) != (said.code, sentence in said.err, file.read_text()):
            wrong.append((words, said.code, said.err))
    assert [] == wrong


def test_the_doctor_tells_whether_it_still_works(filled: Path, home: Path, call: Callable[..., Said]) -> None:
    """Connected, changed by somebody, and with a program that is gone: each with what to do next."""
    call("agents", "connect", "cursor", "--apply", "--yes", "--workspace", filled)

    def shown() -> list[tuple[str, str, str]]:
        said = call("doctor", "--json", "--workspace", filled)
        ours = [record for record in said.records if record["check"] == "agent cursor"]
        return [(record["health"], record["told"], record["advice"]) for record in ours]

    file = home / ".cursor" / "mcp.json"
    assert [("ok", f"connected: {file}", "")] == shown()
    before = file.read_text()
    file.write_text("{}")
    ((health, message, advice),) = shown()
    assert ("warn", True) == (health, "mcpServers.memory is gone" in message)
    assert "`memory agents connect cursor --apply`" in advice
    file.write_text(before)
    record = filled / ".memory" / "integrations" / "record.json"
    written = json.loads(record.read_text())
    record.write_text(json.dumps(written | {"programs": {"cursor": "/gone/memory"}}))
    WorkspaceList(home / ".config" / "memory").note(record, record.read_bytes())
    ((health, message, _),) = shown()
    assert ("fail", True) == (health, "/gone/memory is not there" in message)
    record.write_text("{")
    said = call("doctor", "--json", "--workspace", filled)
    assert any("record.json is not as we wrote it" in record["told"] for record in said.records)


def test_the_doctor_runs_no_program_that_a_clone_names(workspace: Path, call: Callable[..., Said]) -> None:
    """The record is a file of the workspace, so anybody can have written it."""
    program, ran = workspace / "x.sh", workspace / "ran"
    program.write_text(f"#!/bin/sh\ntouch {ran}\necho memory 1.0\n")
    program.chmod(0o755)
    record = workspace / ".memory" / "integrations" / "record.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"agents": {"cursor": {}}, "programs": {"cursor": str(program), "x": str(program)}}))
    (check,) = agent_checks(call, workspace)
    assert ("warn", True) == (check["health"], "your home does not know" in str(check["told"]))
    assert not ran.exists()


def test_openclaw_learns_our_tools_by_their_full_names(workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """It has a `memory_search` of its own."""
    call("agents", "connect", "openclaw", "--apply", "--yes", "--workspace", workspace)
    assert "call memory__memory_search," in (home / ".openclaw" / "workspace" / "AGENTS.md").read_text()


def content(home: Path) -> dict[str, bytes]:
    """All files below the home folder but the person's list."""
    files = [file for file in sorted(home.rglob("*")) if file.is_file() and file.name not in LISTS]
    return {str(file): file.read_bytes() for file in files}


def servers(home: Path) -> dict[str, str]:
    """The workspaces of the servers of Cursor, by the names of the servers."""
    configured = json.loads((home / ".cursor" / "mcp.json").read_text())["mcpServers"]
    return {name: server["args"][2] for name, server in configured.items()}


def test_the_name_of_a_connection_can_be_chosen(workspace: Path, home: Path, call: Callable[..., Said]) -> None:
    """And changed; a wrong name is wrong use, and a name that was asked for and is taken is refused."""
    for name, server in (("private", "memory-private"), ("memory-x", "memory-x"), ("memory", "memory")):
        said = call("agents", "connect", "cursor", "--apply", "--yes", "--name", name, "--workspace", workspace)
        assert (0, {server: str(workspace)}) == (said.code, servers(home)), said.shown
    assert 2 == call("agents", "connect", "cursor", "--name", "A b", "--workspace", workspace).code
    other = workspace.with_name("other")
    shutil.copytree(workspace, other)
    assert 2 == call("agents", "connect", "cursor", "--apply", "--yes", "--name", "memory", "--workspace", other).code


def agent_checks(call: Callable[..., Said], root: Path, *options: str) -> list[dict[str, object]]:
    """The results of the doctor about Cursor."""
    records = call("doctor", "--json", *options, "--workspace", root).records
    return [record for record in records if record["check"] == "agent cursor"]


def test_the_doctor_mends_the_connection_of_a_moved_workspace(
    filled: Path, home: Path, call: Callable[..., Said]
) -> None:
    """It tells that the agent starts the memory of the old place, and --fix writes the new one."""
    call("agents", "connect", "cursor", "--apply", "--yes", "--workspace", filled)
    moved = filled.rename(filled.with_name("moved"))
    (check,) = agent_checks(call, moved)
    assert f"names the workspace {filled}, which is gone" in str(check["told"])
    (check,) = agent_checks(call, moved, "--fix")
    assert (True, {"memory": str(moved)}) == (check["fixed"], servers(home))
    (check,) = agent_checks(call, moved)
    assert "ok" == check["health"]
    assert 0 == call("agents", "connect", "cursor", "--remove", "--yes", "--workspace", moved).code
    assert {} == content(home)


def test_a_copy_of_a_workspace_takes_nothing_over(filled: Path, home: Path, call: Callable[..., Said]) -> None:
    """The doctor of the copy tells whose connection it is and mends nothing; it is connected beside, or forgotten."""
    call("agents", "connect", "cursor", "--apply", "--yes", "--workspace", filled)
    before, copy = content(home), filled.with_name("copy")
    shutil.copytree(filled, copy)
    (check,) = agent_checks(call, copy, "--fix")
    assert ("warn", False, True) == (check["health"], check["fixed"], "connects this one too" in str(check["advice"]))
    assert 0 == call("agents", "connect", "cursor", "--remove", "--yes", "--workspace", copy).code
    assert before == content(home)
    shutil.rmtree(copy)
    shutil.copytree(filled, copy)
    call("agents", "connect", "cursor", "--apply", "--yes", "--workspace", copy)
    assert {"memory": str(filled), "memory-copy": str(copy)} == servers(home)


@pytest.mark.parametrize("agent", ALL)
def test_what_a_workspace_left_that_is_gone_is_replaced(
    agent: str, workspace: Path, home: Path, call: Callable[..., Said]
) -> None:
    """Nobody else can take it out any more; what is taken out later is ours alone."""
    gone = workspace.with_name("gone")
    gone.mkdir()
    (gone / "memory.toml").write_text("")
    call("agents", "connect", agent, "--apply", "--yes", "--without", "page", "--workspace", gone)
    shutil.rmtree(gone)
    said = call("agents", "connect", agent, "--apply", "--yes", "--workspace", workspace)
    assert 0 == said.code, said.shown
    texts = b"".join(content(home).values()).decode()
    assert (0, True) == (texts.count(str(gone)), str(workspace) in texts)
    assert 0 == call("agents", "connect", agent, "--remove", "--yes", "--workspace", workspace).code
    assert b"memory" not in b"".join(content(home).values())


@pytest.mark.parametrize("path", [r"/a\ud800", r"/a\uZZZZ", r"/a\u0000b", "/a\nb"])
def test_the_doctor_reads_a_configuration_with_no_path(
    home: Path, workspace: Path, call: Callable[..., Said], path: str
) -> None:
    """Anybody can edit the file: what no path can be names no workspace."""
    call("agents", "connect", "cursor", "--apply", "--yes", "--workspace", workspace)
    (home / ".cursor" / "mcp.json").write_text(f'{{"mcpServers": {{"x": ["--workspace", "{path}"]}}}}')
    sentences = [one["told"] for one in call("doctor", "--json", "--workspace", workspace).records]
    assert any("mcp.json" in sentence for sentence in sentences)


def put_plugin(kind: str, home: Path, workspace: Path) -> None:
    """What a client writes when a person installs our plugin for a workspace."""
    if kind == "gemini-cli":
        file, text = home / ".gemini" / "extensions" / "memory" / ".env", f'MEMORY_WORKSPACE="{workspace}"\n'
    else:
        plugin = "memory@agent-memory"
        settings = {
            "enabledPlugins": {plugin: True},
            "pluginConfigs": {plugin: {"options": {"workspace": str(workspace)}}},
        }
        file, text = home / ".claude" / "settings.json", json.dumps(settings)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize(
    ("kind", "removal"),
    [
        ("claude-code", "claude plugin uninstall memory@agent-memory"),
        ("gemini-cli", "gemini extensions uninstall memory"),
    ],
)
def test_a_client_with_our_plugin_is_not_connected_twice(
    kind: str, removal: str, filled: Path, home: Path, call: Callable[..., Said]
) -> None:
    """The second says so: `--apply` writes nothing, or tells that the plugin is idle; the doctor knows both."""
    put_plugin(kind, home, home)  # of another workspace
    apply = ("integrate", kind, "--apply", "--yes", "--workspace", filled)
    assert 0 == call(*apply).code
    put_plugin(kind, home, filled)
    assert f"does nothing now. `{removal}` takes it away" in call(*apply).out

    def checks() -> list[tuple[str, bool]]:
        records = call("doctor", "--json", "--workspace", filled).records
        return [(one["health"], removal in one["advice"]) for one in records if one["check"] == f"agent {kind}"]

    assert ("warn", True) in checks()
    removed = call("agents", "connect", kind, "--remove", "--yes", "--workspace", filled)
    assert f"for this workspace. `{removal}` takes it away" in removed.out
    put_plugin(kind, home, filled)
    refused = call(*apply)
    assert 0 != refused.code
    assert f"so nothing was written. Keep it, or run `{removal}` first" in refused.err
    assert [("ok", False)] == checks()


def test_the_plugin_is_offered_with_its_folder(workspace: Path, call: Callable[..., Said]) -> None:
    """By the commands of the client, where a client takes plugins."""
    said = call("agents", "connect", "claude-code", "--workspace", workspace)
    [folder] = [line.split()[-1] for line in said.out.splitlines() if line.startswith("claude plugin marketplace add ")]
    assert (Path(folder) / ".claude-plugin" / "marketplace.json").is_file()
    assert f"claude plugin install memory@agent-memory --config workspace={workspace}" in said.out
    assert "the plugin instead" not in call("agents", "connect", "codex", "--workspace", workspace).out
