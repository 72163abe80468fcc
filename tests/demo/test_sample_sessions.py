"""The sample sessions of `memory demo` are what `expected.json` beside them says they are."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

import pytest

import pipeline.demo
from schemas.base import Value
from schemas.entry import Kind

DEMO = Path(str(files(pipeline.demo)))
SESSIONS = DEMO / "sessions"
CUT = "3a0c8f16-9d72-4eb4-8a15-1d6e8b3f7010"
POLISH_LETTERS = re.compile("[ąćęłńóśźż]", re.IGNORECASE)

Reason = Literal[
    "question",
    "hypothetical",
    "joke",
    "one_off",
    "retracted",
    "third_party",
    "declined",
    "tool_output",
    "web_page",
    "recalled_memory",
    "heartbeat",
    "scheduled_job",
    "sub_agent",
    "secret",
]


class Recorded(Value):
    """Words of the owner that deserve an entry."""

    quote: str
    kind: Kind


class LeftOut(Value):
    """Words that deserve none, and why."""

    quote: str
    reason: Reason


class Relation(Value):
    """How a later entry stands to an earlier one."""

    later_quote: str
    earlier_quote: str
    relation: Literal["supersedes", "reinforces"]


class WrappedUp(Value):
    """What a person would want to find of the session in the wrap-ups of its days, in their own words."""

    actions: tuple[str, ...]
    open_loops: tuple[str, ...]
    technical: tuple[str, ...]


class Sample(Value):
    """One session file."""

    path: str
    format: Literal["openclaw", "claude_code"]
    language: Literal["en", "pl", "zh-Hans", "zh-Hant"]
    record: tuple[Recorded, ...]
    leave_out: tuple[LeftOut, ...]
    wrapup: WrappedUp


class Expected(Value):
    """What a good reader makes of all sample sessions."""

    sessions: dict[str, Sample]
    relations: tuple[Relation, ...]


EXPECTED = Expected.model_validate_json((DEMO / "expected.json").read_bytes())
EVERY_SESSION = pytest.mark.parametrize("session_id", EXPECTED.sessions)
HUMAN = [name for name, sample in EXPECTED.sessions.items() if sample.record]


def _lines(session_id: str) -> list[str]:
    return (SESSIONS / EXPECTED.sessions[session_id].path).read_text(encoding="utf-8").split("\n")


def _records(session_id: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _lines(session_id)[:-1]]


def _strings(value: object) -> Iterator[str]:
    """All text in a decoded JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _user_text(record: dict[str, Any]) -> str:
    """The text blocks of a record that stands on the user's side, tool results not counted; else nothing."""
    message = record.get("message", {})
    if message.get("role") != "user":
        return ""
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


def _said_at(quote: str) -> datetime:
    """When the owner said the one recorded `quote`."""
    moments = [
        datetime.fromisoformat(record["timestamp"])
        for session_id, sample in EXPECTED.sessions.items()
        if quote in {item.quote for item in sample.record}
        for record in _records(session_id)
        if quote in _user_text(record)
    ]
    (moment,) = moments
    return moment


def test_every_session_file_is_listed_once() -> None:
    """`expected.json` names exactly the transcripts that lie in the folder."""
    listed = sorted(sample.path for sample in EXPECTED.sessions.values())
    lines = sorted(path.relative_to(SESSIONS).as_posix() for path in SESSIONS.rglob("*.jsonl*"))
    assert listed == lines


@EVERY_SESSION
def test_lines_are_json_and_only_the_cut_file_ends_within_one(session_id: str) -> None:
    """Each line is a JSON object; one file ends in the middle of a line, as a live file may."""
    assert all(isinstance(record, dict) for record in _records(session_id))
    tail = _lines(session_id)[-1]
    assert (session_id == CUT) == bool(tail)
    if tail:
        with pytest.raises(json.JSONDecodeError):
            json.loads(tail)


@EVERY_SESSION
def test_recorded_quotes_stand_verbatim_in_one_user_message(session_id: str) -> None:
    """A quote to be recorded is found, character by character, in exactly one message of the owner."""
    texts = [_user_text(record) for record in _records(session_id)]
    counts = {item.quote: sum(item.quote in text for text in texts) for item in EXPECTED.sessions[session_id].record}
    assert dict.fromkeys(counts, 1) == counts


@EVERY_SESSION
def test_left_out_quotes_stand_in_the_session_and_are_not_recorded(session_id: str) -> None:
    """What must be left out is really there, and no part of a quote to be recorded."""
    sample = EXPECTED.sessions[session_id]
    texts = [text for record in _records(session_id) for text in _strings(record)]
    missing = [item.quote for item in sample.leave_out if not any(item.quote in text for text in texts)]
    assert missing == []
    both = [out.quote for out in sample.leave_out for kept in sample.record if out.quote in kept.quote]
    assert both == []


def test_quotes_to_record_are_unique_over_all_sessions() -> None:
    """A relation can name an entry by its quote alone."""
    quotes = [item.quote for sample in EXPECTED.sessions.values() for item in sample.record]
    assert len(set(quotes)) == len(quotes)


def test_every_kind_and_every_reason_occurs() -> None:
    """The samples show each kind of entry and each reason to leave words out."""
    samples = EXPECTED.sessions.values()
    assert {item.kind for sample in samples for item in sample.record} == set(Kind)
    assert {item.reason for sample in samples for item in sample.leave_out} == set(get_args(Reason))


def test_relations_lead_from_later_to_earlier_words() -> None:
    """Two entries replace an earlier one (a change of mind, a correction), and two say one again."""
    assert all(_said_at(pair.earlier_quote) < _said_at(pair.later_quote) for pair in EXPECTED.relations)
    kinds = sorted(pair.relation for pair in EXPECTED.relations)
    assert kinds == ["reinforces", "reinforces", "supersedes", "supersedes"]


def test_two_formats_and_three_languages_are_present() -> None:
    """OpenClaw and Claude Code; English in both, Polish, Chinese in both scripts."""
    actual = {(EXPECTED.sessions[name].format, EXPECTED.sessions[name].language) for name in HUMAN}
    expected = {
        ("openclaw", "en"),
        ("claude_code", "en"),
        ("openclaw", "pl"),
        ("openclaw", "zh-Hans"),
        ("openclaw", "zh-Hant"),
    }
    assert actual == expected


def test_polish_comes_with_and_without_diacritics() -> None:
    """One Polish session uses the Polish letters, the other none at all."""
    polish = [name for name in HUMAN if EXPECTED.sessions[name].language == "pl"]
    with_letters = [bool(POLISH_LETTERS.search("\n".join(_lines(name)))) for name in polish]
    assert sorted(with_letters) == [False, True]


def test_messages_fall_in_two_iso_weeks() -> None:
    """By the owner's clock all messages are of 2026-W10 and 2026-W11, and the owner speaks in both."""
    zone = ZoneInfo("Europe/Warsaw")
    moments = [
        datetime.fromisoformat(record["timestamp"]).astimezone(zone)
        for name in HUMAN
        for record in _records(name)
        if _user_text(record)
    ]
    assert {moment.isocalendar()[:2] for moment in moments} == {(2026, 10), (2026, 11)}


def test_time_never_runs_backwards_in_a_file() -> None:
    """The records of a file are in the order of their times."""
    for name in EXPECTED.sessions:
        stamps = [record["timestamp"] for record in _records(name) if "timestamp" in record]
        assert sorted(stamps) == stamps


def test_machine_sessions_have_nothing_to_record() -> None:
    """The scheduled job's session and the sub-agent's are listed, with nothing to record."""
    machines = {name: sample for name, sample in EXPECTED.sessions.items() if name not in HUMAN}
    reasons = {item.reason for sample in machines.values() for item in sample.leave_out}
    assert len(machines) == 2
    wrapups = [sample.wrapup for sample in machines.values()]
    assert () == sum(((*wrapup.actions, *wrapup.open_loops, *wrapup.technical) for wrapup in wrapups), ())
    assert {"scheduled_job", "sub_agent"} <= reasons


def test_one_openclaw_file_is_an_archive() -> None:
    """One session was archived by a reset and still holds words to record."""
    archives = [name for name in HUMAN if ".jsonl.reset." in EXPECTED.sessions[name].path]
    assert len(archives) == 1


def test_files_are_small() -> None:
    """No file is above 60 kB and all together stay under 300 kB, for they travel in the package."""
    sizes = [path.stat().st_size for path in SESSIONS.rglob("*") if path.is_file()]
    assert max(sizes) <= 60_000
    assert sum(sizes) < 300_000
