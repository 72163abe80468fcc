"""Signing in and out, with a one-time code."""

import secrets
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from pipeline.surfaces.http.page.rendering import page_for, seen_other
from pipeline.surfaces.http.security.rules import SIGN_IN, cookie_name
from pipeline.surfaces.http.state import PersonThere, StateThere
from pipeline.workspace.tokens import SignInCodes, TokenFile
from schemas.caller import CallerKind

router = APIRouter(include_in_schema=False)
LASTING = timedelta(days=30)
"""The time for which a browser stays signed in."""


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
