"""The prompts of the jobs: texts beside their modules."""

from functools import cache
from importlib.resources import files


@cache
def read_prompt(name: str) -> str:
    """The prompt in `jobs/NAME.md`."""
    return files("jobs").joinpath(f"{name}.md").read_text(encoding="utf-8")
