"""Errors as documents of the page, for a browser; programs get problems."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from urllib.parse import quote, urlencode, urlsplit

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

from pipeline.errors import FileInvalid, PipelineError, UnknownEntry, UnknownName
from pipeline.errors.agents import UnknownAgent
from pipeline.errors.corrections import UnknownEntity
from pipeline.surfaces.http.page.forms import sentences_of
from pipeline.surfaces.http.page.rendering import Page, page_for
from pipeline.surfaces.http.page.texts import texts_of
from pipeline.surfaces.http.problems import Problem
from pipeline.surfaces.http.security.rules import is_page

_WORK = "/work/"
_KEPT = ("first", "last", "job")
"""The fields of a back-fill that the form on Runs fills in again."""
_LISTED: Mapping[type, str] = {
    UnknownEntity: "entities",
    UnknownEntry: "entries",
    UnknownAgent: "agents",
}
"""By the error: the place of the names that are like the unknown one."""
_NEAR = 5
_LONGEST = 2_000  # characters of an address
_PLACES = frozenset(
    {"memory", "entries", "entities", "graph", "inbox", "agents", "conversations", "details", "health", "runs"}
)


def wants_document(request: Request) -> bool:
    """Whether the client reads HTML, at a path that is not for programs."""
    return is_page(request.url.path) and "text/html" in request.headers.get("accept", "")


def error_document(request: Request, problem: Problem, typed: str = "", about: Sequence[str] = ()) -> Response:
    """A document with the error, what it is `about`, a link back, and the text that a person `typed`."""
    own = _own_words(page_for(request), problem.error) if problem.error else ""
    said = {"sentences": (own,)} if own else {"sentence": problem.detail}
    place = _LISTED.get(type(problem.error))
    known = problem.error.known if place and isinstance(problem.error, UnknownName) else ()
    near = [(name, f"/{place}/{quote(name, safe='')}") for name in known[:_NEAR]]
    return _document(
        request, problem.status, {**said, "typed": typed, "near": near, "about": about}, _way_back(request)
    )


def _own_words(page: Page, error: PipelineError) -> str:
    """The sentence of the page for an error, in the reader's language and without a command; empty without one."""
    names = (f"errors.{kind.__name__}" for kind in type(error).__mro__)
    own = next((text for name in names if (text := texts_of(page.language).get(name))), "")
    why = {name: page.in_words(str(getattr(error, name))) for name in ("why", "reason") if hasattr(error, name)}
    problems = (
        {"problems": [page.in_words(problem) for problem in error.problems]} if isinstance(error, FileInvalid) else {}
    )
    return error.fill_sentence(own, **why, **problems)


def invalid_document(request: Request, error: RequestValidationError) -> Response:
    """A document with the fault of each field, and a link back to the form with the other fields."""
    sentences = sentences_of(page_for(request), error.errors())
    back = _form_again(request, error) or _way_back(request)
    return _document(request, HTTPStatus.UNPROCESSABLE_ENTITY, {"sentences": sentences}, back)


def _document(request: Request, status: HTTPStatus, said: Mapping[str, object], back: str) -> Response:
    page = page_for(request)
    caller = getattr(request.state, "caller", None)
    values = {"sentence": "", "sentences": (), "typed": "", "near": (), "about": (), **said}
    values |= {"status": status.value, "signed_in": caller is not None, "back": back}
    return page.show("error_part.html" if page.is_part else "error.html", values, status)


def _way_back(request: Request) -> str:
    """The path from which the browser came, as far as it says so; else that of the document with the form."""
    came, here = urlsplit(request.headers.get("referer", "")[:_LONGEST]), request.url.path
    came = came._replace(path=came.path.removeprefix(page_for(request).below))
    asks = request.method == "GET"
    elsewhere = came.path not in {"", "/", here if asks else ""}
    if came.netloc and came.netloc == request.headers.get("host") and elsewhere:
        query = f"?{came.query}" if came.query else ""
        return f"/{came.path.lstrip('/')}{query}"
    if here.startswith(_WORK):
        return "/grid"
    place = here.strip("/").partition("/")[0]
    return f"/{place}" if place in _PLACES and not (asks and here == f"/{place}") else ""


def _form_again(request: Request, error: RequestValidationError) -> str:
    """The document of a form, with the fields that are right; empty where an address has none of them."""
    places = [problem["loc"] for problem in error.errors() if problem["loc"]]
    wrong = {str(place[-1]) for place in places if len(place) > 1}  # the first part says where the fields came in
    if any(place[0] == "path" for place in places):
        return ""
    if request.method == "GET":
        kept = [(name, value) for name, value in request.query_params.multi_items() if name not in wrong]
        path = request.url.path
    elif request.url.path.startswith(_WORK) and hasattr(error.body, "multi_items"):
        kept = [(name, str(value)) for name, value in error.body.multi_items() if name in _KEPT]
        path = "/grid"
    else:
        return ""
    address = f"{path}?{urlencode(kept)}" if kept else path
    return address if len(address) <= _LONGEST else path
