"""Names: a class name stands for one thing, and says what it is in the words of the field."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def _files(*folders: str) -> list[Path]:
    """The files of Python in these folders."""
    return [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]


FILES = _files("pipeline", "jobs", "schemas")
AROUND = _files("tests", "benchmarks", "docs")
"""What is around the product: tests, figures and the makers of pages."""
SAY_NOTHING = {"util", "utils", "helper", "helpers", "manager", "managers", "misc", "common"}
"""Words that fit anything; of variables they may say what is in common."""
OF_NOVELS = {
    "vigil",
    "docket",
    "house",
    "tenure",
    "conductor",
    "enquiry",
    "bystander",
    "bystanders",
    "surroundings",
    "told",
    "found",
    "each",
}
"""Words of a narrator; a name is the noun of the thing."""
ON_DISK = {
    "jobs/resolution/validation.py": {"QUOTE_NOT_FOUND"},
    "schemas/reports/status.py": {"each"},
    "schemas/reports/workspace.py": {"told"},
}
"""Names that are spelled as in a file or in a shape of JSON."""


def parsed(file: Path) -> ast.AST:
    """A file as its parser reads it."""
    return ast.parse(file.read_text(encoding="utf-8"))


def words_of(name: str) -> set[str]:
    """The words that an identifier is made of, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def named(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """The names that a module gives, and whether each is a class or a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, True
        elif isinstance(node, ast.arg):
            yield node.arg, False
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr, False


def of_novels(*names: str) -> set[str]:
    """Those of the names that a novel would give."""
    return {name for name in names if words_of(name) & OF_NOVELS}


def unclear(tree: ast.AST) -> set[str]:
    """The names that say nothing, or say it as a novel would."""
    return {
        name for name, is_thing in named(tree) if words_of(name) & (OF_NOVELS | SAY_NOTHING if is_thing else OF_NOVELS)
    }


def test_no_two_classes_have_one_name() -> None:
    """Who reads a name need not ask which is meant; a leading underscore makes no other word of it."""
    places = defaultdict(list)
    for file in FILES:
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ClassDef):
                places[node.name.lstrip("_")].append(file.relative_to(ROOT).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_names_are_words_of_the_field() -> None:
    """Those of files and folders, classes, functions, arguments, variables and fields."""
    wrong = dict[str, set[str]]()
    for file in FILES:
        path = file.relative_to(ROOT)
        names = {word for part in path.with_suffix("").parts for word in words_of(part)} & (OF_NOVELS | SAY_NOTHING)
        names |= unclear(parsed(file)) - ON_DISK.get(path.as_posix(), set())
        if names:
            wrong[path.as_posix()] = names
    assert {} == wrong


def test_names_around_the_product_are_words_of_the_field() -> None:
    """Those of tests too: who reads a test reads no novel. A name of the service manager keeps its words."""
    wrong = {
        file.relative_to(ROOT).as_posix(): names
        for file in AROUND
        if (names := of_novels(file.stem, *(name for name, _ in named(parsed(file)))))
    }
    assert {} == wrong


def test_a_name_that_says_nothing_is_detected() -> None:
    """Wherever in a name it stands; of a variable, what is in common is told. A part of a longer word is no word."""
    tree = ast.parse(
        "def _some_helper(house): ...\nclass IndexManager:\n    docket = 1\nin_common = 2\nself.vigil = 3\n"
        "reachable = [each for each in foundations if (not_found := each)]\n"
    )
    assert {"_some_helper", "house", "IndexManager", "docket", "vigil", "each", "not_found"} == unclear(tree)
