"""English verbs in the third person in place of the first or second."""

import re
from typing import Final

MODAL: Final = (
    "will|can|could|must|should|may|might|would|did|had|was|won't|can't|cannot|couldn't|shouldn't|wouldn't|didn't"
)
_AUXILIARY: Final = {
    "'m": "is",
    "'re": "is",
    "'ve": "has",
    "'ll": "will",
    "'d": "would",
    "am": "is",
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "do not": "does not",
    "aren't": "isn't",
    "haven't": "hasn't",
}
PAST: Final = re.compile(
    r"\w+ed|told|said|went|gave|made|were|got|saw|knew|came|took|wrote|sent|left|kept|put|be|have|did"
)
"""Verbs of which the form does not tell that they are in the present."""


def third_auxiliary(auxiliary: str) -> str:
    """The third person of an auxiliary verb or of its short form: `'m`, `have`, `can`."""
    return _AUXILIARY.get(auxiliary.lower(), auxiliary)


def third_verb(base: str) -> str:
    """The third person of a verb in the present."""
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    return base[:-1] + "ies" if re.search("[^aeiou]y$", base) else base + "s"
