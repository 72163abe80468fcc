"""Rendering units for a workspace."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import PathRefused
from pipeline.install import UnitTarget, file_name, names_for, quote_word, render_unit, signature
from pipeline.surfaces.cli.terminal.machine import data_folder
from tests.support.tables import table

TEMPLATES = sorted(file.name for file in data_folder("systemd").iterdir())
SERVICES = [name for name in TEMPLATES if name.endswith(".service") and "failed" not in name and "fleet" not in name]
"""Those of a workspace."""
PATHS = (
    "/home/ann/memory",
    "/home/ann/with a space",
    "/home/ann/100% %h %% %",
    '/home/ann/it\'s "quoted"',
    "/home/ann/back\\slash\\",
    "/home/ann/$HOME ${X};rm",
    "/home/ann/pamięć żółć",
    "/home/ann/记忆 記憶",
    "/home/ann/# [Unit]",
)
"""Paths of workspaces that systemd would take apart."""


def template(name: str) -> str:
    """The text of a packaged unit."""
    return data_folder("systemd").joinpath(name).read_text(encoding="utf-8")


def understood(word: str) -> str:
    """What systemd makes of one quoted word: quotes off, a backslash makes the next letter plain, then `%%` is `%`."""
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', word)
    plain = re.sub(r"\\(.)", r"\1", word[1:-1])
    assert "%" not in plain.replace("%%", "")
    return plain.replace("%%", "%")


def values(text: str, name: str) -> list[str]:
    """The values of a setting, in order."""
    return [line.partition("=")[2] for line in text.splitlines() if line.startswith(f"{name}=")]


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_quoting_is_undone_by_systemd(text: str) -> None:
    """Whatever letters stand in it."""
    assert text == understood(quote_word(text))


@table("path", ["/a\nb", "/a\tb", "/a\x7f", "/a\udcff"])
def test_refuses_what_a_unit_cannot_hold(path: str) -> None:
    """Control characters, and bytes that are no UTF-8."""
    with pytest.raises(PathRefused, match="cannot hold"):
        quote_word(path)


@table("path", PATHS)
@table("name", SERVICES)
def test_the_service_gets_the_workspace(name: str, path: str) -> None:
    """By `MEMORY_WORKSPACE`, and the right to write there, letter for letter; nothing of ~/memory is left."""
    text = render_unit(template(name), UnitTarget("/opt/memory", path))
    assert f"MEMORY_WORKSPACE={path}" in [understood(value) for value in values(text, "Environment") if '"' in value]
    assert [path] == [understood(value) for value in values(text, "ReadWritePaths")]
    assert "%h/memory" not in text


@table("program", ["/opt/bin/memory", "/home/ann/my 100% %h/żółw 记/bin/memory", "/$HOME/memory"])
@table("name", SERVICES)
def test_the_service_starts_this_installation(name: str, program: str) -> None:
    """The program by its absolute path, with the arguments of the template."""
    before, after = ([*values(text, "ExecStart")] for text in (template(name), _rendered(name, program=program)))
    word, arguments = re.fullmatch(r'("(?:[^"\\]|\\.)*")(.*)', after[0]).groups()  # type: ignore[union-attr]  # it has to match
    assert program == understood(word)
    assert [f"/usr/bin/env memory{arguments}"] == before


@table("program", ["/a'b/memory", '/a"b/memory', "/a\\b/memory"])
def test_refuses_a_program_that_systemd_refuses(program: str) -> None:
    """Systemd starts nothing whose path has quotes or a backslash."""
    with pytest.raises(PathRefused, match="starts nothing"):
        _rendered("memory.service", program=program)


def _rendered(name: str, program: str = "/opt/memory", workspace: str = "/w", user: str = "") -> str:
    return render_unit(template(name), UnitTarget(program, workspace, user=user))


def test_a_place_changes_nothing_else() -> None:
    """A unit of a user differs from the template by its first line, three settings, and what is for copying by hand."""
    before, after = template("memory.service"), _rendered("memory.service")
    gone = [line for line in before.splitlines() if line not in after.splitlines()]
    new = [line for line in after.splitlines() if line not in before.splitlines()]
    assert [
        'ExecStart="/opt/memory" serve',
        'Environment="MEMORY_WORKSPACE=/w"',
        'ReadWritePaths="/w"',
    ] == new[1:]
    assert new[0].startswith("# Written by")
    assert 3 == len([line for line in gone if not line.startswith("#")])
    assert "edit\n" not in after


@table("name", TEMPLATES)
def test_every_unit_takes_another_name(name: str) -> None:
    """A second workspace has units of its own names, which name each other."""
    text = render_unit(template(name), UnitTarget("/opt/memory", "/w", "memory-work"))
    assert "memory-work" + name.removeprefix("memory") == file_name(name, "memory-work")
    assert ["Agent memory work"] == [value.partition(":")[0] for value in values(text, "Description")]
    assert not re.search(r"\bmemory(\.service|-job@|-index\.service|-failed@)", text)


@table("name", SERVICES)
def test_a_unit_of_the_system_has_a_user(name: str) -> None:
    """It runs as that one, is started with the machine, and knows nothing of root's home folder."""
    text = _rendered(name, user="ann")
    assert ["ann"] == values(text, "User")
    assert "%h" not in text
    assert "default.target" not in text
    assert "--user" not in text
    assert [] == values(_rendered(name), "User")


@table("name", SERVICES)
def test_a_unit_without_namespaces_keeps_the_rest(name: str) -> None:
    """What needs user namespaces is left out, and only that."""
    whole = template(name)
    text = render_unit(whole, UnitTarget("/opt/memory", "/w", namespaces=False))
    needed = {"PrivateUsers", "ProtectSystem", "ProtectHome", "ReadWritePaths", "PrivateTmp", "PrivateDevices"}
    assert {name for name in needed if values(whole, name)} == needed
    assert {name for name in needed if values(text, name)} == set()
    assert ["@system-service"] == values(text, "SystemCallFilter")
    assert ("[Install]" in whole) == ("[Install]" in text)


def test_a_unit_is_known_again() -> None:
    """By its first line: whose it is, and whether it is as it was written."""
    text = _rendered("memory.service", workspace="/home/ann/pamięć; check 0. x")
    signed = signature(text)
    assert signed is not None
    assert ("/home/ann/pamięć; check 0. x", True) == (signed.workspace, signed.intact)


@given(st.integers(min_value=0), st.sampled_from("x# \n"))
def test_a_change_is_seen(place: int, letter: str) -> None:
    """A letter more anywhere below the first line, or another workspace in it, is a change by a person."""
    text = _rendered("memory-index.service")
    place = text.index("\n") + 1 + place % (len(text) - text.index("\n"))
    for changed in (text[:place] + letter + text[place:], text.replace("/w;", "/v;", 1)):
        signed = signature(changed)
        assert signed is not None
        assert not signed.intact


@table("text", ["", "[Unit]\n", *map(template, TEMPLATES)])
def test_what_others_wrote_has_no_signature(text: str) -> None:
    """Neither has a template that was copied by hand."""
    assert signature(text) is None


@given(st.text(st.characters(exclude_characters="/\0")))
def test_names_are_names_of_units(folder: str) -> None:
    """Of any folder; the last name is no other folder's."""
    names = names_for(f"/home/{folder}")
    assert all(re.fullmatch(r"[A-Za-z0-9-]{1,64}", name) for name in names)
    assert names[-1] != names_for(f"/srv/{folder}")[-1]


@table(("folder", "name"), [("work", "memory-work"), ("Moja pamięć 2", "memory-moja-pamiec-2"), ("a.b", "memory-a-b")])
def test_names_are_taken_from_folders(folder: str, name: str) -> None:
    """The first workspace needs no name; another has that of its folder, in plain letters."""
    assert ("memory", name) == names_for(f"/home/ann/{folder}")[:2]
