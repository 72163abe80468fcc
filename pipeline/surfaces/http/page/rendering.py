"""Answers of the page: templates filled with values, in the reader's language and the workspace's time zone."""

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from difflib import SequenceMatcher
from functools import cache, cached_property, partial
from http import HTTPStatus
from importlib.resources import files
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.background import BackgroundTask
from starlette.routing import Match

from pipeline.clock import to_the_minute
from pipeline.reports.phrases import Translator
from pipeline.surfaces.http.page.places import PLACES, place_of
from pipeline.surfaces.http.page.reading import inline, visible
from pipeline.surfaces.http.page.texts import DEFAULT, LANGUAGES, language_of, texts_of
from pipeline.surfaces.http.state import Acts, HttpState, StateThere, person_of, state_of
from pipeline.workspace.layout import Layout
from schemas.checkup import Health
from schemas.fleet_act import FleetAct

Answer = TypeVar("Answer", bound=Response)
SETTINGS_WRITTEN = "settings_written"
"""The notice after a change of the settings."""
_TAKEN = ("timezone", "sources", "agents", "jobs", "model")
LANGUAGE_COOKIE = "memory_language"
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    # With none at all, browsers send forms as from an origin that they do not name, which the guard refuses.
    "Referrer-Policy": "same-origin",
}
"""The headers of a document of the page, which may load our own files alone."""


@dataclass(frozen=True)
class Page:
    """The page for one request: its reader, language and zone."""

    request: Request
    language: str
    zone: str
    layout: Layout | None = None

    def show(self, template: str, values: Mapping[str, object], status: int = HTTPStatus.OK) -> HTMLResponse:
        """A template filled with values, as an answer."""
        shared: dict[str, object] = {
            "path": self.request.url.path,
            "places": [
                replace(place, path=path) for place in PLACES if (path := next(filter(self.offers, place.paths), ""))
            ],
            "offers": self.offers,
            "is_asked_for": self.request.method == "GET",
            "query": dict(self.request.query_params),
            "language": self.language,
            "zone": self.zone,
            "notice": self.notice,
            "signals_now": partial(signals_of, self.request),
            "is_file": self.shows,
            "stands": self.stands_at,
            "t": self.text,
            "word": self.word,
            "translate": self.translate,
        }
        for pieces in _PIECES:
            # The macros of a module see what is shared here: the language, the zone, and the macros before them.
            made = vars(_environment().get_template(pieces).make_module(shared))
            shared |= {name: macro for name, macro in made.items() if not name.startswith("_")}
        text = place_below(self.below, _environment().get_template(template).render({**shared, **values}))
        headers = {**SECURITY, "Vary": "Accept-Language, Cookie, Accept-Encoding"}
        answer = compress_answer(self.request, HTMLResponse(text, status, headers))
        caller = getattr(self.request.state, "caller", None)
        if caller and caller.is_person and self.request.query_params.get("notice") == SETTINGS_WRITTEN:
            # Only now: the browser has the document, and asks for nothing while the service opens its parts anew.
            answer.background = BackgroundTask(_take_settings, state_of(self.request))
        return answer

    def show_part(self, template: str, values: Mapping[str, object], title: str, back: tuple[str, str]) -> HTMLResponse:
        """A part of a document for a script of ours; for a browser a document of it, with a link `back`, in words."""
        if self.is_part:
            return self.show(template, values)
        return self.show("part.html", {**values, "part": template, "title": self.text(title), "back": back})

    @property
    def below(self) -> str:
        """The path below which the page stands, as a front has it; empty at the root."""
        return str(getattr(self.request.state, "below", ""))

    def offers(self, path: str, method: str = "GET") -> bool:
        """Whether the application has a document at this path, or takes a form there: a front leaves some out."""
        asked = {"type": "http", "path": path, "method": method, "root_path": ""}
        return not self.below or any(route.matches(asked)[0] is Match.FULL for route in self.request.app.routes)

    @property
    def is_part(self) -> bool:
        """Whether a script of ours asks for a part of a document, and not a browser for all of it."""
        return self.request.headers.get("hx-request") == "true"

    def shows(self, path: str) -> bool:
        """Whether a path is that of a text of the workspace, which `/files` shows."""
        return self.layout is not None and self.layout.has_text(path)

    def stands_at(self, *paths: str) -> bool:
        """Whether one of the paths is that of the document that is shown, or of one above it."""
        now = self.request.url.path
        return any(now == path or (path != "/" and now.startswith(f"{path}/")) for path in paths)

    @property
    def notice(self) -> str:
        """The sentence about the deed before this document; empty without one."""
        return self.notice_named(self.request.query_params.get("notice", ""))

    def notice_named(self, name: str) -> str:
        """The sentence of this name about a deed; empty when there is none."""
        return texts_of(self.language).get(f"notice.{name}", "")

    def word(self, group: str, name: str) -> str:
        """The reader's text for a name of ours; the name itself where the group has none for it."""
        return texts_of(self.language).get(f"{group}.{name.replace(' ', '_')}", name)

    def text(self, key: str, **values: object) -> str:
        """A text in the reader's language, filled with values; of forms, which ` | ` divides, that of the number."""
        forms, number = texts_of(self.language)[key].split(" | "), values.get("number", 0)
        few = isinstance(number, int) and number % 10 in _FEW and number % 100 - 10 not in _FEW
        form = 0 if number == 1 else 1 if few else 2
        return forms[min(form, len(forms) - 1)].format_map(values)

    def translate(self, text: str) -> str:
        """A sentence of another part of this program in the reader's language; empty where it has to stay English."""
        return text if self.language == DEFAULT else self._translator.translate(text)

    @cached_property
    def _translator(self) -> Translator:
        return Translator(self.language, _names_in(self.language))

    def in_words(self, text: str) -> str:
        """A sentence of another part of this program in the reader's language, or in English."""
        return self.translate(text) or text


_FEW = range(2, 5)
"""The last digits of numbers with a form of their own in Polish, but for 12 to 14."""
_PIECES = ("pieces.html", "drawings.html", "facts.html", "clear_pieces.html")
"""The templates whose macros every template has."""
_WORTH_PACKING = 1_000  # bytes: a smaller answer is one packet anyway
_EFFORT = 5  # of 9: more takes longer than it saves


def takes_gzip(request: Request) -> bool:
    """Whether the client takes an answer that is compressed."""
    return "gzip" in request.headers.get("accept-encoding", "")


def compress_answer(request: Request, answer: Answer) -> Answer:
    """The answer, compressed where the client takes that.

    The size of a compressed answer tells of its text. No document has a token or another secret: `seen` in a form is
    the digest of what is shown, and the cookie of a person is sent by the page's own links alone.
    """
    if takes_gzip(request) and len(answer.body) >= _WORTH_PACKING:
        answer.body = gzip.compress(bytes(answer.body), _EFFORT, mtime=0)
        answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Content-Length"] = str(len(answer.body))
    return answer


_LEVELS = {Health.OK: "good", Health.WARN: "warning", Health.FAIL: "bad"}


def signals_of(request: Request) -> dict[str, object]:
    """The signals of the navigation: how many suggestions wait, and how well it is; empty when that is not known.

    They are known without work, or with the engine that the request has open.
    """
    state = state_of(request)
    waiting, kept = state.waiting.of(state, getattr(request.state, "engine", None)), state.findings.latest()
    return {"waiting": waiting, "level": _LEVELS[kept.worst] if kept else ""}


def _take_settings(state: HttpState) -> None:
    """Have the service read its settings anew, if it works by others."""
    if not state.answers.in_use.hold(_TAKEN):
        state.read_settings_again()


_NAMED = ("jobs.names.", "health.reasons.", "page.endings.")


@cache
def _names_in(language: str) -> Mapping[str, str]:
    """The words for names of jobs, reasons and endings."""
    texts = texts_of(language).items()
    return {key.removeprefix(prefix): text for key, text in texts for prefix in _NAMED if key.startswith(prefix)}


def page_for(request: Request, zone: str = "UTC") -> Page:
    """The page for a request, also before anybody has signed in."""
    accepted = request.headers.get("accept-language", "")
    return Page(request, language_of(request.cookies.get(LANGUAGE_COOKIE, ""), accepted), zone)


def page_router() -> APIRouter:
    """A router of documents and forms for a person alone: no agent reads or sends any of them."""
    return APIRouter(include_in_schema=False, dependencies=[Depends(person_of)])


def page_of(request: Request, state: StateThere) -> Page:
    """The page for a person."""
    return replace(page_for(request, state.settings.timezone), layout=state.layout)


def seen_other(path: str) -> RedirectResponse:
    """The answer to a form: the browser asks for that path, so that a reload sends nothing twice."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def act_asked(acts: Acts, act: FleetAct) -> RedirectResponse:
    """Ask for an act; the way to the document that tells what became of it."""
    return seen_other(f"/acts/{acts.ask(act)[0]}")


_LINKS = re.compile(r' (?:href|src|action|hx-get|hx-post)="(?=/)')


def place_below(path: str, document: str) -> str:
    """A document whose own addresses are below a path. Quotes in people's words are escaped, so none looks like one."""
    return _LINKS.sub(lambda match: f"{match[0]}{path}", document) if path else document


PageThere = Annotated[Page, Depends(page_of)]


@cache
def _environment() -> Environment:
    loader = PackageLoader("pipeline.surfaces.http.page")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_visible,  # of every value that a template shows
    )
    environment.globals.update(
        languages=LANGUAGES,
        version_of=version_of,
        place_of=place_of,
    )
    environment.filters.update(
        inline=inline,
        moment=_moment,
        day=_day,
        marked=_mark_words,
        unchanged=escape,  # the value of a field, which is sent back as it is
        drawn=drawn_lines,
        span=_span,
    )
    return environment


@pass_context
def _moment(context: Context, value: Any) -> str:  # noqa: ANN401 - a moment, or nothing
    return to_the_minute(value, context["zone"]) if isinstance(value, datetime) else ""


_UNITS = (("span.days", 86_400, 1.5), ("span.hours", 3_600, 1.5), ("span.minutes", 60, 1.5), ("span.seconds", 1, 1))
"""The units of spans, each with its seconds, and from how many of it on it is used."""


@pass_context
def _span(context: Context, seconds: float) -> str:
    """A span of time in words, in the largest unit that says enough."""
    fitting = ((unit, size) for unit, size, least in _UNITS if seconds >= least * size)
    unit, size = next(fitting, ("span.moment", 1))
    return str(context["t"](unit, number=round(seconds / size)))


def _day(value: Any) -> str:  # noqa: ANN401 - a day, a moment, or nothing
    return value.isoformat()[:10] if isinstance(value, date) else ""


def _make_visible(value: object) -> object:
    """Make characters visible that steer the text around them; markup of ours has been through this."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _mark_words(text: str, words: Sequence[str]) -> Markup:
    """Mark the words of a question in a text."""
    text = visible(text)
    wanted = "|".join(re.escape(visible(word)) for word in sorted(words, key=len, reverse=True) if word)
    parts = re.split(f"({wanted})", text, flags=re.IGNORECASE) if wanted else [text]
    # Every second part is one of the words.
    pieces = (Markup("<mark>{}</mark>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts))
    return Markup("").join(pieces)


@cache
def static_file(name: str) -> bytes:
    """The content of a file that the page loads.

    Raises:
        FileNotFoundError: there is none.
    """
    return (files("pipeline.surfaces.http.page") / "static" / name).read_bytes()


@cache
def packed_file(name: str) -> bytes:
    """The content of a file that the page loads, compressed."""
    return gzip.compress(static_file(name), 9, mtime=0)


def version_of(name: str) -> str:
    """The address of a file that the page loads; another content has another address."""
    return f"/static/{name}?v={hashlib.sha256(static_file(name)).hexdigest()[:12]}"


Parts = tuple[tuple[str, bool], ...]
"""The parts of a line, each with whether it differs."""
_HEADS = ("---", "+++")
_WORDS = re.compile(r"\w+|\W")
_ALIKE = 0.4  # from this likeness on, a line is another one in other words
_LONGEST = 2_000  # characters of a line in which words are compared


def drawn_lines(lines: Sequence[str]) -> Iterator[tuple[str, Parts]]:
    """The lines, each with its sort; those that are taken out are compared by words with those in their place."""
    place = 0
    while place < len(lines):
        gone = 0 if lines[place][:3] in _HEADS else _count(lines, place, "-")
        come = _count(lines, place + gone, "+")
        if not gone:
            line = lines[place]
            sort = "head" if line[:3] in _HEADS else {"+": "added", "@": "head"}.get(line[:1], "same")
            yield sort, (("\N{MIDLINE HORIZONTAL ELLIPSIS}" if line[:2] == "@@" else line, False),)
            place += 1
            continue
        before, after = lines[place : place + gone], lines[place + gone : place + gone + come]
        pairs = [_compare_lines(one[1:], other[1:]) for one, other in zip(before, after, strict=False)]
        yield from (("removed", _parts("-", line, pairs, at, 0)) for at, line in enumerate(before))
        yield from (("added", _parts("+", line, pairs, at, 1)) for at, line in enumerate(after))
        place += gone + come


def _count(lines: Sequence[str], place: int, mark: str) -> int:
    return next((at - place for at in range(place, len(lines)) if lines[at][:1] != mark), len(lines) - place)


def _parts(mark: str, line: str, pairs: Sequence[tuple[Parts, ...]], at: int, side: int) -> Parts:
    return ((mark, False), *pairs[at][side]) if at < len(pairs) and pairs[at] else ((line, False),)


def _compare_lines(before: str, after: str) -> tuple[Parts, ...]:
    """The parts of both lines; nothing where they have too little in common."""
    if max(len(before), len(after)) > _LONGEST:
        return ()
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return ()
    steps = matcher.get_opcodes()
    return (
        tuple(("".join(old[i:j]), tag != "equal") for tag, i, j, _, _ in steps if j > i),
        tuple(("".join(new[i:j]), tag != "equal") for tag, _, _, i, j in steps if j > i),
    )
