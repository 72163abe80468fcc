"""The declarations of expected errors: their fields, the sentence that names them, the exit code."""

import importlib
import pickle
import pkgutil
from collections.abc import Iterator, Mapping, Sequence

import pytest

from pipeline import errors
from pipeline.errors import (
    FileAway,
    Held,
    Interrupted,
    LedgerDamaged,
    LockGone,
    PipelineError,
    RequestRefused,
    UnknownJob,
)
from schemas.entry import Status
from schemas.reports.corrections import TopicTraces

_VALUES: dict[object, object] = {
    bool: True,
    int: 3,
    float: 0.5,
    Sequence[str]: ["{first}", "{second}"],
    Sequence[int]: [3, 4],
    Sequence[tuple[str, int]]: [("{part}", 3)],
    Mapping[str, str]: {"{name}": "{text}"},
    Status: Status.SUPERSEDED,
    "TopicTraces": TopicTraces(names=("{name}",), entries=(), lines=(), kept=(), waiting=0, alike=()),
    "Usage | None": None,
}


def _below(kind: type[PipelineError]) -> Iterator[type[PipelineError]]:
    for below in kind.__subclasses__():
        yield below
        yield from _below(below)


def _types(kind: type[PipelineError]) -> Mapping[str, object]:
    declared = {name: sort for base in kind.__mro__ for name, sort in vars(base).get("__annotations__", {}).items()}
    return {name: declared[name] for name in kind.fields()}


def _example(kind: type[PipelineError]) -> PipelineError:
    """An error with a value for every field; a text is the name of its field, in braces as a file may have them."""
    return kind(*(f"{{{name}}}" if sort is str else _VALUES[sort] for name, sort in _types(kind).items()))


@pytest.fixture(scope="module")
def declared() -> list[type[PipelineError]]:
    """The errors of `pipeline.errors` that are raised, and say their sentence themselves."""
    modules = [
        importlib.import_module(f"pipeline.errors.{module.name}") for module in pkgutil.iter_modules(errors.__path__)
    ]
    names = {"pipeline.errors", *(module.__name__ for module in modules)}
    kinds = [kind for kind in _below(PipelineError) if kind.__module__ in names]
    return [kind for kind in kinds if kind not in {Interrupted, RequestRefused} and not kind.__subclasses__()]


def test_every_field_of_text_is_in_the_message(declared: list[type[PipelineError]]) -> None:
    """A value is shown as it is, also with braces; a list as its elements."""
    texts = {kind: [name for name, sort in _types(kind).items() if sort is str] for kind in declared}
    shown = {kind: str(_example(kind)) for kind in declared}
    missing = {kind: [name for name in names if f"{{{name}}}" not in shown[kind]] for kind, names in texts.items()}
    assert {} == {kind.__name__: names for kind, names in missing.items() if names}


def test_every_message_ends_a_sentence(declared: list[type[PipelineError]]) -> None:
    """A message is one or several sentences; some end with lines to copy, or with the text of another message."""
    texts = {kind.__name__: str(_example(kind)) for kind in declared}
    assert {} == {name: text for name, text in texts.items() if not text.endswith((".", "}"))}


def test_an_error_crosses_processes(declared: list[type[PipelineError]]) -> None:
    """Its copy has the same kind, fields and text."""
    examples = [*map(_example, declared), Interrupted(15), Held("index", "process 1", next_step="Wait.")]
    copies = [pickle.loads(pickle.dumps(error)) for error in examples]  # noqa: S301 - our own bytes
    assert [(type(error), vars(error), str(error)) for error in examples] == [
        (type(error), vars(error), str(error)) for error in copies
    ]


def test_fields_are_given_by_position_or_by_name() -> None:
    """A field with a default may be left out; one without may not, and there are no others."""
    assert str(LockGone("x.lock")) == str(LockGone(path="x.lock"))
    assert "Try again later" in str(Held("index", "process 1"))
    with pytest.raises(AttributeError, match="holder"):
        Held("index")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="longer"):
        LockGone("x.lock", "y.lock")  # type: ignore[call-arg]


def test_names_to_offer_take_the_place_of_where_names_are_listed() -> None:
    """With names that are alike there is no need to look at the list."""
    assert "There is no job 'x'. `memory show jobs` lists the jobs." == str(UnknownJob("x"))
    assert "There is no job 'x'. Known: a, b." == str(UnknownJob("x", ["a", "b"]))


def test_several_fields_make_a_sentence() -> None:
    """The sentence and the advice are one message."""
    away = FileAway(["a.md", "b.md"], 3)
    assert str(away).startswith("a.md and 1 other file(s), with 3 recorded entries, is gone as a whole. ")
    assert str(LedgerDamaged("state.db", "no {file}")).startswith("state.db cannot be used (no {file}). Move it away ")
