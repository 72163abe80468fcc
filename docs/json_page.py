"""The page of what `--json` prints, from the values that the use cases give."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from pipeline.app.said_index import Reindexed
from pipeline.reports.jobs import DeclaredJob
from schemas.caller import ListedToken, MadeToken, RevokedToken
from schemas.detail import DetailPage
from schemas.hit import Answer, Hit
from schemas.outcome import Outcome
from schemas.reports.agents import AgentReport, ChangeAnswer, KnownLine, WakeUp
from schemas.reports.backup import BackupReport, GenerationReport, RestoreReport
from schemas.reports.corrections import (
    CorrectedEntry,
    DecidedSuggestions,
    Forgotten,
    ForgottenWords,
    LinksReport,
    MoveDone,
    MovePlanned,
    OwnBlocks,
    ReviewReport,
    TopicTraces,
)
from schemas.reports.cost import CostReport
from schemas.reports.details import (
    ExportedStore,
    ImportedStore,
    KeptDetail,
    ListedDetail,
    PinnedDetails,
    PrunedStore,
    ShownDetail,
)
from schemas.reports.entities import EntitiesCorrected, EntityReport, FactReport, ShownEntity
from schemas.reports.entries import EntryHistory, ForgottenEntry, ForgottenTraces, GoneEntry, ListedEntry
from schemas.reports.fleet import (
    FleetChecked,
    FleetMade,
    FleetTokenMade,
    FleetTokenReport,
    FleetTokenRevoked,
    FleetWorkspacePulled,
    FleetWorkspacePushed,
    FleetWorkspaceRemoved,
    FleetWorkspaceReport,
)
from schemas.reports.index import NoAnswer, SearchChecked
from schemas.reports.installation import ConnectionReport, UninstallReport, UnitsReport
from schemas.reports.models import ChosenModel, ModelOffer, SourceReader
from schemas.reports.recall import RecalledFact
from schemas.reports.runs import DryRun, ListedRun, ShownRun, UndoneRun
from schemas.reports.said_index import SaidIndexReport
from schemas.reports.shipping import ShippedSession, ShippingReport
from schemas.reports.status import (
    BackfillReport,
    BatchReport,
    DetailIndexReport,
    EditsReport,
    GridReport,
    IndexReport,
    JobReport,
    LockReport,
    PageReport,
    ServiceReport,
    SourceHint,
    SourceReport,
    SuggestionsReport,
)
from schemas.reports.upgrade import ReturnReport, UpgradeReport
from schemas.reports.workspace import (
    CheckReport,
    JudgedSession,
    ListedSession,
    ListedWorkspace,
    RemovedWorkspace,
    SettingInForce,
    SettingsChecked,
    WorkspaceMade,
)
from schemas.suggestion import Suggestion
from schemas.transcript import Message

_STATUS = (
    JobReport,
    ServiceReport,
    LockReport,
    BackfillReport,
    BatchReport,
    IndexReport,
    DetailIndexReport,
    SaidIndexReport,
    SourceReport,
    SourceHint,
    PageReport,
    SuggestionsReport,
    EditsReport,
    GridReport,
)
PRINTED: Mapping[str, tuple[type, ...]] = {
    "init": (WorkspaceMade,),
    "show jobs": (DeclaredJob,),
    "run": (Outcome, DryRun),
    "run facts": (Outcome, DryRun),
    "backfill": (Outcome, DryRun),
    "status": _STATUS,
    "suggestions": (Suggestion,),
    "suggestions decide": (DecidedSuggestions,),
    "suggestions accept": (DecidedSuggestions,),
    "suggestions decline": (DecidedSuggestions,),
    "suggestions edit": (DecidedSuggestions,),
    "config model": (ModelOffer,),
    "config model try": (CheckReport,),
    "config model use": (ChosenModel,),
    "config model allow": (SourceReader,),
    "serve install": (UnitsReport,),
    "agents": (AgentReport,),
    "agents connect": (ConnectionReport,),
    "agents add": (AgentReport,),
    "agents show": (AgentReport,),
    "show entities": (EntityReport, ShownEntity),
    "correct merge": (EntitiesCorrected,),
    "correct split": (EntitiesCorrected,),
    "agents wake": (WakeUp,),
    "agents know": (KnownLine,),
    "agents remember": (ChangeAnswer,),
    "agents pin": (ChangeAnswer,),
    "agents unpin": (ChangeAnswer,),
    "show runs": (ListedRun,),
    "show run": (ShownRun,),
    "show cost": (CostReport,),
    "config token add": (MadeToken,),
    "config token list": (ListedToken,),
    "config token revoke": (RevokedToken,),
    "undo": (UndoneRun,),
    "search": (Answer, NoAnswer),
    "recall": (RecalledFact,),
    "show": (
        *(EntryHistory, GoneEntry, ForgottenTraces, ForgottenEntry, FactReport, Hit),
        *(ShownRun, Suggestion, ShownDetail, Message),
    ),
    "show lines": (Hit,),
    "doctor search": (SearchChecked,),
    "store": (KeptDetail,),
    "store list": (ListedDetail,),
    "store show": (ShownDetail, DetailPage),
    "store pin": (PinnedDetails,),
    "store unpin": (PinnedDetails,),
    "store prune": (PrunedStore,),
    "store export": (ExportedStore,),
    "store import": (ImportedStore,),
    "doctor reindex": (Reindexed,),
    "ship": (ShippingReport, ShippedSession),
    "fleet init": (FleetMade,),
    "fleet add": (FleetWorkspaceReport,),
    "fleet list": (FleetWorkspaceReport,),
    "fleet show": (FleetWorkspaceReport,),
    "fleet pull": (FleetWorkspacePulled,),
    "fleet push": (FleetWorkspacePushed,),
    "fleet token add": (FleetTokenMade,),
    "fleet token list": (FleetTokenReport,),
    "fleet token revoke": (FleetTokenRevoked,),
    "fleet resume": (FleetWorkspaceReport,),
    "fleet remove": (FleetWorkspaceRemoved,),
    "fleet doctor": (FleetChecked,),
    "show entries": (ListedEntry,),
    "suggestions review": (ReviewReport,),
    "show story": (EntryHistory, GoneEntry, ForgottenTraces, ForgottenEntry, FactReport),
    "doctor adopt": (OwnBlocks, MovePlanned, MoveDone),
    "correct": (CorrectedEntry,),
    "correct unlink": (LinksReport,),
    "forget": (Forgotten, ForgottenWords, TopicTraces, EntryHistory, GoneEntry),
    "forget about": (ForgottenWords,),
    "show transcripts": (ListedSession, JudgedSession),
    "show transcript": (Message,),
    "config show": (SettingInForce,),
    "config check": (SettingsChecked,),
    "doctor": (CheckReport,),
    "backup": (BackupReport, GenerationReport),
    "restore": (RestoreReport,),
    "upgrade": (UpgradeReport, ReturnReport),
    "workspaces": (ListedWorkspace,),
    "workspaces uninstall": (UninstallReport,),
    "workspaces add": (ListedWorkspace,),
    "workspaces rename": (ListedWorkspace,),
    "workspaces default": (ListedWorkspace,),
    "workspaces remove": (RemovedWorkspace,),
}
"""The values that a command prints, in the order in which they come."""


def json_page() -> Iterator[str]:
    """The lines of the page."""
    yield "`--json` prints objects, one per line, with these fields in this order. Times are ISO 8601 with their"
    yield "offset. `memory show runs --follow` puts `happening`, `began` or `ended`, before the fields of a run.\n"
    for command, values in PRINTED.items():
        yield f"## memory {command}\n"
        for value in values:
            yield from _described(value)
    yield "## Objects inside others\n"
    for value in sorted(_inner(), key=lambda kind: kind.__name__):
        yield from _described(value)


def field_types(value: type) -> dict[str, object]:
    """The fields of an object as programs read them, each with its type."""
    if issubclass(value, BaseModel):
        return {name: field.annotation for name, field in value.model_fields.items() if not field.exclude}
    hints = get_type_hints(value) if is_dataclass(value) else {}
    return {field.name.removesuffix("_"): hints[field.name] for field in fields(value)} if is_dataclass(value) else {}


def _described(value: type) -> Iterator[str]:
    text = (inspect.getdoc(value) or "").partition("\n")[0]
    shown = [
        f"`{name}`" + "".join(f" ({shape.__name__})" for shape in _objects(kind))
        for name, kind in field_types(value).items()
    ]
    yield f"**{value.__name__}** {text}\n\n{', '.join(shown)}\n"


def _inner() -> set[type]:
    """The objects inside those that are printed."""
    printed = {value for values in PRINTED.values() for value in values}
    known, left = set[type](), list(printed)
    while left:
        inner = {shape for kind in field_types(left.pop()).values() for shape in _objects(kind)} - known
        known |= inner
        left += inner
    return known - printed


def _objects(kind: object) -> list[type]:
    """The objects that a type speaks of."""
    if get_origin(kind) is not None or isinstance(kind, UnionType) or kind is Union:
        return [shape for inner in get_args(kind) for shape in _objects(inner)]
    return [kind] if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, BaseModel)) else []
