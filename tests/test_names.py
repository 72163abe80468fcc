"""Names: a class name stands for one thing, and says what it is in the words of the field; a private one is used.

The scan of `make lint` passes over variables that begin with an underscore.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType

from tests.support.tables import table

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


@dataclass(frozen=True)
class ModuleNames:
    """The names that a module gives: its classes, the private ones that nothing uses, and all that are unclear."""

    classes: list[str]
    dead: set[str]
    unclear: set[str]


@cache
def names_of(file: Path) -> ModuleNames:
    """The names of a file, which is parsed once for all tests."""
    nodes = nodes_of(file)
    classes = [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    return ModuleNames(classes, dead_names(nodes), unclear(nodes))


def nodes_of(file: Path) -> list[ast.AST]:
    """All nodes of a file."""
    return [*ast.walk(ast.parse(file.read_text(encoding="utf-8")))]


@cache
def words_of(name: str) -> frozenset[str]:
    """The words that an identifier is made of, in lower case."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name))


def named(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, bool]]:
    """The names that a module gives, and whether each is a class or a function."""
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, True
        elif isinstance(node, ast.arg):
            yield node.arg, False
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr, False


def identifiers_in(code: CodeType) -> Iterator[str]:
    """All identifiers in compiled code, given or used, and the strings that could be one, as of an annotated field."""
    yield from (code.co_name, *code.co_names, *code.co_varnames, *code.co_cellvars)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from identifiers_in(constant)
        elif isinstance(constant, str) and constant.isidentifier():
            yield constant


def of_novels_in(text: str) -> set[str]:
    """The names that a module gives as a novel would; it is parsed where it has such an identifier, as that is slow."""
    if not of_novels(*identifiers_in(compile(text, "", "exec"))):
        return set()
    return of_novels(*(name for name, _ in named([*ast.walk(ast.parse(text))])))


def of_novels(*names: str) -> set[str]:
    """Those of the names that a novel would give."""
    return {name for name in names if words_of(name) & OF_NOVELS}


def unclear(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that say nothing, or say it as a novel would."""
    return {
        name for name, is_thing in named(nodes) if words_of(name) & (OF_NOVELS | SAY_NOTHING if is_thing else OF_NOVELS)
    }


def test_no_two_classes_have_one_name() -> None:
    """Who reads a name need not ask which is meant; a leading underscore makes no other word of it."""
    places = defaultdict(list)
    for file in FILES:
        for name in names_of(file).classes:
            places[name.lstrip("_")].append(file.relative_to(ROOT).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_names_are_words_of_the_field() -> None:
    """Those of files and folders, classes, functions, arguments, variables and fields."""
    wrong = dict[str, set[str]]()
    for file in FILES:
        path = file.relative_to(ROOT)
        names = {word for part in path.with_suffix("").parts for word in words_of(part)} & (OF_NOVELS | SAY_NOTHING)
        names |= names_of(file).unclear - ON_DISK.get(path.as_posix(), set())
        if names:
            wrong[path.as_posix()] = names
    assert {} == wrong


def test_names_around_the_product_are_words_of_the_field() -> None:
    """Those of tests too: who reads a test reads no novel. A name of the service manager keeps its words."""
    wrong = {
        file.relative_to(ROOT).as_posix(): names
        for file in AROUND
        if (names := of_novels(file.stem) | of_novels_in(file.read_text(encoding="utf-8")))
    }
    assert {} == wrong


def test_a_name_that_says_nothing_is_detected() -> None:
    """Wherever in a name it stands; of a variable, what is in common is told. A part of a longer word is no word."""
    tree = ast.parse(
        "def _some_helper(house): ...\nclass IndexManager:\n    docket = 1\nin_common = 2\nself.vigil = 3\n"
        "reachable = [each for each in foundations if (not_found := each)]\n"
    )
    assert {"_some_helper", "house", "IndexManager", "docket", "vigil", "each", "not_found"} == unclear(
        [*ast.walk(tree)]
    )


@table(
    "text",
    [
        "def found(): ...",
        "class Vigil: ...",
        "def f(*, each=1): ...",
        "class A:\n    docket: int",
        "self.house = 1",
        "def f():\n    for told in (): ...",
        "def f():\n    found = 1\n    return lambda: found",
        "[each for each in ()]",
    ],
)
def test_a_name_of_a_novel_is_detected_in_compiled_code(text: str) -> None:
    """Whatever it names; a module that only uses such a name, or says the word, gives none."""
    assert 1 == len(of_novels_in(text))
    assert set() == of_novels_in("print(found, 'each')\nx = f(told=1)")


def private_names(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The constants, functions, classes and fields with a leading underscore that a module or its classes define."""
    bodies = [node.body for node in nodes if isinstance(node, ast.Module | ast.ClassDef)]
    for node in (node for body in bodies for node in body):
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets += [node.target] if isinstance(node, ast.AnnAssign) else []
        ids = [target.id for target in targets if isinstance(target, ast.Name)]
        ids += [node.name] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []
        yield from (name for name in ids if name.startswith("_") and not name.startswith("__"))


def used_names(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that are read, in quoted annotations too."""
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return names | attributes | {word for text in texts if text.isprintable() for word in text.split("[")}


def called_by_others(nodes: Sequence[ast.AST]) -> set[str]:
    """Methods that pydantic finds by their decorator."""
    methods = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    shown_names = [(method.name, ast.unparse(expression)) for method in methods for expression in method.decorator_list]
    return {name for name, decorator in shown_names if decorator.startswith(("field_validator", "model_validator"))}


def dead_names(nodes: Sequence[ast.AST]) -> set[str]:
    """The private names of a module that nothing in it uses."""
    private = set(private_names(nodes))
    unread = private - used_names(nodes) if private else private
    return unread - called_by_others(nodes) if unread else unread


def test_every_private_name_is_used_in_its_module() -> None:
    """What only a test uses is dead as well."""
    dead = {file.relative_to(ROOT).as_posix(): names_of(file).dead for file in FILES}
    assert {} == {path: names for path, names in dead.items() if names}


def test_a_constant_that_nobody_reads_is_detected() -> None:
    """As a field, a function, or a pattern that was meant for something."""
    text = "_A = 1\n_B: int = 2\ndef _c() -> None: ...\nclass D:\n    _e: int = 0\n    _f = _B\nprint(D()._e)"
    assert {"_A", "_c", "_f"} == dead_names([*ast.walk(ast.parse(text))])
