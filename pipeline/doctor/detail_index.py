"""The checks of the index of stored texts, with advice."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from pipeline.doctor.fixes import drop_words_index
from pipeline.errors import IndexUnavailable, PipelineError
from pipeline.index.chunking.details import key_of
from pipeline.index.context import Indexing
from pipeline.index.sync.update import not_indexed
from schemas.checkup import Check, Health

_NAME = "details"
_TAKES_IN = "A search among them takes in some, `memory reindex` all."
_DROP = "`memory doctor --fix` removes it; it is derived, and `memory reindex` makes it anew."


@dataclass(frozen=True)
class DetailStanding:
    """How many texts are stored, and how many of them are not in the index yet."""

    stored: int
    waiting: int


def detail_standing(indexing: Indexing) -> DetailStanding | None:
    """How the index follows the store; `None` where nothing was ever stored."""
    if indexing.details is None or not indexing.details.exists:
        return None
    stored = len(indexing.details.listed())
    return DetailStanding(stored, len({key_of(path) for path in not_indexed(indexing)}))


def detail_index_checks(indexing: Indexing) -> Iterator[Check]:
    """The checks of the index of stored texts, where there are any. They do not change it."""
    try:
        standing = detail_standing(indexing)
    except IndexUnavailable as error:
        yield _unavailable(indexing, error)
    except PipelineError as error:
        yield Check(_NAME, Health.FAIL, str(error))
    else:
        if standing:
            waiting = f", {standing.waiting} of them not in the index yet" if standing.waiting else ", all in the index"
            message = f"{standing.stored} text(s) are stored{waiting if standing.stored else ''}"
            yield Check(_NAME, Health.OK, message, _TAKES_IN if standing.waiting else "")


def _unavailable(indexing: Indexing, error: IndexUnavailable) -> Check:
    """A damaged index is thrown away; for a file without rights the error has its own advice."""
    if "--full" not in str(error):
        return Check(_NAME, Health.FAIL, str(error))
    maker = "`memory reindex`, or the next search among them,"
    drop = partial(drop_words_index, indexing.latch, indexing.store, "stored texts", maker)
    return Check(_NAME, Health.FAIL, str(error), _DROP, drop)
