"""Golden outputs: all that the product prints and answers about the workspace of `memory demo`, for two versions.

`python -m benchmarks.golden write DIR [PART ...]` writes the parts, or all, each into a file; `... compare DIR OTHER`
prints how two such folders differ, and exits with 1 when they do; `... renew` writes the files of `tests/golden` anew.
With `--like DIR` the redactor masks the texts that another folder has: the tests of two versions hold different ones.
`tests/support/golden.py` says what is asked, and how what differs between two runs is masked.
"""

import argparse
import ast
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from json import loads
from pathlib import Path
from tempfile import TemporaryDirectory

import pipeline.errors
from pipeline.adapters.redaction.redactor import SecretRedactor
from tests.support.golden import (
    MOMENT,
    GoldenWorkspace,
    answers,
    command_answers,
    commands,
    differences,
    write,
    write_tested,
)

TREE = Path(__file__).parents[1]
_SHORT = 4  # characters of a text that is no sample


def written_files(golden: GoldenWorkspace) -> dict[str, object]:
    """The Markdown files."""
    files = sorted(path for path in golden.root.rglob("*.md") if ".memory" not in path.parts)
    return {str(path.relative_to(golden.root)): path.read_text(encoding="utf-8").splitlines() for path in files}


def help_texts(golden: GoldenWorkspace) -> dict[str, object]:
    """The help of each command."""
    return {name: golden.call(*name.split(), "--help").out.splitlines() for name in ["", *dict(commands())]}


def error_texts(_: GoldenWorkspace) -> dict[str, object]:
    """The exit code and the sentence of each expected error, of arguments made up by their types.

    Of an error that takes other arguments, the type of the exception.
    """
    texts = dict[str, object]()
    for error in _classes_below(pipeline.errors.PipelineError):
        try:
            text = str(error(*_made_up(error)))
        except Exception as refusal:  # noqa: BLE001 - a made-up argument may break anything
            text = type(refusal).__name__
        texts[error.__name__] = [error.exit_code, text]
    return dict(sorted(texts.items()))


def _classes_below(top: type[pipeline.errors.PipelineError]) -> Iterator[type[pipeline.errors.PipelineError]]:
    for module in pkgutil.walk_packages(pipeline.errors.__path__, "pipeline.errors."):
        import_module(module.name)
    for error in top.__subclasses__():
        yield error
        yield from _classes_below(error)


def _made_up(error: type) -> list[object]:
    taken = inspect.signature(error).parameters.values()
    needed = [one for one in taken if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    return [_value(number, str(one.annotation)) for number, one in enumerate(needed, 1)]


def _value(number: int, annotation: str) -> object:
    known: dict[str, object] = {
        "Sequence": (f"first-{number}", f"second-{number}"),
        "Mapping": {f"name-{number}": f"value-{number}"},
        "Path": Path(f"/path-{number}"),
        "datetime": MOMENT,
        "date": MOMENT.date(),
        "int": number,
        "float": float(number),
    }
    return next((value for name, value in known.items() if name in annotation), f"text-{number}")


def masks(golden: GoldenWorkspace, like: Path | None) -> dict[str, object]:
    """Each sample as the redactor gives it; `None` for one that stays as it is."""
    texts = loads((like / "masks.json").read_text(encoding="utf-8")) if like else _samples(golden)
    redactor = SecretRedactor()
    redacted = {text: redactor.redact(text) for text in sorted(texts)}
    return {text: after if after != text else None for text, after in redacted.items()}


def _samples(golden: GoldenWorkspace) -> set[str]:
    """The texts of the tests, and the lines of the sample sessions and of the documentation."""
    tests, sessions = TREE / "tests", golden.root / "sessions"
    files = [*tests.rglob("samples/*"), *sessions.rglob("*.jsonl*"), *(TREE / "docs").rglob("*.md")]
    texts = {line for path in files for line in path.read_text(encoding="utf-8").splitlines()}
    for path in tests.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        texts |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts if len(text) > _SHORT and not re.search("[\ud800-\udfff]", text)}


def write_all(folder: Path, names: Sequence[str], like: Path | None) -> None:
    """Write parts, or all, of the workspace that `memory demo` makes."""
    parts: Mapping[str, Callable[[GoldenWorkspace], Mapping[str, object]]] = {
        "files": lambda golden: {"files": written_files(golden)},
        "help": lambda golden: {"help": help_texts(golden)},
        "errors": lambda golden: {"errors": error_texts(golden)},
        "masks": lambda golden: {"masks": masks(golden, like)},
        "answers": answers,
        "texts": lambda golden: {"texts": command_answers(golden)},
    }
    with TemporaryDirectory(prefix="memory-golden-") as place:
        golden = GoldenWorkspace(Path(place).resolve())
        golden.make()
        for name in names or parts:
            with golden.kept():
                write(folder, golden, parts[name](golden))


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    does = parser.add_subparsers(dest="does", required=True)
    writes = does.add_parser("write")
    writes.add_argument("folder", type=Path)
    writes.add_argument("parts", nargs="*")
    writes.add_argument("--like", type=Path)
    compares = does.add_parser("compare")
    compares.add_argument("folder", type=Path)
    compares.add_argument("other", type=Path)
    does.add_parser("renew")
    given = parser.parse_args()
    if given.does == "write":
        write_all(given.folder, given.parts, given.like)
    elif given.does == "renew":
        with TemporaryDirectory(prefix="memory-golden-") as place:
            write_tested(TREE / "tests" / "golden", Path(place).resolve())
    else:
        different = differences(given.folder, given.other)
        print("\n".join(different))
        return int(bool(different))
    return 0


if __name__ == "__main__":
    sys.exit(main())
