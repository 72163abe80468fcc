"""The words of three languages as data: a file of TOML for each subject and language, made into patterns when needed.

A file has classes of words. A class is a list of words, or of fragments of regular expressions, over folded text (see
`folding.fold`). They are separated by `; ` or by the end of a line; a line that begins with `|` goes on with the
fragment above it. `<name>` in a fragment stands for the words of a class, or of a part: `[parts]` has fragments that
code does not name.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pkgutil import get_data
from typing import Generic, TypeVar

LANGUAGES = ("en", "pl", "zh")
"""The codes of the languages, as in `detection.Language`; importing that takes longer than reading a file of words."""

Name = TypeVar("Name", bound=str)
_UNSPACED = "zh"
_REFERENCE = re.compile(r"(?<!\?P)<([a-z_]+)>")


def cues(*lines: str) -> tuple[str, ...]:
    """The words, or fragments of regular expressions, that stand in `lines` separated by `; `."""
    return tuple(cue for line in lines for cue in line.split("; "))


class LexiconMistake(Exception):
    """A file of words that the code cannot use."""

    def __init__(self, file: str, mistakes: Sequence[str]) -> None:
        super().__init__(f"{file}: {'; '.join(mistakes)}.")


@dataclass(frozen=True)
class WordTable:
    """The words on one subject in one language: the fragments of each class and of each part."""

    file: str
    classes: Mapping[str, tuple[str, ...]]
    parts: Mapping[str, tuple[str, ...]]

    def fragments(self, name: str) -> tuple[str, ...]:
        """The fragments of a class or a part, with the words that they name written out."""
        words = self.parts[name] if name in self.parts else self.classes[name]
        return tuple(fragment for word in words for fragment in self._written_out(word))

    def either(self, name: str) -> str:
        """The same as alternatives of one expression; empty without words."""
        return "|".join(self.fragments(name))

    def _written_out(self, word: str) -> tuple[str, ...]:
        whole = _REFERENCE.fullmatch(word)
        if whole:
            return self.fragments(whole[1])
        return (_REFERENCE.sub(lambda part: f"(?:{self.either(part[1])})", word),)

    def mistakes(self, names: Sequence[str]) -> list[str]:
        """The mistakes of a file that has to have the classes `names`, no others, and all that its fragments name."""
        known = {**self.classes, **self.parts}
        named = {(name, part) for name, words in known.items() for part in _REFERENCE.findall("|".join(words))}
        return [
            *(f"the class {name} is missing" for name in names if name not in self.classes),
            *(f"nothing looks for the class {name}" for name in self.classes if name not in names),
            *(f"{name} is a class and a part" for name in self.classes if name in self.parts),
            *(f"{name} names <{part}>, which the file does not have" for name, part in named if part not in known),
        ]


class Lexicon(Generic[Name]):
    """The words on a subject, searched in several languages at once; files are read at the first question."""

    def __init__(self, subject: str, names: Sequence[Name], languages: Sequence[str] = LANGUAGES) -> None:
        """`names` are the classes that a file has to have; a pattern is of the `languages` in their order."""
        self._subject, self._names, self._languages = subject, names, languages
        self._patterns = dict[tuple[Name, str], re.Pattern[str]]()

    def pattern(self, name: Name, form: str = "{}") -> re.Pattern[str]:
        """The class as one pattern; `form` is its context, in which `{}` stands for the words.

        Raises:
            LexiconMistake: The file of a language cannot be used.
        """
        known = self._patterns.get((name, form))
        if known is None:
            bodies = {language: self.either(name, language) for language in self._languages}
            parts = [
                f"(?:{body})" if language == _UNSPACED else rf"(?<!\w)(?:{body})(?!\w)"
                for language, body in bodies.items()
                if body
            ]
            known = self._patterns[name, form] = re.compile(form.replace("{}", f"(?:{'|'.join(parts) or '(?!)'})"))
        return known

    def finds(self, name: Name, folded: str) -> bool:
        """Whether a word of the class stands in the text."""
        return self.pattern(name).search(folded) is not None

    def opens(self, name: Name, folded: str) -> bool:
        """Whether the text begins with a word of the class, after any marks."""
        return self.pattern(name, r"[\W_]{0,12}{}").match(folded) is not None

    def fragments(self, name: Name, *languages: str) -> tuple[str, ...]:
        """The fragments of a class in some languages, or in all.

        Raises:
            LexiconMistake: The file of a language cannot be used.
        """
        return tuple(
            fragment for language in languages or self._languages for fragment in self.tables[language].fragments(name)
        )

    def either(self, name: Name, *languages: str) -> str:
        """The same as alternatives of one expression; empty without words.

        Raises:
            LexiconMistake: The file of a language cannot be used.
        """
        return "|".join(self.fragments(name, *languages))

    @cached_property
    def tables(self) -> Mapping[str, WordTable]:
        """The words of each language by its code.

        Raises:
            LexiconMistake: The file of a language cannot be used.
        """
        tables = {language: read_words(self._subject, language) for language in self._languages}
        for table in tables.values():
            if mistakes := table.mistakes(self._names):
                raise LexiconMistake(table.file, mistakes)
        return tables


@cache
def read_words(subject: str, language: str) -> WordTable:
    """The words on a subject in a language.

    Raises:
        LexiconMistake: The file is no TOML, or something in it is no text.
    """
    file = f"{language}/{subject}.toml"
    return parse_words(file, (get_data(__name__, file) or b"").decode())


def parse_words(file: str, text: str) -> WordTable:
    """The words in the text of a file.

    Raises:
        LexiconMistake: It is no TOML, or something in it is no text.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LexiconMistake(file, [str(error)]) from error
    parts = values.pop("parts", {})
    if wrong := [
        f"{name} is no text" for name, words in (*values.items(), *parts.items()) if not isinstance(words, str)
    ]:
        raise LexiconMistake(file, wrong)
    classes, parts = (
        {name: cues(*filter(None, words.replace("\n|", "|").splitlines())) for name, words in listed.items()}
        for listed in (values, parts)
    )
    return WordTable(file, classes, parts)
