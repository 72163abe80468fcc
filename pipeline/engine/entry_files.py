"""All entries of the daily files, as they count."""

from pipeline.engine.context import Engine
from pipeline.engine.inputs import Inputs
from pipeline.entries.standing import Fold, fold
from pipeline.workspace.families import Slots


def entries_of(engine: Engine) -> Fold:
    """The standing of all entries."""
    own = (
        entry
        for job in engine.writers
        if not job.writes.listed
        for entry in Inputs(engine, job, Slots(), engine.family).own_entries(engine.family(job).files())
    )
    return fold(own)
