"""Sessions of OpenClaw over many days, as files, in which something is decided, kept in mind and changed again."""

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from tests.support.builders.openclaw_lines import OpenClawLines

THINGS = ("boat", "sauna", "kayak", "bike", "canoe", "grill", "tent", "stove", "lamp", "ladder", "saw", "drill")
CABINS = 97
_HOURS = (8, 13, 19)
_KEPT_EVERY = 3  # days
_TALK = "a word about the weather at the lake, and of what the guests asked for; " * 12
_ROWS = "line of a log with a number 123456 and a path /srv/lake/log\n" * 40
_SETTINGS = 'timezone = "UTC"\n\n[[sources]]\nkind = "openclaw"\npath = "sessions"\n'


def years_of_talk(root: Path, first: date, days: int) -> Path:
    """A workspace over three sessions a day: a decision every day, and every third day something to remember."""
    root.mkdir(parents=True)
    (root / "memory.toml").write_text(_SETTINGS)
    for number in range(days):
        day = first + timedelta(days=number)
        for hour, said in zip(_HOURS, _said(number), strict=True):
            name = f"s-{day}-{hour:02}"
            _session(name, datetime.combine(day, time(hour), UTC), said).write(
                root / "sessions" / f"{day:%Y-%m}" / f"{name}.jsonl"
            )
    return root


def _said(number: int) -> tuple[str, str, str]:
    """What a day's sessions come to."""
    thing, cabin = THINGS[number % len(THINGS)], number % CABINS
    kept = f"remember that the {thing} key of cabin {cabin} hangs behind door {number}"
    return (
        f"how many guests ask for the {thing} this week?",
        f"from now on charge {5 + number % 60} euro a day for the {thing} of cabin {cabin}",
        kept if number % _KEPT_EVERY == 0 else "what is left of the list?",
    )


def _session(name: str, start: datetime, said: str) -> OpenClawLines:
    lines = OpenClawLines(name, start=start)
    for text in ("good morning, is the lake open?", said, "and how is the weather?"):
        lines.user(text)
        lines.result("bash", _ROWS)
        lines.assistant(_TALK)
    return lines
