"""Signing in at the page, and what it lets nobody do."""

import re
from datetime import timedelta

import pytest
from fastapi.routing import APIRoute

from pipeline.clock import SystemClock
from pipeline.surfaces.http.application import PAGES
from pipeline.surfaces.http.security.rules import cookie_name
from pipeline.workspace.tokens import LASTING, SignInCodes, TokenFile
from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace

HTML = {"accept": "text/html", "authorization": ""}


def _code(workspace: ServedWorkspace, ago: timedelta = timedelta()) -> str:
    return SignInCodes(workspace.root).make(SystemClock().now() - ago)


def test_a_code_signs_in_once(changing: ServedWorkspace) -> None:
    """It gives a cookie that no script reads and no other site sends; the second time it gives nothing."""
    code = _code(changing)
    answer = changing.ask(f"/sign-in?code={code}", **HTML)
    assert (303, "/") == (answer.status, answer.headers["location"])
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", cookie_name(changing.root)))
    assert 200 == changing.ask("/", cookie=cookie.split(";")[0], **HTML).status
    again = changing.ask(f"/sign-in?code={code}", **HTML)
    assert (401, False) == (again.status, "set-cookie" in again.headers)
    assert b"older than a minute" in again.body


@pytest.mark.parametrize("late", [LASTING, timedelta(days=1)])
def test_an_old_code(changing: ServedWorkspace, late: timedelta) -> None:
    """After a minute it is worth nothing."""
    assert 401 == changing.ask(f"/sign-in?code={_code(changing, late)}", **HTML).status


def test_nobody_is_sent_to_the_sign_in(reading: ServedWorkspace) -> None:
    """A document asks for a person; it says which command to type, and a part of one sends the whole browser there."""
    answer = reading.ask("/entries", **HTML)
    assert (303, "/sign-in") == (answer.status, answer.headers["location"])
    assert b"memory open" in reading.ask("/sign-in", **HTML).body
    assert "/sign-in" == reading.ask("/sign-in", hx_request="true", **HTML).headers["hx-redirect"]


def test_a_token_that_is_revoked_meanwhile(changing: ServedWorkspace) -> None:
    """A form of an open page does nothing, and leads to the sign-in."""
    reader = PageReader(changing)
    form = reader.get("/").form("/language")
    TokenFile(changing.root).revoke("anna", SystemClock().now())
    assert "memory open" in reader.post(form, language="pl").text


def test_signing_out(changing: ServedWorkspace) -> None:
    """The browser's token opens nothing any more."""
    reader = PageReader(changing)
    assert "memory open" in reader.post(reader.get("/").form("/sign-out")).text
    assert [] == [token.name for token in TokenFile(changing.root).read_tokens() if token.name == "anna"]


def test_a_cookie_without_a_word_of_who_asks(changing: ServedWorkspace) -> None:
    """A form has to say which page sent it; a page of others is refused whatever cookie comes with it."""
    cookie = f"{cookie_name(changing.root)}={changing.person}"
    sent = {"cookie": cookie, "content_type": "application/x-www-form-urlencoded", **HTML}
    assert 403 == changing.ask("/sign-out", "POST", b"", **sent).status
    assert 403 == changing.ask("/sign-out", "POST", b"", origin="https://evil.example", **sent).status
    assert 403 == changing.ask("/api/v1/forget", "POST", {"id": "x"}, cookie=cookie, authorization="").status


def test_no_agent_reads_the_page(reading: ServedWorkspace) -> None:
    """Its token opens the interface for programs alone: no document, and no form."""
    routes = [route for router in PAGES for route in router.routes if isinstance(route, APIRoute)]
    wrong = []
    for route in routes:
        path = re.sub(r"\{[^}]*\}", "x", route.path)
        [method] = set(route.methods or ())
        answer = reading.ask(path, method, authorization=f"Bearer {reading.agent}", accept="text/html")
        if (403, True) != (answer.status, b"Only a person" in answer.body):
            wrong.append(route.path)
    assert ["/static/{name}", "/sign-in"] == wrong


def test_what_a_document_may_load(reader: PageReader) -> None:
    """Nothing from elsewhere and nothing inline; what it loads is kept by browsers until it changes."""
    document = reader.get("/")
    policy = document.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http:" not in document.html.replace("http://www.w3.org", "")
    assert " style=" not in document.html
    assert 404 == reader.get("/static/../rendering.py").status
    assert 404 == reader.get("/static/rendering.py").status
    assert "immutable" in reader.get("/static/page.css").headers["cache-control"]


@table(("language", "words"), [("en", "Today"), ("pl", "Dzisiaj"), ("zh", "今天")])
def test_the_language_of_a_document(reading: ServedWorkspace, language: str, words: str) -> None:
    """As the browser asks for it; the document says which it is."""
    document = PageReader(reading, language).get("/")
    assert f'<html lang="{language}">' in document.html
    assert words in document.text


@table("back", ["//evil.example", "/\\evil.example", "https://evil.example", ""])
def test_choosing_a_language_leads_nowhere_else(reader: PageReader, back: str) -> None:
    """A form sends nobody to another site."""
    form = reader.get("/").form("/language")
    answer = reader._asked(form.action, "POST", f"language=pl&back={back}".encode())
    assert (303, "/") == (answer.status, answer.headers["location"])


def test_an_address_without_a_document(reader: PageReader) -> None:
    """A sentence and a way on, in HTML; a program gets a problem."""
    document = reader.get("/nothing-here")
    assert (404, True) == (document.status, "There is nothing at this address." in document.text)
    assert 404 == reader.workspace.ask("/api/v1/nothing", accept="text/html").value["status"]
