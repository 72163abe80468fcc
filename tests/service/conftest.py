"""What answers questions in this process, as the service does."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from pipeline.app_index import Bystanders, open_index
from pipeline.events import silent
from pipeline.service.answering import Answers
from pipeline.service.settings_in_use import SettingsInUse


@contextmanager
def _answering(root: Path, **variables: str) -> Iterator[None]:
    with open_index(root, Bystanders(variables, linger=60)) as opened:
        in_use = SettingsInUse(root, variables, opened.settings)
        with Answers(root, opened, in_use, silent):
            yield


@pytest.fixture
def answering() -> Callable[..., AbstractContextManager[None]]:
    """Answers about a workspace, `root`, with `variables` in its environment."""
    return _answering
