"""The names of projects, and the projects of sessions."""

from pathlib import Path

import pytest

from pipeline.ledger import Ledger, open_ledger

OLD, NEW, COPY = "~/code/shop", "~/code/store", "~/copies/shop"
OURS, OTHERS = "github.com/ola/shop", "github.com/tom/shop"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A new ledger."""
    return open_ledger(tmp_path / "state.db")


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param((), (OLD, NEW, COPY), id="what is not known has the name of its place"),
        pytest.param(((OLD, OURS), (NEW, OURS)), (OLD, OLD, COPY), id="a folder that is renamed keeps its name"),
        pytest.param(((OLD, OURS), (COPY, OTHERS)), (OLD, NEW, COPY), id="another repository of that name"),
        pytest.param(((OLD, OURS), (OLD, OTHERS)), (OLD, NEW, COPY), id="a repository that moved to another host"),
        pytest.param(
            ((OLD, OURS), (NEW, OURS), (OLD, OTHERS)),
            (f"{OLD} (2)", OLD, COPY),
            id="another repository where it was",
        ),
        pytest.param(
            ((OLD, OURS), (NEW, OURS), (OLD, OTHERS), (COPY, OTHERS), (OLD, OTHERS)),
            (f"{OLD} (2)", OLD, f"{OLD} (2)"),
            id="and a copy of that",
        ),
    ],
)
def test_all_places_of_an_origin_are_one_project(
    ledger: Ledger, seen: tuple[tuple[str, str], ...], expected: tuple[str, ...]
) -> None:
    """It has the name of the place where it was seen first."""
    for place, remote in seen:
        ledger.project_names.hold(place, remote)
    assert expected == tuple(map(ledger.project_names.of, (OLD, NEW, COPY)))


def test_no_address_is_kept(ledger: Ledger, tmp_path: Path) -> None:
    """A digest tells one from another."""
    ledger.project_names.hold(OLD, OURS)
    ledger.store.compact()
    assert OURS.encode() not in (tmp_path / "state.db").read_bytes()


def test_a_session_has_its_project_message_by_message(ledger: Ledger) -> None:
    """From a message on it is in another one; before its first message, and in a strange session, in none."""
    ledger.session_projects.note("s1", [(2, OLD), (3, OLD), (5, ""), (8, NEW)])
    assert ["", OLD, OLD, "", NEW, NEW] == [ledger.session_projects.at("s1", number) for number in (1, 2, 4, 5, 8, 99)]
    assert not ledger.session_projects.at("s2", 1)
    assert [(8, NEW), (5, ""), (2, OLD)] == ledger.session_projects.of_session("s1")
    ledger.session_projects.note("s1", [(2, NEW)])
    assert ledger.session_projects.at("s1", 5) == NEW
