"""Proof of entries by their sources: an entry is ours, word for word, if its job writes just that of its transcript.

Without the ledger nothing else proves it: any process may append a block whose check fits, about a true quote. A job is
a pure function, so it is run once more over the windows of the entries, in the order of time, and without a model: what
a model worded cannot be had again. Nothing is written.
"""

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pipeline.clock import local_day
from pipeline.drafts import EntryDraft, StatusDraft
from pipeline.engine.context import Engine
from pipeline.engine.forgotten_topics import without_forgotten
from pipeline.entries.standing import fold
from pipeline.job import Job, Run
from pipeline.markdown.blocks import Block
from pipeline.markdown.entries import parse_entries, render_entry
from pipeline.workspace.tombstones import read_forgotten
from pipeline.workspace.unlinked import read_unlinked
from schemas.entry import Entry
from schemas.window import Window


@dataclass(frozen=True)
class QuotedEntry:
    """An entry in a file of ours whose quote stands at its source, with the `identity` of that place."""

    path: str
    block: Block
    entry: Entry
    identity: str


def proven(engine: Engine, job: Job, quoted: Sequence[QuotedEntry], windows: Iterable[Window]) -> set[tuple[str, str]]:
    """The blocks of entries that the job writes today of the same windows, by name and digest.

    Their status, which people set, is no part of it, and a later entry that replaced one may be noted in it. What was
    deleted or forgotten is not proven; whether it stood when a later entry was linked is not known, so both are tried.
    """
    gone = frozenset(known for one in read_forgotten(engine.workspace) for known in (one.identity, one.entry_id)) - {""}
    asked = sorted(set(windows), key=lambda window: window.start)
    ours = set[tuple[str, str]]()
    for forgotten in dict.fromkeys((gone, frozenset[str]())):
        written = _written_again(engine, job, asked, forgotten)
        states = fold(written.values()).states
        texts = {
            identity: [entry, entry.model_copy(update={"superseded_by": states[entry.id].superseded_by})]
            for identity, entry in written.items()
            if identity not in gone
        }
        ours |= {(one.block.name, one.block.digest) for one in quoted if _stands(one, texts.get(one.identity, ()))}
    return ours


def _written_again(
    engine: Engine, job: Job, windows: Iterable[Window], forgotten: AbstractSet[str]
) -> dict[str, Entry]:
    """The entries that the job makes of windows, by identity, as if it ran for the first time."""
    written = dict[str, Entry]()
    for window in windows:
        engine.safe_point()
        for draft in job.run(_run(engine, window, written.values(), forgotten)):
            if isinstance(draft, EntryDraft):
                written[draft.identity] = _read_back(draft.entry)
            elif isinstance(draft, StatusDraft):
                update = {"status": draft.status, "superseded_by": draft.superseded_by}
                mine = (identity for identity, entry in written.items() if entry.id == draft.entry_id)
                written |= {identity: written[identity].model_copy(update=update) for identity in list(mine)}
    return written


def _run(engine: Engine, window: Window, entries: Collection[Entry], forgotten: AbstractSet[str]) -> Run:
    """What the job saw of a window, as far as the transcripts tell."""
    asker = engine.asker(offline=True)
    return Run(
        key="",
        window=window,
        day=local_day(window.start, engine.zone),
        now=engine.local_now(),
        transcripts=without_forgotten(engine.workspace, engine.catalog.sessions(window)),
        documents=(),
        entries=tuple(entries),
        forgotten=frozenset(forgotten),
        ask=asker,
        way=asker.way,
        background=asker.background,
        bars=frozenset(read_unlinked(engine.workspace)),
        kinds=engine.catalog.kinds,
    )


def _read_back(entry: Entry) -> Entry:
    """The entry as a later run reads it out of its file."""
    [(_, read)] = parse_entries(render_entry(entry).encode())
    return read or entry


def _stands(quoted: QuotedEntry, entries: Iterable[Entry]) -> bool:
    status = {"status": quoted.entry.status}
    texts = (render_entry(entry.model_copy(update=status)) for entry in entries)
    return any(block.digest == quoted.block.digest for text in texts for block, _ in parse_entries(text.encode()))
