"""The copies of databases from before an upgrade."""

from pathlib import Path

from pipeline.kept_upgrades import drop_upgrades, upgrade_folder


def test_a_link_in_place_of_a_copy_goes_alone(tmp_path: Path) -> None:
    """The folder to which it leads stays, as does what a link in a folder of ours leads to; all other copies go."""
    elsewhere, state = tmp_path / "elsewhere", tmp_path / ".memory"
    elsewhere.mkdir()
    (elsewhere / "state.db").write_text("theirs")
    linked, ours = (upgrade_folder(state, "ledger", number, number + 1) for number in (1, 2))
    ours.mkdir(parents=True)
    linked.symlink_to(elsewhere)
    (ours / "state.db").symlink_to(tmp_path / "gone")
    drop_upgrades(state, "ledger")
    assert ("theirs", []) == ((elsewhere / "state.db").read_text(), list(linked.parent.iterdir()))
