"""The part of a table or property that a run takes: `make soak` takes long cases too, and more examples."""

import os
from typing import Any

import pytest

EXAMPLES = int(os.environ.get("EXAMPLES", "0"))
"""The number of examples in `make soak` where a run of the tests looks at ten."""


def at_length(*values: object) -> list[Any]:
    """Values for `parametrize`, or for `params` of a fixture, that say the same once more; each is marked `soak`."""
    return [pytest.param(value, marks=pytest.mark.soak) for value in values]


def examples(few: int) -> int:
    """The number of examples of a property: `few`, or as many times more as `make soak` wants."""
    return few * EXAMPLES // 10 if EXAMPLES else few
