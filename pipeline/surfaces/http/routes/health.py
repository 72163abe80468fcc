"""`/metrics`, `/health/live` and `/health/ready`."""

from fastapi import APIRouter, Request, Response

from pipeline.surfaces.http.state import StateThere

router = APIRouter(tags=["health"])


@router.api_route("/metrics", methods=["GET", "HEAD"], include_in_schema=False)
@router.api_route("/health/live", methods=["GET", "HEAD"], include_in_schema=False)
@router.api_route("/health/ready", methods=["GET", "HEAD"], include_in_schema=False)
def page(request: Request, state: StateThere) -> Response:
    """A page as it is."""
    answer = state.health.page(request.url.path, request.headers.get("accept", ""))
    return Response(answer.body, answer.status.value, {"Content-Type": answer.content_type})
