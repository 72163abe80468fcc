"""Mentions of an entry in a text: its id, or its words, whatever marks stand around them."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from unicodedata import normalize

from pipeline.entries.letters import LetterMap, letters_of
from pipeline.entries.reference import ids_by_reference, is_item_name, is_wordless, item_name, wordless
from pipeline.language.folding import flat
from pipeline.language.stems import of as stem_of
from pipeline.language.text import sentences
from pipeline.markdown.blocks import FRONT_MATTER
from pipeline.markdown.entries import one_line
from schemas.entry import NOT_STATED, Entry, is_corrected

ENOUGH = 20
"""The weight of an entry's words from which a text with them mentions the entry; see `_weight`."""

NEAR = 10
"""The weight of words that is enough in a text which cites the entry's source."""

_PASSAGE = 20_000  # characters of a text that is no whole file
_BEGINNING = 60  # letters by which a text is known: pages cut long ones
_RUN = 24  # letters in a row that are no accident in a text that cites the same source
_EAST = "\u2e80"  # from here on a letter counts as three of an alphabet
_LABEL = re.compile(r"\[([^\s\[\]]+)\]")
_LINE = re.compile(r"([a-z]-[0-9a-f]+)(?:-|$)")
_FIXED = frozenset({"form", "kind", "trust", "status", "word", "operation", "at", "date", "day", "until"})
"""Fields of records with one of a few names, or with a time: a topic may be called so."""
_ID = r"[A-Z]+-[0-9]{8}-[\w-]+"
_SHAPED = re.compile(_ID)
_KIND_AND_DAY = re.compile(r"\A[A-Z]+-[0-9]{8}(?=-|\Z)")
_IN_TEXT = re.compile(rf"(?<![\w-]){_ID}")


@dataclass(frozen=True)
class EntryMatcher:
    """An entry to look for in texts. `entries` are its versions; there is none when it can no longer be read.

    `others` are the other entries, by id. An entry is named by its id, and by the name without words that pages have
    for an entry that is not verified as written.

    `lines` are the names of the facts and of the lines of agents' memory that rest on the same words and go with it,
    `line_words` what these say; `reworded` are items that stay in other words, by their name and their text.
    `known_names` gives the ids of all entries by their names, where the caller has them.
    """

    entry_id: str
    entries: tuple[Entry, ...] = ()
    others: Mapping[str, Entry] = field(default_factory=dict)
    lines: frozenset[str] = frozenset()
    line_words: tuple[str, ...] = ()
    reworded: Mapping[tuple[str, str], str] = field(default_factory=dict)
    known_names: Callable[[], Mapping[str, str]] | None = None

    def named_in(self, text: str) -> bool:
        """Whether its name stands in the text as a whole word: one id may be the beginning of another."""
        return any(name in text for name in self.names) and self._name.search(text) is not None

    def said_in(self, text: str, enough: int = ENOUGH, bare: str | None = None) -> bool:
        """Whether the text has the words of the entry, or their beginning. Ids, made of words, do not count.

        `bare` is the `bare_text` of it, where it is known.
        """
        known = [words[:_BEGINNING] for words, weight in self._weighted_words if weight >= enough]
        letters = (bare if bare is not None else bare_text(text)) if known else ""
        return any(words in letters for words in known)

    def quoted_in(self, text: str) -> bool:
        """Whether the quote stands in the text word for word."""
        return any(quote in text for quote in self._quotes)

    def is_named_by(self, text: str, item: str) -> bool:
        """Whether its name stands in the text of an item, or the item has the name that this entry's alone has."""
        return self.named_in(text) or (is_item_name(item) and self._ids.get(item) == self.entry_id)

    def may_stand_in(self, text: str, bare: str | None = None) -> bool:
        """Whether a text is worth a closer look; asked of whole files, with their `bare_text` where it is known."""
        return (
            self._cited_in(text)
            or self._session_cited_in(text)
            or (self._mark in text and self._marks.search(text) is not None)
            or self.named_in(text)
            or self.said_in(text, NEAR, bare)
            or any(digits in text for digits in self._line_digits)
        )

    def is_of(self, text: str, item: str = "") -> bool:
        """Whether an item of a page is about this entry and no other.

        By its name `item` where one entry alone has that, or one of its lines, else by the first id in the text, else
        by the words.
        """
        if (item, text) in self.reworded:
            return False
        if (line := _LINE.match(item)) and line.group(1) in self.lines:
            return True
        first = self.first_id(text, item)
        if first:
            return first == self.entry_id
        if self.lines and letters_of(text) in self._bare_lines:
            return True
        cited = item == item_name(self.entry_id) or self._cited_in(text)
        said = self.said_in(text, NEAR if cited else ENOUGH)
        if said or (cited and not self._runs.isdisjoint(_runs(letters_of(text)))):
            return True
        # A line of a wrap-up names no more than the session; within one session, only the owner's own words identify
        # the entry.
        return self._session_cited_in(text) and self._quote_said_in(text)

    def first_id(self, text: str, item: str = "") -> str:
        """The id that an item is about: by its name, the first one in brackets, or else the first one; perhaps none."""
        if is_item_name(item) and item in self._ids:
            return self._ids[item]
        for label in _LABEL.findall(text):
            if label in self._ids or _SHAPED.fullmatch(label):
                return self._ids.get(label, str(label))
        matches = [match for match in (self._name.search(text), _IN_TEXT.search(text)) if match]
        first = min(matches, key=lambda match: match.start()).group() if matches else ""
        return self._ids.get(first, first)

    def has_words(self, text: str) -> bool:
        """Whether every word of a heading is one of the entry's."""
        own = " ".join(self._words)
        return all(letters_of(word) in own for word in text.split())

    def without(self, text: str, stand_in: str, *, words: bool = True, item: str = "") -> str:
        """The text with a stand-in for its name and, with `words`, for the entry's words.

        The words stay where the text, or the item of this name, is about another entry with the same words.
        """
        text = self.reworded.get((item, text), text)
        theirs = self.others.get(self.first_id(text, item)) if words else None
        kept = " ".join(_bare_texts(theirs)) if theirs else ""
        for entry in self.entries if words else ():
            for said in _texts(entry):
                bare = letters_of(said)
                if _weight(bare) >= ENOUGH and bare not in kept:
                    for form in sorted(_written_forms(said), key=len, reverse=True):
                        text = text.replace(form, stand_in)
        return self._name.sub(lambda _: stand_in, text)

    def places(self, text: str, message: str = "") -> list[tuple[int, int]]:
        """The places of its name, quote and words in a text; `message` is the id of the message with that text.

        In the message that it cites its quote counts however short it is.
        """
        letters = LetterMap(text)
        own = [entry.quote for entry in self.entries if message in entry.source.entry_ids]
        spans = [match.span() for match in self._name.finditer(text)]
        for words in dict.fromkeys([*map(letters_of, own), *self._telling]):
            spans += letters.places(words)
        return spans

    def cites(self, message: str) -> bool:
        """Whether a version of it rests on the message with this id."""
        return any(message in entry.source.entry_ids for entry in self.entries)

    @cached_property
    def _weighted_words(self) -> list[tuple[str, int]]:
        return [(words, _weight(words)) for words in self._words]

    @cached_property
    def _quotes(self) -> list[str]:
        return [entry.quote for entry in self.entries if _weight(letters_of(entry.quote)) >= NEAR]

    @cached_property
    def _telling(self) -> list[str]:
        """The words that are long enough to identify it, bare."""
        quotes = [entry.quote for entry in self.entries]
        known = [letters_of(quote) for quote in quotes if _weight(letters_of(quote)) >= _enough_of(quote)]
        return [*known, *(words for words in self._words if _weight(words) >= ENOUGH)]

    @cached_property
    def forms(self) -> list[str]:
        """Its names, the quote and the other fields that are long enough to identify it, as text and as JSON.

        A single word, or a few letters, may stand anywhere and mean something else.
        """
        quotes = [entry.quote for entry in self.entries if _weight(letters_of(entry.quote)) >= _enough_of(entry.quote)]
        long = [said for entry in self.entries for said in _texts(entry) if _weight(letters_of(said)) >= ENOUGH]
        lines = [said for said in self.line_words if _weight(letters_of(said)) >= _enough_of(said)]
        return [form for said in dict.fromkeys([*self.names, *quotes, *long, *lines]) for form in _written_forms(said)]

    def answered_in(self, answer: str) -> bool:
        """Whether the answer of a model, which is JSON as a rule, has the entry's name, its quote or its words."""
        return any(form in answer for form in self.forms) or self.said_in(spoken(answer))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The id first. What looks like the name of another entry is the name of that one."""
        other = is_wordless(self.entry_id) and self.entry_id in map(wordless, self.others)
        return (*([] if other else [self.entry_id]), wordless(self.entry_id))

    @cached_property
    def _ids(self) -> Mapping[str, str]:
        """The ids of all entries by their names."""
        return self.known_names() if self.known_names else ids_by_reference([*self.others, self.entry_id])

    @cached_property
    def _name(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, self.names))})(?![\w-])")

    @cached_property
    def _marks(self) -> re.Pattern[str]:
        """The marks by which items of `MEMORY.md` name it, in the form of today and in that of earlier versions."""
        return re.compile(rf"<!--(?: memory:m-|m:){self._mark}")

    @cached_property
    def _mark(self) -> str:
        return item_name(self.entry_id).removeprefix("m-")

    @cached_property
    def _bare_lines(self) -> frozenset[str]:
        """The words of its lines, as far as they are enough: an item that says nothing else is one more of them."""
        return frozenset(bare for words in self.line_words if _weight(bare := letters_of(words)) >= NEAR)

    @cached_property
    def _line_digits(self) -> frozenset[str]:
        return frozenset(name.partition("-")[2] for name in (*self.lines, *(item for item, _ in self.reworded)))

    @cached_property
    def _sessions(self) -> frozenset[str]:
        return frozenset(one_line(entry.source.session_id) for entry in self.entries)

    @cached_property
    def _session(self) -> re.Pattern[str]:
        """The form in which wrap-ups cite the entry's session."""
        ids = "|".join(map(re.escape, sorted(self._sessions)))
        return re.compile(rf"(?<!\w)session `?(?:{ids})(?![\w-])" if ids else r"(?!)")

    def _session_cited_in(self, text: str) -> bool:
        return any(name in text for name in self._sessions) and self._session.search(text) is not None

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(words for entry in self.entries for words in _bare_texts(entry)))

    @cached_property
    def _runs(self) -> frozenset[str]:
        return frozenset(run for words in self._words for run in _runs(words))

    def _cited_in(self, text: str) -> bool:
        """Whether the text cites the entry's session, or calls the entry by its kind and day alone."""
        short = f"[{'-'.join(self.entry_id.split('-')[:2])}]"
        return any(short in text or entry.source.session_path in text for entry in self.entries)

    def _quote_said_in(self, text: str) -> bool:
        """Whether the text has the quote, or a long part of it, whatever marks stand around its words."""
        quotes, bare = [letters_of(entry.quote) for entry in self.entries], letters_of(text)
        if any(_weight(quote) >= NEAR and quote[:_BEGINNING] in bare for quote in quotes):
            return True
        # A line may leave out how the sentence begins: "fine, then", a name, the other half of an answer.
        return any(run in bare for quote in quotes for run in _runs(quote))


def spoken(answer: str) -> str:
    """The texts in a JSON value, unescaped; any other text as it is. Names of fields, kinds, states, times are none."""
    try:
        left, texts = [json.loads(answer)], list[str]()
    except (ValueError, RecursionError):
        return answer
    while left:
        value = left.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            left += (part for name, part in value.items() if name not in _FIXED)
    return "\n".join(texts)


def _bare_texts(entry: Entry) -> list[str]:
    return [bare for said in _texts(entry) if (bare := letters_of(said))]


def _texts(entry: Entry) -> list[str]:
    """The fields of an entry, the longest first."""
    said = {entry.quote, entry.title, entry.conclusion, entry.why, entry.finding, entry.impact}
    return sorted(said - {"", NOT_STATED}, key=lambda text: (-len(text), text))


def words_of(entry: Entry) -> str:
    """The texts and names in an entry, a line each; without its kind, its trust and the like, and days in ids."""
    source, links = entry.source, (*entry.supersedes, *entry.supersedes_part, *entry.superseded_by, *entry.reinforces)
    names = (_KIND_AND_DAY.sub("", name) for name in (entry.id, entry.corrects, *links))
    grounds = "" if is_corrected(entry.grounds) else entry.grounds
    return "\n".join(
        (*_texts(entry), *names, source.session_id, source.session_path, *entry.refs, entry.project, grounds)
    )


def bare_text(text: str) -> str:
    """The letters and digits of a text, without the ids of entries in it, as words are looked for."""
    return _bare_passage(text) if len(text) < _PASSAGE else letters_of(_IN_TEXT.sub(" ", text))


@lru_cache(maxsize=4096)  # a passage is looked through for several forms of an entry, and again for the next one
def _bare_passage(text: str) -> str:
    return letters_of(_IN_TEXT.sub(" ", text))


def _weight(bare: str) -> int:
    """The amount of text, in letters of an alphabet."""
    return sum(3 if letter >= _EAST else 1 for letter in bare)


def _enough_of(quote: str) -> int:
    """The weight at which a quote identifies the entry: a single word of an alphabet may be a name in a program too."""
    return NEAR if len(quote.split()) > 1 or any(letter >= _EAST for letter in quote) else ENOUGH


def _runs(bare: str) -> Iterator[str]:
    length = _RUN // 3 if any(letter >= _EAST for letter in bare) else _RUN
    return (bare[start : start + length] for start in range(len(bare) - length + 1))


def _written_forms(text: str) -> list[str]:
    plain = (text, one_line(text))
    encoded = (json.dumps(form, ensure_ascii=ascii_)[1:-1] for form in plain for ascii_ in (False, True))
    return list(dict.fromkeys([*plain, *encoded, *(form.replace("<", "&lt;") for form in plain)]))


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
    """The matcher of texts that have one of `names`, in any case of letters, or one of `cases` as it is written.

    `cases` are other grammatical cases of the names.
    """

    names: tuple[str, ...]
    cases: tuple[str, ...] = ()
    reworded: Mapping[tuple[str, str], str] = field(default_factory=dict)
    also: frozenset[tuple[str, str]] = frozenset()
    entry_id: str = ""

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names, and their cases."""
        return (*self.names, *self.cases)

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
        """Whether the answer of a model, which is JSON as a rule, has a name in what it says."""
        return self.named_in(spoken(answer))

    def without(self, text: str, stand_in: str, *, words: bool = True, item: str = "") -> str:
        """The text with a stand-in for the names, or the other words of an item. Without `words` it stays."""
        if not words or item == FRONT_MATTER:
            return text
        return self.reworded.get((item, text)) or self._pattern.sub(lambda _: stand_in, text)

    def places(self, text: str, message: str = "") -> list[tuple[int, int]]:
        """The names, and the sentences that they stand in: the rest of such a sentence would tell of the topic."""
        del message
        named = [match.span() for match in self._pattern.finditer(text)]
        said = [(sentence.start, sentence.end) for sentence in (sentences(text) if named else ())]
        return [*named, *(span for span in said if any(span[0] < end and start < span[1] for start, end in named))]

    def cites(self, message: str) -> bool:
        """Never: a topic rests on no message."""
        del message
        return False

    @cached_property
    def forms(self) -> list[str]:
        """The names in the letters in which they are written, as text and as JSON."""
        written = (form for name in self.names for form in (name, name.lower(), name.upper(), name.title()))
        plain = [form for word in (*written, *self.cases) for form in (word, json.dumps(word)[1:-1])]
        return list(dict.fromkeys(plain))

    def similar_words(self, text: str) -> set[str]:
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
        cases = (f"(?-i:{expression})" for expression in _expressions(self.cases))
        return re.compile("|".join([*_expressions(self.names), *cases]) or r"(?!)", re.IGNORECASE)

    @cached_property
    def _stems(self) -> list[tuple[int, frozenset[tuple[str, ...]]]]:
        parts = [tuple(_TOKEN.findall(name)) for name in self.names]
        sizes = {len(part) for part in parts if not all(map(_is_han, part))}
        return [(size, frozenset(_stems(part) for part in parts if len(part) == size)) for size in sorted(sizes)]


def _expressions(names: Iterable[str]) -> list[str]:
    """The expressions of names, each for its words in a row."""
    # As it is written too: normal forms put other characters in the place of some of Chinese.
    forms = (form for name in names for form in (name, normalize("NFC", name), normalize("NFD", name)))
    return list(dict.fromkeys(filter(None, ("".join(_steps(_WRITTEN.findall(form))) for form in forms))))


def _stems(words: Collection[str]) -> tuple[str, ...]:
    return tuple(stem_of(flat(word)) for word in words)


def _is_han(token: str) -> bool:
    return re.match(f"[{_HAN}]", token) is not None


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
