"""A person's own questions, in `checks.toml` of the workspace."""

import tomllib
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from pipeline.errors import ChecksInvalid
from pipeline.index.evaluation.checks import MOST, Expected, QuestionSort, SearchCheck
from pipeline.workspace.files import Workspace
from schemas.base import Value
from schemas.hit import Reach

CHECKS_FILE = "checks.toml"
_FURTHEST = 100
_SENTENCES = {
    "missing": "has to be set",
    "string_type": "write a text in quotes",
    "greater_than_equal": "has to be {ge} or more",
    "less_than_equal": "has to be {le} or less",
    "tuple_type": "write each question as a table [[check]]",
    "model_type": "write each question as a table [[check]]",
    "extra_forbidden": "there is no such key; there are question, entry, path, text, within and tier",
    "enum": "write {expected}",
}


def _not_blank(text: str) -> str:
    if not text.strip():
        kind, message = "empty", "has to say something"
        raise PydanticCustomError(kind, message)
    return text


class _Own(Value):
    """One question of a person, and what has to be found."""

    question: Annotated[str, AfterValidator(_not_blank)]
    entry: str = ""
    path: str = ""
    text: str = ""
    within: int = Field(default=MOST, ge=1, le=_FURTHEST)
    tier: Reach = Reach.AUTO

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not (self.entry or self.path or self.text):
            kind, message = "nothing_expected", "say what has to be found: an entry, a path or a text"
            raise PydanticCustomError(kind, message)
        return self

    @property
    def check(self) -> SearchCheck:
        entries = (self.entry,) if self.entry else ()
        return SearchCheck(
            QuestionSort.OWN, self.question, Expected(entries, self.path, self.text), self.within, self.tier
        )


def _table(value: object) -> object:
    """A table as an array of tables: a person may write `[check]` or `[[check]]`."""
    return [value] if isinstance(value, dict) else value


class _Owns(Value):
    check: Annotated[tuple[_Own, ...], BeforeValidator(_table)] = ()


def own_checks(workspace: Workspace) -> list[SearchCheck]:
    """The questions of `checks.toml`; none when there is no such file.

    Raises:
        ChecksInvalid: the file is no TOML, or a question cannot be used; all problems are named.
        ReadFailed: the system refuses.
    """
    data = workspace.read(CHECKS_FILE)
    if data is None:
        return []
    try:
        file = _Owns.model_validate(tomllib.loads(data.decode("utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ChecksInvalid(CHECKS_FILE, [f"the file: {error}"]) from error
    except ValidationError as error:
        raise ChecksInvalid(CHECKS_FILE, [_problem(detail) for detail in error.errors(include_url=False)]) from error
    return [question.check for question in file.check]


def _problem(error: ErrorDetails) -> str:
    """The problem, as `path: sentence`; questions are counted from 1."""
    place = [f"question {part + 1}" if isinstance(part, int) else str(part) for part in error["loc"]]
    where = ", ".join(place[1:] if place[1:] and place[0] == "check" else place) or "the file"
    sentence = _SENTENCES.get(error["type"], error["msg"])
    return f"{where}: {sentence.format_map(error.get('ctx', {}))}"
