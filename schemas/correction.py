"""A correction of an entry: other words for what was settled, which a person gives."""

from typing import Literal

from pydantic import AwareDatetime

from schemas.base import Value
from schemas.entry import Trust


class CorrectionRequest(Value):
    """The request to write a correction of the entry `corrects`, which a person made `at` this time.

    `conclusion`, `title`, `why`, `finding` and `impact` are its words, each on one line; an empty title is made of the
    conclusion. `quote` is what the person said. `identity` makes the correction the same again.
    """

    form: Literal["correction"] = "correction"
    corrects: str
    title: str
    conclusion: str
    quote: str
    why: str
    finding: str
    impact: str
    at: AwareDatetime
    trust: Trust
    identity: str


def is_correction(body: str) -> bool:
    """Whether the body of a request is that of a correction."""
    return body.startswith('{"form":"correction"')
