"""Units of systemd for one workspace and one installation, rendered from the texts of the units in `systemd/`.

Their first line names the workspace and holds a check of all that is written, so that one that a person changed, or one
that belongs to another workspace, is known as such.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from pipeline.errors import PathRefused

FIRST_NAME = "memory"
"""The beginning of the first workspace's unit names; those of another begin with this and a name of its own."""

_OWN_NAME = re.compile(r"\bmemory(?=\.service|-job@|-index\.service|-failed@)")
_SIGNATURE = re.compile(r"# Written by `memory install` for (.+); check ([0-9a-f]{16})\.")
_NAMESPACES = "# For this part a user manager needs"
_PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"
_SLUG_LENGTH = 40


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
    """For which workspace we wrote a unit, and whether it is still as we wrote it."""

    workspace: str
    intact: bool


def quoted(text: str) -> str:
    r"""A path or an assignment as one word of a unit: in quotes, with its `"`, `\` and `%` made harmless."""
    if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in text):
        raise PathRefused(repr(text), "has characters that a unit of systemd cannot hold; give the folder another name")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def file_name(template: str, name: str) -> str:
    """The name of the unit from a template, such as `memory-work.service` from `memory.service`."""
    return name + template.removeprefix(FIRST_NAME)


def names_for(workspace: str) -> tuple[str, str, str]:
    """The possible beginnings of a workspace's unit names, the shortest first; only this workspace has the last one."""
    plain = unicodedata.normalize("NFKD", workspace.rpartition("/")[2]).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_LENGTH]
    digest = hashlib.sha256(workspace.encode(errors="surrogatepass")).hexdigest()[:8]
    return FIRST_NAME, f"{FIRST_NAME}-{slug or digest}", "-".join(filter(None, [FIRST_NAME, slug, digest]))


def rendered(template: str, place: UnitTarget) -> str:
    """The unit for a place, from a template's text, signed.

    Raises:
        PathRefused: a unit cannot hold the path of the workspace or of the program.
    """
    head, *parts = _OWN_NAME.sub(place.name, template).split("\n\n")
    while not parts[0].startswith("["):  # only for copying a template by hand
        parts.pop(0)
    kept = [part for part in parts if place.namespaces or not part.startswith(_NAMESPACES)]
    lines = "\n\n".join([head, *kept]).rstrip("\n").split("\n")
    return _signed("\n".join(_line(line, place) for line in lines) + "\n", place.workspace)


def signature(text: str) -> Signature | None:
    """The content of a unit's first line; `None` when we did not write it."""
    head, _, rest = text.partition("\n")
    match = _SIGNATURE.fullmatch(head)
    return Signature(match[1], _check(rest, match[1]) == match[2]) if match else None


def _line(line: str, place: UnitTarget) -> str:
    own = "Agent memory" + place.name.removeprefix(FIRST_NAME).replace("-", " ", 1)
    replacements = {
        "Environment=MEMORY_WORKSPACE=%h/memory": f"Environment={quoted(f'MEMORY_WORKSPACE={place.workspace}')}",
        "ReadWritePaths=%h/memory": f"ReadWritePaths={quoted(place.workspace)}",
    }
    line = replacements.get(line, line).replace("Description=Agent memory", f"Description={own}", 1)
    line = re.sub(r"^ExecStart=/usr/bin/env memory\b", lambda _: f"ExecStart={_executable(place.program)}", line)
    return _of_system(line, place.user) if place.user else line


def _of_system(line: str, user: str) -> str:
    """A line of a unit of the whole system, where `%h` is the home of root and no login is needed."""
    replacements = {
        f"Environment=PATH=%h/.local/bin:{_PLAIN_PATH}": f"Environment=PATH={_PLAIN_PATH}",
        "WantedBy=default.target": "WantedBy=multi-user.target",
    }
    line = replacements.get(line, line).replace("ctl --user", "ctl")
    owner = f"# It has the rights of the workspace's owner, and no more.\nUser={user}\n"
    return owner + line if line.startswith('ExecStart="') else line


def _executable(program: str) -> str:
    if any(letter in program for letter in "\"'\\"):  # string_is_safe() of systemd refuses them here, quoted or not
        why = "has quotes or backslashes in its path, with which systemd starts nothing; install it elsewhere"
        raise PathRefused(program, why)
    return quoted(program)


def _signed(text: str, workspace: str) -> str:
    return f"# Written by `memory install` for {workspace}; check {_check(text, workspace)}.\n{text}"


def _check(text: str, workspace: str) -> str:
    return hashlib.sha256(f"{workspace}\n{text}".encode(errors="surrogatepass")).hexdigest()[:16]
