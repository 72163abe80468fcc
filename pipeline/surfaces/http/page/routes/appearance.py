"""The appearance of the page: the language of its texts, and the files that every document loads."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request, Response

from pipeline.surfaces.http.page.rendering import LANGUAGE_COOKIE, packed_file, seen_other, static_file, takes_gzip
from pipeline.surfaces.http.page.texts import LANGUAGES
from pipeline.surfaces.http.security.rules import STATIC
from pipeline.surfaces.http.state import PersonThere

router = APIRouter(include_in_schema=False)
_YEAR = 365 * 24 * 3600
_TYPES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


@router.post("/language")
def choose(
    _person: PersonThere, language: Annotated[str, Form(max_length=10)], back: Annotated[str, Form()] = "/"
) -> Response:
    """Keep the language that a person chose, and show the document again."""
    answer = seen_other(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")
    if language in LANGUAGES:
        answer.set_cookie(LANGUAGE_COOKIE, language, max_age=_YEAR, httponly=True, samesite="strict")
    return answer


@router.get(f"{STATIC}{{name}}")
def static(request: Request, name: str) -> Response:
    """A file that the page loads. Its address changes with its content, so that a browser may keep it."""
    if name not in _TYPES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    headers = {"Cache-Control": f"public, max-age={_YEAR}, immutable", "Vary": "Accept-Encoding"}
    if not takes_gzip(request):
        return Response(static_file(name), media_type=_TYPES[name], headers=headers)
    return Response(packed_file(name), media_type=_TYPES[name], headers={**headers, "Content-Encoding": "gzip"})
