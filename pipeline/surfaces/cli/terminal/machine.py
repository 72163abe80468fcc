"""Properties of this machine, and of the installation on it."""

from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from zoneinfo import available_timezones

import pipeline

_MARK = "zoneinfo/"


def zone_of(environment: Mapping[str, str], etc: Path = Path("/etc")) -> str:
    """The IANA name of this machine's time zone; `UTC` when it is not known."""
    known, candidates = available_timezones(), [environment.get("TZ", "").removeprefix(":")]
    with suppress(OSError):
        if (link := etc / "localtime").is_symlink():
            candidates.append(str(link.resolve()))
    with suppress(OSError):
        candidates.append((etc / "timezone").read_text(encoding="ascii", errors="replace").strip())
    return next((_zone_name(text) for text in candidates if _zone_name(text) in known), "UTC")


def data_folder(folder: str) -> Traversable:
    """A folder of data: in the wheel below `pipeline/data`, in a checkout beside the package."""
    package = files(pipeline)
    inside = package.joinpath("data", folder)
    return inside if inside.is_dir() else package.joinpath("..", folder)


def sample_settings() -> str:
    """The commented sample of `memory.toml`."""
    return data_folder("config").joinpath("memory.toml").read_text(encoding="utf-8")


def _zone_name(text: str) -> str:
    return text.rpartition(_MARK)[2].removeprefix("posix/").removeprefix("right/")
