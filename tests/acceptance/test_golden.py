"""What programs and people get of one workspace at one moment is what the files of `tests/golden` hold.

A change that is meant is written down by `python -m benchmarks.golden renew`, and read in the difference.
"""

from pathlib import Path

from tests.support.golden import differences, write_tested

GOLDEN = Path(__file__).parents[1] / "golden"


def test_every_answer_is_as_it_was(tmp_path: Path) -> None:
    """Of each command with `--json`, route of the API, document of the page and tool; lines that differ are listed.

    What has no arguments in `rows.toml` is an error.
    """
    write_tested(tmp_path / "now", tmp_path)
    different = differences(GOLDEN, tmp_path / "now")
    assert not different, "\n".join(different)
