"""Strangers and neighbours at a front: the attacks on a workspace of one machine, below `/w/NAME/` too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.process.context import ProcessContext
from tests.fleet.conftest import new_schema
from tests.fleet.fronts import ServedFleet, served_front
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer
from tests.support.workspaces.served_demo import NOW, ServedWorkspace
from tests.surfaces.http.test_security import (
    test_a_body_in_another_encoding,
    test_a_body_that_is_long_to_parse,
    test_a_body_that_is_too_long,
    test_a_page_that_posts_to_us,
    test_a_strange_host,
    test_a_strange_token,
    test_a_stranger_sends_no_large_form,
    test_a_text_may_have_any_structure,
    test_days_out_of_time,
    test_no_page_of_others_reads_or_frames_us,
    test_of_many_problems_a_few_are_named,
    test_strange_addresses_and_origins_are_no_bugs,
    test_strangers_with_slow_bodies_shut_nobody_out,
    test_the_beginning_of_a_long_question_is_asked,
    test_too_many_requests_at_the_same_time,
)

__all__ = [
    "test_a_body_in_another_encoding",
    "test_a_body_that_is_long_to_parse",
    "test_a_body_that_is_too_long",
    "test_a_page_that_posts_to_us",
    "test_a_strange_host",
    "test_a_strange_token",
    "test_a_stranger_sends_no_large_form",
    "test_a_text_may_have_any_structure",
    "test_days_out_of_time",
    "test_no_page_of_others_reads_or_frames_us",
    "test_of_many_problems_a_few_are_named",
    "test_strange_addresses_and_origins_are_no_bugs",
    "test_strangers_with_slow_bodies_shut_nobody_out",
    "test_the_beginning_of_a_long_question_is_asked",
    "test_too_many_requests_at_the_same_time",
]


@pytest.fixture(scope="module")
def demos(postgres: PostgresServer, demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedFleet]:
    """A front of a fleet in which two owners have the demo."""
    room = tmp_path_factory.mktemp("front")
    with FleetDatabase(new_schema(postgres)) as database:
        database.migrate()
        for name in ("anna", "ben"):
            add_folder(database, name, demo, ProcessContext({}, FixedClock(NOW)))
        with served_front(database, room, FixedClock(NOW)) as served:
            yield served


@pytest.fixture
def reading(demos: ServedFleet) -> ServedWorkspace:
    """A workspace of it."""
    return demos.owner("anna")


@pytest.fixture
def changing(demos: ServedFleet) -> ServedWorkspace:
    """The other one."""
    return demos.owner("ben")
