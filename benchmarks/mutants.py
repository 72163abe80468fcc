"""Mutants: small changes of the rules that trust rests on, and whether a test fails for each.

`python -m benchmarks.mutants RESULTS [--count N] [--seed N]` changes one place of `AREAS` at a time: a comparison, a
word such as `and`, a number, a condition of a pattern; not the lists of words, which are data. The tests of the area
run on the changed module until one fails, in a fork that has loaded the libraries; no file changes. RESULTS gets a line
for each mutant, and one that is there is not run again. Those that no test caught are printed.
"""

import argparse
import ast
import json
import os
import random
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

AREAS = {
    "pipeline/adapters/redaction": ("tests/adapters/redaction/test_redactor.py", "tests/adapters/redaction"),
    "pipeline/entries/authorship": (
        "tests/entries/authorship",
        "tests/jobs/extraction/test_authorship.py",
        "tests/jobs/extraction/test_foreign.py",
    ),
}
"""The folders of rules, and their tests; those that catch most go first, as the first that fails is the last."""
_NO_RULES = ("screening.py",)
"""They tell where a look is worth its time: most changes there find the same, later."""
SECONDS = 60
"""A mutant whose tests take longer, in seconds of the processor, is caught: it does not end."""
_OURS = ("pipeline", "jobs", "schemas", "tests")
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_FEWER = re.compile(
    r"(?<![(\\])(?<!(?<!\\)[*+?}])(?P<maybe>\?)(?![:=!<P])|(?P<edge>\\b)|(?P<times>\{\d*,\d+\}\??)"
    r"|(?P<condition>\(\?<?[!=][^()]*\))|\\.|\[\^?\]?(?:\\.|[^\\\]])+\]"
)
"""What can be left out of a pattern: "maybe", an edge, a number of times, a condition.

The signs in brackets are data, as words are; and a `?` behind a number of times chooses among matches, and is no rule.
"""


@dataclass(frozen=True)
class Mutant:
    """A file with one stretch of bytes replaced."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before!r} -> {self.after!r}"

    @property
    def source(self) -> bytes:
        """The changed file."""
        data = Path(self.path).read_bytes()
        return data[: self.start] + self.after.encode() + data[self.end :]


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mutants of a file that compile."""
    data = path.read_bytes()
    tree = ast.parse(data)
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    left_out = {id(node) for top in ast.walk(tree) for node in _left_out(top)}
    seen = set[tuple[int, int, str]]()  # the parts of a string have the place of all of it

    def at(line: int, column: int) -> int:
        return starts[line - 1] + column

    for node in ast.walk(tree):
        if id(node) in left_out or not isinstance(node, ast.expr):
            continue
        start, end = at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0)
        for first, last, after in _changes(node, data, start, end, at):
            if (first, last, after) in seen:
                continue
            seen.add((first, last, after))
            before = data[first:last].decode()
            mutant = Mutant(str(path), data.count(b"\n", 0, first) + 1, first, last, before, after)
            if _compiles(mutant.source):
                yield mutant


def _left_out(node: ast.AST) -> Iterator[ast.AST]:
    """Annotations, decorators, docstrings, messages of errors, lists of words, `strict` and `or 0`: no rules."""
    annotations = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    for part in [*filter(None, annotations), *getattr(node, "decorator_list", [])]:
        yield from ast.walk(part)
    if isinstance(node, ast.keyword) and node.arg == "strict":  # what `zip` asserts
        yield node.value
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.Constant):
        yield node.values[-1]  # what types ask for
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cues":
        yield from ast.walk(node)
    if isinstance(node, ast.Expr | ast.Raise | ast.Import | ast.ImportFrom):
        yield from ast.walk(node)
    if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets):
        yield from ast.walk(node.value)


def _changes(
    node: ast.expr, data: bytes, start: int, end: int, at: Callable[[int, int], int]
) -> Iterator[tuple[int, int, str]]:
    match node:
        case ast.Compare(left=left, ops=[operation], comparators=[right]):
            first, last = at(left.end_lineno or 0, left.end_col_offset or 0), at(right.lineno, right.col_offset)
            gap = data[first:last].decode()
            if "(" not in gap and ")" not in gap:
                yield first, last, f" {_COMPARED[type(operation)]} "
        case ast.BoolOp(op=operation, values=[left, right, *_]):
            first, last = at(left.end_lineno or 0, left.end_col_offset or 0), at(right.lineno, right.col_offset)
            words = ("and", "or") if isinstance(operation, ast.And) else ("or", "and")
            yield first, last, re.sub(rf"\b{words[0]}\b", words[1], data[first:last].decode())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield start, at(operand.lineno, operand.col_offset), ""
        case ast.Constant(value=bool()):
            yield start, end, str(not node.value)
        case ast.Constant(value=int()) if data[start - 1 : start] != b"[":  # not a group of a match
            yield start, end, str(int(not node.value))  # one more is often as good
        case ast.Constant(value=str()):
            text = data[start:end].decode()
            for part in filter(lambda one: one.lastgroup, _FEWER.finditer(text)):
                first = start + len(text[: part.start()].encode())
                yield first, first + len(part[0].encode()), ""


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


class Mutated(MetaPathFinder, SourceLoader):  # type: ignore[misc]  # as the library declares its own classes
    """Loads one module out of a mutant."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module, when it is the changed one."""
        del path, target
        package = self._mutant.path.endswith("__init__.py")
        return spec_from_loader(fullname, self, is_package=package) if fullname == self._name else None

    def get_filename(self, fullname: str) -> str:
        """Where it would be."""
        del fullname
        return str(Path(self._mutant.path).resolve())

    def get_data(self, path: str | Path) -> bytes:
        """The changed source; nothing compiled is read."""
        if str(path).endswith(".pyc"):
            raise OSError(path)
        return self._mutant.source


def is_caught(mutant: Mutant, tests: Sequence[str]) -> bool:
    """Whether a test fails for a mutant."""
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        sys.meta_path.insert(0, Mutated(mutant))
        os._exit(_run_tests(tests))
    return os.waitpid(child, 0)[1] != 0


def _run_tests(tests: Sequence[str]) -> int:
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))


def _load_libraries(tests: Sequence[str]) -> None:
    """Run the tests as they are, and let go of what is ours, which a fork loads with its mutant."""
    before = dict(os.environ)
    if _run_tests(tests):
        sys.exit(f"{' '.join(tests)} fail as they are")
    for name in [name for name in sys.modules if name.partition(".")[0] in _OURS]:
        del sys.modules[name]
    os.environ.clear()  # the folder for files of tests has gone
    os.environ.update(before)
    tempfile.tempdir = None


def main() -> None:
    """Run the mutants that RESULTS does not have yet, and print those that nothing caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    known = [json.loads(line) for line in given.results.read_text().splitlines()] if given.results.exists() else []
    done = {one["mutant"]: one["caught"] for one in known}
    chosen = list[str]()
    for folder, tests in AREAS.items():
        paths = [path for path in sorted(Path(folder).rglob("*.py")) if path.name not in _NO_RULES]
        all_of_it = [mutant for path in paths for mutant in mutants_of(path)]
        drawn = random.Random(given.seed).sample(all_of_it, given.count // len(AREAS))  # noqa: S311 - a sample
        chosen += map(str, drawn)
        new = [mutant for mutant in drawn if str(mutant) not in done]
        if new:
            _load_libraries(tests)
        for mutant in new:
            done[str(mutant)] = is_caught(mutant, tests)
            with given.results.open("a") as results:
                results.write(json.dumps({"mutant": str(mutant), "caught": done[str(mutant)]}) + "\n")
    left = [mutant for mutant in chosen if not done[mutant]]
    print("\n".join(left))
    print(f"{len(chosen) - len(left)} of {len(chosen)} mutants were caught")


if __name__ == "__main__":
    main()
