"""The check of the workspace's place: whether it was moved, and what names the folder in which it was."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.install import UnitFolder, move_unit, signature, user_units
from pipeline.integration.plan import is_copied, other_workspaces, own_record
from pipeline.settings.workspaces import is_own_place, moved_from, note_place, own_list
from schemas.checkup import CheckResult, Health

_NAME = "place"
_ADVICE = (
    "`memory doctor --fix` mends what names the old folder: units of the service, your list, and connected agents."
)
_NOT_OURS = (
    "Your home does not know it, so --fix leaves that alone. If you moved it: `memory workspaces remove` the old name, "
    "`memory workspaces add` this folder, and `memory serve install --systemd` for its units."
)


def check_place(root: Path, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check whether a workspace was moved: the units of its service and the person's list name the old folder then."""
    noted = moved_from(root)
    own = (noted if is_own_place(root, environment) else "") or _connected_place(root, environment)
    before = own or noted
    if not before:
        return
    units = UnitFolder(user_units(environment), before)
    named = [str(units.path / unit) for unit in units.ours()]
    with suppress(PipelineError):  # without a list there is nothing to mend in it
        workspaces = own_list(environment)
        named += [str(workspaces.file)] * bool(workspaces.read().name_of(before))
    named_here = f"; these still name it: {', '.join(named)}" if named else ""
    message = f"the workspace was moved here from {before}{named_here}"
    mend = partial(_mend, root, own, environment) if own else None
    yield CheckResult(_NAME, Health.WARN, message, _ADVICE if own else _NOT_OURS, mend)


def _connected_place(root: Path, environment: Mapping[str, str]) -> str:
    """The folder that connections of a workspace name, which is gone; empty without one."""
    agents = own_record(root, environment)[0].agents.values()
    gone = [
        workspace
        for files in agents
        if not is_copied(files.values(), root)
        for workspace in other_workspaces(files.values(), root)
    ]
    return min(gone, default="")


def _mend(root: Path, before: str, environment: Mapping[str, str]) -> str:
    units = UnitFolder(user_units(environment), before)
    texts = {unit: units.text(unit) or "" for unit in units.ours()}
    kept = [unit for unit, text in texts.items() if not (signed := signature(text)) or not signed.intact]
    moved = units.write({unit: move_unit(text, str(root)) for unit, text in texts.items() if unit not in kept})
    with suppress(PipelineError):  # a home that cannot be written has no list
        own_list(environment).move(before, root)
    note_place(root, environment, moved=True)
    sentences = ["what names the workspace names its new folder"]
    if moved:
        sentences.append("run `systemctl --user daemon-reload`, then `systemctl --user restart` with its units")
    if kept:
        sentences.append(f"these units were changed by hand and stay: {', '.join(kept)}")
    return "; ".join(sentences)
