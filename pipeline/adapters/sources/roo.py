"""The sessions of Roo Code, which keeps its tasks as Cline does."""

from pipeline.adapters.sources.cline import ASIDE, CONVERSATION, parse_task, storage_roots
from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.files import FileSource

KIND = SourceKind(
    "roo",
    lambda place: FileSource(place, lambda name: name == CONVERSATION, parse_task, ASIDE),
    lambda home, environment: storage_roots(home, environment, "rooveterinaryinc.roo-cline"),
)
