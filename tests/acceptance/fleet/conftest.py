"""The fixtures of a fleet, and those of the command."""

from tests.fleet.conftest import anna, clock, database, fleet_template, fleet_url, new_machine, spoken
from tests.support.workspaces.commanded import filled, filled_once, home, memory, workspace

__all__ = [
    "anna",
    "clock",
    "database",
    "filled",
    "filled_once",
    "fleet_template",
    "fleet_url",
    "home",
    "memory",
    "new_machine",
    "spoken",
    "workspace",
]
