"""Private names that nobody uses: the scan of `make lint` passes over variables that begin with an underscore."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [file for package in ("pipeline", "jobs", "schemas") for file in sorted((ROOT / package).rglob("*.py"))]


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


def dead_names(text: str) -> set[str]:
    """The private names of a module that nothing in it uses."""
    nodes = list(ast.walk(ast.parse(text)))
    private = set(private_names(nodes))
    return private - used_names(nodes) - called_by_others(nodes) if private else set()


def test_every_private_name_is_used_in_its_module() -> None:
    """What only a test uses is dead as well."""
    dead = {file.relative_to(ROOT).as_posix(): dead_names(file.read_text(encoding="utf-8")) for file in FILES}
    assert {} == {path: names for path, names in dead.items() if names}


def test_a_constant_that_nobody_reads_is_detected() -> None:
    """As a field, a function, or a pattern that was meant for something."""
    text = "_A = 1\n_B: int = 2\ndef _c() -> None: ...\nclass D:\n    _e: int = 0\n    _f = _B\nprint(D()._e)"
    assert {"_A", "_c", "_f"} == dead_names(text)
