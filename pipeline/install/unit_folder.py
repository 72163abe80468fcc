"""The folder in which a service manager looks for units. `memory install` touches nothing there that is not its own."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from pipeline.errors import PathRefused, ReadFailed, WriteFailed
from pipeline.install.units import Signature, signature
from pipeline.workspace.regular_files import read_regular

_BY_HAND = "was not written by `memory install`, so it is left alone; --force replaces it"
_CHANGED = "was changed after `memory install` wrote it, so it is left alone; --force does away with the changes"
_ELSEWHERE = "is for the workspace {workspace}; give the units of this one another --name"


class UnitFolder:
    """The units in one folder, of one workspace and of others."""

    def __init__(self, path: Path, workspace: str) -> None:
        """`workspace` is the path of the workspace that this is about; the folder need not be there."""
        self.path = path
        self.workspace = workspace

    def text(self, name: str) -> str | None:
        """A unit's text; `None` when there is none of this name.

        Raises:
            ReadFailed: the system refuses.
        """
        try:
            return read_regular(self.path / name).decode(errors="replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ReadFailed(str(self.path / name), error.strerror or str(error)) from error

    def is_taken(self, names: Collection[str]) -> bool:
        """Whether one of these units is there for another workspace."""
        signatures = [signature(self.text(name) or "") for name in names]
        return any(signed is not None and signed.workspace != self.workspace for signed in signatures)

    def ours(self) -> list[str]:
        """The units that we wrote for this workspace, whatever became of them."""
        names = sorted(file.name for file in self.path.glob("*.*") if file.is_file())
        signatures = {name: signature(self.text(name) or "") for name in names}
        return [
            name for name, signed in signatures.items() if signed is not None and signed.workspace == self.workspace
        ]

    def refuse_foreign(self, names: Collection[str], *, force: bool) -> None:
        """Let nothing be replaced or removed that is not ours, or that a person changed unless `force` allows it.

        Raises:
            PathRefused: one of these units is of another workspace, or `force` does not allow it.
        """
        for name in names:
            text = self.text(name)
            why = None if text is None else self._why_not(signature(text), force=force)
            if why is not None:
                raise PathRefused(str(self.path / name), why)

    def _why_not(self, present: Signature | None, *, force: bool) -> str | None:
        if present is not None and present.workspace != self.workspace:
            return _ELSEWHERE.format(workspace=present.workspace)
        if force or (present is not None and present.intact):
            return None
        return _BY_HAND if present is None else _CHANGED

    def write(self, units: Mapping[str, str]) -> list[str]:
        """Write units that are not there as they should be, each whole or not at all; their names come back.

        Raises:
            WriteFailed: the system refuses.
        """
        wanted = [name for name, text in units.items() if self.text(name) != text]
        for name in wanted:
            beside = self.path / f".{name}.new"
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                beside.write_text(units[name], encoding="utf-8", newline="\n")
                beside.replace(self.path / name)
            except OSError as error:
                with suppress(OSError):
                    beside.unlink()
                raise WriteFailed(str(self.path / name), error.strerror or str(error)) from error
        return wanted

    def remove(self, names: Collection[str]) -> None:
        """Remove units, and the links with which `systemctl enable` has them started.

        Raises:
            WriteFailed: the system refuses.
        """
        for name in names:
            try:
                for link in self.path.glob("*.wants/*"):
                    if link.name == name and link.is_symlink():
                        link.unlink()
                (self.path / name).unlink()
            except OSError as error:
                raise WriteFailed(str(error.filename or self.path / name), error.strerror or str(error)) from error
