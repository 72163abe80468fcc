"""The doctor of a workspace that was moved."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.install import UnitFolder, UnitTarget, render_unit, signature
from tests.support.processes.command_line import Said
from tests.support.workspaces.commanded import call, home

__all__ = ["call", "home"]
TEMPLATE = (Path(__file__).parents[2] / "systemd" / "memory.service").read_text()


@pytest.fixture
def moved(tmp_path: Path, home: Path, call: Callable[..., Said]) -> Path:
    """A workspace that is listed and has a unit, and was moved."""
    before, units = tmp_path / "before", home / ".config" / "systemd" / "user"
    call("init", before)
    units.mkdir(parents=True)
    for name in ("memory", "memory-changed"):
        text = render_unit(TEMPLATE, UnitTarget("/opt/memory", str(before), name))
        (units / f"{name}.service").write_text(text + "# mine\n" * (name == "memory-changed"))
    return before.rename(tmp_path / "now % here")


def test_what_names_the_old_folder_is_mended(moved: Path, home: Path, call: Callable[..., Said]) -> None:
    """The units that nobody changed and the list; afterwards there is nothing to tell."""

    def checks(*options: str) -> list[dict[str, object]]:
        records = call("doctor", "--json", *options, "--workspace", moved).records
        return [record for record in records if record["check"] == "place"]

    (check,) = checks()
    assert all(part in str(check["told"]) for part in ("moved here from", "memory.service", "workspaces.toml"))
    (fixed,) = checks("--fix")
    assert (True, True) == (fixed["fixed"], "memory-changed.service" in str(fixed["fix"]))
    folder = UnitFolder(home / ".config" / "systemd" / "user", str(moved))
    assert ["memory.service"] == folder.ours()
    text = folder.text("memory.service") or ""
    assert text == render_unit(TEMPLATE, UnitTarget("/opt/memory", str(moved), "memory"))
    signed = signature(text)
    assert signed is not None
    assert signed.intact
    assert [str(moved)] == [record["folder"] for record in call("workspaces", "--json").records]
    assert [] == checks()


@pytest.mark.usefixtures("home")
def test_a_copy_beside_the_original_was_not_moved(tmp_path: Path, call: Callable[..., Said]) -> None:
    """Nothing that names the original is changed."""
    call("init", tmp_path / "one")
    (tmp_path / "one").rename(tmp_path / "two")
    call("init", tmp_path / "one")
    records = call("doctor", "--json", "--workspace", tmp_path / "two").records
    assert "place" not in [record["check"] for record in records]


def test_a_stranger_cannot_say_that_a_workspace_was_moved(moved: Path, home: Path, call: Callable[..., Said]) -> None:
    """A clone may name the owner's folder while that is away: the units and the list stay, and the owner is told."""
    clone = moved.with_name("clone")
    (clone / ".memory").mkdir(parents=True)
    (clone / "memory.toml").write_text("")
    (clone / ".memory" / "place").write_text(str(moved.with_name("before")))
    before = {str(file): file.read_bytes() for file in home.rglob("*") if file.is_file()}
    records = call("doctor", "--json", "--fix", "--workspace", clone).records
    (check,) = (record for record in records if record["check"] == "place")
    assert (False, True) == (check["fixed"], "Your home does not know it" in str(check["advice"]))
    assert before == {str(file): file.read_bytes() for file in home.rglob("*") if file.is_file()}
    assert 0 == call("workspaces", "add", clone).code
    records = call("doctor", "--json", "--workspace", clone).records
    assert "place" not in [record["check"] for record in records]
