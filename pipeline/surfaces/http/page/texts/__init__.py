"""The words of the page in each language: a file for each part of it, which all languages have with the same keys."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES: Mapping[str, str] = {"en": "English", "pl": "Polski", "zh": "中文"}
"""The languages of the page, by their codes, each by its own name."""
DEFAULT = "en"
_HERE = "pipeline.surfaces.http.page.texts"


@cache
def texts_of(language: str) -> Mapping[str, str]:
    """The texts of a language by their keys, which are `FILE.KEY`."""
    texts = dict[str, str]()
    for file in (files(_HERE) / language).iterdir():
        if file.name.endswith(".toml"):
            texts |= _flatten(tomllib.loads(file.read_text("utf-8")), file.name.removesuffix(".toml"))
    return texts


def language_of(chosen: str, accepted: str) -> str:
    """The language for a reader: the one that was `chosen`, else the best of a header `Accept-Language`."""
    if chosen in LANGUAGES:
        return chosen
    wanted = [_weighted_language(part) for part in accepted.split(",")[:20]]
    ranked = sorted((-weight, rank, code) for rank, (code, weight) in enumerate(wanted) if code in LANGUAGES)
    return ranked[0][2] if ranked else DEFAULT


def _flatten(values: Mapping[str, Any], before: str) -> dict[str, str]:
    texts = dict[str, str]()
    for key, value in values.items():
        name = f"{before}.{key}"
        texts |= _flatten(value, name) if isinstance(value, Mapping) else {name: str(value)}
    return texts


def _weighted_language(part: str) -> tuple[str, float]:
    """A language and its weight, of a part of the header such as `pl-PL;q=0.8`."""
    name, _, rest = part.strip().partition(";")
    try:
        weight = float(rest.strip().removeprefix("q=")) if rest else 1.0
    except ValueError:
        weight = 0.0
    return name.split("-")[0].lower(), weight
