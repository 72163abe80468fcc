"""Names by the beginning of an id: of an entry, a run, a session, a back-fill."""

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pipeline.errors import SeveralNames, UnknownName


def whole_name(given: str, titles: Mapping[str, str], unknown: type[UnknownName], offered: Sequence[str] = ()) -> str:
    """The name that is `given`, or else the only one that begins with it.

    Args:
        given: the text that was typed; an empty text names nothing.
        titles: the names, each with a title.
        unknown: the error for an unknown name; its class names the sort of thing.
        offered: names to suggest in its place.

    Raises:
        NameRefused: more than one begins with it; none does, which is an `unknown`.
    """
    if given in titles:
        return given
    matching = {name: title for name, title in titles.items() if given and name.startswith(given)}
    if len(matching) > 1:
        raise SeveralNames(unknown.sort, given, matching)
    if not matching:
        raise unknown(given, offered)
    return next(iter(matching))


def short_names(names: Iterable[str], least: int) -> dict[str, str]:
    """The shortest beginning of each name that no other one has, of `least` characters or more."""
    ordered = ["", *sorted(set(names)), ""]
    shared = [len(os.path.commonprefix(pair)) for pair in pairwise(ordered)]  # noqa: RUF071 - characters are meant
    needed = (max(around) + 1 for around in pairwise(shared))
    return {name: name[: max(least, length)] for name, length in zip(ordered[1:-1], needed, strict=True)}
