"""The sentences that parts of this program make in English, in the other languages of readers.

Each file beside this one has a table by English sentence, without its full stop:

    ["{path} is gone, though {job} wrote it"]
    pl = "..."
    zh = "..."

Braces hold values: `{number}`, `{total}` and `{count}` digits, `{job}` names of jobs, `{reason}` and `{ending}` a name
that has words, `{command}` a text without backticks, and `{setting}` one without spaces. `{what}`, `{why}` and
`{parts}` hold sentences of ours, or lists of such, which are put into the language too, and `{sentence}` nothing else;
all others any text.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files

_BRACES = re.compile(r"\{(\w+)\}")
_ANY = re.compile(".+", re.DOTALL)
_SHAPES = {
    **dict.fromkeys(("number", "total", "count"), re.compile("[0-9.,]+")),
    **dict.fromkeys(("reason", "ending"), re.compile("[a-z_]+")),
    "command": re.compile("[^`]+"),
    "setting": re.compile(r"\S+"),
}
_OURS = frozenset({"what", "why", "parts"})
_STOP, _BETWEEN_SENTENCES = ".", ". "
_JOINTS = ("\n", _BETWEEN_SENTENCES, "; ", ", ", " and ")
"""The texts between lines, between sentences, and between the parts of a list."""
_LONGEST, _DEEPEST = 2_000, 8
"""The characters of the longest text that is looked at, and how deep sentences lie in each other.

Their values are names and words of strangers, so the work for a text is bounded.
"""


@dataclass(frozen=True)
class Phrase:
    """An English sentence with its values in braces, and the same in each other language.

    `fixed` is the longest text outside of braces: a text without it is another sentence.
    """

    english: str
    translations: Mapping[str, str]
    fixed: str

    @cached_property
    def pieces(self) -> list[str]:
        """The texts outside of braces, and between them the names of the values."""
        return _BRACES.split(self.english)

    def values_in(self, text: str) -> dict[str, str] | None:
        """The values of a text that is this sentence; each ends where the fixed text behind it is first met."""
        first, *rest = self.pieces
        if not text.startswith(first) or not text.endswith(self.pieces[-1]):
            return None
        values, at = dict[str, str](), len(first)
        for name, behind in zip(rest[::2], rest[1::2], strict=True):
            is_last = len(values) == len(rest) // 2 - 1
            stop = len(text) - len(behind) if is_last else text.find(behind, at + 1)
            if stop < 0 or not _SHAPES.get(name, _ANY).fullmatch(text, at, stop):
                return None
            values[name], at = text[at:stop], stop + len(behind)
        return values if at == len(text) else None


@cache
def phrases() -> tuple[Phrase, ...]:
    """All phrases, those with the most fixed characters first."""
    data = [file.read_text("utf-8") for file in files(__name__).iterdir() if file.name.endswith(".toml")]
    tables = [table for text in data for table in tomllib.loads(text).items()]
    known = [Phrase(english, words, max(_BRACES.split(english)[::2], key=len)) for english, words in tables]
    return tuple(sorted(known, key=lambda phrase: len(_BRACES.sub("", phrase.english)), reverse=True))


@dataclass
class Translator:
    """A translator of our sentences into a language. `names` has the words for names of jobs, reasons and endings.

    `known` are the texts that it was asked for and their parts, so a document has a translator of its own.
    """

    language: str
    names: Mapping[str, str]
    known: dict[str, str] = field(default_factory=dict)
    _depth: int = 0

    def translate(self, text: str) -> str:
        """The text in the language; empty where a part of it is not known."""
        if len(text) > _LONGEST or self._depth > _DEEPEST:
            return ""
        if text not in self.known:
            self._depth += 1
            self.known[text] = self._translate_anew(text)
            self._depth -= 1
        return self.known[text]

    def _translate_anew(self, text: str) -> str:
        """The text as a sentence with its stop, as a list, or as a whole."""
        if text.endswith(_STOP):
            sentence = self._translate_sentence(text.removesuffix(_STOP))
            return sentence and sentence + self._translate_whole(_STOP)
        lists = (self._translate_list(text, joint) for joint in _JOINTS)
        return next(filter(None, lists), "") or self._translate_whole(text)

    def _translate_whole(self, text: str) -> str:
        """The text by the phrase that fits; empty where there is none."""
        for phrase in phrases():
            if phrase.fixed in text and (known := phrase.values_in(text)) is not None:
                values = {name: self._translate_value(name, value) for name, value in known.items()}
                if all(values.values()):
                    return phrase.translations.get(self.language, "").format_map(values)
        return ""

    def _translate_sentence(self, text: str) -> str:
        """The text with a capital letter, unless its first word may be a value."""
        words = self.translate(text)
        is_value = text[:1].islower() or words.partition(" ")[0] in text
        return words if is_value else words[:1].upper() + words[1:]

    def _translate_list(self, text: str, joint: str) -> str:
        """The text as a list with this joint; empty where it is no list, or a part of it is not known."""
        parts = re.split(rf"{re.escape(joint)}(?![^()]*\))", text) if joint in text else ()  # none within brackets
        translate = self._translate_sentence if joint == _BETWEEN_SENTENCES else self.translate
        words = list[str]()
        for part in parts if len(parts) > 1 else ():
            words.append(translate(part))
            if not words[-1]:
                return ""
        return self._translate_whole(joint).join(words)

    def _translate_value(self, name: str, value: str) -> str:
        """The value in the language; empty where it has to have words and has none."""
        if name in {"reason", "ending"}:
            return self.names.get(value, "")
        if name == "sentence":
            return self.translate(value)
        if name == "job":
            return ", ".join(self.names.get(part, part) for part in value.split(", "))
        return (name in _OURS and self.translate(value)) or value
