"""The search for words in texts, to show them and to take them out."""

from collections.abc import Sequence
from typing import Protocol


class Matcher(Protocol):
    """A thing to look for: an entry, a line of an agent's memory, or what has the names of a topic."""

    @property
    def entry_id(self) -> str:
        """The id of the entry that is looked for; empty when it is none."""

    @property
    def forms(self) -> Sequence[str]:
        """The words that identify it, as text and as JSON."""

    def may_stand_in(self, text: str, bare: str | None = None) -> bool:
        """Whether a text is worth a closer look; asked of whole files, with their `bare_text` where it is known."""

    def is_of(self, text: str, item: str = "") -> bool:
        """Whether the item `item` of a page is about it."""

    def named_in(self, text: str) -> bool:
        """Whether its name stands in the text."""

    def is_named_by(self, text: str, item: str) -> bool:
        """Whether its name stands in the text of an item, or is that of the item."""

    def said_in(self, text: str) -> bool:
        """Whether the text has its words."""

    def quoted_in(self, text: str) -> bool:
        """Whether the text has its quote."""

    def has_words(self, text: str) -> bool:
        """Whether a heading is made of its words."""

    def answered_in(self, answer: str) -> bool:
        """Whether it is in the answer of a model, which is JSON as a rule."""

    def without(self, text: str, stand_in: str, *, words: bool = True, item: str = "") -> str:
        """The text with a stand-in for its name and, with `words`, for its words."""

    def places(self, text: str, message: str = "") -> Sequence[tuple[int, int]]:
        """The spans of a text to be masked; `message` is the id of the message whose text it is, where it is one's."""

    def cites(self, message: str) -> bool:
        """Whether it is an entry that rests on the message with this id."""
