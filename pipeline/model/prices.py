"""The price of questions: as the settings say, else as published."""

from collections.abc import Mapping
from dataclasses import dataclass

from schemas.outcome import Usage
from schemas.settings import ModelSettings

_MILLION = 1_000_000
_PUBLISHED = "USD"
_BATCH = " (batch)"
_BATCH_SHARE = 0.5
"""The share of the price of a token in a batch, at all servers that we know of."""


def in_batch(model: str) -> str:
    """The name under which answers of batches are booked."""
    return model + _BATCH


@dataclass(frozen=True)
class Price:
    """An amount of money; `currency` is as the settings call it, or `USD`."""

    amount: float
    currency: str

    def __str__(self) -> str:
        return f"{self.amount:.4f} {self.currency}"


def price(settings: ModelSettings, usages: Mapping[str, Usage]) -> Price | None:
    """The price of the usage of models, by name; `None` if the price of a model is not known.

    The prices of the settings count for every token. Without them the published prices of `genai-prices` count, by
    `base_url` and name, with what a server asks for tokens that it still knew; they may be older than the server's. In
    a batch a token costs half.
    """
    paid = {model: usage for model, usage in usages.items() if usage.tokens}
    named = bool(settings.input_price or settings.output_price)
    if not paid or not (named or settings.base_url):  # of a program, the owner's subscription has paid
        return None
    of = _configured_price if named else _published_price
    amounts = list[float]()
    for model, usage in paid.items():
        direct = of(settings, model.removesuffix(_BATCH), usage)
        if direct is None:
            return None
        amounts.append(direct * _BATCH_SHARE if model.endswith(_BATCH) else direct)
    return Price(sum(amounts), settings.currency if named else _PUBLISHED)


def _configured_price(settings: ModelSettings, model: str, usage: Usage) -> float:
    cheaper = model == settings.background and bool(settings.background_input_price or settings.background_output_price)
    inward = settings.background_input_price if cheaper else settings.input_price
    outward = settings.background_output_price if cheaper else settings.output_price
    return (usage.input_tokens * inward + usage.output_tokens * outward) / _MILLION


def _published_price(settings: ModelSettings, model: str, usage: Usage) -> float | None:
    import genai_prices  # noqa: PLC0415 - it takes most of a second, which only a price needs to pay

    tokens = genai_prices.Usage(
        input_tokens=usage.input_tokens, cache_read_tokens=usage.cached_tokens, output_tokens=usage.output_tokens
    )
    try:
        # Of a run before models were noted, the model in force is the best guess.
        calculated = genai_prices.calc_price(tokens, model or settings.name, provider_api_url=settings.base_url)
    except (LookupError, ValueError):
        return None
    return float(calculated.total_price)
