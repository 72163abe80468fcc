"""Checking that searching finds and cites what is remembered, on an index that is brought up to date first."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.app.index import IndexOptions, OpenIndex, open_index
from pipeline.errors import Held
from pipeline.index.context import WorkLimit
from pipeline.index.evaluation.checks import Citations, SearchCheck, own_checks, run_checks, summary
from pipeline.index.evaluation.generated import checklist
from pipeline.index.search.fresh_search import EFFORT, notes_on
from pipeline.index.search.live_files import LiveFiles
from pipeline.index.search.search import search
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
from schemas.hit import Answer
from schemas.reports.index import SearchChecked
from schemas.requests import SearchRequest

_LINGER_SECONDS = 2.0  # between two questions
_WAIT_SECONDS = 30.0  # for another process that is bringing the index up to date


def check_search(root: Path, context: ProcessContext) -> SearchChecked:
    """The result of all questions, including those of `checks.toml`, with notes about the index.

    Raises:
        ChecksInvalid: `checks.toml` cannot be used.
    """
    with open_index(root, context, IndexOptions(linger=_LINGER_SECONDS)) as opened:
        own = own_checks(opened.searching.workspace)
        try:  # the wait for vectors is as short as in a search
            notes = notes_on(update(opened.indexing, WorkLimit(vectors=EFFORT.vectors), wait=_WAIT_SECONDS))
        except Held:
            notes = ["Another process is bringing the index up to date."]
        with opened.searching.store.reading() as searcher:
            generated = checklist(searcher) if searcher else []
        return _report(opened, [*generated, *own], notes)


def _report(opened: OpenIndex, checks: list[SearchCheck], notes: Sequence[str]) -> SearchChecked:
    searching, noted = opened.searching, list[tuple[str, ...]]()

    def ask(wanted: SearchRequest) -> Answer:
        answer = search(searching, wanted)
        noted.append(answer.notes)
        return answer

    checked = run_checks(
        ask, lambda: Citations(LiveFiles(searching.workspace, searching.settings, searching.notes)), checks
    )
    # What every answer notes is about the search; the rest is about one answer.
    common = [note for note in (noted[0] if noted else ()) if all(note in of_question for of_question in noted)]
    return summary(checked, [*notes, *common])
