"""`python -m benchmarks`: all measurements, each beside its baseline. Needs 600 MB of room and half an hour.

The names of parts choose among them; `--page FILE` writes the tables into a page too, with the load of the machine.
"""

import argparse
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.tables import PARTS, measure_part

_HEAD = """# Measurements

Each figure stands beside a baseline of the same run. The load is that of the whole machine. Version {version}, Python
{python}, {cores} cores, {day}.
"""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which parts: {', '.join(PARTS)}; else all")
    parser.add_argument("--page", type=Path, metavar="FILE", help="the page to write")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    if given.page and given.parts:
        parser.error("a page has all parts")
    texts = [
        _HEAD.format(
            version=version("agent-memory-pipeline"),
            python=platform.python_version(),
            cores=os.cpu_count(),
            day=f"{datetime.now(UTC):%Y-%m-%d}",
        )
    ]
    for title in given.parts or PARTS:
        texts.append(measure_part(title))
        print(texts[-1], flush=True)
        if given.page:
            given.page.write_text("\n".join(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
