"""A message that is far longer than what the same person types: it was pasted, whatever it looks like."""

from collections.abc import Sequence
from statistics import median

from pipeline.language.text import weight

LONG = 1_500
"""Latin letters, or as much in Chinese, of a text that may be out of scale: a page, where people type lines."""
TIMES = 8
"""The ratio of its size to the text that the person types as a rule."""
ENOUGH = 5
"""Earlier messages from which on it is known what the person types as a rule."""


def out_of_scale(text: str, earlier: Sequence[str]) -> bool:
    """Whether a text is far longer than the `earlier` messages of the same person in the same session."""
    if len(earlier) < ENOUGH or weight(text) < LONG:
        return False
    return weight(text) >= TIMES * median(map(weight, earlier))
