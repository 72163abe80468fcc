"""The words of the page in three languages."""

import re
from pathlib import Path
from string import Formatter

from pipeline import errors
from pipeline.errors import agents, corrections, service, store, workspaces
from pipeline.surfaces.http import page
from pipeline.surfaces.http.page.texts import LANGUAGES, language_of, texts_of
from tests.support.tables import table

FOLDER = Path(page.__file__).parent


def fields_of(text: str) -> set[str]:
    """The names of the fields that a text has to be filled with."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@table("language", LANGUAGES)
def test_all_languages_have_the_same_texts(language: str) -> None:
    """No key is missing or left over, no text is empty, and each takes the same fields."""
    texts = texts_of(language)
    assert {key: fields_of(text) for key, text in texts_of("en").items()} == {
        key: fields_of(text) for key, text in texts.items()
    }
    assert all(text.strip() for text in texts.values())


def test_every_text_is_used() -> None:
    """A template or a route names it, or the group that it is in."""
    sources = "\n".join(file.read_text() for file in [*FOLDER.rglob("*.html"), *FOLDER.rglob("*.py")])
    named = set(re.findall(r'["\']([a-z_]+(?:\.[a-z_]+)+)\.?["\']', sources))
    unused = [key for key in texts_of("en") if key not in named and key.rpartition(".")[0] not in named]
    assert [] == [key for key in unused if not key.startswith(("notice.", "errors."))]


def test_sentences_about_errors() -> None:
    """Each is for an error that there is, takes values that it has, and names no command."""
    modules = (errors, agents, corrections, service, store, workspaces)
    kinds = {name: kind for module in modules for name, kind in vars(module).items() if isinstance(kind, type)}
    for key, text in texts_of("en").items():
        if key.startswith("errors."):
            kind = kinds[key.removeprefix("errors.")]
            assert issubclass(kind, errors.PipelineError)
            assert fields_of(text) <= {*kind.fields(), *dir(kind)}, key
            assert "`" not in text, key


@table(
    ("chosen", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "pl-PL,pl;q=0.9,en;q=0.8", "pl"),
        ("", "de, zh-CN;q=0.5, en;q=0.4", "zh"),
        ("", "en;q=x, pl;q=0.1", "pl"),
        ("zh", "pl", "zh"),
        ("tlh", "pl", "pl"),
    ],
)
def test_the_language_of_a_reader(chosen: str, accepted: str, language: str) -> None:
    """What was chosen, else the best that the browser asks for, else English."""
    assert language == language_of(chosen, accepted)
