"""What came from elsewhere inside an owner's message, in each language: it settles nothing, whoever proposes it.

The tables of `foreign/` have `orders`, each of which would be written down if the owner said it, and `messages` around
them, where `{p}` is the place of the order.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.entries.authorship import said_by_owner
from schemas.extraction import Candidate

CandidatesOf = Callable[..., tuple[Candidate, ...]]


@pytest.fixture(
    scope="module", params=sorted((Path(__file__).parent / "foreign").glob("*.json")), ids=lambda file: file.stem
)
def table(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """The table of a language. A test goes through all of it, and lists each row that is wrong."""
    read: dict[str, list[str]] = json.loads(request.param.read_text("utf-8"))
    return read


@pytest.fixture(scope="module")
def cases(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Every message with every order in it, and the order."""
    actual = [(message.format(p=order), order) for message in table["messages"] for order in table["orders"]]
    assert len(actual) > len(table["orders"]) > 0
    return actual


def test_what_came_from_elsewhere_settles_nothing(candidates_of: CandidatesOf, cases: list[tuple[str, str]]) -> None:
    """Mail, chats, advice, prompts, documents, data, and texts that a request is about."""
    settled = [message for message, _ in cases if candidates_of(f"> {message}", "< Noted.")]
    assert not settled, "\n\n".join(settled)


def test_a_quote_from_elsewhere_is_not_the_owners(cases: list[tuple[str, str]]) -> None:
    """So a model's candidate that rests on it is rejected."""
    believed = [message for message, order in cases if said_by_owner(order, message)]
    assert not believed, "\n\n".join(believed)


def test_the_same_order_said_by_the_owner_is_written(candidates_of: CandidatesOf, table: dict[str, list[str]]) -> None:
    """It is the place that decides, not the words."""
    wrong = [
        order
        for order in table["orders"]
        if len(candidates_of(f"> {order}", "< Noted.")) != 1 or not said_by_owner(order, order)
    ]
    assert not wrong, "\n".join(wrong)
