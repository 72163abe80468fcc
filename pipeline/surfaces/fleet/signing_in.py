"""Signing in and out at a front, with a token of the workspace, or with the operator's."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from pipeline.fleet.front import SIGNED_IN, Front
from pipeline.service.web.server import is_loopback
from pipeline.surfaces.fleet.place import FrontPlace, front_of, place_of
from pipeline.surfaces.http.page.rendering import page_for, seen_other
from pipeline.surfaces.http.security.rules import SIGN_IN
from pipeline.surfaces.http.state import PersonThere
from pipeline.workspace.tokens import is_token_like

router = APIRouter(include_in_schema=False)


@router.get(SIGN_IN)
def ask_token(request: Request) -> Response:
    """Ask for a token."""
    if request.headers.get("hx-request"):  # a part of a document shall not become this one
        return Response(headers={"HX-Redirect": SIGN_IN})
    return page_for(request).show("front_sign_in.html", {"refused": False})


@router.post(SIGN_IN)
def sign_in(request: Request, token: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Sign in with a person's token: the browser gets one of its own, which ends by itself."""
    front, place = front_of(request), place_of(request)
    made = _browser_token(front, place, token.strip())
    if not made:
        return page_for(request).show("front_sign_in.html", {"refused": True}, HTTPStatus.UNAUTHORIZED)
    answer = seen_other("/")
    seconds = int(SIGNED_IN.total_seconds())
    secure = not is_loopback(request.url.hostname or "")  # others come over TLS
    answer.set_cookie(place.cookie, made, max_age=seconds, httponly=True, secure=secure, samesite="strict")
    return answer


@router.post("/sign-out")
def sign_out(request: Request, person: PersonThere) -> Response:
    """Sign out: the browser's token is revoked; a token that lasts stays."""
    front_of(request).sign_out(request.state.workspace, person.name)
    answer = seen_other(SIGN_IN)
    answer.delete_cookie(place_of(request).cookie, httponly=True, samesite="strict")
    return answer


def _browser_token(front: Front, place: FrontPlace, token: str) -> str:
    """A token for a browser in place of that of a person, or of the operator; empty for any other word."""
    if not is_token_like(token):
        return ""
    if not place.name:
        return front.sign_in(None) if front.find_operator(token) else ""
    known = front.find_caller(token, place.name)
    return front.sign_in(known.workspace) if known and known.caller.is_person else ""
