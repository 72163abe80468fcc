"""The description of the interface: nothing is left out of it, and nothing is without a meaning."""

from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.surfaces.http.meanings import MEANINGS
from pipeline.surfaces.http.page.routes.interface import InterfaceField, operations
from tests.support.workspaces.served_demo import ServedWorkspace

API = "/api/v1"


@pytest.fixture(scope="module")
def described(reading: ServedWorkspace) -> dict[str, Any]:
    """What the service says of itself."""
    description: dict[str, Any] = reading.ask("/openapi.json").value
    return description


def fields(description: dict[str, Any]) -> Iterator[tuple[str, InterfaceField]]:
    """Every field of every route."""
    for _, group in operations(description):
        for one in group:
            yield from ((f"{one.method} {one.path}", field) for field in one.fields)


def test_every_field_means_something(described: dict[str, Any]) -> None:
    """In the path, the query and the body; and no meaning is of a field that is gone."""
    known = list(fields(described))
    assert [] == [(route, field.name) for route, field in known if not field.meaning]
    given = {field.meaning for _, field in known}
    assert [] == [name for name, meaning in MEANINGS.items() if meaning not in given]


def test_a_body_that_is_a_list_is_shown_as_one(described: dict[str, Any]) -> None:
    """With what the objects in it hold."""
    body = {field.name for route, field in fields(described) if "messages" in route and field.place == "body"}
    assert {"[].role", "[].text", "[].extra_context", "[].extra_context.files"} <= body


def test_who_may_call_is_described(described: dict[str, Any]) -> None:
    """Every route takes a bearer's token."""
    assert "bearer" == described["components"]["securitySchemes"]["token"]["scheme"]
    routes = [one for path in described["paths"].values() for one in path.values()]
    assert [] == [one["description"] for one in routes if one.get("security") != [{"token": []}]]


def test_texts_are_described(described: dict[str, Any]) -> None:
    """An export, and what brings it back."""
    taken = described["paths"][f"{API}/sessions/import"]["post"]["requestBody"]["content"]
    given = described["paths"][f"{API}/sessions/{{session_id}}/export"]["get"]["responses"]["200"]["content"]
    assert ({"application/jsonl"}, {"application/jsonl", "text/markdown"}) == (set(taken), set(given))


def test_the_page_shows_meanings(reading: ServedWorkspace) -> None:
    """Not the types alone."""
    page = reading.ask("/docs", accept="text/html").body.decode()
    assert MEANINGS["store_knowledge"].split("`")[2].strip(": ") in page
    assert "[].extra_context.links" in page
