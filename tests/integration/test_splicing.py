"""Putting pieces into the text of a configuration, and taking them out again."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.integration.edits import FileEdit, Piece, Syntax, Uneditable
from pipeline.integration.json_splice import parse_json
from pipeline.integration.splicing import add_pieces, is_occupied, is_present, remove_pieces, value_of
from tests.support.tables import table

SERVER = Piece(("mcp", "servers", "memory"), {"command": "/bin/memory", "args": ["mcp"]})
HOOK = Piece(("hooks", "SessionStart"), {"matcher": "startup", "hooks": []}, listed=True)
TABLE = Piece(("mcp_servers", "memory"), {"command": "/bin/memory", "args": ["mcp", "\x7f"]})
LINES = Piece((), "## Memory\n\nSearch first.")
FILE = Path("settings")
SPACES = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\r\n", " // note\n", ' /* {" */ '])
KEYS = st.sampled_from(["a", "b", "mcp", "servers", "hooks", "SessionStart", "memory_", "ключ"])


@st.composite
def objects(draw: st.DrawFn, depth: int = 3) -> str:
    """An object of JSON5 with comments, in any layout; what we need in it are objects, and lists."""
    members = list[str]()
    for key in draw(st.lists(KEYS, max_size=4, unique=True)):
        name = draw(st.sampled_from([f'"{key}"', f"'{key}'", key]))
        if key in {"mcp", "servers", "hooks"}:
            value = draw(objects(depth - 1)) if depth else "{}"
        elif key == "SessionStart":
            value = draw(st.sampled_from(["[]", "[1]", "[ {a: 1}, // first\n 2,]"]))
        else:
            value = draw(st.sampled_from(["1", "-0x1F", "'it\\'s }'", '"// no comment"', "[1, {}]", "null", "true"]))
        members.append(f"{draw(SPACES)}{name}{draw(SPACES)}:{draw(SPACES)}{value}{draw(SPACES)}")
    comma = draw(st.sampled_from(["", ","])) if members else ""
    return "{" + ",".join(members) + comma + draw(SPACES) + "}"


def edit_of(syntax: Syntax, *pieces: Piece) -> FileEdit:
    """The pieces, wanted in a file of a syntax."""
    return FileEdit(FILE, syntax, pieces)


def comments(text: str) -> list[str]:
    """The comments that the texts of these tests hold."""
    return re.findall(r"// note|// first|/\* \{\" \*/", text)


@given(objects(), SPACES, st.sampled_from(["", "\ufeff"]))
def test_what_was_put_in_can_be_taken_out(text: str, end: str, mark: str) -> None:
    """In any text the pieces stand, nothing else that it says changes, and no comment is lost; so too afterwards."""
    text = f"{mark}{text}{end}"
    edit = edit_of(Syntax.JSON5, SERVER, HOOK)
    changed, made = add_pieces(text, edit)
    assert all(is_present(changed, Syntax.JSON5, piece) for piece in edit.pieces)
    assert comments(text) == comments(changed)
    assert (changed, []) == add_pieces(changed, edit)
    back = remove_pieces(changed, edit, made)
    assert value_of(text, Syntax.JSON5) == value_of(back, Syntax.JSON5)
    assert comments(text) == comments(back)


@given(st.dictionaries(KEYS, st.integers() | st.text() | st.lists(st.booleans())), st.sampled_from([None, 1, 2, "\t"]))
def test_json_as_programs_write_it_gets_its_bytes_back(value: dict[str, object], indent: int | str | None) -> None:
    """Without any copy: what `json` writes, and agents alike, is the same text again."""
    value = {key: one for key, one in value.items() if key not in {"mcp", "hooks"}}
    text = json.dumps(value, indent=indent)
    changed, made = add_pieces(text, edit_of(Syntax.JSON, SERVER, HOOK))
    assert value | {"mcp": {"servers": {"memory": SERVER.value}}, "hooks": {"SessionStart": [HOOK.value]}} == (
        json.loads(changed)
    )
    assert text == remove_pieces(changed, edit_of(Syntax.JSON, SERVER, HOOK), made)


@table("newline", ["\n", "\r\n"])
@table("text", ["", "# note", "a = 1\n", "# note\n\n[a]\nb = '''\n[mcp_servers.x]\n'''\n", "[[a]]\n\n"])
def test_a_table_goes_behind_all_else(text: str, newline: str) -> None:
    """Where it changes nothing that stands there; what a person writes behind it later stays too."""
    text = text.replace("\n", newline)
    newline = newline if newline in text else "\n"
    edit = edit_of(Syntax.TOML, TABLE)
    changed, made = add_pieces(text, edit)
    assert changed.startswith(text)
    assert tomllib.loads(text) | {"mcp_servers": {"memory": TABLE.value}} == tomllib.loads(changed)
    later = f"{changed}# theirs{newline}[z]{newline}q = 1{newline}"
    rest = remove_pieces(later, edit, made)
    assert tomllib.loads(text) | {"z": {"q": 1}} == tomllib.loads(rest)
    assert "# theirs" in rest
    assert text == remove_pieces(changed, edit, made).removesuffix("" if text.endswith("\n") else "\n")


@table("newline", ["\n", "\r\n"])
@table("text", ["", "Mine.\n", "Mine.\n\n"])
def test_lines_for_people_stand_between_marks(text: str, newline: str) -> None:
    """Whatever is written before and behind them stays."""
    text, edit = text.replace("\n", newline), edit_of(Syntax.MARKDOWN, LINES)
    newline = newline if newline in text else "\n"
    changed, _ = add_pieces(text, edit)
    assert newline.join(["<!-- begin: memory agents connect -->", "## Memory", "", "Search first."]) in changed
    assert text == remove_pieces(changed, edit, ())
    assert (text + newline * bool(text) + "Later.") == remove_pieces(changed + "Later.", edit, ())


REFUSED = {
    "{": "a key is missing in line 1",
    '{"a": 1\n "b": 2}': "a comma or } is missing in line 2",
    '{"a" 1}': "a colon is missing",
    '{"a": }': "a value is missing",
    '{"a": "x}': "a text has no end",
    "{} {}": "something follows the end",
    '{"mcp": 3}': "something else than an object at mcp",
    '{"mcp": {"servers": []}}': "something else than an object at mcp.servers",
    "[]": "something else than an object in it",
    '{"a": /* }': "a value is missing",
    "[" * 200: "more than 100 levels",
}


def test_what_is_no_configuration_is_refused() -> None:
    """With what is wrong, and where; all wrong rows are listed."""
    wrong = {}
    for text, expected in REFUSED.items():
        with pytest.raises(Uneditable) as raised:
            add_pieces(text, edit_of(Syntax.JSON5, SERVER))
        if expected not in str(raised.value):
            wrong[text] = str(raised.value)
    assert {} == wrong


def test_an_agent_that_reads_plain_json_gets_no_comments() -> None:
    """A file that it could not read itself is refused."""
    with pytest.raises(Uneditable, match="cannot be read as JSON"):
        add_pieces('{"a": 1, // note\n}', edit_of(Syntax.JSON, SERVER))


def test_tables_in_another_form_are_refused() -> None:
    """An inline table cannot be added to, and what is no TOML is left alone."""
    for text in ("mcp_servers = {}\n", "a = \n"):
        with pytest.raises(Uneditable, match="cannot be read as TOML"):
            add_pieces(text, edit_of(Syntax.TOML, TABLE))


def test_a_server_of_other_make_is_seen() -> None:
    """Its place is taken; an element of a list has a place of its own."""
    text = '{"mcp": {"servers": {"memory": {"command": "npx"}}}, "hooks": {"SessionStart": [1]}}'
    assert is_occupied(text, Syntax.JSON, SERVER)
    assert not is_occupied(text, Syntax.JSON, HOOK)
    assert not is_occupied("{}", Syntax.JSON, SERVER)


@given(st.text(alphabet="{}[]\"',:/*\\\n a1u"))
def test_no_text_breaks_the_reader(text: str) -> None:
    """It is read or refused."""
    try:
        node = parse_json(text)
    except Uneditable:
        return
    assert node.end <= len(text)


@given(st.recursive(st.none() | st.booleans() | st.text(), lambda one: st.dictionaries(st.text(), one)))
def test_json_is_read_as_it_is_meant(value: object) -> None:
    """Whatever texts it holds."""
    assert value == parse_json(json.dumps(value)).value
    assert value == parse_json(json.dumps(value, ensure_ascii=False, indent=1)).value
