"""Which agents are connected to a workspace: kept to take it back, and to look whether it still works."""

import json
from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from pipeline.integration.agents import Wanted
from pipeline.workspace.files import Workspace
from pipeline.workspace.regular_files import make_folder, read_regular, write_regular

FILE = "integrations.json"
"""Below the folder of what is derived."""

_RECORDS: TypeAdapter[dict[str, dict[str, list[str]]]] = TypeAdapter(dict[str, dict[str, list[str]]])


def read_record(workspace: Workspace) -> dict[str, Wanted]:
    """What is connected, by the agents' names; nothing when the record is gone, or is none."""
    try:
        kept = _RECORDS.validate_json(read_regular(workspace.state_folder / FILE))
    except (OSError, ValidationError):
        return {}
    return {name: Wanted(one.get("server", []), one.get("wake", [])) for name, one in kept.items() if one.get("server")}


def write_record(workspace: Workspace, connected: Mapping[str, Wanted]) -> None:
    """Keep what is connected."""
    make_folder(workspace.state_folder)
    plain = {name: {"server": list(one.server), "wake": list(one.wake)} for name, one in connected.items()}
    write_regular(workspace.state_folder / FILE, f"{json.dumps(plain, ensure_ascii=False, indent=2)}\n".encode())
