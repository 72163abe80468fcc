"""The command that brings a package into the environment that this program runs in, whatever has made that."""

import json
import shlex
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DISTRIBUTION = "agent-memory-pipeline"
_RECEIPT = "uv-receipt.toml"
_KNOWN = {"requirements", "entrypoints", "python"}  # of a receipt; the command cannot repeat further options
_SAME = {"name", "extras", "specifier", "directory", "path", "editable"}


@dataclass(frozen=True)
class Environment:
    """An environment: its folder, its Python, whether the system's packager keeps it, and whether uv can be called."""

    prefix: Path
    python: Path
    managed: bool = False
    has_uv: bool = False


def environment() -> Environment:
    """The environment of this process."""
    marker = Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    managed = sys.prefix == sys.base_prefix and marker.exists()
    return Environment(Path(sys.prefix), Path(sys.executable), managed, shutil.which("uv") is not None)


def install_command(package: str, version: str, within: Environment, *, again: bool = False) -> str:
    """The command. With `again` it replaces a package that is there, and is not as it was published."""
    requirement = f"{package}=={version}"
    if (within.prefix / _RECEIPT).is_file():
        words = _of_a_tool(within, requirement, ["--reinstall-package", package] if again else [])
    elif (within.prefix / "pipx_metadata.json").is_file():
        words = ["pipx", "inject", *(["--force"] if again else []), _pipx_name(within.prefix), requirement]
    elif _has_pip(within):
        anew = ["--force-reinstall", "--no-deps"] if again else []
        refused = ["--break-system-packages"] if within.managed else []
        words = [str(within.python), "-m", "pip", "install", *refused, *anew, requirement]
    elif within.has_uv or _made_by_uv(within.prefix):
        words = _uv_pip(within, requirement, ["--reinstall-package", package] if again else [])
    else:
        python = shlex.quote(str(within.python))
        return f"{python} -m ensurepip && {python} -m pip install {requirement}"
    return shlex.join(words)


def _of_a_tool(within: Environment, requirement: str, anew: Sequence[str]) -> list[str]:
    """As the tool was installed, with one package more: so it is there after an upgrade as well."""
    try:
        tool = tomllib.loads((within.prefix / _RECEIPT).read_text(encoding="utf-8"))["tool"]
        stated: list[Mapping[str, Any]] = tool["requirements"]
        main = next(package for package in stated if package["name"] == _DISTRIBUTION)
        if not set(tool) <= _KNOWN or not all(set(package) <= _SAME for package in stated):
            return _uv_pip(within, requirement, anew)
        name = requirement.partition("==")[0]
        others = [package for package in stated if package["name"] not in {_DISTRIBUTION, name}]
        python = ["--python", str(tool["python"])] if "python" in tool else []
        beside = [word for package in others for word in _stated(package, "--with", "--with-editable")]
        return [
            "uv",
            "tool",
            "install",
            *python,
            *anew,
            *beside,
            "--with",
            requirement,
            *_stated(main, "", "--editable"),
        ]
    except (OSError, ValueError, KeyError, TypeError, StopIteration):  # not what a uv that we know writes
        return _uv_pip(within, requirement, anew)


def _stated(requirement: Mapping[str, Any], option: str, editable: str) -> list[str]:
    """The words that state a requirement of a receipt."""
    extras = f"[{','.join(requirement['extras'])}]" if requirement.get("extras") else ""
    if "editable" in requirement:
        return [editable, f"{requirement['editable']}{extras}"]
    place = requirement.get("directory") or requirement.get("path") or requirement["name"]
    return [*([option] if option else []), f"{place}{extras}{requirement.get('specifier', '')}"]


def _uv_pip(within: Environment, requirement: str, anew: Sequence[str]) -> list[str]:
    return ["uv", "pip", "install", "--python", str(within.python), *anew, requirement]


def _pipx_name(prefix: Path) -> str:
    """The name that pipx has for an environment; older versions do not store it, and it is that of the folder."""
    with suppress(OSError, ValueError, AttributeError):
        name = json.loads((prefix / "pipx_metadata.json").read_text(encoding="utf-8")).get("environment")
        return str(name or prefix.name)
    return prefix.name


def _has_pip(within: Environment) -> bool:
    folders = [*within.prefix.glob("lib/python3*/site-packages"), *within.prefix.glob("lib/python3*/dist-packages")]
    folders += within.prefix.glob("lib/python3/dist-packages")
    return any((folder / "pip").is_dir() for folder in folders)


def _made_by_uv(prefix: Path) -> bool:
    with suppress(OSError):
        return any(line.startswith("uv = ") for line in (prefix / "pyvenv.cfg").read_text().splitlines())
    return False
