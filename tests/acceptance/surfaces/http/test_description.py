"""The description of the API, and requests that a machine makes up out of it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.schemas import OpenApiSchema

from tests.store.conftest import POSTGRESQL, SQLITE
from tests.support.marks import at_length, examples
from tests.support.servers.postgresql import PostgresServer
from tests.support.workspaces.served_demo import ServedWorkspace, served

schemathesis.serializer.alias("application/jsonl", "text/plain")
EXAMPLES = examples(3)
"""Requests to one route."""


@pytest.fixture(scope="module", params=[SQLITE, *at_length(POSTGRESQL)])
def fuzzed(
    request: pytest.FixtureRequest, demo: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServedWorkspace]:
    """A copy of the demo's workspace that may be changed in any way, with either kind of store."""
    root = tmp_path_factory.mktemp("fuzzed") / "work"
    shutil.copytree(demo, root)
    if request.param == POSTGRESQL:
        server: PostgresServer = request.getfixturevalue("postgres")
        settings = root / "memory.toml"
        settings.write_text(f'{settings.read_text()}\n[store]\nurl = "{server.url}"\nworkspace = "fuzzed"\n')
    with served(root) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def description(fuzzed: ServedWorkspace) -> OpenApiSchema:
    """What the service says of itself."""
    headers = {"Authorization": f"Bearer {fuzzed.person}"}
    return schemathesis.openapi.from_url(f"{fuzzed.address}/openapi.json", headers=headers)


def test_no_request_is_a_bug(fuzzed: ServedWorkspace, description: OpenApiSchema) -> None:
    """Whatever comes, the answer is a value or a problem, and never an error of the server."""
    results = list(description.get_all_operations())
    operations = [result.ok() for result in results if isinstance(result, Ok)]
    assert len(results) == len(operations)
    assert len(operations) > 10
    for operation in operations:

        @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def check(case: schemathesis.Case[Any]) -> None:
            response = case.call(headers={"Authorization": f"Bearer {fuzzed.person}"})
            assert response.status_code < 500, response.text
            if response.status_code >= 400:
                assert ["application/problem+json"] == response.headers["content-type"]

        check()
