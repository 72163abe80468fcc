"""The checkup of the doctor: settings, sources, ledger, machine, service, pings and index of one workspace."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from pipeline.app.engine import EngineOptions, look, look_around, open_engine, unnamed_folders
from pipeline.app.index import index_checkup
from pipeline.app.model import model_checkup
from pipeline.app.opening import rebuild_if_possible
from pipeline.doctor.checks import checkup, run_check
from pipeline.doctor.entries import entry_checks, link_checks, proof_checks, review_checks
from pipeline.doctor.files import file_checks, synced_store_checks
from pipeline.doctor.integrations import agent_checks, integration_checks
from pipeline.doctor.machine import place_checks
from pipeline.doctor.service import service_checks
from pipeline.engine.context import Engine
from pipeline.errors import Held, LedgerDamaged, LedgerNewer, PipelineError, SettingsInvalid, WriteFailed
from pipeline.ledger import closed_ledger
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.pings import address_problem
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.checkup import CheckResult, Health
from schemas.reports.workspace import CheckReport


def examine(root: Path, environment: Mapping[str, str], *, fix: bool, ask: bool = False) -> Iterator[CheckReport]:
    """Examine a workspace: every check as it is made; with `fix` the safe fixes have been applied.

    With `ask` the model is asked one tiny question, and the embedder for one vector.
    """
    return (_report_of(check, fix=fix) for check in _all_checks(root, environment, ask=ask))


def mend_first(root: Path, environment: Mapping[str, str], wanted: Callable[[CheckReport], bool]) -> CheckReport | None:
    """Mend the first finding that is `wanted` and can be mended; `None` when there is none.

    It is looked for again, because what mends it works with what it was found with, which is open only meanwhile.
    """
    findings = (
        check for check in _all_checks(root, environment) if check.mend and wanted(_report_of(check, fix=False))
    )
    return next((_report_of(check, fix=True) for check in findings), None)


def _report_of(check: CheckResult, *, fix: bool) -> CheckReport:
    fixed, said = _apply_fix(check) if fix else (False, "")
    fixable = check.mend is not None
    return CheckReport(check.name, check.health, check.message, check.advice, fixable=fixable, fixed=fixed, fix=said)


def _all_checks(root: Path, environment: Mapping[str, str], *, ask: bool = False) -> Iterator[CheckResult]:
    """Every check of a workspace, as it is made; where the ledger cannot be opened, all other checks."""
    context = ProcessContext(environment)
    try:
        engine = open_engine(root, context)
    except SettingsInvalid as error:
        yield CheckResult("settings", Health.FAIL, str(error))
        return
    except (LedgerDamaged, LedgerNewer, WriteFailed, Held) as error:
        yield _ledger_finding(error)
        closed = closed_ledger(Workspace(root).state_folder / LEDGER_FILE, error)
        engine = open_engine(root, context, EngineOptions(ledger=closed))
        yield from _gather_failures(_engine_checks(engine, environment), error)
    else:
        try:
            yield from _checks_after_look(engine, environment)
        finally:
            engine.ledger.store.close()
    yield from run_check("model", lambda: model_checkup(root, environment, ask=ask))
    yield from run_check("index", lambda: index_checkup(root, context))


def _checks_after_look(engine: Engine, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    try:
        look(engine)
        look_around(engine)
        rebuild_if_possible(engine)
    except PipelineError as error:  # the ledger cannot be read or written
        yield _ledger_finding(error)
        yield from _gather_failures(_engine_checks(engine, environment), error)
    else:
        yield from _engine_checks(engine, environment)


def _ledger_finding(error: PipelineError) -> CheckResult:
    # The advice of the error would be to run the doctor.
    message = f"{error.path} cannot be written: {error.reason}" if isinstance(error, WriteFailed) else str(error)
    return CheckResult("ledger", Health.FAIL, message)


def _engine_checks(engine: Engine, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    yield from checkup(engine, environment)
    yield from run_check("sources", lambda: _unnamed_folder_checks(engine, environment))
    yield from _ping_checks(engine)
    yield from run_check("files", lambda: file_checks(engine))
    yield from entry_checks(engine)
    yield from proof_checks(engine)
    yield from link_checks(engine)
    yield from review_checks(engine)
    yield from agent_checks(engine)
    yield from place_checks(engine)
    yield from run_check("store", lambda: synced_store_checks(engine))
    yield from service_checks(engine)
    yield from integration_checks(engine.workspace.root)


def _unnamed_folder_checks(engine: Engine, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    for hint in unnamed_folders(engine.workspace.root, engine.settings, environment):
        yield CheckResult("sources", Health.OK, hint.sentence, hint.advice)


def _ping_checks(engine: Engine) -> Iterator[CheckResult]:
    if problem := address_problem(engine.settings):
        advice = f"Mend it in {engine.workspace.root / SETTINGS_FILE}: nobody is told of runs, and no service starts."
        yield CheckResult("pings", Health.FAIL, problem, advice)


def _gather_failures(checks: Iterable[CheckResult], error: PipelineError) -> Iterator[CheckResult]:
    """The checks; those that failed because of a reported error are named in a single check."""
    missed = list[str]()
    for check in checks:
        if str(error) in check.message:
            missed.append(check.name)
        else:
            yield check
    if missed:
        message = f"could not be looked at without the ledger: {', '.join(dict.fromkeys(missed))}"
        yield CheckResult("not looked at", Health.WARN, message, "Mend that first, then try again.")


def _apply_fix(check: CheckResult) -> tuple[bool, str]:
    """Apply the fix of a check, if it has one: whether it worked, and a sentence about it."""
    if check.mend is None:
        return False, ""
    try:
        return True, check.mend()
    except PipelineError as error:
        return False, str(error)
