"""What the tests of `memory doctor adopt` have in common."""

from collections.abc import Callable

import pytest

from tests.support.workspaces.adoption_desk import JOB, THREE, Desk
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]


@pytest.fixture
def desk(new_bench: NewBench) -> Desk:
    """The page holds three blocks of a person."""
    desk_with_job = Desk(new_bench(jobs=(JOB,)))
    desk_with_job.write(THREE)
    return desk_with_job
