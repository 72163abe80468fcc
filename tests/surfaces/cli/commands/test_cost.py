"""`memory show cost`: what the model took, by job, day, model and entry."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes.command_line import CommandLine, Said
from tests.support.servers.behaviours import Received, answering
from tests.support.servers.model_server import ScriptedServer

DAY = ("--from", "2026-02-02", "--to", "2026-02-02")
PRICES = {"MEMORY_MODEL__INPUT_PRICE": "1000", "MEMORY_MODEL__OUTPUT_PRICE": "5000", "MEMORY_MODEL__CURRENCY": "PLN"}


def answer(request: Received) -> dict[str, Any]:
    """What is to be remembered, and an empty summary."""
    if request.conversation is None:
        return {}
    said = [message for message in request.conversation.messages if "septic" in message.text]
    return {
        "candidates": [
            {
                "kind": "remember",
                "title": "Septic truck",
                "quote": message.text,
                "quote_number": message.number,
                "conclusion": "The septic truck comes every second Tuesday.",
                "confidence": 0.9,
            }
            for message in said
        ]
    }


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """Two models behind one server."""
    with ScriptedServer(answering(answer)) as opened:
        yield opened


def model(server: ScriptedServer) -> dict[str, str]:
    """Settings of both models."""
    fields = {"BASE_URL": server.base_url, "NAME": "large", "BACKGROUND": "small", "ATTEMPTS": "1"}
    return {f"MEMORY_MODEL__{name}": value for name, value in fields.items()}


@pytest.fixture
def asked(workspace: Path, memory: CommandLine, server: ScriptedServer) -> Path:
    """A workspace whose one day was read and summed up by the model."""
    said = memory("backfill", "micro_sync", "daily_wrapup", *DAY, "--workspace", workspace, **model(server))
    assert 0 == said.code
    return workspace


def test_a_session_is_read_once_and_by_the_cheaper_model(asked: Path, server: ScriptedServer) -> None:
    """The wrap-up takes its part of the answer."""
    assert (asked / "second-brain").is_dir()
    assert [("session", "small")] == [(request.task, request.body["model"]) for request in server.requests]


def test_by_job_and_by_model(asked: Path, server: ScriptedServer, call: Callable[..., Said]) -> None:
    """Tokens as the server counted them, with the share that it still knew, and the price of the settings."""
    said = call("show", "cost", "--workspace", asked, **model(server), **PRICES)
    rows = {line.split()[0]: line.split() for line in said.out.splitlines()}
    assert ["micro_sync", "1", "0", "100", "40%", "20", "0.2000", "PLN", "1"] == rows["micro_sync"]
    assert ["total", "1", "1", "100", "40%", "20", "0.2000", "PLN", "1"] == rows["total"]
    assert "0.2000 PLN, 0.2000 PLN an entry.\n" in said.out
    (report,) = call("show", "cost", "--by", "model", "--json", "--workspace", asked, **model(server)).records
    assert ["small"] == [line["name"] for line in report["lines"]]
    assert ("", None) == (report["currency"], report["total"]["cost"])


def test_by_entry_and_by_day(asked: Path, server: ScriptedServer, call: Callable[..., Said]) -> None:
    """An entry costs its share of its run; a day is that of the run."""
    said = call("show", "cost", "--by", "entry", "--workspace", asked, **model(server), **PRICES)
    [row] = [line for line in said.out.splitlines() if line.startswith("REMEMBER-")]
    assert row.endswith("0.2000 PLN")
    (report,) = call("show", "cost", "--by", "day", "--json", "--workspace", asked, **model(server)).records
    assert [(1, 100)] == [(line["entries"], line["usage"]["input_tokens"]) for line in report["lines"]]


def test_limits_are_shown(asked: Path, server: ScriptedServer, call: Callable[..., Said]) -> None:
    """How much of the day's and of all the workspace's tokens is used."""
    limits = {"MEMORY_MODEL__TOKENS_PER_DAY": "1000", "MEMORY_MODEL__TOKENS_IN_TOTAL": "5000"}
    out = call("show", "cost", "--workspace", asked, **model(server), **limits).out
    assert "model.tokens_per_day: 120 of 1000 tokens are used.\n" in out
    assert "model.tokens_in_total: 120 of 5000 tokens are used.\n" in out


def test_a_workspace_that_is_used_up_asks_no_more(asked: Path, server: ScriptedServer, memory: CommandLine) -> None:
    """Exit code 5, the setting by name, and what is left stays due."""
    first = asked / "sessions" / "s-one.jsonl"
    second = first.read_text().replace("s-one", "s-two").replace("2026-02-02", "2026-02-03")
    first.with_name("s-two.jsonl").write_text(second)
    before, limit = len(server.requests), {"MEMORY_MODEL__TOKENS_IN_TOTAL": "120"}
    day = ("--from", "2026-02-03", "--to", "2026-02-03")
    said = memory("backfill", "micro_sync", *day, "--workspace", asked, **model(server), **limit)
    assert (5, before) == (said.code, len(server.requests))
    assert "120 of 120 tokens of this workspace (model.tokens_in_total)" in said.out


def test_without_a_model_nothing_is_paid(filled: Path, call: Callable[..., Said]) -> None:
    """It says so, and which days it looked at."""
    out = call("show", "cost", "--workspace", filled).out
    assert out.startswith("No model was asked from ")
    assert "No model is set, so the jobs work offline: no question is asked, and nothing is paid.\n" in out


def test_the_last_day_is_not_before_the_first(filled: Path, call: Callable[..., Said]) -> None:
    """A sentence and 2."""
    said = call("show", "cost", "--from", "2026-02-03", "--to", "2026-02-01", "--workspace", filled)
    assert 2 == said.code
    assert "the last day, 2026-02-01, is before the first, 2026-02-03" in said.err


def test_days_without_runs(asked: Path, server: ScriptedServer, call: Callable[..., Said]) -> None:
    """Runs of other days are not counted."""
    out = call("show", "cost", "--from", "2020-01-01", "--to", "2020-01-02", "--workspace", asked, **model(server)).out
    assert "No model was asked from 2020-01-01 to 2020-01-02." in out
