"""The stores of the tests: a file, and a database on a server."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from pipeline.store.database import Database, open_database
from schemas.store_settings import StoreSettings
from tests.support.servers.postgresql import PostgresServer

SQLITE, POSTGRESQL = "sqlite", "postgresql"


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def store_settings(request: pytest.FixtureRequest) -> StoreSettings:
    """The settings of either kind of store, of a workspace that is new."""
    if request.param == SQLITE:
        return StoreSettings()
    server: PostgresServer = request.getfixturevalue("postgres")
    return StoreSettings(url=SecretStr(server.url), workspace=uuid.uuid4().hex)


@pytest.fixture
def database(tmp_path: Path, store_settings: StoreSettings) -> Iterator[Database]:
    """The database of either kind."""
    opened = open_database(tmp_path, store_settings)
    yield opened
    opened.close()
