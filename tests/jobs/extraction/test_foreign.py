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

Found = Callable[..., tuple[Candidate, ...]]

TABLES = [json.loads(file.read_text("utf-8")) for file in sorted((Path(__file__).parent / "foreign").glob("*.json"))]
ORDERS = [order for table in TABLES for order in table["orders"]]
MESSAGES = [(message, table["orders"]) for table in TABLES for message in table["messages"]]


@pytest.mark.parametrize(("message", "orders"), MESSAGES)
def test_what_came_from_elsewhere_settles_nothing(found: Found, message: str, orders: list[str]) -> None:
    """Mail, chats, advice, prompts, documents, data, and texts that a request is about."""
    for order in orders:
        assert [] == [one.quote for one in found(f"> {message.format(p=order)}", "< Noted.")]


@pytest.mark.parametrize(("message", "orders"), MESSAGES)
def test_a_quote_from_elsewhere_is_not_the_owners(message: str, orders: list[str]) -> None:
    """So a model's candidate that rests on it is rejected."""
    for order in orders:
        assert not said_by_owner(order, message.format(p=order))


@pytest.mark.parametrize("order", ORDERS)
def test_the_same_order_said_by_the_owner_is_written(found: Found, order: str) -> None:
    """It is the place that decides, not the words."""
    assert len(found(f"> {order}", "< Noted.")) == 1
    assert said_by_owner(order, order)
