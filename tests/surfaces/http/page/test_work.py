"""Work that a person wants to begin on the page: what is estimated, and what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.workspace.service_files import ServiceFolder
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served
from tests.support.workspaces.shared_demo import copy_transcripts

DAYS = {"job": "micro_sync", "first": "2026-03-09", "last": "2026-03-14"}


@pytest.fixture
def fresh(demo: Path, tmp_path: Path) -> Iterator[PageReader]:
    """A reader of a workspace in which no job has run."""
    with served(copy_transcripts(demo, tmp_path / "work")) as workspace:
        yield PageReader(workspace)


def test_several_jobs(fresh: PageReader) -> None:
    """Those that are ticked; none ticked are all."""
    form = fresh.get("/grid").form("/work/estimate")
    some = fresh.post(form, **{**DAYS, "job": ["micro_sync", "retain"]})
    assert "memory backfill micro_sync retain --from 2026-03-09 --to 2026-03-14" in some.text
    assert "memory backfill --all --from" in fresh.post(form, first="2026-03-09", last="2026-03-14").text


def test_another_language_after_an_estimate(fresh: PageReader) -> None:
    """The document that answers a form has no address of its own, so the language leads to its place."""
    form = fresh.get("/grid").form("/work/estimate")
    for fields in (DAYS, {**DAYS, "first": "2026-03-15"}):
        language = fresh.post(form, **fields).form("/language")
        assert ("/grid", 200) == (language.fields["back"], fresh.post(language, language="pl").status)


def test_what_is_no_job(fresh: PageReader) -> None:
    """A job that nobody knows, and days the wrong way round, begin nothing."""
    grid = fresh.get("/grid")
    assert 404 == fresh.post(grid.form("/work/run"), job="nothing").status
    assert 422 == fresh.post(grid.form("/work/run"), job="--all").status
    wrong = {**DAYS, "first": "2026-03-15"}
    refused = fresh.post(grid.form("/work/estimate"), **wrong)
    assert (422, True) == (
        refused.status,
        "The first day is later than the last one. Turn them around." in refused.text,
    )
    assert "Value error" not in refused.text
    back = next(link for link in refused.links if link.startswith("/grid?"))
    assert {"first": "2026-03-15", "last": "2026-03-14", "job": "micro_sync"}.items() <= (
        fresh.get(back).form("/work/estimate").fields.items()
    )
    assert 404 == fresh.get("/work/nothing").status
    log = ServiceFolder(fresh.workspace.root).logs / "20260309T120000.000000Z-micro_sync.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text('{"event": "run.ended"}\n', encoding="utf-8")  # of a run that the service began by itself
    assert 404 == fresh.get(f"/work/{log.stem}").status
