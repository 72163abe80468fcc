"""The cues of one language for texts of others: the words that announce them, ask about them, or open them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from pipeline.language.cues import Cues

_CLASS = re.compile(r"<(source|role|name|says|hands|header)>")  # stands for the words of that class


@dataclass(frozen=True)
class Foreign:
    """The cues of one language, as regular-expression fragments over folded text (see `language.folding.fold`).

    `bounded` means that spaces separate words, so that a fragment has to start and end at a word's edge.
    """

    bounded: bool
    # Mail and letters.
    forward: Cues
    sender: Cues
    header: Cues
    subject: Cues
    wrote: Cues
    salutation: Cues
    greeting: Cues
    farewell: Cues
    device: Cues
    notice: Cues
    # Speakers: a role or a given name before a colon, the owner in an exported chat.
    role: Cues
    name: Cues
    me: Cues
    # Words that announce another's speech, and words of the owner's that look like them.
    bot: Cues
    says: Cues
    hands: Cues
    source: Cues
    compound: Cues
    disowned: Cues
    speaking: Cues
    own_saying: Cues
    # How people head what they dictate themselves, how they come back to it, how they say that it lasts, and how a
    # topic of theirs is named.
    label: Cues
    keep: Cues
    origin_of_label: Cues
    returning: Cues
    lasting: Cues
    topic: Cues
    regarding: Cues
    # What is asked about a text.
    polite: Cues
    rework: Cues
    manner: Cues
    inspect: Cues
    draft: Cues
    object: Cues
    demonstrative: Cues
    pointed: Cues
    about: Cues
    provenance: Cues
    accord: Cues
    attributes: Cues
    opinion: Cues
    # What a text is.
    persona: Cues
    play: Cues
    begin: Cues
    end: Cues


class Table(Protocol):
    """The cues of one language, a class of words in a field."""

    @property
    def bounded(self) -> bool:
        """Whether words are separated by spaces, so that a fragment has to start and end at a word's edge."""


class LanguageCues:
    """The cues of several languages, searched at once: a pasted text need not be in the language around it."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables

    @cached_property
    def _patterns(self) -> dict[tuple[str, str], re.Pattern[str]]:
        return {}

    def pattern(self, name: str, form: str = "{}") -> re.Pattern[str]:
        """The class as one pattern; `form` is its context, in which `{}` stands for the words."""
        key = (name, form)
        if key not in self._patterns:
            self._patterns[key] = re.compile(form.replace("{}", self._body(name)))
        return self._patterns[key]

    def finds(self, name: str, folded: str) -> bool:
        """Whether a word of the class stands in the text."""
        return self.pattern(name).search(folded) is not None

    def opens(self, name: str, folded: str) -> bool:
        """Whether the text begins with a word of the class, after any marks."""
        return self.pattern(name, r"[\W_]{0,12}{}").match(folded) is not None

    def _body(self, name: str) -> str:
        parts = []
        for table in self._tables:
            body = _written_out(table, name)
            if body:
                parts.append(rf"(?<!\w)(?:{body})(?!\w)" if table.bounded else f"(?:{body})")
        return f"(?:{'|'.join(parts) or '(?!)'})"


def _written_out(table: Table, name: str) -> str:
    return _CLASS.sub(lambda match: f"(?:{_written_out(table, match[1])})", "|".join(getattr(table, name)))
