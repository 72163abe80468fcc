"""The project of an entry that its file does not name, or names wrongly."""

from pathlib import Path

from pipeline.app.engine import open_engine
from pipeline.engine.verification import project_of
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from schemas.entry import Trust
from tests.support.tables import table
from tests.support.workspaces.two_projects import SHOP, two_projects


@table(
    ("trust", "stated", "expected"),
    [
        (Trust.OWNER, "~/other", "~/other"),
        (Trust.EDITED, "~/other", "~/other"),
        (Trust.OWNER, "", SHOP),
        (Trust.QUOTED, "~/other", SHOP),
        (Trust.QUOTED, "", SHOP),
        (Trust.UNVERIFIED, "~/other", ""),
        (Trust.UNVERIFIED, "", ""),
    ],
)
def test_the_session_tells_the_project_of_an_entry(tmp_path: Path, trust: Trust, stated: str, expected: str) -> None:
    """Entries of before do not name it, and what others wrote into a file is no evidence; nothing has none."""
    engine = open_engine(two_projects(tmp_path / "memory"), ProcessContext({}))
    [entry] = [place.entry for place in list_entries(engine) if place.project == SHOP]
    assert expected == project_of(
        entry.model_copy(update={"trust": trust, "project": stated}), engine.catalog.project_of
    )
    engine.ledger.store.close()
