"""How much of a table or property a run takes: `make soak` takes the cases that take minutes, and more examples."""

import os
from typing import Any

import pytest

EXAMPLES = int(os.environ.get("EXAMPLES", "0"))
"""How many examples `make soak` looks at where a run of the tests looks at ten."""


def at_length(*values: object) -> list[Any]:
    """Values for `parametrize`, or for `params` of a fixture, that say the same once more; each is marked `soak`."""
    return [pytest.param(value, marks=pytest.mark.soak) for value in values]


def examples(few: int) -> int:
    """How many examples of a property to look at: `few`, or as many times more as `make soak` wants."""
    return few * EXAMPLES // 10 if EXAMPLES else few
