"""Exact token counts, without a network: the vocabulary o200k_base of OpenAI's models comes with the library."""

import warnings
from collections.abc import Callable
from functools import cache
from typing import cast

_CHARACTERS = 16  # that have two tokens as good as always


def count_tokens(text: str) -> int:
    """The number of tokens of `text` for a model that uses o200k_base; for other models about their cost."""
    return _counter()(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def exceeds(text: str, most: int) -> bool:
    """Whether `text` has more than `most` tokens. The rest of a long text is counted only if its beginning has few."""
    begin = text[: _CHARACTERS * most]
    # A text that is cut may have a token or two more than as a part of the whole; twice as many leave no doubt.
    return count_tokens(begin) > 2 * most or (count_tokens(text) > most)


@cache
def _counter() -> Callable[[str], int]:
    # The vocabulary is large: only a run that asks a model loads it. The library reads it by a function that some
    # versions of Python call deprecated, which does not concern our users. Its compiled part is used directly,
    # because the public face refuses texts of a million characters or 200,000 tokens; so its version is pinned.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import _bindings  # type: ignore[import-untyped]  # noqa: PLC0415 - see above

    return cast("Callable[[str], int]", _bindings.tokenizer_for_encoding("o200k_base").count)
