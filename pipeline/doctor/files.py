"""The check of the texts that make the memory: copies, damage, and what came back."""

import shlex
from collections.abc import Iterator
from itertools import islice

from pipeline.corrections.forgotten_before import returned_entries, returned_items
from pipeline.doctor.run_check import NAMED
from pipeline.engine.context import Engine
from pipeline.markdown.encoding import faults
from pipeline.reports.occurrences import copies_of_ours, our_paths
from pipeline.workspace.layout import FORGOTTEN, LISTS
from pipeline.workspace.listing import list_files
from schemas.checkup import CheckResult, Health

_NAME = "files"
_WITHOUT_A_BACKUP = (
    " If nothing has it, `mv {path} {path}.broken`, then `memory run --allow-shrink`: it lists what is gone in "
    f"{FORGOTTEN}, and what is taken out there is written again from the transcript."
)
_MERGE = "Move what you want to keep into {}, and remove the copy: no search finds it, and no job reads it."


def check_texts(engine: Engine) -> Iterator[CheckResult]:
    """Check the texts that make the memory: copies, forgotten text that came back, and damage."""
    for path, original in copies_of_ours(engine).items():
        message = f"{path} is a copy of {original}, as a sync makes one when both sides have changed"
        yield CheckResult(_NAME, Health.WARN, message, _MERGE.format(original))
    again = [*(back.path for back in returned_entries(engine)), *returned_items(engine)]
    for path in dict.fromkeys(again):
        message = f"{path} holds again what `memory forget` erased, as when a backup is brought back"
        yield CheckResult(_NAME, Health.WARN, message, "The next `memory run` erases it there again.")
    texts = list_files(engine.workspace, engine.settings.index, extra=False).files  # what people keep beside ours
    paths = dict.fromkeys([*our_paths(engine), *LISTS, *(listed.path for listed in texts)])
    checks = (check for path in paths for check in _check_file(engine, path))
    yield from islice(checks, 2 * NAMED)
    if more := sum(1 for _ in checks):
        yield CheckResult(_NAME, Health.WARN, f"{more} more of that sort")


def _check_file(engine: Engine, path: str) -> Iterator[CheckResult]:
    data = engine.workspace.read(path)
    if data is None:
        return
    flaws = list(faults(data))
    is_sound = data.strip() and all(fault.readable for fault in flaws)
    expected = [] if is_sound else engine.ledger.changes.standing_in(path)
    if expected and not data.strip():
        message = f"{path} is empty, though we wrote {len(expected)} entries or lines into it"
        yield CheckResult(_NAME, Health.WARN, message, "Bring it back from git or a backup, before anything is run.")
    for fault in flaws:
        message, advice = f"{path}, line {fault.line}: it {fault.what}", fault.advice
        gone = [] if fault.readable else [block for block in expected if block.name.encode() not in data]
        if gone:
            message += f"; {len(gone)} of the {len(expected)} entries that we wrote into it are not found there"
            advice += _WITHOUT_A_BACKUP.format(path=shlex.quote(path))
        yield CheckResult(_NAME, Health.WARN, message, advice)
