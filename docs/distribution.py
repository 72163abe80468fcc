"""Builds the wheel and the sdist, and lists their files and the licences of the libraries they need: `make dist`.

Two builds of one commit are equal byte for byte: times are those of the release in CHANGELOG.md, and the build's own
versions are those of constraints.txt.
"""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import Message
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import cast

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
NAME = "agent-memory-pipeline"
_RELEASE = re.compile(r"^## \[(?P<version>\d+\.\d+\.\d+)\] - (?P<day>\d{4}-\d{2}-\d{2})$", re.MULTILINE)
_LICENCE_CLASSIFIER = "License :: OSI Approved :: "
_LONGEST_NAME = 60  # of a licence; a longer text is the licence itself


def release(root: Path = ROOT) -> tuple[str, datetime]:
    """The version of the newest release in the changelog of a tree, and its day in UTC.

    Raises:
        ValueError: the changelog has no release, or another than pyproject.toml.
    """
    match = _RELEASE.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if match is None or match["version"] != declared:
        message = f"CHANGELOG.md needs `## [{declared}] - YYYY-MM-DD` as its newest release."
        raise ValueError(message)
    return match["version"], datetime.fromisoformat(match["day"]).replace(tzinfo=UTC)


def build(folder: Path, root: Path = ROOT) -> list[Path]:
    """The wheel and the sdist of a tree, built into a folder.

    Raises:
        CalledProcessError: the build fails.
    """
    _, day = release(root)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(root)]
    times = {"SOURCE_DATE_EPOCH": str(int(day.timestamp()))}
    subprocess.run(command, check=True, env=os.environ | times, stdout=subprocess.DEVNULL)
    return sorted(folder.glob("*.whl")) + sorted(folder.glob("*.tar.gz"))


def contents(archive: Path) -> dict[str, bytes]:
    """The files of a wheel or an sdist, by path."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in sorted(wheel.namelist())}
    with tarfile.open(archive) as sdist:
        files = sorted((member for member in sdist.getmembers() if member.isfile()), key=lambda member: member.name)
        return {member.name: extracted.read() for member in files if (extracted := sdist.extractfile(member))}


def list_contents(archive: Path) -> Iterator[str]:
    """The lines for an archive: its hash, then hash, bytes and path of each file."""
    yield f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}"
    for path, data in contents(archive).items():
        yield f"  {hashlib.sha256(data).hexdigest()}  {len(data):>8}  {path}"


def libraries(name: str = NAME) -> dict[str, Distribution]:
    """The installed libraries that a distribution needs, and those that they need, by name. Extras stay out.

    Raises:
        PackageNotFoundError: the distribution is not installed.
    """
    gathered: dict[str, Distribution] = {}
    waiting = [(requirement, frozenset[str]()) for requirement in distribution(name).requires or ()]
    while waiting:
        text, extras = waiting.pop()
        requirement = Requirement(text)
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in extras or {""}):
            continue
        try:
            library = distribution(requirement.name)
        except PackageNotFoundError:  # it is for another system
            continue
        if library.name.lower() not in gathered or requirement.extras:
            gathered[library.name.lower()] = library
            waiting += [(needed, frozenset(requirement.extras)) for needed in library.requires or ()]
    return dict(sorted(gathered.items()))


def licence(library: Distribution) -> str:
    """The licence of a library as its metadata names it, else the first line of its licence file; else empty."""
    metadata = cast("Message", library.metadata)
    classifiers = [
        value.removeprefix(_LICENCE_CLASSIFIER)
        for value in metadata.get_all("Classifier") or ()
        if value.startswith(_LICENCE_CLASSIFIER)
    ]
    named = metadata.get("License") or ""
    short = named if len(named) <= _LONGEST_NAME else ""
    return metadata.get("License-Expression") or ", ".join(classifiers) or short or _first_line(library)


def _first_line(library: Distribution) -> str:
    texts = (library.read_text(f"licenses/{name}") for name in library.metadata.get_all("License-File") or ())
    return next((text.strip().splitlines()[0] for text in texts if text and text.strip()), "")


def main(folder: Path) -> None:
    """Build into a folder, and write CONTENTS.txt and LICENCES.txt there."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]:
        old.unlink()
    built = build(folder)
    listed = [line for archive in built for line in list_contents(archive)]
    (folder / "CONTENTS.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")
    rows = [f"{library.name} {library.version}: {licence(library)}" for library in libraries().values()]
    (folder / "LICENCES.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for path in [*built, folder / "CONTENTS.txt", folder / "LICENCES.txt"]:
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
