"""The check of the links between entries: those that today's judgement would not make."""

from collections.abc import Iterator

from pipeline.corrections.links import fallen
from pipeline.doctor.checks import NAMED, made
from pipeline.engine.context import Engine
from schemas.checkup import Check, Health

_NAME = "links"
_ADVICE = (
    "`memory doctor --relink` judges them again and writes what comes of it, which `memory undo` takes back; "
    "`memory unlink A B` takes one apart for good."
)


def link_checks(engine: Engine) -> Iterator[Check]:
    """The check of all links; no model is asked."""
    yield from made(_NAME, lambda: _fallen(engine))


def _fallen(engine: Engine) -> Iterator[Check]:
    links = fallen(engine)
    for link in links[:NAMED]:
        message = f"{link.carrier} {link.kind} {link.target}: today's judgement would not link them"
        yield Check(_NAME, Health.WARN, message, _ADVICE)
    if len(links) > NAMED:
        yield Check(_NAME, Health.WARN, f"{len(links) - NAMED} more links would not be made today", _ADVICE)
