"""Mentions of a topic in a text: one of its names as whole words, whatever the case and the marks between them."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from unicodedata import normalize

from pipeline.entries.mentions import spoken
from pipeline.language.folding import flat
from pipeline.language.stems import of as stem_of
from pipeline.language.text import sentences
from pipeline.markdown.blocks import FRONT_MATTER

_HAN = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = rf"[^\W_{_HAN}]"
_ACCENT = "[\u0300-\u036f]"
_TOKEN = re.compile(f"[{_HAN}]|{_LETTER}+")
_WRITTEN = re.compile(f"[{_HAN}]|{_LETTER}(?:{_LETTER}|{_ACCENT})*")
_APART = r"[\W_]"


def tokens(text: str) -> list[str]:
    """The words of a text in lower case; a character of Chinese is a word. Accents stay: Kasia is not Kąsia."""
    return _TOKEN.findall(normalize("NFC", text).casefold())


@dataclass(frozen=True)
class TopicMatcher:
    """What has one of `names`.

    `reworded` are the items that stay in other words, by their name and their text; `also` are items that go with it
    though they have no name of it.
    """

    names: tuple[str, ...]
    reworded: Mapping[tuple[str, str], str] = field(default_factory=dict)
    also: frozenset[tuple[str, str]] = frozenset()
    entry_id: str = ""

    def named_in(self, text: str) -> bool:
        """Whether a name stands in the text."""
        return self._pattern.search(text) is not None

    said_in = quoted_in = has_words = named_in

    def may_stand_in(self, text: str, bare: str | None = None) -> bool:
        """Whether a name, or an item that goes with it, may stand in the text of a file."""
        del bare  # names are whole words
        return self.named_in(text) or any(item in text for item, _ in self._marks)

    def is_named_by(self, text: str, item: str) -> bool:
        """Whether a name stands in the text; what an item is called says nothing."""
        return item != FRONT_MATTER and self.named_in(text)

    def is_of(self, text: str, item: str = "") -> bool:
        """Whether an item has a name, and does not stay in other words."""
        return (item, text) in self.also or ((item, text) not in self.reworded and self.is_named_by(text, item))

    def answered_in(self, answer: str) -> bool:
        """Whether the answer of a model, which is JSON as a rule, has a name."""
        return self.named_in(answer) or self.named_in(spoken(answer))

    def without(self, text: str, stand_in: str, *, words: bool = True, item: str = "") -> str:
        """The text with a stand-in for the names, or the other words of an item. Without `words` it stays."""
        if not words or item == FRONT_MATTER:
            return text
        return self.reworded.get((item, text)) or self._pattern.sub(lambda _: stand_in, text)

    def places(self, text: str, message: str = "") -> list[tuple[int, int]]:
        """The names, and the sentences that they stand in: the rest of such a sentence would tell of the topic."""
        del message
        named = [match.span() for match in self._pattern.finditer(text)]
        said = [(one.start, one.end) for one in (sentences(text) if named else ())]
        return [*named, *(one for one in said if any(one[0] < end and start < one[1] for start, end in named))]

    def cites(self, message: str) -> bool:
        """Never: a topic rests on no message."""
        del message
        return False

    @cached_property
    def forms(self) -> list[str]:
        """The names in the cases in which they are written, as text and as JSON."""
        cases = (form for name in self.names for form in (name, name.lower(), name.upper(), name.title()))
        plain = [form for case in cases for form in (case, json.dumps(case)[1:-1])]
        return list(dict.fromkeys(plain))

    def alike(self, text: str) -> set[str]:
        """Words of a text that may mean the topic too: the same stems, or other accents, and no name."""
        near = set[str]()
        for size, stems in self._stems:
            written = _TOKEN.findall(text)
            for start in range(len(written) - size + 1):
                part = written[start : start + size]
                if _stems(part) in stems:
                    near.add(" ".join(part))
        return {words for words in near if not self.named_in(words)}

    @cached_property
    def _marks(self) -> frozenset[tuple[str, str]]:
        """The items of `also` as their marks in a file name them: a letter, a colon and a hash."""
        return frozenset((item.replace("-", ":", 1), text) for item, text in self.also)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # As it is written too: normal forms put other characters in the place of some of Chinese.
        forms = (form for name in self.names for form in (name, normalize("NFC", name), normalize("NFD", name)))
        return re.compile("|".join(dict.fromkeys(filter(None, map(_expression, forms)))) or r"(?!)", re.IGNORECASE)

    @cached_property
    def _stems(self) -> list[tuple[int, frozenset[tuple[str, ...]]]]:
        parts = [tuple(_TOKEN.findall(name)) for name in self.names]
        sizes = {len(part) for part in parts if not all(map(_is_han, part))}
        return [(size, frozenset(_stems(part) for part in parts if len(part) == size)) for size in sorted(sizes)]


def _stems(words: Collection[str]) -> tuple[str, ...]:
    return tuple(stem_of(flat(word)) for word in words)


def _is_han(token: str) -> bool:
    return re.match(f"[{_HAN}]", token) is not None


def _expression(name: str) -> str:
    """The expression of a name, its words in a row."""
    return "".join(_steps(_WRITTEN.findall(name)))


def _steps(words: list[str]) -> Iterator[str]:
    before = ""
    for word in words:
        han = _is_han(word)
        if before:
            yield f"{_APART}*" if han or _is_han(before) else f"{_APART}+"
        elif not han:
            yield f"(?<!{_LETTER})"
        yield re.escape(word)
        before = word
    if before and not _is_han(before):
        yield f"(?!{_LETTER}|{_ACCENT})"
