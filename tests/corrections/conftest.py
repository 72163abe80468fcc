"""What the tests of `memory adopt` have in common."""

from collections.abc import Callable

import pytest

from tests.support.workspaces.adoption_desk import JOB, THREE, Desk
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]


@pytest.fixture
def desk(new_bench: NewBench) -> Desk:
    """The page holds three blocks of a person."""
    found = Desk(new_bench(jobs=(JOB,)))
    found.write(THREE)
    return found
