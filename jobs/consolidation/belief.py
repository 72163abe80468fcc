"""What is believed of entries that are not as they were written: another process may have written all but the quote."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from pipeline.job import Noted
from schemas.entry import NOT_STATED, Entry, Status

CONFIDENCE = 0.5
"""What is believed at most of the confidence of an entry that is not as it was written."""


def believed(noted: Iterable[Noted], known: Collection[str] = frozenset()) -> list[Noted]:
    """Entries as far as they are believed, in their order; `known` are ids that an earlier plan found worth the page.

    Beside a version that is as it was written no other counts, unless all it says is that a person archived the entry.
    What is not as it was written has no links to what is, and takes the place of none.
    """
    given = list(noted)
    written = {each.entry.id: each.entry for each in given if each.as_written}
    others = {each.entry.id: each.entry for each in sorted(given, key=_rank) if each.entry.id not in written}
    doubted = doubtful(given, known)
    found = list[Noted]()
    for each in given:
        sure = written.get(each.entry.id)
        if sure is None:
            found.append(replace(each, entry=_doubted(each.entry, doubted, written)))
        elif each.as_written or _only_archived(each.entry, sure):
            found.append(replace(each, entry=_in_time(each.entry, others)))
    return found


def doubtful(noted: Iterable[Noted], known: Collection[str] = frozenset()) -> frozenset[str]:
    """The entries that are not as they were written, beside others that are, unless they are `known`.

    Where nothing is as it was written, because the ledger was lost, all are alike and none is doubtful.
    """
    given = list(noted)
    written = {each.entry.id for each in given if each.as_written}
    return frozenset(each.entry.id for each in given if written) - written - frozenset(known)


def quote_alone(noted: Noted) -> Entry:
    """The words of an entry that are sure: all, when it is as it was written, else its quote."""
    if noted.as_written:
        return noted.entry
    sure = dict.fromkeys(("title", "conclusion"), noted.entry.quote)
    return noted.entry.model_copy(update=sure | dict.fromkeys(("why", "finding", "impact"), NOT_STATED))


def _only_archived(entry: Entry, written: Entry) -> bool:
    same = entry.model_copy(update={"status": written.status}) == written
    return same and entry.status is Status.ARCHIVED


def _in_time(entry: Entry, others: Mapping[str, Entry]) -> Entry:
    """`entry` without links to what claims to be later than itself: of two that are linked, the later one holds."""
    kept = tuple(each for each in entry.supersedes if each not in others or _time(others[each]) < _time(entry))
    return entry if kept == entry.supersedes else entry.model_copy(update={"supersedes": kept})


def _doubted(entry: Entry, doubted: Collection[str], written: Collection[str]) -> Entry:
    links = {key: getattr(entry, key) for key in ("supersedes", "superseded_by", "reinforces")}
    cut = {key: tuple(each for each in ids if each not in written) for key, ids in links.items()}
    sure = min(entry.confidence, CONFIDENCE) if entry.id in doubted else entry.confidence
    return entry.model_copy(update=cut | {"confidence": sure})


def _rank(noted: Noted) -> tuple[object, ...]:
    return _time(noted.entry)


def _time(entry: Entry) -> tuple[object, ...]:
    return entry.date, entry.id
