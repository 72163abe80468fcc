"""The words by which a text of others is recognised, of its announcements and of its genres, in all languages at once.

A pasted text need not be in the language around it.
"""

from typing import Literal, get_args

from pipeline.language.lexicon import Lexicon

PastedText = Literal[
    "forward", "sender", "header", "subject", "wrote", "salutation", "greeting", "farewell", "device", "notice",
    "role", "name", "me", "bot",
    "says", "hands", "source", "compound", "disowned", "speaking", "own_saying",
    "label", "keep", "origin_of_label", "returning", "lasting", "topic", "regarding",
    "polite", "rework", "manner", "inspect", "draft", "object", "demonstrative", "pointed", "about", "provenance",
    "accord", "attributes", "opinion",
    "persona", "play", "begin", "end",
]  # fmt: skip
"""The classes of words of what announces a text, opens it or asks about it."""

PastedGenre = Literal[
    "field", "person", "minutes",
    "title", "sentence", "handles", "bids", "offers", "measure", "myself",
    "posted", "placed", "carrier", "where", "asked", "thus", "sent_by", "channel", "acted", "acclaimed", "votes",
    "group",
    "busy", "errand", "task",
]  # fmt: skip
"""The classes of words of texts that are pasted without a mark or a colon."""

WORDS: Lexicon[PastedText] = Lexicon("pasted_text", get_args(PastedText))
GENRES: Lexicon[PastedGenre] = Lexicon("pasted_genres", get_args(PastedGenre))
