"""A page of ours with text of a person in it, to be moved out of it and back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pipeline.corrections.adopt import adopt
from pipeline.drafts import Draft, ItemDraft
from pipeline.job import Job, Reads, Run, Schedule, Target
from pipeline.markdown.blocks import seal_item
from pipeline.workspace.atomic import FileWriter
from pipeline.workspace.files import Workspace
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import Workbench

OURS = seal_item("h-one", "## Ours").encode()
ITEM = seal_item("i-one", "- a fact\n  said twice").encode()
EDITED = ITEM.replace(b"twice", b"often")
THREE = b"# One\nfirst\n\n# Two\nsecond\n\n# Three\nthird\n"


def page(run: Run) -> list[Draft]:
    """Two items that are on the page whatever is said, and one that counts."""
    draft = ItemDraft("count", f"- {len(run.inputs.transcripts)} sessions until {run.window.end:%H:%M}")
    return [ItemDraft("h-one", "## Ours"), ItemDraft("i-one", "- a fact\n  said twice"), draft]


JOB = Job("page", "counts", Schedule("0 */6 * * *"), Reads(transcripts=True), Target("MEMORY.md"), page, locks=("all",))


@dataclass
class Desk:
    """A workspace with the page's job."""

    bench: Workbench

    @property
    def page(self) -> bytes:
        """The page as it stands."""
        return self.bench.pages().get("MEMORY.md", b"")

    @property
    def archive(self) -> str:
        """What stands in archives."""
        return self.archived.decode(errors="replace")

    @property
    def archived(self) -> bytes:
        """Its bytes."""
        return b"".join(data for path, data in self.bench.pages().items() if path.startswith("memory/archive/adopted-"))

    def write(self, data: bytes) -> None:
        """What a person does with an editor."""
        (self.bench.root / "MEMORY.md").write_bytes(data)

    def adopt(self, *numbers: int) -> str:
        """Move blocks; the run."""
        return adopt(self.bench.engine, numbers).run_id

    def crash(self, what: Callable[[], object], writes: int, part: float) -> bool:
        """Do something until the plan's crash; whether it came."""
        engine = self.bench.engine
        self.bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(writes, part)))
        try:
            what()
        except Crash:
            return True
        finally:
            self.bench.engine = engine
        return False


class Beside(Workspace):
    """A workspace in which somebody writes to the page just before we do."""

    def __init__(self, real: Workspace, data: bytes) -> None:
        super().__init__(real.root)
        self._data = data

    @contextmanager
    def lease(self, path: str) -> Iterator[FileWriter]:
        """The right to write one file."""
        if path == "MEMORY.md":
            (self.root / path).write_bytes(self._data)
        with super().lease(path) as lease:
            yield lease
