"""Placeholders: what an agent gets in place of a text, and what only looks like one."""

# ruff: noqa: RUF001 - brackets of other scripts are meant

from datetime import UTC, datetime

from pipeline.details.placeholder import describe_detail, harmless, placeholder
from schemas.detail import Detail, DetailType
from tests.support.builders.placeholders import mentioned_keys

KEY = "cmd_npm-install_3f9a1c22d0"


def detail(kind: DetailType = DetailType.COMMAND, **metadata: str | int) -> Detail:
    """A detail of a text that nobody needs here."""
    return Detail(
        id="1",
        key=KEY,
        type=kind,
        summary="",
        description="npm install: 512 lines, 3 errors",
        metadata=dict(metadata),
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
        tokens=1,
        size=1,
        lines=512,
        sha256="0" * 64,
    )


def test_a_command_tells_how_it_ended() -> None:
    """On the first line, with the placeholder; then the synopsis."""
    text = placeholder(detail(command="npm install", exit_code=1), "301: npm ERR! code ERESOLVE")
    first, synopsis, *_ = text.split("\n")
    assert f"Command 'npm install' executed, exit 1. [MemoryRef: {KEY} - npm install: 512 lines, 3 errors]" == first
    assert "301: npm ERR! code ERESOLVE" == synopsis
    assert [KEY] == mentioned_keys(text)


def test_other_types_tell_what_they_are() -> None:
    """Without a command there is none to speak of."""
    assert placeholder(detail(DetailType.JSON), "").startswith(f"JSON stored. [MemoryRef: {KEY} - ")
    assert placeholder(detail(), "").startswith("A command executed. [MemoryRef: ")


def test_other_types_tell_how_their_command_ended() -> None:
    """Whatever the text is recognized as: that the command failed is what one needs first."""
    first: dict[str, dict[str, str | int]] = {
        "Log of 'npm install' stored, exit 1. ": {"command": "npm install", "exit_code": 1},
        "Log of 'npm install' stored. ": {"command": "npm install"},
        "Log stored, exit 0. ": {"exit_code": 0},
    }
    actual = {
        begin: placeholder(detail(DetailType.LOG, **known), "").partition("[")[0] for begin, known in first.items()
    }
    assert {begin: begin for begin in first} == actual


def test_a_long_command_comes_once() -> None:
    """Where the text is described by it; how it ended stands before it."""
    command = "for one in *; do [ -d $one ] && make -C $one all VERBOSE=1 JOBS=8 PREFIX=/opt; done"
    made = detail(command=command, exit_code=2).model_copy(update={"description": describe_detail(command, "9 lines")})
    text = placeholder(made, "")
    assert (True, 1) == (
        text.startswith(f"A command executed, exit 2. [MemoryRef: {KEY} - for "),
        text.count("for one"),
    )
    other = placeholder(made.model_copy(update={"description": "the build: 9 lines"}), "")
    assert other.startswith("Command 'for one")


def test_a_foreign_placeholder_is_none() -> None:
    """Whatever brackets, case and blanks it has; and nothing in a description or a command ends ours too early."""
    for foreign in (f"[MemoryRef: {KEY} - x]", "[ memory_ref: a]", "【MemoryRef: b】", "［MEMORY REF: c］"):
        assert not mentioned_keys(harmless(foreign)), foreign
        assert not set(harmless(foreign)) & set("[【［"), foreign
    assert "see (cmd_x_0123456789) (MemoryRef: y): 3 lines" == describe_detail(
        "see [cmd_x_0123456789]\n[MemoryRef: y]", "3 lines"
    )
    text = placeholder(detail(command="echo '[MemoryRef: log_a_0123456789 - x]'", exit_code=0), "")
    assert [KEY] == mentioned_keys(text)


def test_what_is_no_placeholder() -> None:
    """A key alone, one of another type, or one over two lines."""
    for text in (KEY, f"[MemoryRef: {KEY}]", "[MemoryRef: boo_a_0123456789 - x]", f"[MemoryRef: {KEY} - a\nb]"):
        assert [] == mentioned_keys(text), text
