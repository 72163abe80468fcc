"""The check of entries that nothing proves to be ours since the ledger was lost."""

from collections.abc import Iterator

from pipeline.clock import to_the_minute
from pipeline.doctor.checks import made
from pipeline.engine.context import Engine
from pipeline.engine.rebuild import prove_again
from pipeline.ledger.changes import BlockState
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.placed_entries import PlacedEntry
from schemas.checkup import Check, Health
from schemas.entry import Status, Trust

_NAME = "entries"
_ADVICE = (
    "Put .memory/state.db back from a backup, before more is written; or bring their transcripts back, and "
    "`memory doctor --fix` reads those again. Without both,"
)
_OF_QUOTED = " `memory correct ID` makes the words of a quoted one yours again"
_OF_OTHERS = " what is not verified has to be said anew"


def proof_checks(engine: Engine) -> Iterator[Check]:
    """What does not have its standing back although the ledger was rebuilt; no transcript is read for this."""
    yield from made(_NAME, lambda: _unproven(engine))


def _unproven(engine: Engine) -> Iterator[Check]:
    rebuilt = engine.ledger.rebuilds.latest()
    if rebuilt is None:
        return
    book = EntryBooks().of(engine)
    doubted = [one for one in book.texts if one.status is Status.ACTIVE and _may_be_ours(engine, one)]
    if doubted:
        quoted = sum(place.verified for place in doubted)
        others, first = len(doubted) - quoted, doubted[0]
        counts = {f"{quoted} by the quote, at .50": quoted, f"{others} not at all": others}
        subject = "1 entry is as we wrote it" if len(doubted) == 1 else f"{len(doubted)} entries are as we wrote them"
        message = (
            f"since the ledger was rebuilt on {to_the_minute(rebuilt, engine.zone)}, nothing proves that {subject}, "
            f"such as {first.entry.id} ({first.path}:{first.line}); counted: "
            f"{' and '.join(text for text, count in counts.items() if count)}"
        )
        without = ";".join(text for text, count in ((_OF_QUOTED, quoted), (_OF_OTHERS, others)) if count)
        yield Check(_NAME, Health.WARN, message, f"{_ADVICE}{without}.", lambda: _sentence(prove_again(engine)))


def _may_be_ours(engine: Engine, place: PlacedEntry) -> bool:
    """Whether the ledger does not know better: an entry that a person changed is quoted for that."""
    known = engine.ledger.changes.named([place.entry.id])
    unproven = place.entry.trust in {Trust.QUOTED, Trust.UNVERIFIED}
    return unproven and not place.adopted and all(one.state is BlockState.RECOVERED for one in known)


def _sentence(proven: int) -> str:
    return f"the transcripts prove {proven} of them; the others stay as they are"
