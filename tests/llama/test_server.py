"""A real server: its protocol, its grammars, the limit of its context, its counts, and a run that is killed.

The model is so small that its answers are poor: what is shown is that nothing wrong is written.
"""

import json
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from pipeline.adapters.model.openai import OpenAIModel
from pipeline.job import Task
from pipeline.language.tokens import count_tokens
from pipeline.model.ask import Asker
from pipeline.model.question import Readers, question_of
from schemas.base import Value
from schemas.extraction import Conversation
from schemas.settings import ModelSettings
from tests.llama.conftest import LlamaServer
from tests.model.test_ask import Allowance, MemoryCache
from tests.support.ports.memory_source import conversation
from tests.support.processes.command_line import CommandLine, Said, end_of
from tests.support.processes.commands import RealWorkspace
from tests.support.processes.waiting import soon
from tests.support.workspaces.transcript_folder import TranscriptFolder, Turn

pytestmark = pytest.mark.soak

MORNING = datetime(2026, 2, 2, 8, tzinfo=UTC)
SAID = (
    "Remember that the key of the boat hangs with Anna.",
    "New rule: the deposit is 30 percent for all cabins.",
    "We take the embedded index and no server. The pier is 12 metres long, and it rains.",
)


class Digits(Value):
    """An answer that a grammar keeps short."""

    digits: tuple[Annotated[int, Field(ge=0, le=9)], ...] = Field(max_length=2)


def model_of(server: LlamaServer) -> OpenAIModel:
    """The model behind the server."""
    return OpenAIModel(ModelSettings(base_url=server.base_url, name="gemma", attempts=1, timeout=timedelta(minutes=15)))


def digits_of(asked: Conversation) -> Task[Digits]:
    """A question about a conversation."""
    return Task("digits", "Name two digits.", asked, Digits, lambda: Digits(digits=()), frozenset())


def test_an_answer_fits_its_schema(small: LlamaServer) -> None:
    """The grammar that the server makes of it holds the smallest model; its count is like ours, and is told."""
    words = conversation("s", MORNING, [("owner", "The harbour closes at nine. " * 12)]).messages
    model, asked = model_of(small), question_of(digits_of(Conversation(session_id="s", first_new=1, messages=words)))
    reply = model.answer(asked)
    assert len(Digits.model_validate_json(reply.text).digits) <= 2
    assert model.takes_schema("gemma")
    ours = count_tokens(asked.instructions) + count_tokens(asked.input)
    assert 0.75 * ours < reply.input_tokens < 2 * ours
    assert 0 < reply.output_tokens <= 64


def test_a_question_that_is_too_long_is_asked_in_parts(small: LlamaServer) -> None:
    """The server refuses it, and takes its parts; all are counted, and no answered part is asked again."""
    messages = conversation("s", MORNING, [("owner", f"{number} " + "word " * 120) for number in range(10)]).messages
    long = Conversation(session_id="s", first_new=1, messages=messages)
    task, cache = digits_of(long), MemoryCache()
    before = len(small.usages)
    ask = Asker(Readers.only(model_of(small)), cache, Allowance(), 1)
    ask([task])
    usages = small.usages[before:]
    assert len(usages) >= 2
    assert sum(usage["total_tokens"] for usage in usages) == ask.usage.tokens
    Asker(Readers.only(model_of(small)), cache, Allowance(), 1)([task])
    assert len(usages) == len(small.usages[before:])


@pytest.fixture
def workspace(tmp_path: Path, wide: LlamaServer) -> RealWorkspace:
    """A day of talk, and the server as the model."""
    settings = [
        'timezone = "UTC"',
        '[[sources]]\nkind = "openclaw"\npath = "openclaw"',
        f'[model]\nbase_url = "{wide.base_url}"\nname = "gemma"\nattempts = 1\ntimeout = 900',
        '[jobs.micro_sync]\ntimeout = "PT2H"',
    ]
    turns: list[Turn] = []
    for number, text in enumerate(SAID):
        turns += [(MORNING + timedelta(minutes=2 * number), "user", text)]
        turns += [(MORNING + timedelta(minutes=2 * number + 1), "assistant", "Noted.")]
    TranscriptFolder(tmp_path / "house/openclaw").say("s-1", turns)
    return RealWorkspace(tmp_path / "house").configure("\n".join(settings))


WORDS = ("backfill", "micro_sync", "daily_wrapup", "--from", "2026-02-02", "--to", "2026-02-02", "--yes")


def backfilled(workspace: RealWorkspace) -> Said:
    """How the back-fill ends, however long the model takes."""
    return CommandLine(workspace.root, seconds=3_600)(*WORDS, MEMORY_WORKSPACE=str(workspace.root))


def test_a_poor_model_writes_nothing_wrong(workspace: RealWorkspace, wide: LlamaServer) -> None:
    """Entries are word for word the owner's, or there are none; what the server counted is in the book."""
    ended = backfilled(workspace)
    assert ended.code in {0, 4}, ended.shown
    assert wide.usages
    assert [] == workspace.torn()
    quotes = [json.loads(line.partition(": ")[2]) for line in _lines(workspace) if line.startswith("- quote: ")]
    assert [] == [quote for quote in quotes if not any(quote in text for text in SAID)]
    total = workspace.memory("show", "cost", "--json").records[0]["total"]["usage"]
    assert sum(usage["total_tokens"] for usage in wide.usages) == total["input_tokens"] + total["output_tokens"]


def test_a_run_that_is_killed_during_a_question_leaves_nothing(workspace: RealWorkspace, wide: LlamaServer) -> None:
    """The server answers the next question, and the next run does what the killed one left."""
    process = workspace.start(*WORDS)
    assert wide.asked.wait(120)
    process.send_signal(signal.SIGKILL)
    end_of(process)
    assert {} == workspace.pages()
    assert soon(lambda: bool(wide.usages), 900)
    assert backfilled(workspace).code in {0, 4}
    assert [] == workspace.torn()


def _lines(workspace: RealWorkspace) -> list[str]:
    return [line for data in workspace.pages().values() for line in data.decode().splitlines()]
