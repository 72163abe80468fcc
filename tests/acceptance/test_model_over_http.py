"""`memory run` and `memory backfill` with a model behind a real server that behaves in every way there is."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes.command_line import Said
from tests.support.servers.behaviours import (
    Behaviour,
    Received,
    answering,
    failing,
    invented_quotes,
    rate_limited,
    refusing_forms,
    wrong_ids,
)
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import PROMISE, FourDays, is_about_a_pair, keeping_promises, model_table

KEY = "a-key-that-no-file-may-hold-9f31c07b"
WINDOWS = 3  # of the first day with keys in them


@pytest.fixture
def keys(four_days: FourDays) -> FourDays:
    """A workspace where nothing but keys is spoken of."""
    for file in four_days.memory.root.glob("openclaw/agents/main/sessions/deposit-*"):
        file.unlink()
    return four_days


def asked(
    four_days: FourDays, behaviours: Sequence[Behaviour], *words: str, **settings: float
) -> tuple[Said, list[Received]]:
    """Run a command with a model that behaves so; what it told, and what the server was asked, but about pairs."""
    file = four_days.memory.root / "memory.toml"
    plain = file.read_text(encoding="utf-8").partition("[model]")[0]
    with ScriptedServer(*behaviours) as server:
        file.write_text(plain + model_table(server, **settings), encoding="utf-8")
        ended = four_days.memory.memory(*words, "--json", MEMORY_MODEL__API_KEY=KEY)
    assert all(request.with_key for request in server.requests)
    assert "Traceback" not in ended.err
    return ended, [request for request in server.requests if not is_about_a_pair(request)]


def first_day(four_days: FourDays) -> tuple[str, ...]:
    """The words of a back-fill of the first day."""
    day = str(four_days.days[0])
    return ("backfill", "micro_sync", "--from", day, "--to", day)


def endings(ended: Said) -> list[str]:
    """How the windows ended in which there was something to ask."""
    return [outcome["ending"] for outcome in ended.records if outcome["ending"] != "empty" or outcome["rejected"]]


def reasons(four_days: FourDays, ended: Said) -> set[str]:
    """Why candidates were rejected, as `memory show run` tells it of every run that rejected some."""
    runs = [outcome["run_id"] for outcome in ended.records if outcome["rejected"]]
    shown = [four_days.memory.memory("show", "run", run, "--json").records[0] for run in runs]
    return {rejection["reason"] for record in shown for rejection in record["rejected"]}


def everything_kept(four_days: FourDays) -> Iterator[tuple[Path, bytes]]:
    """Every file that the product wrote."""
    for folder in ("memory", ".memory"):
        for file in (four_days.memory.root / folder).rglob("*"):
            if file.is_file():
                yield file, file.read_bytes()


def test_good_answers_are_written_and_paid_for_once(keys: FourDays) -> None:
    """Each entry has its quote; the second back-fill asks nothing and writes nothing; the key is nowhere."""
    ended, requests = asked(keys, [answering(keeping_promises)], *keys.backfill)
    assert ended.code == 0
    assert Counter(request.task for request in requests) == {
        "session": 4 * WINDOWS,
        "weekly_plan": 1,
    }
    entries = keys.memory.entries()
    assert len(entries) == 4 * WINDOWS
    assert all(entry["quote"].startswith(PROMISE) and entry["verified"] for entry in entries)
    pages = keys.memory.pages()
    again, none = asked(keys, [failing(500)], *keys.backfill)
    assert (again.code, none, keys.memory.pages()) == (0, [], pages)
    shown = keys.memory.memory("config", "show", MEMORY_MODEL__API_KEY=KEY)
    assert KEY not in ended.out + ended.err + shown.out + shown.err
    assert [file for file, data in everything_kept(keys) if KEY.encode() in data] == []


@pytest.mark.parametrize(("spoiled", "reason"), [(invented_quotes, "quote_not_found"), (wrong_ids, "outside_session")])
def test_what_cannot_be_checked_is_rejected(spoiled: Any, reason: str, keys: FourDays) -> None:  # noqa: ANN401 - either
    """It is counted, and `memory show run` says why; what the owner asked for is written as he said it."""
    ended, _ = asked(keys, [spoiled(keeping_promises)], *first_day(keys))
    assert ended.code == 0
    assert sum(len(outcome["rejected"]) for outcome in ended.records) == WINDOWS
    assert reasons(keys, ended) == {reason}

    written = keys.memory.entries()
    assert all(entry["quote"].startswith(PROMISE) and entry["verified"] for entry in written)
    assert len(written) == WINDOWS


def test_a_busy_server_is_asked_again(keys: FourDays) -> None:
    """429 with Retry-After, then answers: all is written."""
    ended, requests = asked(
        keys, [rate_limited(), rate_limited(), answering(keeping_promises)], *first_day(keys), attempts=3
    )
    assert (ended.code, len(requests), len(keys.memory.entries())) == (0, WINDOWS + 2, WINDOWS)


def test_a_server_without_json_schema(keys: FourDays) -> None:
    """It is asked the next way, and from then on only that way."""
    behaviour = refusing_forms(keeping_promises, "json_schema")
    ended, requests = asked(keys, [behaviour], *first_day(keys))
    assert (ended.code, len(keys.memory.entries())) == (0, WINDOWS)
    assert [request.form for request in requests] == ["json_schema", *["json_object"] * WINDOWS]


def test_a_broken_server_is_waited_for_and_then_given_up(keys: FourDays) -> None:
    """Waiting writes nothing and stays due; only after `give_up_after` the offline way is taken, with a warning."""
    before = keys.memory.pages_with_lines()
    ended, _ = asked(keys, [failing(500)], "run")
    assert (ended.code, endings(ended), keys.memory.pages_with_lines()) == (4, ["waiting", "done"], before)
    assert "status 500" in next(outcome["warning"] for outcome in ended.records if outcome["ending"] == "waiting")
    again, _ = asked(keys, [failing(500)], "run")
    assert (again.code, endings(again), keys.memory.pages_with_lines()) == (4, ["waiting"], before)
    given_up, _ = asked(keys, [failing(500)], *first_day(keys), give_up_after=0.001)
    first = next(outcome for outcome in given_up.records if outcome["ending"] == "degraded")
    assert "the offline way was used" in first["warning"]
    assert (first["window"]["start"], len(first["written"]) > 0) == (again.records[-1]["window"]["start"], True)
    well, _ = asked(keys, [answering(keeping_promises)], "run")
    assert well.code == 0
    assert "waiting" not in endings(well)


def test_no_secret_reaches_the_model(keys: FourDays) -> None:
    """What was said around a secret does; neither the server, nor a file, nor the log has a character run of it."""
    secrets = ["ghp" + "_" + "Zk3vQ9mT1xW7bR5nL2cJ8dF4hS6gP0aYuEiO", "hunter2-Tr0ub4dor&3-blue"]
    session = keys.memory.root / "openclaw/agents/main/sessions/keys-0.jsonl"
    said = json.dumps(f"Noted. The token is {secrets[0]} and my password: {secrets[1]}")
    session.write_text(session.read_text(encoding="utf-8").replace('"Noted."', said), encoding="utf-8")
    ended, requests = asked(keys, [answering(keeping_promises)], *first_day(keys))
    bodies = "".join(json.dumps(request.body, ensure_ascii=False) for request in requests)
    assert (ended.code, "The token is" in bodies) == (0, True)
    for secret in secrets:
        assert secret not in bodies + ended.out + ended.err
        assert [file for file, data in everything_kept(keys) if secret.encode() in data] == []
