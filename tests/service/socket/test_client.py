"""Asking the service: whatever is wrong with it, one looks oneself, and soon."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from pipeline.clock import stopwatch
from pipeline.errors import UnknownPlace
from pipeline.service.socket.client import PATIENCE_SECONDS, NoQuestion, Refused, ask, settings_of
from pipeline.service.socket.client_or_local import MemoryClient
from pipeline.service.socket.protocol import LONGEST, PROTOCOL
from pipeline.workspace.service_files import ServiceFolder
from tests.support.processes.waiting import soon

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
Answering = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of one note."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory.toml").write_text('timezone = "UTC"\n')
    (tmp_path / "memory" / "2026-03-01.md").write_text("# March\n\n- The heron sleeps here.\n")
    return tmp_path


@contextmanager
def answered_by(root: Path, answer: Callable[[bytes], bytes | None]) -> Iterator[list[bytes]]:
    """Something that listens where the service would; the questions it got. `None` is no answer at all."""
    asked: list[bytes] = []
    held: list[socket.socket] = []

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            asked.append(line.makefile("rb").readline())
            said = answer(asked[-1])
            if said is None:
                held.append(line)
            else:
                line.sendall(said)
                line.close()

    with TemporaryDirectory(dir="/tmp") as folder, socket.socket(socket.AF_UNIX) as listener:
        place = Path(folder, "socket")
        listener.bind(str(place))
        listener.listen()
        ServiceFolder(root).path.mkdir(parents=True)
        ServiceFolder(root).address.write_text(f"{place}\n")
        serving = Thread(target=serve, args=(listener,))
        serving.start()
        try:
            yield asked
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            serving.join()
            for line in held:
                line.close()


def test_without_a_service_nothing_is_reported(root: Path) -> None:
    """No address, one that is no path, one that leads nowhere, one that is no socket, one that is no text."""
    assert ask(root, "about", {}) is None
    ServiceFolder(root).path.mkdir(parents=True)
    for address in (b"", b"\n", b"/nowhere/at/all", b"x" * 500, str(root / "memory.toml").encode(), b"\xff\x00"):
        ServiceFolder(root).address.write_bytes(address)
        assert ask(root, "about", {}) is None


@pytest.mark.parametrize("said", [b"", b"\n", b"hello\n", b"[]\n", b"3\n", b"{}\n", b'{"told"', b"\xff\n"])
def test_what_is_no_answer_counts_as_none(said: bytes, root: Path) -> None:
    """Somebody else may listen there, or the service may die while it answers."""
    with answered_by(root, lambda _: said):
        assert ask(root, "about", {}) is None


def test_a_question_is_one_line_of_json(root: Path) -> None:
    """With its name and the protocol, whatever letters it has; the answer may be anything, also nothing."""
    with answered_by(root, lambda _: b'{"told": ""}\n') as asked:
        assert "" == ask(root, "search", {"query": "łódź\n船\udcff", "k": 3})
    fields = {"query": "łódź\n船\udcff", "k": 3, "ask": "search", "protocol": PROTOCOL}
    assert (fields, True) == (json.loads(asked[0]), asked[0].endswith(b"}\n"))


def test_what_cannot_be_asked_is_not(root: Path) -> None:
    """A question that is too long, or too deep for JSON."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with answered_by(root, lambda _: b'{"told": 1}\n') as asked:
        assert ask(root, "search", {"query": "x" * LONGEST}) is None
        assert ask(root, "search", {"query": deep}) is None
    assert [] == [line for line in asked if line]


def test_errors_are_raised(root: Path) -> None:
    """With their exit code; those of the question itself by a class of their own."""
    with (
        answered_by(root, lambda _: b'{"error": "No.", "code": 75}\n'),
        pytest.raises(Refused, match=r"No\.") as caught,
    ):
        ask(root, "get", {})
    assert 75 == caught.value.exit_code


def test_a_wrong_question_is_raised(root: Path) -> None:
    """It is the asker's to mend."""
    wrong = b'{"error": "k: too many", "code": 2, "no_question": true}\n'
    with answered_by(root, lambda _: wrong), pytest.raises(NoQuestion, match="k: too many"):
        ask(root, "search", {})


def test_patience_ends(root: Path) -> None:
    """A service that takes a question and does not answer is given up, and not asked again for a while."""
    with answered_by(root, lambda _: None) as asked:
        began = stopwatch()
        assert ask(root, "about", {}, patience=0.2) is None
        assert 0.2 <= stopwatch() - began < PATIENCE_SECONDS
        with MemoryClient(root, WORDS_ALONE, patience=0.2) as client:
            actual = [client.search({"query": "heron"})["hits"] for _ in range(3)]
        assert soon(lambda: len(asked) == 2)  # who listens may come to read only now
    assert [1, 1, 1] == [len(hits) for hits in actual]


def test_an_index_of_our_own_is_used_until_there_is_a_service(root: Path, answering: Answering) -> None:
    """Then it is let go, and taken up again when the service ends; the answers are the same."""
    with MemoryClient(root, WORDS_ALONE) as client:
        own = client.search({"query": "heron"})["hits"]
        assert client._handler is not None
        with answering(root, **WORDS_ALONE):
            assert own == client.search({"query": "heron"})["hits"]
            assert client._handler is None
            assert "- The heron sleeps here." == client.get("memory/2026-03-01.md#L3")["text"]
            assert client._handler is None
        assert own == client.search({"query": "heron"})["hits"]
        assert client._handler is not None
        with pytest.raises(UnknownPlace):
            client.get("nowhere")


def test_what_a_question_says_of_itself_is_not_to_be_asked(root: Path, answering: Answering) -> None:
    """A line that names the protocol is no question, with a service as without."""
    with MemoryClient(root, WORDS_ALONE) as client, pytest.raises(NoQuestion, match="protocol: Extra inputs"):
        client.search({"query": "x", "protocol": 1})
    served = answering(root, **WORDS_ALONE)
    with served, MemoryClient(root, WORDS_ALONE) as client, pytest.raises(NoQuestion, match="ask: Extra inputs"):
        client.search({"query": "x", "ask": "about"})


def test_settings_are_identified_by_their_digests() -> None:
    """Not their values, and not which workspace it is; what is no setting is left out."""
    given = {"MEMORY_MODEL__API_KEY": "hush", "MEMORY_WORKSPACE": "/w", "HOME": "/", "MEMORY_TIMEZONE": "\udcff"}
    sent = settings_of(given)
    assert {"MEMORY_MODEL__API_KEY", "MEMORY_TIMEZONE"} == set(sent)
    assert "hush" not in json.dumps(sent)
    assert (sent, {}) == (settings_of(dict(reversed(given.items()))), settings_of({"HOME": "/"}))
    assert sent != settings_of(given | {"MEMORY_TIMEZONE": "UTC"})
