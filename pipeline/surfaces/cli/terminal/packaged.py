"""Files that are not Python and come with the product."""

from importlib.resources import files
from importlib.resources.abc import Traversable

import pipeline


def packaged(folder: str) -> Traversable:
    """A folder of data: in the wheel below `pipeline/data`, in a checkout beside the package."""
    package = files(pipeline)
    inside = package.joinpath("data", folder)
    return inside if inside.is_dir() else package.joinpath("..", folder)


def sample_settings() -> str:
    """The commented sample of `memory.toml`."""
    return packaged("config").joinpath("memory.toml").read_text(encoding="utf-8")
