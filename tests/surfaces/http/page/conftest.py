"""A person who reads the page of the demo's workspace."""

import pytest

from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace


@pytest.fixture
def reader(reading: ServedWorkspace) -> PageReader:
    """A reader who changes nothing."""
    return PageReader(reading)


@pytest.fixture
def changer(changing: ServedWorkspace) -> PageReader:
    """A reader of a workspace of its own."""
    return PageReader(changing)
