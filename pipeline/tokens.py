"""Exact token counts, without a network: the vocabulary o200k_base of OpenAI's models comes with the library."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding


def count_tokens(text: str) -> int:
    """How many tokens `text` is to a model that uses o200k_base; for other models a close measure of their cost."""
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> "Encoding":
    import bpe_openai  # noqa: PLC0415 - the vocabulary is large; only a run that asks a model loads it

    return bpe_openai.get_encoding("o200k_base")
