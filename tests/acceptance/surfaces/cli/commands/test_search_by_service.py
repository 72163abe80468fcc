"""`memory search` and `memory show lines` by a service: the same words, the same codes, and at once."""

import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pipeline.service.socket.client import ask
from pipeline.surfaces.cli.commands import search
from pipeline.workspace.service_files import ServiceFolder
from schemas.detail import DetailType
from schemas.entry import Kind, Status
from schemas.fact import FactKind
from schemas.hit import Reach
from schemas.search_limits import DETAIL_KINDS, RECALL_KINDS
from tests.support.builders.facts import stated
from tests.support.processes.command_line import CommandLine, Said, end_of
from tests.support.processes.preparation import reading
from tests.support.processes.served_modules import HEAVY, served_modules
from tests.support.processes.serving_process import serving_process
from tests.support.workspaces.retained import retain
from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

NOTE = """# {day}

## Decisions

- We keep the ledger of boat {number} in folder {number:03}, because the harbour office asks for it.
- Zaliczka za łódkę {number} wynosi {price} złotych.
- 船{number}的钥匙在码头办公室。
"""
QUESTIONS = (
    ("ledger of boat 7",),
    ("ile wynosi zaliczka za lodke 5?", "--k", "3"),
    ("zaliczka za łódkę 3", "--since", "2026-01-02", "--until", "2026-01-05"),
    ("船2的钥匙在哪里", "--tier", "all", "--kind", "log", "--kind", "note"),
    ("舊的鑰匙", "--as-of", "2026-01-04", "--status", "active"),
    ("boat", "--agent", "nobody", "--rerank"),
    ("\udcff boat 4",),
)
PLACES = (
    ("memory/2026-01-03.md#L5-L6",),
    ("memory/2026-01-03.md#L5", "--json"),
    ("memory/2026-01-03.md#L99",),
    ("nowhere",),
    ("memory.toml",),
    ("../x.md",),
)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    """A workspace of nine days in three languages, indexed by words, in which no job is due."""
    searched = new_searched(tmp_path_factory.mktemp("indexed") / "w", **WORDS_ALONE)
    for number in range(1, 10):
        day = f"2026-01-{number:02}"
        searched.write(f"memory/{day}.md", NOTE.format(day=day, number=number, price=40 + number))
    searched.reindex()
    return searched


@pytest.fixture
def root(indexed: Searched, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return indexed.copied(tmp_path / "w").root


@pytest.fixture
def service(root: Path, home: Path) -> Iterator["subprocess.Popen[str]"]:
    """Its service."""
    with serving_process(root, home, **WORDS_ALONE) as process:
        yield process


def without_time(said: Said) -> list[dict[str, Any]]:
    """What was answered, but for how long that took."""
    return [{name: value for name, value in record.items() if name != "milliseconds"} for record in said.records]


def _piped(memory: CommandLine, words: tuple[object, ...], file: Path) -> Said:
    """A command that reads a file as its input."""
    return end_of(memory.start(*words, before=reading(file), **WORDS_ALONE))


def test_it_tells_the_same_to_the_byte(root: Path, home: Path, memory: CommandLine) -> None:
    """In every language and with every option, for programs and for people, one question or many."""
    asked = root / ".memory" / "asked.jsonl"
    asked.write_text('{"query": "boat 3", "k": 2}\nnonsense\n{"query": "łódka", "colour": "red"}\n{"query": "船"}\n')
    many = ("search", "--stdin", "--json", "--workspace", root)
    plain = ("search", "zaliczka", "--workspace", root)
    alone = [memory("search", "--json", "--workspace", root, *words, **WORDS_ALONE) for words in QUESTIONS]
    many_alone, plain_alone = _piped(memory, many, asked), memory(*plain, **WORDS_ALONE)
    assert (2, [False, True, True, False]) == (many_alone.code, ["error" in record for record in many_alone.records])
    with serving_process(root, home, **WORDS_ALONE):
        for words, expected in zip(QUESTIONS, alone, strict=True):
            said = memory("search", "--json", "--workspace", root, *words, **WORDS_ALONE)
            assert (0, without_time(expected), expected.err) == (said.code, without_time(said), said.err)
            cut = len('"milliseconds":')
            assert [line[: line.rindex('"milliseconds":') + cut] for line in expected.out.splitlines()] == [
                line[: line.rindex('"milliseconds":') + cut] for line in said.out.splitlines()
            ]
        many_said, plain_said = _piped(memory, many, asked), memory(*plain, **WORDS_ALONE)
    assert (2, without_time(many_alone)) == (many_said.code, without_time(many_said))
    assert plain_alone == plain_said


def test_get_tells_the_same(root: Path, home: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """Lines as well as errors, with the same exit code."""
    alone = {words: call("show", "lines", *words, "--workspace", root, **WORDS_ALONE) for words in PLACES}
    with serving_process(root, home, **WORDS_ALONE):
        by_service = {words: memory("show", "lines", *words, "--workspace", root, **WORDS_ALONE) for words in PLACES}
    assert alone == by_service


def test_recall_prints_the_same(root: Path, home: Path, memory: CommandLine, call: Callable[..., Said]) -> None:
    """For programs and for people, and as few tokens."""
    retain(root, stated("Prefers tea.", "Anna"), stated("Prefers boats.", "Zoe"))
    limits = [("--budget", "50"), ("--entity", "Zoe", "--since", "9999d")]
    asked = [("prefers",), ("prefers", "--json"), *(("prefers", *limit) for limit in limits)]
    alone = {words: call("recall", *words, "--workspace", root, **WORDS_ALONE) for words in asked}
    with serving_process(root, home, **WORDS_ALONE):
        by_service = {words: memory("recall", *words, "--workspace", root, **WORDS_ALONE) for words in asked}
    assert alone == by_service
    assert [2, 2, 1, 1] == [len(said.out.splitlines()) for said in alone.values()]


@pytest.mark.usefixtures("service")
def test_a_command_that_is_answered_imports_nothing_heavy(root: Path) -> None:
    """Neither the settings' validation nor the engine: what they take to import is what a service saves."""
    for words in (("search", "boat 7"), ("get", "memory/2026-01-03.md")):
        assert set() == HEAVY & served_modules(root, *words, **WORDS_ALONE)


def test_a_killed_service_is_not_missed(root: Path, memory: CommandLine, service: "subprocess.Popen[str]") -> None:
    """Its address is still told and nobody answers: the command looks itself."""
    assert ask(root, "start_page", {}) is not None
    service.send_signal(signal.SIGKILL)
    service.wait()
    assert ServiceFolder(root).address.exists()
    assert ask(root, "start_page", {}) is None
    said = memory("search", "--json", "--workspace", root, "ledger of boat 7", **WORDS_ALONE)
    assert "boat 7 " in said.records[0]["hits"][0]["text"]


@pytest.mark.usefixtures("service")
def test_a_command_of_other_settings_looks_itself(root: Path, memory: CommandLine) -> None:
    """What its own environment sets counts for it, as does what `memory.toml` says now."""
    said = memory("search", "--json", "--workspace", root, "boat", MEMORY_EMBEDDER__KIND="openai")
    assert "embedder.model" in " ".join(said.records[0]["notes"])
    with (root / "memory.toml").open("a") as settings:
        settings.write("[index]\ncollection = 3\n")
    said = memory("search", "--json", "--workspace", root, "boat", **WORDS_ALONE)
    assert (2, True) == (said.code, "index.collection" in said.err)


@pytest.mark.usefixtures("service")
def test_a_file_that_has_just_changed_is_retrieved(root: Path, memory: CommandLine) -> None:
    """As without a service, once its look at the files counts no more."""
    (root / "memory" / "2026-01-11.md").write_text("# 2026-01-11\n\n- The zeppelin is moored at the mill.\n")
    said = memory("search", "--json", "--workspace", root, "zeppelin", **WORDS_ALONE)
    assert "moored" in said.records[0]["hits"][0]["text"]


def test_what_is_no_service_is_passed_over(root: Path, memory: CommandLine) -> None:
    """Something else listens there, and says what is no answer."""
    address = ServiceFolder(root).address
    address.parent.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir="/tmp") as folder,
        socket.socket(socket.AF_UNIX) as other,
    ):  # a path that is short enough
        address.write_text(f"{folder}/socket")
        other.bind(f"{folder}/socket")
        other.listen()
        process = memory.start("show", "lines", "memory/2026-01-03.md#L1", "--workspace", root, **WORDS_ALONE)
        line, _ = other.accept()
        with line:
            line.recv(1000)
            line.sendall(b'["surprise"]\n')
        assert Said(0, "# 2026-01-03\n", "") == end_of(process)


def test_the_names_that_options_take_are_those_there_are() -> None:
    """They are written down a second time, because importing them takes longer than asking."""
    assert tuple(status.value for status in Status) == search.STATUSES
    assert tuple(kind.value for kind in Kind) == search.KINDS[: len(Kind)]
    assert tuple(kind.term for kind in FactKind) == search.KINDS[len(Kind) :][: len(FactKind)]
    assert tuple(type_.value for type_ in DetailType) == DETAIL_KINDS
    assert tuple(reach.value for reach in Reach if reach is not Reach.AUTO) == search.TIERS
    assert (*(kind.term for kind in FactKind), "decision") == RECALL_KINDS
