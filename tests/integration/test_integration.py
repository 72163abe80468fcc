"""Connecting agents and taking the connection away: files of a person come back byte for byte."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ChangedMeanwhile, Held, PathRefused, ReadFailed, WriteFailed
from pipeline.errors.service import ConfigurationRefused, HomeMissing
from pipeline.install import installed_program
from pipeline.integration.edits import EditRecord, IntegrationRecord, PieceRecord, Syntax
from pipeline.integration.known_agents import AGENTS, PAGE, PROMPTS, Connection, home_of
from pipeline.integration.plan import carry_out, difference, plan_again, plan_apply, plan_removal, write_changes
from pipeline.integration.records import (
    FOLDER,
    RecordFolder,
    copy_name,
    digest,
    is_standing,
    left_out_parts,
    own_record,
)
from tests.support.fresh_folder import fresh_folder
from tests.support.tables import table

FIRST = {
    "claude-code": ".claude.json",
    "openclaw": ".openclaw/openclaw.json",
    "codex": ".codex/config.toml",
    "gemini-cli": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "cursor": ".cursor/mcp.json",
}
"""The file of each agent that names its servers, below the home folder."""
TEXTS = st.sampled_from(
    [
        b"",
        b"{}",
        b"{\r\n}\r\n",
        b'\xef\xbb\xbf{"a": 1}',
        b'{\n\t"a": [1, 2],\n\t"mcp": {}, "hooks": {"SessionStart": [ ]}, "mcpServers": {"x": {"command": "y"}}\n}',
        b'{"a": "\\u0107\\n"}\n\n\n',
    ]
)
COMMENTED = st.sampled_from([b"// note\n{a: 1, /* b */}", b"{'mcp': {servers: {x: {}, // y\n},},}"])
TABLES = st.sampled_from(
    [b"", b"# note", b"\xef\xbb\xbfa = 1\r\n", b"[a] # b\nc = '''\n[d]\n'''\n\n", b"[mcp_servers.x]\nb = 1"]
)


class Bench:
    """A home folder and a workspace, both empty."""

    def __init__(self, folder: Path) -> None:
        self.home, self.root = folder / "home", folder / "w"
        self.variables = {"HOME": str(self.home)}
        self.home.mkdir()
        self.root.mkdir()
        self.lists = self.home / ".config" / "memory"

    def connection(self, agent: str = "", program: str = "/opt/memory", without: str = "") -> Connection:
        """How the workspace is connected."""
        return Connection(program, str(self.root), agent, self.home, self.variables, frozenset({without} - {""}))

    def apply(self, name: str, **words: Any) -> list[Path]:  # noqa: ANN401 - as of `connection`
        """Connect an agent; the files that changed."""
        plan = plan_apply(self.root, name, AGENTS[name], self.connection(**words))
        carry_out(self.root, plan)
        return [change.file for change in plan.pending]

    def remove(self, name: str) -> list[str]:
        """Take the connection away; the sentences about what stays."""
        plan = plan_removal(self.root, name, self.variables)
        carry_out(self.root, plan, removing=True)
        return plan.kept_sentences

    def content(self) -> dict[str, bytes]:
        """All files of agents below the home folder, and the folders, which have no content."""
        paths = [path for path in sorted(self.home.rglob("*")) if path not in {self.lists, *self.lists.rglob("*")}]
        return {str(path): path.read_bytes() if path.is_file() else b"" for path in paths if path != self.lists.parent}

    def first(self, name: str, data: bytes) -> Path:
        """Write the file that names the servers."""
        file = self.home / FIRST[name]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """An empty one."""
    return Bench(tmp_path)


@given(st.data(), st.sampled_from(list(FIRST)), st.booleans())
def test_every_byte_comes_back(data: st.DataObject, name: str, again: bool) -> None:  # noqa: FBT001 - drawn
    """Whatever stood there, for every agent, also when the program moved in between; a second time changes nothing."""
    lenient = name in {"openclaw", "gemini-cli", "opencode"}
    texts = TABLES if name == "codex" else (TEXTS | COMMENTED if lenient else TEXTS)
    with fresh_folder() as folder:
        bench = Bench(folder)
        bench.first(name, data.draw(texts))
        before = bench.content()
        assert bench.apply(name, agent="dexter")
        assert [] == bench.apply(name, agent="dexter")
        if again:
            assert bench.home / FIRST[name] in bench.apply(name, agent="dexter", program="/elsewhere/memory")
        assert [] == bench.remove(name)
        assert before == bench.content()
        assert [] == list((bench.root / FOLDER).glob("*.copy"))


@pytest.mark.parametrize("name", FIRST)
def test_what_was_not_there_goes_again(bench: Bench, name: str) -> None:
    """Files, and the folders that were made for them."""
    assert bench.apply(name, agent="dexter")
    bench.remove(name)
    assert {} == bench.content()
    assert [] == bench.remove(name)


def test_what_a_person_changed_since_is_kept(bench: Bench) -> None:
    """Only what is ours goes, from all files."""
    file = bench.first("claude-code", b'{\n  "a": 1\n}\n')
    bench.apply("claude-code", agent="dexter")
    file.write_bytes(file.read_bytes().replace(b'"a": 1', b'"a": 2'))
    lines = bench.home / ".claude" / "CLAUDE.md"
    lines.write_text("Mine.\n\n" + lines.read_text() + "\nMore.\n")
    assert [] == bench.remove("claude-code")
    assert (b'{\n  "a": 2\n}\n', "Mine.\n\n\nMore.\n") == (file.read_bytes(), lines.read_text())


def test_what_of_ours_a_person_changed_stays_too(bench: Bench) -> None:
    """It is theirs by now: a sentence names it, and it cannot be written over."""
    file = bench.first("cursor", b"{}")
    bench.apply("cursor")
    changed = file.read_bytes().replace(b"/opt/memory", b"/mine/memory")
    file.write_bytes(changed)
    with pytest.raises(ConfigurationRefused, match=r"mcpServers\.memory"):
        bench.apply("cursor")
    (sentence,) = bench.remove("cursor")
    assert "mcpServers.memory was changed since, so it stays" in sentence
    assert changed == file.read_bytes()


def test_a_server_of_other_make_is_left_alone(bench: Bench) -> None:
    """Nothing is changed, in no file, and the lines to write by hand are given."""
    bench.first("openclaw", b'{mcp: {servers: {memory: {command: "npx"}}}}')
    before = bench.content()
    with pytest.raises(ConfigurationRefused, match=r"mcp\.servers\.memory") as raised:
        bench.apply("openclaw", agent="dexter")
    assert "/opt/memory" in str(raised.value)
    assert before == bench.content()


def test_hooks_that_are_switched_off_are_not_switched_on(bench: Bench) -> None:
    """OpenClaw would not wake the agent up; the person is told."""
    bench.first("openclaw", b"{hooks: {internal: {enabled: false}}}")
    with pytest.raises(ConfigurationRefused, match=r"hooks\.internal\.enabled"):
        bench.apply("openclaw", agent="dexter")
    assert bench.apply("openclaw")
    assert not (bench.home / ".openclaw" / "hooks").exists()


def test_without_the_name_the_page_alone_is_shown(bench: Bench) -> None:
    """Who applies without --agent after all has the server, and no more than `MEMORY.md` at the start."""
    bench.apply("openclaw", agent="dexter")
    bench.apply("openclaw")
    hooks = bench.home / ".openclaw" / "hooks"
    assert ["memory-wake"] == [folder.name for folder in hooks.iterdir()]
    assert "dexter" not in (hooks / "memory-wake" / "handler.js").read_text()
    assert b"--agent" not in (bench.home / FIRST["openclaw"]).read_bytes()


def test_without_the_page_nothing_is_shown(bench: Bench) -> None:
    """`--without page`; with a name its own memory is, as before."""
    bench.apply("openclaw", without=PAGE)
    assert not (bench.home / ".openclaw" / "hooks").exists()
    bench.apply("claude-code", without=PAGE)
    settings = bench.home / ".claude" / "settings.json"
    assert "SessionStart" not in settings.read_text()
    bench.apply("claude-code", agent="dexter", without=PAGE)
    assert f"/opt/memory wake dexter --workspace {bench.root}" in settings.read_text()
    bench.apply("claude-code", agent="dexter")
    bench.apply("claude-code")
    assert f"/opt/memory wake --workspace {bench.root}" in settings.read_text()
    bench.apply("claude-code", without=PAGE)
    assert "SessionStart" not in settings.read_text()
    bench.apply("claude-code", agent="dexter")
    assert f"/opt/memory wake dexter --with memory --workspace {bench.root}" in settings.read_text()


def test_a_page_that_an_agent_shows_by_itself_is_not_shown_twice(bench: Bench) -> None:
    """OpenClaw begins with the `MEMORY.md` of its own workspace, which may be ours."""
    settings = f'{{agents: {{defaults: {{workspace: "{bench.root}"}}}}}}'
    bench.first("openclaw", settings.encode())
    bench.apply("openclaw")
    assert not (bench.home / ".openclaw" / "hooks").exists()


def test_a_connection_of_before_stays_until_it_is_applied_again(bench: Bench) -> None:
    """Nothing begins to be shown by an upgrade; `--remove` brings back the bytes of before both."""
    bench.first("claude-code", b'{"a": 1}')
    first = bench.content()
    bench.apply("claude-code", without=PAGE)
    before = bench.content()
    assert ["SessionStart" in data.decode() for data in before.values()].count(True) == 0
    assert bench.apply("claude-code") == [
        bench.home / ".claude" / "settings.json",
        bench.home / ".claude" / "CLAUDE.md",
    ]
    bench.remove("claude-code")
    assert first == bench.content()


def test_a_link_stays_one_and_a_mode_stays(bench: Bench) -> None:
    """Configurations are linked from elsewhere, and closed to others."""
    target = bench.home / "dotfiles.json"
    target.write_bytes(b"{}")
    target.chmod(0o600)
    (bench.home / ".claude.json").symlink_to(target)
    bench.apply("claude-code")
    assert (bench.home / ".claude.json").is_symlink()
    assert (0o600, True) == (target.stat().st_mode & 0o777, b"mcpServers" in target.read_bytes())
    bench.remove("claude-code")
    assert (True, b"{}") == ((bench.home / ".claude.json").is_symlink(), target.read_bytes())


def test_a_file_that_is_no_configuration_is_refused(bench: Bench) -> None:
    """Broken, not in UTF-8, or a folder: a sentence, and nothing is changed."""
    for data in (b"{", b"\xff\xfe{\x00"):
        bench.first("cursor", data)
        before = bench.content()
        with pytest.raises(ConfigurationRefused, match="Nothing was changed"):
            bench.apply("cursor")
        assert before == bench.content()
    (bench.home / FIRST["cursor"]).unlink()
    (bench.home / FIRST["cursor"]).mkdir()
    with pytest.raises(ReadFailed):
        bench.apply("cursor")


def test_where_nothing_may_be_written_nothing_is(bench: Bench) -> None:
    """A folder that is none stands in the way of the second file: the first one is not written either."""
    bench.first("claude-code", b"{}")
    (bench.home / ".claude").write_text("in the way")
    before = bench.content()
    with pytest.raises((ReadFailed, WriteFailed)):
        bench.apply("claude-code", agent="dexter")
    assert before == bench.content()


def test_a_process_that_was_killed_in_between_loses_nothing(bench: Bench) -> None:
    """The record stands before the files: with none of them written, or some, either command brings order."""
    bench.first("claude-code", b'{"a": 1}')
    before = bench.content()
    for written in range(4):
        plan = plan_apply(bench.root, "claude-code", AGENTS["claude-code"], bench.connection("dexter"))
        RecordFolder(bench.root).write(plan.record, plan.before)
        write_changes(plan.pending[:written])
        if written % 2:
            assert 3 - written == len(bench.apply("claude-code", agent="dexter"))
        bench.remove("claude-code")
        assert before == {path: data for path, data in bench.content().items() if not path.endswith("/.claude")}


def test_what_the_agent_wrote_after_the_look_is_not_lost(bench: Bench) -> None:
    """A file that is another one when the person has said yes is left alone, and all is to be looked at again."""
    file = bench.first("cursor", b"{}")
    plan = plan_apply(bench.root, "cursor", AGENTS["cursor"], bench.connection())
    file.write_bytes(b'{"new": 1}')
    with pytest.raises(ChangedMeanwhile):
        carry_out(bench.root, plan)
    assert b'{"new": 1}' == file.read_bytes()
    bench.apply("cursor")
    bench.remove("cursor")
    assert b'{"new": 1}' == file.read_bytes()


@pytest.mark.parametrize("removing", [False, True])
def test_two_agents_at_once(bench: Bench, *, removing: bool) -> None:
    """Of two plans that know the same record the later one is refused with nothing written, and loses no record."""
    if removing:
        bench.apply("codex")
    codex = AGENTS["codex"]
    late = (
        plan_removal(bench.root, "codex", bench.variables)
        if removing
        else plan_apply(bench.root, "codex", codex, bench.connection())
    )
    bench.apply("cursor")
    before = bench.content(), RecordFolder(bench.root).read()
    with pytest.raises(ChangedMeanwhile):
        carry_out(bench.root, late, removing=removing)
    assert before == (bench.content(), RecordFolder(bench.root).read())
    bench.remove("codex") if removing else bench.apply("codex")
    assert ({"cursor"} if removing else {"cursor", "codex"}) == set(RecordFolder(bench.root).read().agents)


def test_a_record_that_changed_while_files_were_written(bench: Bench) -> None:
    """It is not replaced by what was planned from the earlier one."""
    plan = plan_apply(bench.root, "cursor", AGENTS["cursor"], bench.connection())
    bench.apply("codex")
    with pytest.raises(ChangedMeanwhile):
        RecordFolder(bench.root).write(plan.record, plan.before)
    assert {"codex"} == set(RecordFolder(bench.root).read().agents)


@pytest.mark.parametrize("removing", [True, False])
def test_another_process_carries_out_a_plan(bench: Bench, *, removing: bool) -> None:
    """Nothing is written, and a later attempt works."""
    bench.apply("codex")
    plan = (
        plan_removal(bench.root, "codex", bench.variables)
        if removing
        else plan_apply(bench.root, "cursor", AGENTS["cursor"], bench.connection())
    )
    before = bench.content(), RecordFolder(bench.root).read()
    with RecordFolder(bench.root).hold(), pytest.raises(Held):
        carry_out(bench.root, plan, removing=removing)
    assert before == (bench.content(), RecordFolder(bench.root).read())
    carry_out(bench.root, plan, removing=removing)
    assert (set() if removing else {"codex", "cursor"}) == set(RecordFolder(bench.root).read().agents)


def test_a_lost_copy_costs_only_the_layout(bench: Bench) -> None:
    """What is ours comes out all the same."""
    file = bench.first("cursor", b'{"a": 1}')
    bench.apply("cursor")
    for copy in (bench.root / FOLDER).glob("*.copy"):
        copy.unlink()
    bench.remove("cursor")
    assert b'{"a": 1}' == file.read_bytes()


def test_lines_that_a_person_wrote_by_hand_are_taken_over(bench: Bench) -> None:
    """Those that the command printed: nothing changes, and they can be removed."""
    bench.apply("cursor")
    (bench.root / FOLDER / "record.json").unlink()
    assert [] == bench.apply("cursor")
    bench.remove("cursor")
    assert b"memory" not in b"".join(bench.content().values())


def test_the_record_and_the_copies_are_closed_to_others(bench: Bench) -> None:
    """Configurations hold keys."""
    bench.first("cursor", b"{}")
    bench.apply("cursor")
    folder = bench.root / FOLDER
    assert 0o700 == folder.stat().st_mode & 0o777


def test_the_difference_names_the_file(bench: Bench) -> None:
    """As `diff -u` has it."""
    file = bench.first("cursor", b"{}\n")
    (change,) = plan_apply(bench.root, "cursor", AGENTS["cursor"], bench.connection()).pending
    lines = difference(change).splitlines()
    assert [f"--- {file}", f"+++ {file}"] == lines[:2]
    assert {"-{}", '+  "mcpServers": {', '+      "command": "/opt/memory",'} < {*lines}


@table("home", ["", "relative", "/nowhere/at/all", f"/{'x' * 300}"])
def test_a_home_is_needed(home: str) -> None:
    """Without it nobody knows where the configuration is."""
    with pytest.raises(HomeMissing):
        home_of({"HOME": home})


@pytest.mark.parametrize("name", ["claude-code", "gemini-cli", "openclaw"])
def test_a_part_that_is_left_out_stays_out(bench: Bench, name: str) -> None:
    """What is there goes, file by file, the choice is remembered, and taking all away brings the bytes from before."""
    bench.first(name, b"{}")
    before = bench.content()
    bench.apply(name)
    assert any(b"memory-hook" in data and b"prompt" in data for data in bench.content().values())
    bench.apply(name, without=PROMPTS)
    assert not any(b"memory-hook prompt" in data or b'"prompt"' in data for data in bench.content().values())
    assert frozenset({PROMPTS}) == left_out_parts(bench.root, name)
    assert [] == bench.remove(name)
    assert before == bench.content()


def test_a_record_of_before_counts_where_the_configuration_confirms_it(bench: Bench) -> None:
    """Without a note in the home every byte comes back all the same; it is noted as soon as it is applied again."""
    bench.first("claude-code", b'{"a": 1}')
    before = bench.content()
    bench.apply("claude-code")
    (bench.lists / "workspaces.toml").unlink()
    assert [] == bench.apply("claude-code")
    assert str(bench.root) in (bench.lists / "workspaces.toml").read_text()
    (bench.lists / "workspaces.toml").unlink()
    assert [] == bench.remove("claude-code")
    assert before == bench.content()


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_record_of_a_stranger_changes_no_file_of_the_owner(bench: Bench, *, confirmed: bool) -> None:
    """Also where an agent is connected from here: what is not the agent's stays, and no program comes with it."""
    bashrc, copies = bench.home / ".bashrc", RecordFolder(bench.root)
    bashrc.write_bytes(b"mine")
    copies.keep(b"theirs")
    if confirmed:
        bench.apply("claude-code", program=installed_program() or "memory")
    record, before = copies.read_with_content()
    piece = PieceRecord(path=("x",), value=["--workspace", "/gone"])
    file = EditRecord(syntax=Syntax.JSON, pieces=(piece,), copy_name=copy_name(b"theirs"), digest=digest(b"mine"))
    files = record.agents.get("claude-code", {}) | {str(bashrc): file}
    programs = {"claude-code": "/clone/x.sh"}
    copies.write(IntegrationRecord(agents={"claude-code": files}, programs=programs), before)
    left = bench.content()
    own, _ = own_record(bench.root, bench.variables)
    assert (confirmed, True) == ("claude-code" in own.agents, "/clone/x.sh" not in own.programs.values())
    if confirmed:
        carry_out(bench.root, plan_again(bench.root, "claude-code", bench.variables))
        assert left == bench.content()
    bench.remove("claude-code")
    assert b"mine" == bashrc.read_bytes()


@table("name", ["record.json", "record.lock", ".gitignore"])
def test_a_link_in_place_of_a_file_of_ours(name: str, tmp_path: Path) -> None:
    """It could lead to any file of the owner, so nothing is written."""
    bench = Bench(tmp_path)
    owned = tmp_path / "owned"
    owned.write_text("{}")
    (bench.root / FOLDER).mkdir(parents=True)
    (bench.root / FOLDER / name).symlink_to(owned)
    with pytest.raises(PathRefused, match="is a link"):
        bench.apply("cursor")
    assert ("{}", {}) == (owned.read_text(), bench.content())


def test_a_workspace_with_a_path_that_no_system_takes_does_not_stand() -> None:
    """A configuration may name any path."""
    assert not is_standing(f"/{'x' * 300}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into everything")
def test_a_workspace_in_a_closed_folder_stands(tmp_path: Path) -> None:
    """Its connection is not taken over while nobody can see whether it is there."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert is_standing(str(closed / "work"))
    closed.chmod(0o700)
    assert not is_standing(str(closed / "work"))


def test_the_home_folder_of_nobody_is_a_folder_like_any_other() -> None:
    """As it is to the agent, which gives `~` no meaning."""
    connection = Connection("memory", "/w", "", Path("/home/x"), {"CODEX_HOME": "~nobody.here"})
    assert Path("~nobody.here") == AGENTS["codex"].folder(connection)
