"""The workspaces of a person's list, with what goes on in each."""

from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.integration.records import RecordFolder
from pipeline.ledger.store import ReadOnlyStore, to_moment
from pipeline.reports.service import service_view
from pipeline.settings.workspaces import KnownWorkspaces, is_workspace
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.reports.workspace import ListedWorkspace


def listed_workspaces(listed: KnownWorkspaces, now: datetime) -> list[ListedWorkspace]:
    """The workspaces of a list, by name. Nothing in them is changed, nor is an old ledger upgraded."""
    return [_describe(name, Path(folder), listed, now) for name, folder in sorted(listed.folders.items())]


def _describe(name: str, root: Path, listed: KnownWorkspaces, now: datetime) -> ListedWorkspace:
    exists = is_workspace(str(root))
    return ListedWorkspace(
        name=name,
        folder=str(root),
        default=name == listed.default,
        exists=exists,
        service=service_view(Workspace(root), now, "UTC").state if exists else "none",
        agents=_connected_agents(root) if exists else (),
        last_run=_last_run(root) if exists else None,
    )


def _connected_agents(root: Path) -> tuple[str, ...]:
    with suppress(PipelineError):  # the doctor tells about a record that cannot be read
        return tuple(RecordFolder(root).read().agents)
    return ()


def _last_run(root: Path) -> datetime | None:
    ledger = Workspace(root).state_folder / LEDGER_FILE
    with suppress(PipelineError):  # the doctor tells about a ledger that cannot be read
        if ledger.exists():
            with closing(ReadOnlyStore(ledger)) as store:
                return to_moment(store.value("SELECT MAX(began) FROM runs"))
    return None
