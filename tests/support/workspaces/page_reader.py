"""A reader of the page without a script: asks for documents and sends their forms, as a browser does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

from pipeline.surfaces.http.security.rules import cookie_name
from tests.support.workspaces.served_demo import ServedWorkspace

_VOID = {"meta", "link", "input", "br", "img", "hr", "col", "wbr"}
_UNREAD = {"script", "style", "title"}


@dataclass
class SentForm:
    """A form as it stands: where it goes, and the fields that it has filled."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadDocument:
    """A document: its words in a line, its links and its forms."""

    status: int
    html: str
    headers: Mapping[str, str]
    text: str
    links: tuple[str, ...]
    forms: tuple[SentForm, ...]

    def form(self, action: str) -> SentForm:
        """The first form that goes to a path which begins so."""
        return next(form for form in self.forms if form.action.startswith(action))


@dataclass(frozen=True)
class PageReader:
    """A person who is signed in, in a browser that asks for a language and has further `cookies`."""

    workspace: ServedWorkspace
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> ReadDocument:
        """A document."""
        return self._asked(path, "GET", None)

    def post(self, form: SentForm, **fields: str | Sequence[str]) -> ReadDocument:
        """What comes after a form is sent, with some fields filled otherwise; a redirect is followed.

        A field with several values is sent several times.
        """
        answer = self._asked(form.action, "POST", urlencode({**form.fields, **fields}, doseq=True).encode())
        return self.get(answer.headers["location"]) if answer.status == 303 else answer

    def _asked(self, path: str, method: str, body: bytes | None) -> ReadDocument:
        cookies = {cookie_name(self.workspace.root): self.workspace.person, **self.cookies}
        answer = self.workspace.ask(
            path.partition("#")[0],
            method,
            body,
            authorization="",
            cookie="; ".join(f"{name}={value}" for name, value in cookies.items()),
            accept="text/html,application/xhtml+xml",
            accept_language=self.language,
            origin=self.workspace.address if body is not None else "",
            content_type="application/x-www-form-urlencoded",
        )
        return read_document(answer.status, answer.body.decode(), answer.headers)


def read_document(status: int, html: str, headers: Mapping[str, str]) -> ReadDocument:
    """What a document says."""
    parser = _Parser()
    parser.feed(html)
    text = " ".join("".join(parser.words).split())
    return ReadDocument(status, html, headers, text, tuple(parser.links), tuple(parser.forms))


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.links, self.forms = list[str](), list[str](), list[SentForm]()
        self._within, self._area = list[str](), ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in _VOID:
            self._within.append(tag)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "form":
            self.forms.append(SentForm(given.get("action", "")))
        self._take_field(tag, given)
        self.words.append(" ")

    def _take_field(self, tag: str, given: dict[str, str]) -> None:
        name = given.get("name", "")
        if not self.forms or not name:
            return
        fields = self.forms[-1].fields
        unchecked = given.get("type") in {"checkbox", "radio"} and "checked" not in given
        if tag == "input" and not unchecked:
            fields[name] = given.get("value", "on" if given.get("type") == "checkbox" else "")
        elif tag in {"textarea", "select"}:
            self._area = name
            fields[name] = ""
        elif tag == "button" and "value" in given:
            fields.setdefault(name, given["value"])

    def handle_endtag(self, tag: str) -> None:
        while self._within and self._within.pop() != tag:
            pass
        self._area = "" if tag in {"textarea", "select"} else self._area
        self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not _UNREAD & set(self._within):
            self.words.append(data)
        if self._area and "textarea" in self._within:
            self.forms[-1].fields[self._area] += data
