"""The facts of a workspace, and the names of entities that people gave, whichever job reads them."""

from pipeline.engine.context import Engine
from pipeline.engine.inputs import Inputs
from pipeline.facts.names import PAGES, EntityNames, names_in
from pipeline.markdown.items import render_page
from pipeline.workspace.families import Slots
from schemas.fact import Fact

_SUMMARY = "summary"
"""The name of the item."""


def all_facts(engine: Engine) -> list[Fact]:
    """The facts of all files in which a job reads facts, in the order of the files, in the words that hold."""
    readers = [job for job in engine.jobs if job.reads.facts]
    patterns = tuple(dict.fromkeys(pattern for job in readers for pattern in job.reads.facts))
    return list(Inputs(engine, readers[0], Slots(), engine.family).facts_in_force(patterns)) if readers else []


def names_by_people(engine: Engine) -> EntityNames:
    """The names of entities, as people gave them."""
    return names_in(pages_by_people(engine))


def pages_by_people(engine: Engine) -> list[tuple[str, str]]:
    """What people wrote into the pages of entities, each a path with a text; not those in which nobody wrote."""
    texts = list[tuple[str, str]]()
    for path in engine.workspace.select(PAGES):
        data, ours = engine.workspace.read(path) or b"", engine.ledger.changes.ever_in(path)
        texts.append((path, render_page(data, (), ours=ours).decode(errors="replace")))
    return [(path, text) for path, text in texts if text.strip()]


def page_summaries(engine: Engine) -> list[tuple[str, str]]:
    """The summaries that the pages of entities begin with, each as it was written: a path with a text."""
    readers = [job for job in engine.jobs if job.reads.facts]
    items = Inputs(engine, readers[0], Slots(), engine.family).items((PAGES,)) if readers else ()
    return [(item.path, item.text) for item in items if item.name == _SUMMARY]
