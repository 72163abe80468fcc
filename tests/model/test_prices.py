"""The price of questions: by the settings, by what is published, or not known."""

import pytest

from pipeline.model.prices import price
from schemas.outcome import Usage
from schemas.settings import ModelSettings

MILLION = Usage(input_tokens=1_000_000, output_tokens=100_000)
PUBLISHED = ModelSettings(base_url="https://api.openai.com/v1", name="gpt-4o", background="gpt-4o-mini")
LOCAL = ModelSettings(base_url="http://127.0.0.1:9/v1", name="gpt-4o")


def priced(**prices: float) -> ModelSettings:
    """Settings of a local server with prices in EUR."""
    return LOCAL.model_copy(update={"background": "small", "currency": "EUR", **prices})


def test_the_settings_prices_count_for_every_token() -> None:
    """Per million, in the currency of the settings; one model, two models."""
    known = price(priced(input_price=2.0, output_price=10.0), {"gpt-4o": MILLION, "small": MILLION})
    assert "6.0000 EUR" == str(known)


def test_the_background_model_has_prices_of_its_own() -> None:
    """They count for it alone."""
    settings = priced(input_price=2.0, output_price=10.0, background_input_price=0.5, background_output_price=1.0)
    known = price(settings, {"gpt-4o": MILLION, "small": MILLION})
    assert known
    assert 3.6 == pytest.approx(known.amount)


def test_published_prices_are_of_a_server_and_a_model() -> None:
    """In USD, each model its own, and less for tokens that the server still knew."""
    large, small = (price(PUBLISHED, {name: MILLION}) for name in ("gpt-4o", "gpt-4o-mini"))
    again = price(PUBLISHED, {"gpt-4o": MILLION.model_copy(update={"cached_tokens": 1_000_000})})
    assert large
    assert small
    assert again
    assert "USD" == large.currency
    assert 0 < small.amount < again.amount < large.amount


def test_an_unknown_model_has_no_price() -> None:
    """A server of one's own costs what it costs; and a part that is not known makes the whole not known."""
    assert price(LOCAL, {"gpt-4o": MILLION}) is None
    assert price(PUBLISHED, {"gpt-4o": MILLION, "no-such-model": MILLION}) is None


def test_no_tokens_have_no_price() -> None:
    """Also not of a model that is not known, which answered nothing."""
    assert price(PUBLISHED, {}) is None
    assert price(PUBLISHED, {"gpt-4o": Usage(cached=3)}) is None
    assert price(PUBLISHED, {"gpt-4o": MILLION, "no-such-model": Usage(cached=1)}) is not None
    assert price(ModelSettings(), {"gpt-4o": MILLION}) is None


def test_a_run_of_before_names_were_noted_counts_as_the_model_in_force() -> None:
    """The ledger of an older version has tokens without a name."""
    assert price(PUBLISHED, {"": MILLION}) == price(PUBLISHED, {"gpt-4o": MILLION})
