"""The checks of the index of what was said, with advice."""

from collections.abc import Iterator
from functools import partial

from pipeline.doctor.fixes import drop_words_index
from pipeline.errors import IndexUnavailable, PipelineError
from pipeline.index.said.update import SaidIndexing, said_report
from schemas.checkup import Check, Health

_NAME = "said"
_FOLLOW = "`memory reindex` takes it in; `memory serve` does while it runs."
_DROP = "`memory doctor --fix` removes it; it is derived, and `memory reindex` makes it anew."


def said_index_checks(indexing: SaidIndexing) -> Iterator[Check]:
    """The checks of the index of what was said. They do not change it."""
    try:
        report = said_report(indexing)
    except IndexUnavailable as error:
        drop = partial(drop_words_index, indexing.latch, indexing.store, "what was said", "`memory reindex`")
        yield Check(_NAME, Health.FAIL, str(error), _DROP, drop)
    except PipelineError as error:
        yield Check(_NAME, Health.FAIL, str(error))
    else:
        yield Check(_NAME, Health.OK, report.sentence, _FOLLOW if report.behind else "")
        if report.owed:
            owed = "words of messages that are gone stand in its files yet, though nothing finds them"
            yield Check(_NAME, Health.WARN, owed, f"`{report.erase}` erases them.")
