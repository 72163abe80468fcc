"""Edits of agents' configurations: put in once, and taken out byte for byte."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.errors.integration import ConfigRefused
from pipeline.integration.agents import AGENTS, Wanted
from pipeline.integration.changing import copy_of, finish_removal, stands, to_apply, to_remove

WANTED = Wanted(
    ["/opt/memory", "mcp", "--workspace", "/w", "--agent", "jaskier"],
    ["/opt/memory", "wake", "jaskier", "--workspace", "/w"],
)
ELSEWHERE = Wanted(["/usr/bin/memory", *WANTED.server[1:]], ["/usr/bin/memory", *WANTED.wake[1:]])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=6).filter(lambda name: name not in {"mcp", "mcpServers", "hooks"}), JSON)
FORMS = st.sampled_from([None, 2, 4, "\t"])
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60)


def apply(home: Path, name: str, wanted: Wanted = WANTED) -> None:
    """Put all edits of an agent in."""
    for change in to_apply(AGENTS[name].edits(home, wanted)):
        change.write()


def remove(home: Path, name: str, wanted: Wanted = WANTED) -> None:
    """Take them out."""
    changes = to_remove(AGENTS[name].edits(home, wanted))
    for change in changes:
        change.write()
    finish_removal(changes)


def files(home: Path) -> dict[str, bytes]:
    """All files of a home."""
    return {str(file.relative_to(home)): file.read_bytes() for file in sorted(home.rglob("*")) if file.is_file()}


@pytest.mark.parametrize("name", AGENTS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whole=OBJECTS, form=FORMS, end=st.sampled_from(["", "\n", "\r\n"]), text=TEXTS)
def test_what_is_put_in_is_taken_out(  # noqa: PLR0913, PLR0917 - what a file may be like
    name: str, tmp_path_factory: pytest.TempPathFactory, whole: dict[str, object], form: int | str | None, end: str,
    text: str,
) -> None:  # fmt: skip
    """Whatever stood in the files; a second time nothing changes, and no copy is left behind."""
    home = tmp_path_factory.mktemp("home")
    for edit in AGENTS[name].edits(home, WANTED):
        edit.path.parent.mkdir(parents=True, exist_ok=True)
        json_file = edit.path.suffix == ".json"
        edit.path.write_bytes((json.dumps(whole, indent=form) + end if json_file else text).encode())
    before = files(home)
    apply(home, name)
    after = files(home)
    assert before != after
    assert stands(AGENTS[name].edits(home, WANTED))
    apply(home, name)
    assert after == files(home)
    remove(home, name)
    assert before == files(home)


@pytest.mark.parametrize("name", AGENTS)
def test_files_that_were_not_there_go_again(name: str, tmp_path: Path) -> None:
    """Nothing is left of them."""
    apply(tmp_path, name)
    assert files(tmp_path)
    remove(tmp_path, name)
    assert {} == files(tmp_path)


@pytest.mark.parametrize("name", AGENTS)
def test_a_program_that_moved_is_followed(name: str, tmp_path: Path) -> None:
    """The entry is there once, with the new path."""
    apply(tmp_path, name)
    apply(tmp_path, name, ELSEWHERE)
    said = b"".join(data for path, data in files(tmp_path).items() if ".before-memory" not in path)
    assert (False, True) == (b"/opt/memory" in said, b"/usr/bin/memory" in said)
    remove(tmp_path, name, ELSEWHERE)
    kept = {path for path in files(tmp_path) if ".before-memory" not in path}
    assert all(b"memory" not in (tmp_path / path).read_bytes() for path in kept)


def test_what_a_person_changed_since_stays(tmp_path: Path) -> None:
    """Only ours goes out of a file that has other changes, and its copy stays."""
    file = tmp_path / ".claude.json"
    file.write_text('{"theme": "dark"}')
    apply(tmp_path, "claude-code")
    changed = json.loads(file.read_text()) | {"theme": "light"}
    file.write_text(json.dumps(changed))
    remove(tmp_path, "claude-code")
    assert {"theme": "light"} == json.loads(file.read_text())
    assert '{"theme": "dark"}' == copy_of(file).read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, // a comment\n}', "no plain JSON"),
        ('{"a": 1, "a": 2}', "twice"),
        ("[1]", "no object"),
        ('{"mcpServers": []}', "no object under 'mcpServers'"),
        ('{"mcpServers": {"memory": {"command": "npx", "args": ["other"]}}}', "another server"),
    ],
)
def test_a_file_that_a_change_would_harm_is_refused(tmp_path: Path, text: str, why: str) -> None:
    """It says why, and nothing is written."""
    (tmp_path / ".claude.json").write_text(text)
    with pytest.raises(ConfigRefused, match=why):
        apply(tmp_path, "claude-code")
    assert {".claude.json": text.encode()} == files(tmp_path)


def test_a_table_of_codex_by_hand_is_refused(tmp_path: Path) -> None:
    """Two tables of one name would be no TOML."""
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text('[mcp_servers.memory]\ncommand = "x"\n')
    with pytest.raises(ConfigRefused, match="of other make"):
        apply(tmp_path, "codex")


def test_codex_reads_what_is_written(tmp_path: Path) -> None:
    """The table is TOML behind comments and tables of a person."""
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text('# mine\nmodel = "x"\n[tools]\nweb = true')
    apply(tmp_path, "codex")
    read = tomllib.loads((tmp_path / ".codex/config.toml").read_text())
    assert {"command": "/opt/memory", "args": list(WANTED.server[1:])} == read["mcp_servers"]["memory"]
    assert ({"web": True}, "x") == (read["tools"], read["model"])
