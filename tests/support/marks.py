"""Which cases of a table take their time: they are run by `make soak` alone."""

from typing import Any

import pytest


def at_length(*values: object) -> list[Any]:
    """Values for `parametrize`, or for `params` of a fixture, that say the same once more; each is marked `soak`."""
    return [pytest.param(value, marks=pytest.mark.soak) for value in values]
