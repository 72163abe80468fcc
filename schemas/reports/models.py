"""The models that can answer on a machine, as programs get them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelOffer:
    """A program of an agent, or a server on this machine, that can answer.

    `name` is what `memory config model use` takes: of a program its name, of a server its address. `models` are those
    that a server lists. `ready` is whether it can be asked now, and `standing` why or why not. `text_goes_to` says
    where the text of conversations goes with it. `in_use` is whether the settings name it, and `pays_by_token` whether
    a key pays for each question.
    """

    kind: str
    name: str
    models: tuple[str, ...]
    ready: bool
    standing: str
    text_goes_to: str
    in_use: bool
    pays_by_token: bool = False


@dataclass(frozen=True)
class SourceReader:
    """The program or server that sees the text of these `sources`; `offline` is no model."""

    reader: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class ChosenModel:
    """The model that answers from now on; `none` is no model. The `readers` are those of each source.

    `ready`, `standing` and `text_goes_to` are as in an offer, and unknown of a server elsewhere.
    """

    name: str
    ready: bool | None
    standing: str
    text_goes_to: str
    readers: tuple[SourceReader, ...]
