"""The inbox at a front: an answer is an act, and while that waits nobody is asked about its suggestion again."""

import re

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import find_workspace
from tests.fleet.fronts import ServedFleet, front, machine
from tests.fleet.working import drain, published_files, rows
from tests.support.workspaces.page_reader import PageReader, ReadDocument, SentForm

__all__ = ["front", "machine"]

INBOX = "/w/anna/inbox"
WAITING = {
    "en": ("Accepted, and a worker is about to write it", "1 decision is under way"),
    "pl": ("Przyjęte, proces roboczy zaraz to zapisze", "1 decyzja w toku"),
    "zh": ("工作进程即将写入", "1 个决定正在执行"),
}


def waiting(document: ReadDocument) -> list[str]:
    """The ids of the suggestions that a document lists as waiting, in their order."""
    return list(dict.fromkeys(re.findall(r'<li><a href="/w/anna/inbox/([0-9a-f]{16})', document.html)))


def counted(document: ReadDocument) -> int:
    """The number beside the inbox in the navigation."""
    match = re.search(r'<span class="count">(\d+)', document.html)
    return int(match[1]) if match else 0


def decision(browser: PageReader, name: str) -> SentForm:
    """The form about a suggestion."""
    return browser.get(f"{INBOX}/{name}").form(f"{INBOX}/{name}")


def acts(database: FleetDatabase) -> list[tuple[str, str]]:
    """The kinds and the states of all acts, in their order."""
    return rows(database, "SELECT kind, state FROM act ORDER BY seq")


def test_a_suggestion_is_accepted(front: ServedFleet, machine: Machine, database: FleetDatabase) -> None:
    """It is under way, in each language, and asked of nobody; then it is written, in the person's words."""
    browser = front.browser("anna")
    before = browser.get(f"{INBOX}?kind=rule")
    name, number = waiting(before)[0], counted(before)
    form = decision(browser, name)
    after = browser.post(form, decision="accept", text="Every cabin is aired at noon.")
    assert "A worker carries it out" in after.text
    assert (number - 1, False) == (counted(after), name in waiting(browser.get(INBOX)))
    for language, (accepted, under_way) in WAITING.items():
        seen = PageReader(browser.workspace, language, browser.cookies).get(INBOX).text
        assert (accepted in seen, under_way in seen) == (True, True), language
    again = browser.get(f"{INBOX}/{name}")
    assert not [form for form in again.forms if form.action.startswith((f"{INBOX}/{name}", f"{INBOX}/undo"))]
    assert name not in str(front.owner("anna").ask("/api/v1/suggestions").value)
    browser = front.browser("anna")

    late = browser.post(form, decision="decline")
    assert (409, True) == (late.status, "Accepted, and a worker is about to write it" in late.text)
    assert 200 == browser.post(form, decision="accept").status
    assert [("accept", "waiting")] == acts(database)
    drain(machine)
    assert [("accept", "done")] == acts(database)
    with database.transaction() as connection:
        pages = published_files(database, find_workspace(connection, "anna"))
    assert "Every cabin is aired at noon." in "".join(pages.values())
    became = browser.get(f"{INBOX}/{name}")
    assert ("Accepted" in became.text, "under way" in became.text) == (True, False)


def test_an_answer_is_taken_back(front: ServedFleet, machine: Machine, database: FleetDatabase) -> None:
    """Also one that a worker has carried out: it is an act, and then the suggestion waits again."""
    browser = front.browser("anna")
    name = waiting(browser.get(INBOX))[0]
    browser.post(decision(browser, name), decision="decline")
    drain(machine)
    declined = browser.get(f"{INBOX}/{name}")
    assert name not in waiting(declined)
    undo = declined.form(f"{INBOX}/undo")
    asked = browser.post(undo)
    assert "Its answer is being taken back by a worker" in asked.text
    assert not [form for form in browser.get(f"{INBOX}/{name}").forms if form.action.startswith(f"{INBOX}/undo")]
    drain(machine)
    assert [("decline", "done"), ("take_back", "done")] == acts(database)
    assert name in waiting(browser.get(INBOX))
    assert "There is nothing to undo any more" in browser.post(undo).text


def test_several_are_decided(front: ServedFleet, machine: Machine, database: FleetDatabase) -> None:
    """All or none: when a suggestion is not as it was seen, nothing is asked."""
    browser = front.browser("anna")
    names = waiting(browser.get(INBOX))[:3]
    chosen = [f"{name}.{decision(browser, name).fields['seen']}" for name in names]
    several = SentForm(INBOX)
    assert 409 == browser.post(several, chosen=[*chosen[:2], f"{names[2]}.0"], decision="decline").status
    assert [] == acts(database)
    browser.post(several, chosen=chosen, decision="decline")
    assert [("decline", "waiting")] * 3 == acts(database)
    drain(machine)
    assert [("decline", "done")] * 3 == acts(database)
    assert not set(names) & set(waiting(browser.get(INBOX)))


def test_an_answer_that_is_set_aside(front: ServedFleet, database: FleetDatabase) -> None:
    """Its suggestion is asked of nobody, for the act is tried again."""
    browser = front.browser("anna")
    name = waiting(browser.get(INBOX))[0]
    browser.post(decision(browser, name), decision="decline")
    with database.transaction() as connection:
        connection.execute("UPDATE act SET state = 'aside'")
    assert name not in waiting(browser.get(INBOX))
    assert "1 decision is under way" in browser.get(INBOX).text


def test_an_answer_that_comes_too_late(front: ServedFleet, machine: Machine, database: FleetDatabase) -> None:
    """A worker refuses it; the way back to the inbox shows that it was answered otherwise meanwhile."""
    name = waiting(front.browser("anna").get(INBOX))[0]
    for choice in ("decline", "accept"):
        assert 202 == front.owner("anna").ask(f"/api/v1/suggestions/{name}", "POST", {"decision": choice}).status
    drain(machine)
    assert [("decline", "done"), ("accept", "refused")] == acts(database)
    browser = front.browser("anna")
    became = browser.get(f"{INBOX}?notice=asked&done={name}&act=2")
    assert ("Declined" in became.text, "/w/anna/acts/2" in became.links) == (True, True)


def test_words_that_cannot_be_written(front: ServedFleet, database: FleetDatabase) -> None:
    """They are refused as on a single machine, and stay for the person to copy; a secret waits in no act."""
    browser = front.browser("anna")
    name = waiting(browser.get(f"{INBOX}?kind=rule"))[0]
    form = decision(browser, name)
    refused = browser.post(form, decision="accept", text="...")
    assert (400, True) == (refused.status, "There are no words, so nothing was decided." in refused.text)
    secret = "AKIA" + "Q4T7ZB2XMW5KJ9PR"
    browser.post(form, decision="accept", text=f"The key is {secret}.")
    assert [False] == [secret in str(body) for (body,) in rows(database, "SELECT body FROM act")]
