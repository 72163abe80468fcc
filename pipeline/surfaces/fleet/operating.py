"""The page of the operator: all workspaces by their state, and nothing that anybody said."""

from fastapi import APIRouter, Request, Response

from pipeline.surfaces.fleet.place import front_of
from pipeline.surfaces.http.page.rendering import page_for
from pipeline.surfaces.http.state import PersonThere

router = APIRouter(include_in_schema=False)


@router.get("/")
def fleet(request: Request, _operator: PersonThere) -> Response:
    """The workspaces."""
    return page_for(request).show("front.html", {"workspaces": front_of(request).workspaces()})
