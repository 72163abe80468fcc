"""Errors as documents of the page, for a browser; programs get problems."""

from fastapi import Request, Response

from pipeline.surfaces.http.page.rendering import page_for
from pipeline.surfaces.http.problems import Problem
from pipeline.surfaces.http.security.rules import is_page


def wants_document(request: Request) -> bool:
    """Whether who asks reads HTML, at a path that is not for programs."""
    return is_page(request.url.path) and "text/html" in request.headers.get("accept", "")


def error_document(request: Request, problem: Problem) -> Response:
    """A document that says what is wrong, and leads back."""
    page = page_for(request)
    caller = getattr(request.state, "caller", None)
    values = {"status": problem.status.value, "sentence": problem.detail, "signed_in": caller is not None}
    template = "error_part.html" if page.is_part else "error.html"
    return page.show(template, values, problem.status)
