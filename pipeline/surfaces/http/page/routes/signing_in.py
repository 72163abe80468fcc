"""Signing in and out, the language of the page, and the files that it loads."""

import secrets
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi import Form as FormData

from pipeline.surfaces.http.page.rendering import (
    LANGUAGE_COOKIE,
    packed_file,
    page_for,
    seen_other,
    static_file,
    takes_gzip,
)
from pipeline.surfaces.http.page.texts import LANGUAGES
from pipeline.surfaces.http.security.rules import SIGN_IN, STATIC, cookie_name
from pipeline.surfaces.http.state import PersonThere, StateThere
from pipeline.workspace.tokens import SignInCodes, TokenFile
from schemas.caller import CallerKind

router = APIRouter(include_in_schema=False)
LASTING = timedelta(days=30)
"""The time for which a browser stays signed in."""
_YEAR = 365 * 24 * 3600
_TYPES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


@router.get(SIGN_IN)
def sign_in(request: Request, state: StateThere, code: Annotated[str, Query(max_length=100)] = "") -> Response:
    """Sign in by a one-time code; without a good one, say how to get one."""
    if request.headers.get("hx-request"):  # a part of a document shall not become this one
        return Response(headers={"HX-Redirect": SIGN_IN})
    now = state.context.clock.now()
    if not code or not SignInCodes(state.root).use(code, now):
        status = HTTPStatus.UNAUTHORIZED if code else HTTPStatus.OK
        return page_for(request).show("sign_in.html", {"root": str(state.root), "refused": bool(code)}, status)
    name = f"page-{now:%Y%m%d}-{secrets.token_hex(3)}"
    token = TokenFile(state.root).add(name, CallerKind.PERSON, "", now, lasting=LASTING)
    answer = seen_other("/")
    seconds = int(LASTING.total_seconds())
    answer.set_cookie(cookie_name(state.root), token, max_age=seconds, httponly=True, samesite="strict")
    return answer


@router.post("/sign-out")
def sign_out(person: PersonThere, state: StateThere) -> Response:
    """Sign out: the browser's token is revoked."""
    TokenFile(state.root).revoke(person.name, state.context.clock.now())
    answer = seen_other(SIGN_IN)
    answer.delete_cookie(cookie_name(state.root), httponly=True, samesite="strict")
    return answer


@router.post("/language")
def choose(
    _person: PersonThere, language: Annotated[str, FormData(max_length=10)], back: Annotated[str, FormData()] = "/"
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
