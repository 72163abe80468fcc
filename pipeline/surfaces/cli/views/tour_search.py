"""The part of the tour that asks: a question in each of three languages, and the lines that answer it."""

import click

from pipeline.app.index import open_index
from pipeline.engine.context import Engine
from pipeline.index.search.fresh_search import Answering
from pipeline.index.search.search import Wanted
from pipeline.process.context import ProcessContext
from pipeline.surfaces.cli.terminal.format import head, printable

QUESTIONS = (
    ("how much deposit do we ask for now?", "it was changed since, and what holds is found"),
    ("kiedy jest przegląd komina?", "in Polish; the answer has another form, typed without accents"),
    ("团体订单的订金怎么付", "in simplified Chinese; the answer is in traditional"),
)
"""Questions that the sample sessions answer, each with what is not plain about it."""

_WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
"""So that the tour is the same everywhere, and nobody waits for vectors."""


def show_search(engine: Engine) -> None:
    """Ask the questions, and show where each first hit stands.

    Raises:
        PipelineError: the index cannot be made or used.
    """
    head("What is found, and where it stands")
    with open_index(engine.workspace.root, ProcessContext(_WORDS_ALONE)) as opened:
        answering = Answering(opened.indexing, opened.searching)
        for text, meaning in QUESTIONS:
            click.echo(f'  memory search "{text}"  ({meaning})')
            for hit in answering(Wanted(text, k=1)).hits:
                click.echo(f"    {hit.path}#L{hit.start_line}-L{hit.end_line}  {hit.date}, {hit.kind}, {hit.status}")
                click.echo(f"    {printable(hit.snippet)}\n")
