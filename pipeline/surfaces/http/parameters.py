"""The parameters in an address: one that a route does not have is refused, as nobody would see that it did nothing."""

from collections.abc import Iterator
from http import HTTPStatus

from fastapi import HTTPException, Request
from fastapi.dependencies.models import Dependant
from pydantic import BaseModel

_SHOWN, _LONGEST = 5, 40  # unknown names, and characters of one


async def only_known(request: Request) -> None:
    """Refuse a request with a parameter that its route does not have."""
    known = set(_names(request.scope["route"].dependant))
    if unknown := sorted(set(request.query_params) - known):
        named = ", ".join(name[:_LONGEST] for name in unknown[:_SHOWN])
        there = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, f"This address has no parameter {named}. {there}")


def _names(dependant: Dependant) -> Iterator[str]:
    """The names of all parameters of a route, those in its models and of what it depends on among them."""
    for field in dependant.query_params:
        model = field.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            yield from model.model_fields
        else:
            yield field.alias
    for other in dependant.dependencies:
        yield from _names(other)
