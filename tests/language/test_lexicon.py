"""Words as data: files that a contributor edits, and what is said of a mistake in one."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from jobs.extraction.profile import WordFunction
from jobs.facts.reading import SAYINGS, Attribute, SayingWord
from pipeline.adapters.redaction.cues import WORDS as SECRETS
from pipeline.adapters.redaction.cues import SecretWord
from pipeline.context import notes
from pipeline.details.notable import LINES, OutputWord
from pipeline.entries.authorship.cues import GENRES, WORDS, PastedGenre, PastedText
from pipeline.entries.voice.phrases import PHRASES, PhraseWord
from pipeline.language.detection import Language
from pipeline.language.lexicon import LANGUAGES, Lexicon, LexiconMistake, WordTable, parse_words
from tests.support.tables import table

ROOT = Path(__file__).parents[2]
LEXICONS: Mapping[str, tuple[Lexicon[Any], tuple[str, ...], str]] = {
    "pasted_text": (WORDS, get_args(PastedText), "pipeline/entries/authorship"),
    "pasted_genres": (GENRES, get_args(PastedGenre), "pipeline/entries/authorship"),
    "output_lines": (LINES, get_args(OutputWord), "pipeline/details"),
    "sayings": (SAYINGS, tuple({*get_args(SayingWord)} - {*get_args(Attribute)}), "jobs/facts"),
    "to_memory": (PHRASES, get_args(PhraseWord), "pipeline/entries/voice"),
    "secrets": (SECRETS, get_args(SecretWord), "pipeline/adapters/redaction"),
    "decisions": (Lexicon("decisions", get_args(WordFunction)), get_args(WordFunction), "jobs"),
    "noted_lines": (notes.WORDS, notes.SPOKEN, "schemas"),
}
"""Each lexicon with the classes that code asks for by name, and the folder of this code."""
_HOW = {"_OPENERS"}


def test_every_subject_has_a_file_in_every_language_with_its_classes() -> None:
    """No class is missing in a language, no fragment names what is not there, and no file lies about."""
    tables = [table for lexicon, _, _ in LEXICONS.values() for table in lexicon.tables.values()]
    folder = ROOT / "pipeline" / "language" / "lexicon"
    assert sorted(table.file for table in tables) == sorted(
        file.relative_to(folder).as_posix() for file in folder.rglob("*.toml")
    )


def test_the_languages_are_those_that_are_recognised() -> None:
    """A message in a language that is known is read with the words of this language."""
    assert tuple(Language) == LANGUAGES


def mistaken(table: WordTable) -> Iterator[str]:
    """The classes and parts of a table that are no regular expression."""
    for name in (*table.classes, *table.parts):
        for fragment in table.fragments(name):
            try:
                re.compile(fragment)
            except re.error as error:
                yield f"{table.file}: {name}: {fragment}: {error}"


def test_every_fragment_is_a_regular_expression() -> None:
    """A mistake is told with its file, its class and the fragment."""
    tables = [table for lexicon, _, _ in LEXICONS.values() for table in lexicon.tables.values()]
    assert [mistake for table in tables for mistake in mistaken(table)] == []


def strings_in(tree: ast.AST) -> Iterator[str]:
    """The texts in some code, without those of a type, and without lists that say how a class is looked for."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
            continue
        if isinstance(node, ast.Assign) and {one.id for one in node.targets if isinstance(one, ast.Name)} & _HOW:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        yield from strings_in(node)


@table("subject", LEXICONS)
def test_every_class_of_words_is_looked_for(subject: str) -> None:
    """A class that nobody asks about is dead, however many words it has."""
    _, names, folder = LEXICONS[subject]
    files = (ROOT / folder).rglob("*.py")
    asked = {text for file in files for text in strings_in(ast.parse(file.read_text(encoding="utf-8")))}
    assert {*names} - asked == set()


def test_every_word_of_an_output_has_a_stem() -> None:
    """A line is looked at when a stem or a phrase stands in it: a new word without one would never be seen."""
    stems = (*LINES.fragments("stem"), *LINES.fragments("phrase"))
    words = (*LINES.fragments("error"), *LINES.fragments("warning"))
    assert [] == [word for word in words if not any(stem in re.sub(r"\(\?:|\)\?", "", word) for stem in stems)]


def test_a_list_is_written_in_one_line_or_several() -> None:
    """Words stand between `; ` or on lines of their own, and a bar at the begin of a line goes on with a fragment."""
    table = parse_words(
        "en/drinks.toml", "hot = '''\ntea; coffee\n(?:cocoa\n|chocolate)\n'''\ncold = 'milk'\nnone = ''"
    )
    assert table.classes == {"hot": ("tea", "coffee", "(?:cocoa|chocolate)"), "cold": ("milk",), "none": ()}


def test_a_fragment_names_a_list() -> None:
    """The words of the list stand in its place: inside of a fragment as alternatives, alone as if written there."""
    table = parse_words(
        "en/drinks.toml", "hot = 'tea; coffee'\nall = '<hot>; iced <hot>; <milk>'\n[parts]\nmilk = 'milk'"
    )
    assert table.fragments("all") == ("tea", "coffee", "iced (?:tea|coffee)", "milk")


def test_a_group_with_a_name_and_a_look_behind_name_no_list() -> None:
    """Regular expressions have such marks of their own."""
    table = parse_words("en/drinks.toml", "hot = '(?P<hot>tea)(?<=a); (?<!x)(?P=hot)'")
    assert table.fragments("hot") == ("(?P<hot>tea)(?<=a)", "(?<!x)(?P=hot)")


@table(
    ("text", "mistakes"),
    [
        ("hot = 'tea'", ["the class cold is missing"]),
        ("hot = 'tea'\ncold = 'milk'\nwarm = ''", ["nothing looks for the class warm"]),
        ("hot = 'a <cup>'\ncold = 'milk'", ["hot names <cup>, which the file does not have"]),
        ("hot = 'tea'\ncold = 'milk'\n[parts]\nhot = 'x'", ["hot is a class and a part"]),
    ],
)
def test_a_file_that_the_code_cannot_use_tells_what_is_wrong(text: str, mistakes: list[str]) -> None:
    """All mistakes of the file, by the names that stand in it."""
    assert mistakes == parse_words("en/drinks.toml", text).mistakes(("hot", "cold"))


@table(
    ("text", "sentence"),
    [
        ("hot = ", "en/drinks.toml: Invalid value"),
        ("hot = ['tea']", "en/drinks.toml: hot is no text"),
        ("hot = 'tea'\n[parts]\ncup = 1", "en/drinks.toml: cup is no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(text: str, sentence: str) -> None:
    """The sentence begins with the file."""
    with pytest.raises(LexiconMistake, match=sentence):
        parse_words("en/drinks.toml", text)


def test_a_lexicon_without_a_class_is_refused_when_it_is_read() -> None:
    """Code that names a class which a file lacks fails at its first question, with the file and the class."""
    lexicon = Lexicon("pasted_text", (*get_args(PastedText), "weather"))
    with pytest.raises(LexiconMistake, match=r"en/pasted_text\.toml: the class weather is missing\."):
        lexicon.finds("weather", "rain")


def test_words_are_whole_where_spaces_separate_them() -> None:
    """English and Polish words begin and end at the edge of a word; Chinese has none."""
    texts = ("for hanna: hello", "johanna: hello", "u marka", "我们老板说")
    assert ["for hanna: hello", "我们老板说"] == [
        text for text in texts if WORDS.finds("name", text) or WORDS.finds("role", text)
    ]
