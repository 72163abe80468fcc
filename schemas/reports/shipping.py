"""The values that `memory ship --json` prints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ShippedSession:
    """A session of which something was sent, or would be: its id here, its source, its project by name.

    So many `messages` were sent, with so many characters of words, of which `masked` are masks.
    """

    session: str
    source: str
    project: str
    messages: int
    characters: int
    masked: int


@dataclass(frozen=True)
class ShippingReport:
    """The report on a shipment to `url`.

    So many sessions were `unchanged`. `unreadable` are the sessions that cannot be read now, `refused` the sentences
    about those that the server does not take. `reads` is false where the jobs there read none of it, `ships_only` where
    the token may do more there than ship.
    """

    url: str
    sessions: int
    messages: int
    unchanged: int
    unreadable: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    reads: bool = True
    ships_only: bool = True
