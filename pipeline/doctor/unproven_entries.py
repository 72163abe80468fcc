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
    "`memory doctor --fix` reads those again. Without both, `memory correct ID` makes the words of {} yours again; "
    "what is not verified has to be said anew."
)


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
        others = len(doubted) - quoted
        counts = {f"{quoted} count by their quotes, at .50": quoted, f"{others} not at all": others}
        when = to_the_minute(rebuilt, engine.zone)
        message = (
            f"since the ledger was rebuilt on {when}, nothing proves that {len(doubted)} entries are as we wrote "
            f"them, such as {doubted[0].entry.id} ({doubted[0].path}:{doubted[0].line}): "
            f"{' and '.join(text for text, count in counts.items() if count)}"
        )
        advice = _ADVICE.format("a quoted one" if quoted else "one")
        yield Check(_NAME, Health.WARN, message, advice, lambda: _sentence(prove_again(engine)))


def _may_be_ours(engine: Engine, place: PlacedEntry) -> bool:
    """Whether the ledger does not know better: an entry that a person changed is quoted for that."""
    known = engine.ledger.changes.named([place.entry.id])
    unproven = place.entry.trust in {Trust.QUOTED, Trust.UNVERIFIED}
    return unproven and not place.adopted and all(one.state is BlockState.RECOVERED for one in known)


def _sentence(proven: int) -> str:
    return f"the transcripts prove {proven} of them; the others stay as they are"
