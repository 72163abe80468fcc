"""The checks of the model and of a server that makes vectors, where they are asked."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pipeline.adapters.embedding.choice import open_embedder
from pipeline.adapters.model.checks import ModelCheck
from pipeline.clock import stopwatch
from pipeline.errors import EmbedderUnavailable
from pipeline.settings.load import load_settings
from pipeline.workspace.files import STATE_FOLDER
from schemas.checkup import Check, Health


def model_checkup(root: Path, environment: Mapping[str, str], *, ask: bool) -> Iterator[Check]:
    """The checks of the model; with `ask` it is asked one tiny question, and the embedder for one vector."""
    settings = load_settings(root, environment)
    if not settings.model.configured:
        yield Check("model", Health.OK, "offline")
    else:
        check = ModelCheck(settings.model, root / STATE_FOLDER, environment)
        yield from (Check("model", *standing) for standing in (check.ask() if ask else [check.look()]))
    if ask and (embedder := open_embedder(settings.embedder)):
        since = stopwatch()
        try:
            numbers = len(embedder.question("The harbour closes at nine."))
        except EmbedderUnavailable as error:
            yield Check("embedder", Health.FAIL, str(error), "Until then search goes by words alone.")
        else:
            made = f"{embedder.name} makes a vector of {numbers} numbers in {stopwatch() - since:.1f} s"
            yield Check("embedder", Health.OK, made)
