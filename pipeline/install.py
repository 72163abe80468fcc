"""The program of this installation, and what runs it for a workspace: a line of a crontab, or units of systemd.

The units are rendered from the texts in `systemd/`. Their first line names the workspace and holds a check of all that
is written, so that one that a person changed, or one that belongs to another workspace, is known as such.
"""

import hashlib
import os
import re
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import PathRefused, ReadFailed, WriteFailed
from pipeline.workspace.regular_files import read_regular

FIRST_NAME = "memory"
"""The beginning of the first workspace's unit names; those of another begin with this and a name of its own."""

_OWN_NAME = re.compile(r"\bmemory(?=\.service|-job@|-index\.service|-failed@)")
_SIGNATURE = re.compile(r"# Written by `memory (?:serve )?install` for (.+); check ([0-9a-f]{16})\.")
_NAMESPACES = "# For this part a user manager needs"
_PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"
_SLUG_LENGTH = 40


def installed_program() -> str | None:
    """The path of this installation's `memory`, for programs with another PATH; `None` when there is none."""
    beside = Path(sys.executable).with_name("memory")
    executable = str(beside) if beside.exists() else shutil.which("memory")
    return str(Path(executable).absolute()) if executable else None


def cron_line(program: str, root: Path) -> str:
    """The line of a crontab that runs each hour what is due in a workspace."""
    words = shlex.join([program, "run", "--workspace", str(root)])
    return "5 * * * *  " + words.replace("%", "\\%")  # cron takes a bare % as the end of the line


@dataclass(frozen=True)
class UnitTarget:
    """The target of the units: the command `program` and the `workspace`, absolute paths both, and their names' prefix.

    With `user` they are units of the whole system that run as that user, without it units of a user's own manager.
    Without `namespaces` they leave out what a user manager cannot do on a system that forbids user namespaces.
    """

    program: str
    workspace: str
    name: str = FIRST_NAME
    user: str = ""
    namespaces: bool = True


@dataclass(frozen=True)
class Signature:
    """The workspace of a unit that we wrote, and whether the unit is unchanged."""

    workspace: str
    intact: bool


def quote_word(text: str) -> str:
    r"""A path or an assignment as one word of a unit: in quotes, with its `"`, `\` and `%` made harmless."""
    if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in text):
        raise PathRefused(repr(text), "has characters that a unit of systemd cannot hold; give the folder another name")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def file_name(template: str, name: str) -> str:
    """The name of the unit from a template, such as `memory-work.service` from `memory.service`."""
    return name + template.removeprefix(FIRST_NAME)


def without_templates(units: Collection[str]) -> list[str]:
    """The units that can be started and stopped themselves."""
    return [unit for unit in units if "@." not in unit]


def names_for(workspace: str) -> tuple[str, str, str]:
    """The possible beginnings of a workspace's unit names, the shortest first; the last is unique."""
    plain = unicodedata.normalize("NFKD", workspace.rpartition("/")[2]).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_LENGTH]
    digest = hashlib.sha256(workspace.encode(errors="surrogatepass")).hexdigest()[:8]
    return FIRST_NAME, f"{FIRST_NAME}-{slug or digest}", "-".join(filter(None, [FIRST_NAME, slug, digest]))


def render_unit(template: str, place: UnitTarget) -> str:
    """The unit for a place, from a template's text, signed.

    Raises:
        PathRefused: a unit cannot hold the path of the workspace or of the program.
    """
    head, *parts = _OWN_NAME.sub(place.name, template).split("\n\n")
    while not parts[0].startswith("["):  # only for copying a template by hand
        parts.pop(0)
    kept = [part for part in parts if place.namespaces or not part.startswith(_NAMESPACES)]
    lines = "\n\n".join([head, *kept]).rstrip("\n").split("\n")
    text = "\n".join(_render_line(line, place) for line in lines) + "\n"
    return _sign(text, place.workspace)


def _sign(text: str, workspace: str) -> str:
    return f"# Written by `memory serve install` for {workspace}; check {_check_of(text, workspace)}.\n{text}"


def user_units(environment: Mapping[str, str]) -> Path:
    """The folder of a person's own units; never one below the folder in which we are."""
    home = Path(environment.get("XDG_CONFIG_HOME", ""))
    below_home = Path(environment.get("HOME") or Path.home()) / ".config"
    return (home if home.is_absolute() else below_home) / "systemd" / "user"


def system_units(environment: Mapping[str, str]) -> Path:
    """The folder of the units of the whole system; that of systemd's own variable where it names one."""
    named = environment.get("SYSTEMD_UNIT_PATH", "").partition(":")[0]
    return Path(named) if named.startswith("/") else Path("/etc/systemd/system")


def move_unit(text: str, workspace: str) -> str:
    """An unchanged unit of ours for a workspace that is in another folder now; all else stays as it is.

    Raises:
        PathRefused: a unit cannot hold the path of the workspace.
    """
    head, _, rest = text.partition("\n")
    match = _SIGNATURE.fullmatch(head)
    before = match[1] if match else ""
    for start in ("MEMORY_WORKSPACE=", ""):
        rest = rest.replace(quote_word(start + before), quote_word(start + workspace))
    return _sign(rest, workspace)


def renew_unit(unit: str, text: str, templates: Mapping[str, str], program: str) -> str:
    """A unit of ours as this version writes it; empty if a person changed it, or there is no such unit any more."""
    signed, user = signature(text), re.search(r"^User=(.+)$", text, re.MULTILINE)
    for template, content in templates.items():
        end = template.removeprefix(FIRST_NAME)
        if signed and signed.intact and unit.startswith(FIRST_NAME) and unit.endswith(end):
            name = unit.removesuffix(end)
            namespaces = _NAMESPACES in text
            place = UnitTarget(program, signed.workspace, name, user[1] if user else "", namespaces)
            return render_unit(content, place)
    return ""


def signature(text: str) -> Signature | None:
    """The signature in a unit's first line; `None` if we did not write it."""
    head, _, rest = text.partition("\n")
    match = _SIGNATURE.fullmatch(head)
    return Signature(match[1], _check_of(rest, match[1]) == match[2]) if match else None


def _render_line(line: str, place: UnitTarget) -> str:
    own = "Agent memory" + place.name.removeprefix(FIRST_NAME).replace("-", " ", 1)
    replacements = {
        "Environment=MEMORY_WORKSPACE=%h/memory": f"Environment={quote_word(f'MEMORY_WORKSPACE={place.workspace}')}",
        "ReadWritePaths=%h/memory": f"ReadWritePaths={quote_word(place.workspace)}",
    }
    line = replacements.get(line, line).replace("Description=Agent memory", f"Description={own}", 1)
    line = re.sub(r"^ExecStart=/usr/bin/env memory\b", lambda _: f"ExecStart={_quote_program(place.program)}", line)
    if not place.user:
        return line
    # In a unit of the whole system `%h` is the home of root, and no login is needed.
    replacements = {
        f"Environment=PATH=%h/.local/bin:{_PLAIN_PATH}": f"Environment=PATH={_PLAIN_PATH}",
        "WantedBy=default.target": "WantedBy=multi-user.target",
    }
    line = replacements.get(line, line).replace("ctl --user", "ctl")
    owner = f"# It has the rights of the workspace's owner, and no more.\nUser={place.user}\n"
    return owner + line if line.startswith('ExecStart="') else line


def _quote_program(program: str) -> str:
    if any(letter in program for letter in "\"'\\"):  # string_is_safe() of systemd refuses them here, quoted or not
        why = "has quotes or backslashes in its path, with which systemd starts nothing; install it elsewhere"
        raise PathRefused(program, why)
    return quote_word(program)


def _check_of(text: str, workspace: str) -> str:
    return hashlib.sha256(f"{workspace}\n{text}".encode(errors="surrogatepass")).hexdigest()[:16]


_BY_HAND = "was not written by `memory serve install`, so it is left alone; --force replaces it"
_CHANGED = "was changed after `memory serve install` wrote it, so it is left alone; --force does away with the changes"
_ELSEWHERE = "is for the workspace {workspace}; give the units of this one another --name"


class UnitFolder:
    """The units in one folder, of one workspace and of others."""

    def __init__(self, path: Path, workspace: str) -> None:
        """`workspace` is the path of the workspace that this is about; the folder need not be there."""
        self.path = path
        self.workspace = workspace

    def text(self, name: str) -> str | None:
        """The text of a unit; `None` if it is missing.

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
        """Whether a unit of these names belongs to another workspace."""
        signatures = [signature(self.text(name) or "") for name in names]
        return any(signed is not None and signed.workspace != self.workspace for signed in signatures)

    def ours(self) -> list[str]:
        """The units that we wrote for this workspace, changed or not."""
        names = sorted(file.name for file in self.path.glob("*.*") if file.is_file() and os.access(file, os.R_OK))
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
            if text is None:
                continue
            present = signature(text)
            if present is not None and present.workspace != self.workspace:
                raise PathRefused(str(self.path / name), _ELSEWHERE.format(workspace=present.workspace))
            if not force and (present is None or not present.intact):
                raise PathRefused(str(self.path / name), _BY_HAND if present is None else _CHANGED)

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


def unit_folders(workspace: str, environment: Mapping[str, str]) -> dict[str, UnitFolder]:
    """The folders that may have units of a workspace, by the command that tells their service manager."""
    return {
        "systemctl --user": UnitFolder(user_units(environment), workspace),
        "sudo systemctl": UnitFolder(system_units(environment), workspace),
    }
