"""Files that are not Python."""

from pipeline.surfaces.cli.terminal.machine import data_folder, sample_settings


def test_finds_what_is_shipped() -> None:
    """The sample settings and the units are there, in a checkout as in the wheel."""
    assert "#timezone" in sample_settings()
    assert data_folder("systemd").joinpath("memory-job@.service").is_file()
