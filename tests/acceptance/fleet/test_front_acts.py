"""Forms and routes of a front that ask for acts: forgetting, taking back, edits of lines and of names."""

import re
from urllib.parse import quote

import pytest

from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import find_workspace
from tests.fleet.fronts import ServedFleet, front, machine
from tests.fleet.working import drain, published_files, rows
from tests.support.workspaces.page_reader import PageReader, ReadDocument, SentForm

__all__ = ["front", "machine"]

ANNA = "/w/anna"


@pytest.fixture
def browser(front: ServedFleet, machine: Machine) -> PageReader:
    """A browser of Anna's, after the worker."""
    del machine
    return front.browser("anna")


def pages(front: ServedFleet) -> str:
    """All pages of Anna's, as they are published now."""
    with front.database.transaction() as connection:
        anna = find_workspace(connection, "anna")
    return "\n".join(f"{path}\n{text}" for path, text in published_files(front.database, anna).items())


def acts(front: ServedFleet) -> list[tuple[str, str]]:
    """The kinds and the states of all acts, in their order."""
    return rows(front.database, "SELECT kind, state FROM act ORDER BY seq")


def asked(browser: PageReader, form: SentForm, **fields: str) -> ReadDocument:
    """The document of the act that a form asks for."""
    document = browser.post(form, **fields)
    assert "A worker carries it out" in document.text, document.text
    return document


def test_a_topic_is_forgotten(front: ServedFleet, machine: Machine, browser: PageReader) -> None:
    """Shown before, at whichever front; its words stand in no answer, and in no row once it is done."""
    assert "lucjana" in pages(front).lower()
    place = browser.get(f"{ANNA}/forget").form(f"{ANNA}/forget")
    seen = browser.post(place, topic="Lucjana")
    form = seen.form(f"{ANNA}/forget/topic")
    assert (422, 409) == (browser.post(form, typed="").status, browser.post(form, typed="forget", seen="0").status)
    assert [] == acts(front)
    asked(browser, form, typed="forget")
    drain(machine)
    assert [("forget", "done")] == acts(front)
    assert "It is done." in browser.get(f"{ANNA}/acts/1").text
    assert "lucjana" not in pages(front).lower()
    kept = str(rows(front.database, "SELECT body, answer FROM act"))
    assert ("lucjana" in kept.lower(), "removed" in kept) == (False, True)
    unknown = browser.post(place, topic="zeppelin")
    assert (400, True) == (unknown.status, "Nothing that the memory wrote" in unknown.text)


def test_a_topic_that_another_act_forgot(front: ServedFleet, machine: Machine, browser: PageReader) -> None:
    """The second act is refused, by an answer without the words."""
    form = browser.post(browser.get(f"{ANNA}/forget").form(f"{ANNA}/forget"), topic="Lucjana").form(f"{ANNA}/forget/t")
    for _ in range(2):
        asked(browser, form, typed="forget")
    drain(machine)
    assert [("forget", "done"), ("forget", "refused")] == acts(front)
    assert "lucjana" not in str(rows(front.database, "SELECT body, answer FROM act")).lower()
    assert "Nothing that the memory wrote has these names." in browser.get(f"{ANNA}/acts/2").text


def test_a_fact_is_forgotten(front: ServedFleet, machine: Machine, browser: PageReader) -> None:
    """On the page, and over the API by its id."""
    known = [link for name in ("Hania", "Lucjana") for link in browser.get(f"{ANNA}/entities/{name}").links]
    links = list(dict.fromkeys(link for link in known if link.startswith(f"{ANNA}/entries/f-")))
    assert "<!--f:" in pages(front)
    first, second = (link.rpartition("/")[2] for link in (links[0], links[-1]))
    asked(browser, browser.get(f"{ANNA}/forget/{first}").form(f"{ANNA}/forget/{first}"), typed="forget")
    owner = front.owner("anna")
    assert 202 == owner.ask("/api/v1/forget", "POST", {"id": second}).status
    drain(machine)
    assert [("forget", "done")] * 2 == acts(front)
    marks = [f"<!--{name.replace('-', ':')} " for name in (first, second)]
    assert [] == [line for line in pages(front).splitlines() if any(mark in line for mark in marks)]


def test_a_run_is_taken_back(front: ServedFleet, machine: Machine, browser: PageReader) -> None:
    """As the page shows it before; a second time it is refused with the sentence of a single machine."""
    runs = browser.get(f"{ANNA}/runs?job=micro_sync")
    links = dict.fromkeys(link for link in runs.links if re.fullmatch(f"{ANNA}/runs/[^/?]+", link))
    wrote = next(link for link in links if f"{link}/undo" in browser.get(link).links)
    entry = re.search(f'{ANNA}/entries/([^"?]+)', browser.get(wrote).html)
    assert entry
    ask = browser.get(f"{wrote}/undo")
    asked(browser, ask.form(f"{wrote}/undo"))
    owner = front.owner("anna")
    name = wrote.rpartition("/")[2]
    assert 202 == owner.ask(f"/api/v1/runs/{name}/undo", "POST").status
    assert 404 == owner.ask("/api/v1/runs/nothing/undo", "POST").status
    drain(machine)
    assert [("undo", "done"), ("undo", "refused")] == acts(front)
    assert f"- id: {entry[1]}\n" not in pages(front)
    browser = front.browser("anna")
    assert f"{wrote}/undo" not in browser.get(wrote).links
    assert "has been undone" in browser.get(f"{ANNA}/acts/2").text


def test_a_line_is_edited(front: ServedFleet, machine: Machine, browser: PageReader) -> None:
    """Pinned, and taken off the page; the act leads to the run, which can be taken back."""
    page = browser.get(f"{ANNA}/memory")
    forms = [form for form in page.forms if form.action == f"{ANNA}/memory/lines"]
    pin = next(form for form in forms if form.fields["edit"] == "pin")
    other = next(form for form in forms if form.fields["line"] != pin.fields["line"])
    assert 409 == browser.post(pin, seen="0").status
    asked(browser, pin)
    drain(machine)
    assert re.search(rf"\(pinned\) <!--m:{pin.fields['line'].removeprefix('m-')}", pages(front))
    run = next(link for link in browser.get(f"{ANNA}/acts/1").links if link.startswith(f"{ANNA}/runs/"))
    asked(browser, browser.get(f"{run}/undo").form(f"{run}/undo"))
    for _ in range(2):
        asked(browser, other, edit="take_off")
    drain(machine)
    # The first act went with the earlier generations: a line that is taken off the page is listed as forgotten.
    assert [("undo", "done"), ("edit_line", "done"), ("edit_line", "refused")] == acts(front)
    page = browser.get(f"{ANNA}/memory")
    assert (False, False) == ("(pinned)" in page.text, other.fields["line"] in str(page.forms))


def test_names_are_put_together(front: ServedFleet, machine: Machine, browser: PageReader) -> None:
    """And taken apart again."""
    first, second = "Hania", "Lucjana"
    together = browser.get(f"{ANNA}/together?name={first}&other={second}").form(f"{ANNA}/entities/merge")
    asked(browser, together)
    drain(machine)
    shown = browser.get(f"{ANNA}/entities/{quote(first)}")
    apart = shown.form(f"{ANNA}/entities/split")
    assert second == apart.fields["other"]
    assert 409 == browser.post(together).status
    asked(browser, apart)
    drain(machine)
    assert [("merge", "done"), ("split", "done")] == acts(front)
    assert f"{ANNA}/entities/split" not in [form.action for form in browser.get(f"{ANNA}/entities/{first}").forms]
