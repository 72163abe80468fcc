"""Runs on the page: the grid, a run with its diff, and taking it back."""

import re
import shutil
from pathlib import Path
from urllib.parse import unquote

from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader, ReadDocument
from tests.support.workspaces.served_demo import served


def _newest(reader: PageReader, job: str) -> ReadDocument:
    """The newest run of a job."""
    link = next(link for link in reader.get(f"/runs?job={job}").links if link.startswith("/runs/"))
    return reader.get(link)


def test_the_grid(reader: PageReader) -> None:
    """A row for each job, a cell for each day that has anything, with a word beside its sign."""
    document = reader.get("/grid")
    assert all(job in document.text for job in ("Decisions and rules", "Wrap-up of the day", "MEMORY.md"))
    assert re.search(r"Decisions and rules, 2026-03-13: done, \d written, took", document.text)
    assert re.search(r"<title>2026-03-13: [^<]+ second", document.html)
    legend = document.html.partition('class="legend"')[2].partition("</ul>")[0]
    assert ["done", "empty"] == re.findall(r'class="cell (\w+)"', legend)  # the signs in use
    cell = next(link for link in document.links if "job=micro_sync&day=2026-03-13" in link)
    assert "Decisions and rules" in reader.get(cell).text


def test_a_week_in_the_grid(reader: PageReader) -> None:
    """It is one cell over its days, also where its Monday is not among them, and leads to the run of the week."""
    document = reader.get("/grid?to=2026-03-14")
    assert "2026-W11: done" in document.text
    assert 'colspan="6"' in document.html  # from Monday to Saturday
    cell = next(link for link in document.links if "job=weekly_plan&day=2026-03-09" in link)
    assert "2026-W11" in reader.get(cell).text
    late = reader.get("/grid?to=2026-04-10")  # begins on a Wednesday
    assert "2026-W11: done" in late.text


def test_a_day_of_all_jobs(reader: PageReader) -> None:
    """Without a job the day alone counts; a field that was left empty says nothing."""
    everything, day = reader.get("/runs?job=&day=&page=2"), reader.get("/runs?job=&day=2026-03-13")
    assert (200, 200) == (everything.status, day.status)
    assert "2026-03-12" not in day.text.partition("Runs:")[2]
    assert all(job in day.text for job in ("Judgement of the week", "Wrap-up of the day", "Decisions and rules"))
    assert 200 == reader.get("/runs?page=999999").status
    assert 422 == reader.get("/runs?page=0").status


def test_other_days(reader: PageReader) -> None:
    """Earlier days are a link away, and empty ones say nothing wrong."""
    document = reader.get("/grid?to=2020-01-31")
    assert (200, True) == (document.status, "From 2020-01-01 to 2020-01-31" in document.text)
    assert 422 == reader.get("/grid?to=someday").status


def test_the_way_to_any_days(reader: PageReader) -> None:
    """Today is one link away, any other day a field away; from today no link leads there again."""
    document = reader.get("/grid")
    today = next(link for link in document.links if link.startswith("/grid?to=") and link > "/grid?to=2026-05")
    late = reader.get(today)
    assert (200, False) == (late.status, today in late.links)
    assert today.removeprefix("/grid?to=") == late.form("/grid").fields["to"]
    assert "From 2026-02-01 to 2026-03-03" in reader.get("/grid?to=2026-03-03").text
    assert 200 == reader.get("/grid?to=").status


def test_jobs_without_days(reader: PageReader) -> None:
    """They stand below the grid, each with its last run; signs of cells are no letters, and have words."""
    document = reader.get("/grid")
    table = document.html.partition('id="others"')[2].partition("</table>")[0]
    assert all(f'"/runs?job={job}"' in table for job in ("articles", "reflect", "agent_brain", "weekly_compound"))
    assert "micro_sync" not in table
    assert ('href="/runs/' in table, "Never run yet: Summaries of summaries" in document.text) == (True, True)
    assert not re.findall(r'<span class="cell[^"]*" aria-hidden="true">[a-z]<', document.html)


def test_a_run(reader: PageReader) -> None:
    """What it wrote, with the diff, the sessions that it read and the entries, each a link."""
    document = next(page for page in map(reader.get, _runs(reader, "micro_sync")) if "+## " in page.text)
    assert any(link.startswith("/entries/") for link in document.links)
    assert "records: " in document.text


def test_a_page_made_of_others(reader: PageReader) -> None:
    """It is rendered again and not taken back: its run names the one to take back, and shows no marks of our blocks."""
    document = _newest(reader, "weekly_compound")
    assert "MEMORY.md" in document.text
    assert ("+## Rules" in document.text, "&lt;!--" in document.html) == (True, False)
    assert "Undo this run" not in document.text
    assert "without it then: Judgement of the week, 2026-W11 Undo that run" in document.text
    instead = next(link for link in document.links if link.endswith("/undo"))
    assert "Undo this run" in reader.get(instead.removesuffix("/undo")).text
    assert "-## " in reader.get(instead).text


def test_what_runs_are_about(reader: PageReader) -> None:
    """A session goes by its time and first words with a short tail of its id, a whole by a word, a group by another."""
    session, whole = reader.get("/runs?job=agent_journal"), reader.get("/runs?job=agent_brain")
    assert "2026-03-02 19:10" in session.text
    assert "evening. three people booked cabin 4 for the same weekend" in session.text
    assert "5d0c1b7e" in session.text
    assert "5d0c1b7e-3f42" not in session.text
    assert "everything" in whole.text
    assert "sessions, group 2" in reader.get("/runs?job=agent_l1").text
    assert "everything" in reader.get(next(link for link in whole.links if link.startswith("/runs/"))).text
    assert "wszystko" in PageReader(reader.workspace, "pl").get("/runs?job=articles").text


def test_entries_of_a_run(reader: PageReader) -> None:
    """By their titles and days, as links."""
    titles = {one["id"]: one["title"] for one in reader.workspace.ask("/api/v1/entries").value}
    document = next(page for page in map(reader.get, _runs(reader, "micro_sync")) if "+## " in page.text)
    names = [unquote(link.removeprefix("/entries/")) for link in document.links if link.startswith("/entries/")]
    assert names
    assert all(f"{titles[name]} 2026-03-" in document.text for name in names)


def test_a_run_that_nobody_knows(reader: PageReader) -> None:
    """A document with the sentence of the command line."""
    assert (404, True) == ((late := reader.get("/runs/nothing")).status, "There is nothing called" in late.text)
    assert 404 == reader.get("/runs?job=nothing").status


def test_undoing(changer: PageReader) -> None:
    """Its text is taken out of the file; the receipt names it; an undone run offers no undo."""
    page = next(page for page in map(changer.get, _runs(changer, "micro_sync")) if "Undo this run" in page.text)
    entry = next(link for link in page.links if link.startswith("/entries/"))
    ask = changer.get(next(link for link in page.links if link.endswith("/undo")))
    assert re.search(r"Nothing has been done yet. Parts removed: [1-9]", ask.text)
    assert all(words in ask.text for words in ("-## ", "memory/2026-03-"))
    assert 200 == changer.get(entry).status
    form = ask.form("/runs/")
    receipt = changer.post(form)
    assert "Undone" in receipt.text
    gone = changer.get(entry)
    assert "by the undo of this run" in gone.text
    assert form.action.removesuffix("/undo") in gone.links
    assert "/work/estimate" in {one.action for one in receipt.forms}
    lines = [link for link in changer.get("/memory").links if link.startswith("/entries/m-")]
    assert {200, 410} >= {changer.get(link).status for link in lines}
    assert re.search(r"Parts removed: [1-9]", receipt.text)
    assert "-## " in receipt.text
    assert changer.get(f"{form.action.removesuffix('/undo')}/undone").text == receipt.text
    assert f"{form.action}ne" == changer.get(form.action).headers["location"]
    again = changer.get(form.action.removesuffix("/undo"))
    assert "Undo this run" not in again.text
    estimate = changer.post(again.form("/work/estimate"))
    assert "memory backfill micro_sync" in estimate.text
    assert "/work/backfill" in {one.action for one in estimate.forms}
    assert form.action.removesuffix("/undo") in changer.get("/runs?job=micro_sync&day=2026-03-14").links
    assert "2026-03-14: undone" in changer.get("/grid").text
    late = changer.post(form)
    assert (409, True) == (late.status, "has changed since" in late.text)


def test_undoing_a_whole_day(changer: PageReader) -> None:
    """All runs of a day, a week or a month go together, and a page that was rendered from them is in the diff."""
    ask = changer.get("/periods/2026-W11/undo")
    assert all(words in ask.text for words in ("2026-W11", "MEMORY.md made anew"))
    receipt = changer.post(ask.form("/periods/"))
    assert "It was taken back" in receipt.text
    assert "/periods/2026-W11/undone" == changer.get("/periods/2026-W11/undo").headers["location"]
    assert 400 == changer.get("/periods/nothing/undo").status


def _runs(reader: PageReader, job: str) -> list[str]:
    return [link for link in reader.get(f"/runs?job={job}").links if link.startswith("/runs/")]


@table("language", ["pl", "zh"])
def test_other_languages(reader: PageReader, language: str) -> None:
    """Every text of these documents is there."""
    other = PageReader(reader.workspace, language)
    assert [200, 200] == [other.get("/grid").status, _newest(other, "micro_sync").status]


def test_before_the_first_run(demo: Path, tmp_path: Path) -> None:
    """It says what to do."""
    shutil.copytree(demo, tmp_path / "work", ignore=shutil.ignore_patterns("memory", "state.db*", "second-brain"))
    (tmp_path / "work" / "memory").mkdir()
    with served(tmp_path / "work") as workspace:
        reader = PageReader(workspace)
        assert "Nothing has been run yet" in reader.get("/grid").text
        assert "Nothing was run for these days" in reader.get("/grid?to=2020-01-31").text
        assert "No run is listed here" in reader.get("/runs").text
