"""The sections `Raises:` of docstrings: where they stand, and which of our errors they name.

An expected error goes up to the surfaces by itself, so it is named only where callers of a package look: on the ports,
and on what another package imports. Other exceptions have to be caught, and are named wherever they are raised.
"""

import ast
import importlib
import pkgutil
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipeline import errors
from pipeline.errors import PipelineError
from pipeline.service.socket import client

ROOT = Path(__file__).parents[1]
TOP = ("pipeline.adapters", "pipeline.surfaces")
"""Nobody but the composition root imports the adapters, whose ports name the errors; nobody imports the surfaces."""
_SECTION = re.compile(r"^Raises:\n((?: {4}.*\n?)+)", re.MULTILINE)
_IMPORT = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
_NAMES = re.compile(r"^ {4}(\w[\w., ]*):", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """The section of a function or a class in a module, below the name that is imported from there."""

    module: str
    imported: str
    name: str
    raised: tuple[str, ...]

    @property
    def public(self) -> bool:
        """Without a leading underscore in its names."""
        return not self.imported.startswith("_") and not self.name.startswith("_")


def package(module: str) -> str:
    """The package or module below `pipeline` that a module belongs to."""
    return ".".join(module.split(".")[:2])


def sections(module: str, tree: ast.Module) -> Iterator[Section]:
    """The sections in a module."""
    for top in tree.body:
        nodes = ast.walk(top) if isinstance(top, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) else ()
        for node in nodes:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                section = _SECTION.search(ast.get_docstring(node) or "")
                names = [name for line in _NAMES.findall(section[1]) for name in line.split(", ")] if section else []
                yield from [Section(module, getattr(top, "name", ""), node.name, tuple(names))] if section else ()


def family(name: str, ours: Mapping[str, type[PipelineError]]) -> str:
    """The widest class that an error of ours belongs to, below the class of all."""
    return next(kind.__name__ for kind in reversed(ours[name].__mro__[:-4]))


@pytest.fixture(scope="module")
def ours() -> dict[str, type[PipelineError]]:
    """The expected errors by their names."""
    names = [f"pipeline.errors.{file.name}" for file in pkgutil.iter_modules(errors.__path__)]
    modules = [errors, client, *map(importlib.import_module, names)]
    kinds = [kind for module in modules for kind in vars(module).values()]
    return {kind.__name__: kind for kind in kinds if isinstance(kind, type) and issubclass(kind, PipelineError)}


@pytest.fixture(scope="module")
def product() -> dict[str, str]:
    """The text of each module of the product."""
    files = [file for folder in ("pipeline", "jobs", "schemas") for file in sorted((ROOT / folder).rglob("*.py"))]
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for file in files]
    return {name: file.read_text(encoding="utf-8") for name, file in zip(names, files, strict=True)}


@pytest.fixture(scope="module")
def named(product: Mapping[str, str]) -> list[Section]:
    """All sections of the product."""
    texts = {module: text for module, text in product.items() if "Raises:" in text}
    return [section for module, text in texts.items() for section in sections(module, ast.parse(text))]


def test_expected_errors_are_named_where_callers_of_a_package_look(
    product: Mapping[str, str], named: list[Section], ours: dict[str, type[PipelineError]]
) -> None:
    """Not on what only its own package calls."""
    importers = defaultdict[tuple[str, str], set[str]](set)
    for module, text in product.items():
        for imported, names in _IMPORT.findall(text):
            for name in re.findall(r"\w+", names):
                importers[imported, name].add(package(module))
    wrong = [
        f"{section.module}:{section.name}"
        for section in named
        if any(name in ours for name in section.raised) and not section.module.startswith("pipeline.ports")
        if not section.public
        or section.module.startswith(TOP)
        or not importers[section.module, section.imported] - {package(section.module)}
    ]
    assert [] == wrong


def test_a_section_names_a_family_once(named: list[Section], ours: dict[str, type[PipelineError]]) -> None:
    """Several errors of a family are named by its class; that of all expected errors says nothing."""
    wrong = {}
    for section in named:
        known = [name for name in section.raised if name in ours]
        counted = Counter("PipelineError" if name == "PipelineError" else family(name, ours) for name in known)
        twice = [name for name, count in counted.items() if count > 1 or name == "PipelineError"]
        wrong[f"{section.module}:{section.name}"] = twice
    assert {} == {place: names for place, names in wrong.items() if names}


def test_a_section_is_read() -> None:
    """Its names, also of several errors in a line, on a method and a function."""
    text = """class Folder:
    def read(self):
        '''Read.

        Raises:
            A, B: text
                and C: more.
            D: x.
        '''
"""
    assert [Section("m", "Folder", "read", ("A", "B", "D"))] == list(sections("m", ast.parse(text)))
