"""The names by which other code asks for jobs."""

from pipeline.job import JobName
from pipeline.scheduling.registry import discover


def test_every_name_is_of_a_job() -> None:
    """A job that is renamed or gone is noticed before somebody asks for it."""
    assert set(JobName) <= {job.name for job in discover()}
