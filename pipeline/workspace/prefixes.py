"""What a person names by the beginning of its id: an entry, a run, a session, a back-fill."""

from collections.abc import Mapping, Sequence

from pipeline.errors import SeveralNames, UnknownName


def whole_name(given: str, titles: Mapping[str, str], unknown: type[UnknownName], offered: Sequence[str] = ()) -> str:
    """The name that is `given`, or else the only one that begins so.

    Args:
        given: what was typed; nothing at all names nothing.
        titles: the names there are, each with a title.
        unknown: the error for what is not there; it says which sort of thing was named.
        offered: names to offer in its place.

    Raises:
        SeveralNames: more than one begins so.
        UnknownName: none does; as `unknown`.
    """
    if given in titles:
        return given
    matching = {name: title for name, title in titles.items() if given and name.startswith(given)}
    if len(matching) > 1:
        raise SeveralNames(unknown.sort, given, matching)
    if not matching:
        raise unknown(given, offered)
    return next(iter(matching))
