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
from pipeline.errors import NoQuestion, UnknownPlace
from pipeline.service.socket.client import PATIENCE_SECONDS, Refused, ask, settings_of
from pipeline.service.socket.client_or_local import MemoryClient
from pipeline.service.socket.http_request import LONGEST, PROTOCOL
from pipeline.workspace.service_files import ServiceFolder
from tests.support.processes.waiting import soon
from tests.support.tables import table

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
Answering = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of one note."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory.toml").write_text('timezone = "UTC"\n')
    (tmp_path / "memory" / "2026-03-01.md").write_text("# March\n\n- The heron sleeps here.\n")
    return tmp_path


def received(line: socket.socket) -> bytes:
    """A request with its body; what has come of one that breaks off."""
    with line.makefile("rb") as coming:
        head = b"".join(iter(coming.readline, b"\r\n"))
        length = head.lower().rpartition(b"content-length: ")[2].partition(b"\r\n")[0]
        return head + b"\r\n" + coming.read(int(length or 0))


def http(body: bytes, status: int = 200, length: int | None = None) -> bytes:
    """An answer of HTTP; `length` is another one than that of its body."""
    return b"HTTP/1.1 %d X\r\ncontent-length: %d\r\n\r\n%b" % (status, len(body) if length is None else length, body)


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
            asked.append(received(line))
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
        ServiceFolder(root).path.mkdir(parents=True, exist_ok=True)
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
    assert ask(root, "start_page", {}) is None
    ServiceFolder(root).path.mkdir(parents=True)
    for address in (b"", b"\n", b"/nowhere/at/all", b"x" * 500, str(root / "memory.toml").encode(), b"\xff\x00"):
        ServiceFolder(root).address.write_bytes(address)
        assert ask(root, "start_page", {}) is None


@table(
    "said",
    [
        b"",
        b"\n",
        b"hello\n",
        b'{"error": "it is no JSON (JSONDecodeError)", "code": 2, "no_question": true}\n',
        b"HTTP/1.1 200 OK\r\n\r\n{}",
        http(b'{"hits": []}', length=5),
        http(b'{"hits": []}', length=500),
        http(b"no JSON"),
        http(b"\xff"),
        http(b'{"detail": "Not Found"}', 404),
        http(b"Internal Server Error", 500),
        http(b"{}").replace(b"200", b"OK!"),
    ],
)
def test_what_is_no_answer_counts_as_none(said: bytes, root: Path) -> None:
    """Somebody else may listen there, a service of another version, or one that dies while it answers."""
    with answered_by(root, lambda _: said):
        assert ask(root, "search", {}) is None


def test_a_question_is_a_request_with_a_body_of_json(root: Path) -> None:
    """In a path of its version, with the settings in a header; the answer may be anything, also nothing."""
    with answered_by(root, lambda _: http(b'""')) as asked:
        assert "" == ask(root, "search", {"query": "łódź\n船\udcff", "k": 3}, {"MEMORY_TIMEZONE": "d1"})
    head, _, body = asked[0].partition(b"\r\n\r\n")
    assert {"query": "łódź\n船\udcff", "k": 3} == json.loads(body)
    assert head.startswith(f"POST /v{PROTOCOL}/search HTTP/1.1\r\nHost: ".encode())
    assert b'\r\nMemory-Settings: {"MEMORY_TIMEZONE": "d1"}\r\n' in head


def test_what_cannot_be_asked_is_not(root: Path) -> None:
    """A question that is too long, or too deep for JSON."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with answered_by(root, lambda _: http(b"1")) as asked:
        assert ask(root, "search", {"query": "x" * LONGEST}) is None
        assert ask(root, "search", {"query": deep}) is None
    assert [] == asked


def test_errors_are_raised(root: Path) -> None:
    """With their exit code; those of the question itself, which is the asker's to mend, by a class of their own."""
    held = http(b'{"type": "Held", "detail": "No.", "exit_code": 75}', 503)
    wrong = http(b'{"type": "NoQuestion", "detail": "k: too many", "exit_code": 2}', 400)
    with answered_by(root, lambda asked: wrong if b"/search " in asked else held):
        with pytest.raises(Refused, match=r"No\.") as caught:
            ask(root, "get", {})
        with pytest.raises(NoQuestion, match="k: too many"):
            ask(root, "search", {})
    assert 75 == caught.value.exit_code


def test_patience_ends(root: Path) -> None:
    """A service that takes a question and does not answer is given up, and not asked again for a while."""
    with answered_by(root, lambda _: None) as asked:
        began = stopwatch()
        assert ask(root, "start_page", {}, patience=0.2) is None
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


def test_settings_are_identified_by_their_digests() -> None:
    """Not their values, and not which workspace it is; what is no setting is left out."""
    given = {"MEMORY_MODEL__API_KEY": "hush", "MEMORY_WORKSPACE": "/w", "HOME": "/", "MEMORY_TIMEZONE": "\udcff"}
    sent = settings_of(given)
    assert {"MEMORY_MODEL__API_KEY", "MEMORY_TIMEZONE"} == set(sent)
    assert "hush" not in json.dumps(sent)
    assert (sent, {}) == (settings_of(dict(reversed(given.items()))), settings_of({"HOME": "/"}))
    assert sent != settings_of(given | {"MEMORY_TIMEZONE": "UTC"})
