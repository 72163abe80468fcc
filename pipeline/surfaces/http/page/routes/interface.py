"""The interface for programs as a document, made of its own description."""

from fastapi import Request, Response

from pipeline.surfaces.http.page.interface import operations
from pipeline.surfaces.http.page.rendering import PageThere, page_router

router = page_router()


@router.get("/docs")
def interface(page: PageThere, request: Request) -> Response:
    """Every route with what it takes."""
    values = {"groups": operations(request.app.openapi()), "address": str(request.base_url).rstrip("/")}
    return page.show("interface.html", values)
