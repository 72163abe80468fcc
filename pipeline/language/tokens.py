"""Exact token counts, without a network: the vocabulary o200k_base of OpenAI's models comes with the library."""

from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import cast

_PACKAGE = "bpe_openai"
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
    # The compiled part is used directly, because the public face refuses texts of a million characters or 200,000
    # tokens; so its version is pinned. Nor is the package imported: it would read four vocabularies into dictionaries
    # that we do not need, which takes ten times as long as all of this, and 60 MiB.
    package = find_spec(_PACKAGE)
    spec = package and PathFinder.find_spec(f"{_PACKAGE}._bindings", package.submodule_search_locations)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(_PACKAGE)
    bindings = module_from_spec(spec)
    spec.loader.exec_module(bindings)
    return cast("Callable[[str], int]", bindings.tokenizer_for_encoding("o200k_base").count)
