"""The check of what earlier versions wrote: a review is offered once after an update that reads otherwise."""

from collections.abc import Iterator

from pipeline.corrections.review import is_due
from pipeline.doctor.checks import made
from pipeline.engine.context import Engine
from schemas.checkup import Check, Health

_NAME = "review"


def review_checks(engine: Engine) -> Iterator[Check]:
    """Whether a review is due; no transcript is read for this."""
    yield from made(_NAME, lambda: _due(engine))


def _due(engine: Engine) -> Iterator[Check]:
    if is_due(engine):
        message = "entries stand that an earlier version wrote; this one may not write all of them"
        yield Check(_NAME, Health.WARN, message, "`memory review` lists them; nothing changes before you say so.")
