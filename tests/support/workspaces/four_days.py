"""A workspace with four days of talk in it, so that `memory run` and `memory backfill` have the same to do."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from tests.support.processes.commands import RealWorkspace
from tests.support.servers.behaviours import Received
from tests.support.servers.model_server import ScriptedServer
from tests.support.weekly import SCHEDULE, ZONE
from tests.support.workspaces.transcript_folder import TranscriptFolder, Turn

FOLDS = {"weekly_compound", "reflect", "entity_pages", "articles"}
"""The jobs that run in the command that wrote what they read."""
JOBS = ("micro_sync", "daily_wrapup", "retain", "weekly_plan", *sorted(FOLDS))
DAYS = 4
HOURS = (8, 13, 19)
PROMISE = "Remember that the"
"""How each thing begins that is to be remembered about a key."""

BY_HAND = b"---\r\nMonday\r\n\r\n- [ ] milk, **eggs**\r\nno line end here"
"""What a person has written into the second day's file."""

_KEYS = ("boat", "sauna", "kayak", "bike", "canoe", "grill", "tent", "stove", "lamp", "ladder", "saw", "drill")
_KEEPERS = ("Anna", "Bartek", "Celina", "Dawid", "Ewa", "Filip", "Gosia", "Henryk", "Iga", "Jacek", "Kasia", "Leon")


@dataclass(frozen=True)
class FourDays:
    """The workspace, and the first day on which something was said."""

    memory: RealWorkspace
    first: date

    @property
    def days(self) -> list[date]:
        """The days that something was said on."""
        return [self.first + timedelta(days=number) for number in range(DAYS)]

    @property
    def backfill(self) -> tuple[str, ...]:
        """The words of the command that does what `memory run` would."""
        return ("backfill", *JOBS, "--from", str(self.first), "--to", str(self.first + timedelta(days=6)))

    def daily(self, day: int) -> Path:
        """The file of a day, by its number from 0."""
        return self.memory.root / "memory" / f"{self.days[day]}.md"


def build_four_days(root: Path, first: date, more: str = "") -> FourDays:
    """Builds the workspace in a folder; whatever the folder, its files come to hold the same bytes.

    Args:
        root: the folder; it is made.
        first: the first day, a Monday. When its week is over, midnight changes nothing while a test runs.
        more: settings to put after the others.
    """
    source = '[[sources]]\nkind = "openclaw"\npath = "openclaw"\n'
    settings = f'timezone = "{ZONE}"\nstart = {first}T00:00:00+01:00\n{source}{SCHEDULE}{more}'
    four_days = FourDays(RealWorkspace(root).configure(settings), first)
    folder = TranscriptFolder(root / "openclaw")
    for number, day in enumerate(four_days.days):
        folder.say(f"keys-{number}", _keys(day, number))
    folder.say("deposit-30", [_turn(four_days.days[0], 16, "New rule: the deposit is 30 percent for all cabins.")])
    changed = "New rule: the deposit is 20 percent for all cabins, not 30 any more."
    folder.say("deposit-20", [_turn(four_days.days[3], 16, changed)])
    four_days.daily(1).write_bytes(BY_HAND)
    return four_days


def model_table(server: ScriptedServer, **settings: float | str) -> str:
    """The `[model]` table of a workspace whose model is behind `server`; `settings` are others of its settings."""
    fields: dict[str, float | str] = {"base_url": server.base_url, "name": "scripted", "attempts": 1, "timeout": 120}
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in (fields | settings).items())
    return f"[model]\n{lines}"


def is_about_a_pair(request: Received) -> bool:
    """Whether a request asks what one entry is to another; all sentences about keys are of one form."""
    return "stand near them, and say which" in request.instructions


def keeping_promises(request: Received) -> dict[str, Any]:
    """How a good model answers: it quotes, whole, what the owner of a house asks to remember, and adds nothing."""
    talk = request.conversation
    if talk is None:
        return {}
    asked = [one for one in talk.messages if one.number >= talk.first_new and one.text.startswith(PROMISE)]
    return {"candidates": [_candidate(one.number, one.text) for one in asked]}


def _candidate(number: int, quote: str) -> dict[str, Any]:
    fields = {
        "kind": "remember",
        "title": f"As the model put it, {quote}"[:100],
        "quote": quote,
        "quote_number": number,
    }
    words = dict.fromkeys(("why", "finding", "impact"), "not stated")
    return fields | words | {"support_numbers": [], "confirmation": "stated", "conclusion": quote, "confidence": 0.9}


def _keys(day: date, number: int) -> list[Turn]:
    turns = []
    for place, hour in enumerate(HOURS):
        key, keeper = _KEYS[number * len(HOURS) + place], _KEEPERS[number * len(HOURS) + place]
        said = _turn(day, hour, f"{PROMISE} {key} key hangs with {keeper}.")
        turns += [said, (said[0] + timedelta(minutes=1), "assistant", "Noted.")]
        rule = f"New rule: nobody but {keeper} lends out the {key}."
        turns.append((said[0] + timedelta(minutes=2), "user", rule))
    return turns


def _turn(day: date, hour: int, text: str) -> Turn:
    return datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(ZONE)).astimezone(UTC), "user", text
