"""A house nobody has run anything in, and what its Markdown is to be after all has been run."""

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.support.workspaces.four_days import DAYS, HOURS, ZONE, House, build_house


@pytest.fixture(scope="session")
def first_day() -> date:
    """The first day of the talk, a Monday; one for the whole session, because a test may see midnight pass."""
    # A week is judged some hours after its end.
    day = (datetime.now(ZoneInfo(ZONE)) - timedelta(days=7, hours=6)).date()
    return day - timedelta(days=day.weekday())


@pytest.fixture
def house(tmp_path: Path, first_day: date) -> House:
    """A house nothing has been run in."""
    return build_house(tmp_path / "house", first_day)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, first_day: date) -> dict[str, bytes]:
    """The Markdown of a house after one back-fill that nobody disturbed."""
    house = build_house(tmp_path_factory.mktemp("undisturbed"), first_day)
    ended = house.memory.memory(*house.backfill)
    assert (ended.code, house.memory.torn()) == (0, [])
    pages = house.memory.pages()
    assert sum(page.count(b"\n- check: ") for page in pages.values()) > DAYS * len(HOURS)
    assert b"status: superseded" in pages[f"memory/{house.days[0]}.md"]
    return pages
