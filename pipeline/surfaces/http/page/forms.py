"""Forms: what was shown has a digest, so that an old page decides about nothing that has changed since."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, TypeVar

from fastapi import Form as FormData
from fastapi import Query
from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from pipeline.errors.service import PageOutdated
from pipeline.surfaces.http.page.rendering import Page
from schemas.base import EARLIEST, LATEST, RequestValue
from schemas.json_line import json_line
from schemas.requests import ORDER

T = TypeVar("T")
InBody = Annotated[T, FormData()]
"""The fields of a form that was sent."""
InQuery = Annotated[T, Query()]
"""The fields of a form in an address."""
POSSIBLE = "possible_day"
"""Our own kind of what is wrong."""
_SENTENCES = {
    ORDER: "fields.order",
    POSSIBLE: "fields.range",
    "date_": "fields.day",
    "int_": "fields.number",
    "greater_than": "fields.range",
    "less_than": "fields.range",
    "enum": "fields.choice",
    "literal_error": "fields.choice",
    "string_too_long": "fields.long",
    "missing": "fields.missing",
    "string_too_short": "fields.missing",
}
"""By the beginning of a kind of what is wrong: the text that says it."""
_SHOWN = 5


def _possible_day(day: date | None) -> date | None:
    if day and not EARLIEST.date() <= day <= LATEST.date():
        raise PydanticCustomError(POSSIBLE, "there is nothing of such a day")
    return day


OptionalDay = Annotated[date | None, AfterValidator(_possible_day)]
Words = Annotated[str, Field(max_length=200)]
"""A few words to look for."""
PartNumber = Annotated[int, Field(ge=1, le=10_000_000)]
"""The number of a part of a list."""
AskedPart = Annotated[PartNumber, Query(alias="page")]
"""The part that an address asks for."""


class QueryForm(RequestValue):
    """The fields of a form in an address: an empty one says nothing, and others than its own are left alone."""

    model_config = ConfigDict(extra="ignore")

    @property
    def fields(self) -> dict[str, Any]:
        """The fields that say something, as those of an address, without the number of a part."""
        return self.model_dump(mode="json", exclude={"page"}, exclude_defaults=True)

    @model_validator(mode="before")
    @classmethod
    def _leave_out_empty(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that are filled in."""
        given = {
            name: list(filter(None, value)) if isinstance(value, list) else value for name, value in fields.items()
        }
        return {name: value for name, value in given.items() if value not in ("", [])}


class ListQuery(QueryForm):
    """The fields of a form whose answer is a list in parts."""

    page: PartNumber = 1


def sentences_of(page: Page, problems: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The faults of the fields of a form, a sentence for each."""
    return tuple(dict.fromkeys(_sentence(page, problem) for problem in problems))[:_SHOWN]


def _sentence(page: Page, problem: Mapping[str, Any]) -> str:
    kind = next((text for start, text in _SENTENCES.items() if problem["type"].startswith(start)), "fields.other")
    names = [part for part in problem["loc"][1:] if isinstance(part, str)]
    field = page.word("fields.names", names[0]) if names else ""
    most = problem.get("ctx", {}).get("max_length", "")
    said = page.text(kind, most=most)
    return f"{field[:100]}: {said}" if field else said


_LENGTH = 16


class Form(RequestValue):
    """A form that decides about something; `seen` is the digest of what the person saw."""

    seen: str = Field(max_length=64)

    def require_same(self, value: object) -> None:
        """Refuse the form when the value is not what the person saw."""
        require_seen(self.seen, value)


def require_seen(seen: str, value: object) -> None:
    """Refuse a form with a digest of another value."""
    if not is_digest(seen, digest_of(value)):
        raise PageOutdated


def is_digest(seen: str, digest: str) -> bool:
    """Whether the digest that a form sent is this one."""
    return hmac.compare_digest(seen.encode(), digest.encode())


def digest_of(value: object) -> str:
    """The digest of what is shown: of the value as JSON."""
    return hashlib.sha256(json_line(value).encode()).hexdigest()[:_LENGTH]
