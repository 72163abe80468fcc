"""The classes of words of the offline ways: each is looked for. They are found by name, so no scan sees whether."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from jobs.extraction.profile import Profile

ROOT = Path(__file__).parents[2]
LANGUAGES = {"english.py", "polish.py", "chinese.py"}
ABOUT = {"code", "bounded", "parts"}
"""What says something of all classes."""
WHERE_THEY_STAND = {"_OPENERS", "_PLAIN"}
"""Lists that say how a class is looked for, and not that it is."""


def looked_for(tree: ast.AST) -> Iterator[str]:
    """The texts and the attributes in some code, without those lists."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assign) and {target.id for target in node.targets if isinstance(target, ast.Name)} & (
            WHERE_THEY_STAND
        ):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        if isinstance(node, ast.Attribute):
            yield node.attr
        yield from looked_for(node)


def test_every_class_of_words_is_looked_for() -> None:
    """A class that nobody asks about is dead, however many words it has."""
    files = [file for file in (ROOT / "jobs").rglob("*.py") if file.name not in LANGUAGES]
    asked = {name for file in files for name in looked_for(ast.parse(file.read_text(encoding="utf-8")))}
    assert {field.name for field in fields(Profile)} - ABOUT - asked == set()
