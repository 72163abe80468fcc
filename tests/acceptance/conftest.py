"""A workspace nobody has run anything in, and what its Markdown is to be after all has been run."""

from datetime import date
from pathlib import Path

import pytest

from tests.support.weekly import JUDGED
from tests.support.workspaces.four_days import DAYS, HOURS, FourDays, build_four_days


@pytest.fixture(scope="session")
def first_day() -> date:
    """The first day of the talk, a Monday, of a week that was judged days ago."""
    return JUDGED


@pytest.fixture
def four_days(tmp_path: Path, first_day: date) -> FourDays:
    """A workspace nothing has been run in."""
    return build_four_days(tmp_path / "house", first_day)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, first_day: date) -> dict[str, bytes]:
    """The Markdown of a workspace after one back-fill that nobody disturbed."""
    four_days = build_four_days(tmp_path_factory.mktemp("undisturbed"), first_day)
    ended = four_days.memory.memory(*four_days.backfill)
    assert (ended.code, four_days.memory.torn()) == (0, [])
    pages = four_days.memory.pages()
    assert sum(page.count(b"\n- check: ") for page in pages.values()) > DAYS * len(HOURS)
    assert b"status: superseded" in pages[f"memory/{four_days.days[0]}.md"]
    return pages
