"""The answers of the service on its Unix socket."""

import json
import socket
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from pipeline.app.index import IndexOptions, open_index
from pipeline.errors import NoQuestion, WriteFailed
from pipeline.events import Event
from pipeline.index.schema import LAYOUT
from pipeline.ports.index import RankedSearcher
from pipeline.process.context import ProcessContext
from pipeline.service.socket.address import _is_private, listening
from pipeline.service.socket.client import Refused, ask, settings_of
from pipeline.service.socket.http_request import request
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.service.web.server import LOCAL_CONNECTIONS, STOPPING_SECONDS
from pipeline.workspace.service_files import ServiceFolder
from tests.support.builders.gates import Gate, HeldUpEmbedder, HeldUpReranker
from tests.support.ports.memory_index import MemoryIndex
from tests.support.processes.waiting import awaited
from tests.support.servers.local_server import local_server
from tests.support.tables import table
from tests.support.workspaces.animals import BIRDS, write_birds

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
GIVEN = settings_of(WORDS_ALONE)
CLIENTS = 8
SOON_SECONDS = 60.0
Answering = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of a few notes, not indexed."""
    return write_birds(tmp_path)


@contextmanager
def line_to(root: Path) -> Iterator[socket.socket]:
    """A connection."""
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(SOON_SECONDS)
        wire.connect(ServiceFolder(root).address.read_text().strip())
        yield wire


def sent(root: Path, *pieces: bytes) -> bytes:
    """What comes back until the service ends the connection."""
    with line_to(root) as wire:
        for piece in pieces:
            wire.sendall(piece)
        return b"".join(iter(lambda: wire.recv(65_536), b""))


def asked(question: str, **fields: object) -> bytes:
    """The bytes of a question."""
    return request(question, json.dumps(fields).encode(), json.dumps(GIVEN))


def answer_of(root: Path, question: str, **fields: object) -> Any:  # noqa: ANN401 - JSON
    """What the service tells; it has to."""
    reply = ask(root, question, fields, GIVEN)
    assert reply is not None
    return reply


def searched(root: Path, query: str, **fields: object) -> Any:  # noqa: ANN401 - JSON
    """What the service tells when it is asked for something; `None` when it does not answer."""
    return ask(root, "search", {"query": query, **fields}, GIVEN)


def test_it_answers(root: Path, answering: Answering) -> None:
    """Searches and places; before the first question nothing is opened."""
    with answering(root, **WORDS_ALONE):
        assert not (root / ".memory" / "index").exists()
        reply = searched(root, "where does the otter sleep?", k=1)
        assert ["memory/2026-03-02.md"] == [hit["path"] for hit in reply["hits"]]
        assert "- The otter sleeps here." == answer_of(root, "get", place="memory/2026-03-02.md#L3")["text"]


def test_many_who_ask_at_once_are_all_answered_rightly(root: Path, answering: Answering) -> None:
    """Each gets the answer to its own question, also while files change."""

    def all_birds(number: int) -> list[str]:
        order = [*BIRDS[number:], *BIRDS[:number]] * 5
        (root / "memory" / f"2026-04-{number + 1:02}.md").write_text(f"# April\n\n- Client {number} was here.\n")
        actual = [searched(root, bird, k=1) for bird in order]
        return [bird for bird, answer in zip(order, actual, strict=True) if bird not in answer["hits"][0]["text"]]

    with answering(root, **WORDS_ALONE), ThreadPoolExecutor(CLIENTS) as clients:
        assert [[]] * CLIENTS == list(clients.map(all_birds, range(CLIENTS)))


@table(
    ("question", "fields", "why"),
    [
        ("search", {}, "query: Field required"),
        ("search", {"query": "x", "k": 0}, "k: Input should be greater than or equal to 1"),
        ("search", {"query": "x", "colour": "red"}, "colour: Extra inputs are not permitted"),
        ("get", {}, "place: Field required"),
        ("get", {"place": 3}, "place: Input should be a valid string"),
        ("wake", {"budget": 0}, "budget: Input should be greater than or equal to 1"),
        ("wake", {"colour": "red"}, "colour: Extra inputs are not permitted"),
        ("know", {"agent": 3}, "agent: Input should be a valid string"),
    ],
)
def test_what_is_no_question_gets_an_answer_that_says_so(
    root: Path, answering: Answering, question: str, fields: dict[str, object], why: str
) -> None:
    """With exit code 2."""
    with answering(root, **WORDS_ALONE), pytest.raises(NoQuestion, match=why) as wrong:
        ask(root, question, fields, GIVEN)
    assert 2 == wrong.value.exit_code


@table(
    ("request_bytes", "status"),
    [
        (asked("search", query="otter"), b"200"),
        (asked("colour"), b"404"),
        (asked("search", query="otter").replace(b"/v8/", b"/v9/"), b"404"),
        (asked("search", query="otter").replace(b"/v8/search", b"/api/v1/search?query=otter"), b"404"),
        (asked("search", query="otter").replace(b"/v8/search", b"/entries"), b"404"),
        (asked("search", query="otter").replace(b"POST", b"GET"), b"405"),
        (request("search", b"no JSON"), b"400"),
        (request("search", b"[" * 100_000), b"400"),
        (request("search", b"\xff\xfe"), b"400"),
        (request("search", b"[1]", json.dumps(GIVEN)), b"400"),
        (request("search", b"{}", '{"MEMORY_TIMEZONE": "x"}'), b"409"),
        (asked("search", query="otter").replace(b"Content-Length: ", b"Content-Length: 9000000"), b"413"),
        (asked("search", query="otter").replace(b"Content-Length", b"Transfer-Encoding: chunked\r\nX"), b"413"),
        (asked("search", query="otter").replace(b"Host", b"Transfer-Encoding: chunked\r\nHost"), b"413"),
        (request("search", b"{}", "no JSON"), b"409"),
        (request("search", b"{}", "[]"), b"409"),
        (asked("search", query="otter").replace(b"Host", b"Origin: http://memory\r\nHost"), b"403"),
        (asked("search", query="otter").replace(b"Host", b"Sec-Fetch-Site: same-origin\r\nHost"), b"403"),
        (asked("search", query="otter").replace(b"Memory-Settings", b"X-Settings"), b"403"),
    ],
)
def test_only_our_own_programs_are_answered(
    root: Path, answering: Answering, request_bytes: bytes, status: bytes
) -> None:
    """In our version and with a length; nobody's browser is, even when another program hands its requests on."""
    with answering(root, **WORDS_ALONE):
        assert b"HTTP/1.1 " + status == sent(root, request_bytes)[:12]
        assert searched(root, "otter")["hits"]


def test_half_a_letter_in_a_question_is_searched_for_as_a_replacement(root: Path, answering: Answering) -> None:
    """Programs that cut a text between two halves of a letter send such a thing."""
    with answering(root, **WORDS_ALONE):
        answer = searched(root, "otter \ud83d", k=1)
    assert ("otter \N{REPLACEMENT CHARACTER}", True) == (answer["query"], "otter" in answer["hits"][0]["text"])


def test_a_client_of_a_version_before_is_not_kept_waiting(root: Path, answering: Answering) -> None:
    """It sends a line of JSON and waits for a line: the connection ends at once, and the client looks itself.

    A body may begin so, and may come in pieces.
    """
    with answering(root, **WORDS_ALONE):
        assert b"" == sent(root, b'{"ask": "search", "protocol": 7, "query": "otter"}\n')
        head, _, body = asked("search", query="otter").partition(b'{"query')
        assert b"HTTP/1.1 200" == sent(root, head, b'{"query' + body)[:12]


def test_errors_keep_their_sentence_and_code(root: Path, answering: Answering) -> None:
    """As they are without a service."""
    with answering(root, **WORDS_ALONE):
        with pytest.raises(Refused, match="nowhere is no file that can be shown") as caught:
            ask(root, "get", {"place": "nowhere"}, GIVEN)
        assert 2 == caught.value.exit_code
        with pytest.raises(NoQuestion, match="k: Input should be less than"):
            searched(root, "x", k=5000)


class Faulty(MemoryIndex):
    """An index with a bug."""

    @contextmanager
    def reading(self) -> Iterator[RankedSearcher | None]:
        """Fail as no index does."""
        yield self._broken()

    def _broken(self) -> RankedSearcher:
        raise LookupError("ouch")  # noqa: EM101 - any text


def test_a_bug_in_one_question_does_not_end_the_service(root: Path) -> None:
    """It is announced, told with exit code 70, and the next question is answered."""
    heard: list[tuple[Event, dict[str, object]]] = []
    with open_index(root, ProcessContext(WORDS_ALONE)) as opened:
        broken = replace(
            opened,
            indexing=replace(opened.indexing, store=Faulty(LAYOUT)),
            searching=replace(opened.searching, store=Faulty(LAYOUT)),
        )
        in_use = SettingsInUse(root, WORDS_ALONE, opened.settings)
        with local_server(root, broken, in_use, lambda event, **fields: heard.append((event, fields))):
            with pytest.raises(Refused, match="LookupError") as refused:
                searched(root, "otter")
            assert "- The otter sleeps here." == answer_of(root, "get", place="memory/2026-03-02.md#L3")["text"]
    assert 70 == refused.value.exit_code
    assert [(Event.QUESTION_FAILED, {"error": "LookupError: ouch"})] == heard


@contextmanager
def held_up(root: Path) -> Iterator[tuple[Gate, Gate]]:
    """Answers, with an embedder and a reranker that are held up by their gates, until the end of the block."""
    embedding, ranking = Gate(), Gate()
    embedder, reranker = HeldUpEmbedder(embedding), HeldUpReranker(gate=ranking)
    with open_index(root, ProcessContext(WORDS_ALONE), IndexOptions(linger=60)) as opened:
        index = replace(
            opened,
            indexing=replace(opened.indexing, embedder=embedder),
            searching=replace(opened.searching, embedder=embedder, reranker=reranker),
        )
        with local_server(root, index, SettingsInUse(root, WORDS_ALONE, opened.settings)):
            yield embedding, ranking


def test_questions_are_answered_side_by_side(root: Path) -> None:
    """Nobody waits while another's vector is made by a slow server, or its findings are ranked again."""
    with ThreadPoolExecutor(2) as clients, held_up(root) as (embedding, ranking):
        slow = [clients.submit(searched, root, "a slow otter"), clients.submit(searched, root, "otter", rerank=True)]
        for gate in (embedding, ranking):
            gate.wait_for(1)
        assert searched(root, "otter")["hits"]
        assert "- The otter sleeps here." == answer_of(root, "get", place="memory/2026-03-02.md#L3")["text"]
        assert [False, False] == [future.done() for future in slow]
        for gate in (embedding, ranking):
            gate.open()
        assert all(future.result(SOON_SECONDS)["hits"] for future in slow)


def test_one_too_many_at_work_is_not_let_in(root: Path) -> None:
    """So it looks itself; a connection that asks nothing makes room, and so does an answer."""
    with ThreadPoolExecutor(LOCAL_CONNECTIONS) as clients, held_up(root) as (embedding, ranking), line_to(root) as idle:
        slow = [clients.submit(searched, root, "otter", rerank=True) for _ in range(LOCAL_CONNECTIONS)]
        assert b"" == idle.recv(1)
        ranking.wait_for(1)
        assert searched(root, "otter") is None
        embedding.open()
        ranking.open()
        assert all(future.result(SOON_SECONDS)["hits"] for future in slow)
        assert awaited(lambda: searched(root, "otter"))["hits"]


def test_it_ends_soon_with_questions_under_way(root: Path) -> None:
    """Those that wait for their turn are refused at once; those at work have some seconds, all together."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        with held_up(root) as (embedding, ranking):
            at_work = [clients.submit(searched, root, "a slow otter") for _ in range(3)]
            ranked = [clients.submit(searched, root, "otter", rerank=True)]
            embedding.wait_for(3)
            ranking.wait_for(1)
            waiting = [clients.submit(searched, root, "otter", rerank=True) for _ in range(3)]
        assert [None] * 3 == [future.result(STOPPING_SECONDS) for future in waiting]  # less than they would wait
        embedding.open()
        ranking.open()
        assert {None} == {future.result(SOON_SECONDS) for future in (*at_work, *ranked)}


def test_only_its_user_may_open_it_and_nothing_is_left(root: Path, answering: Answering) -> None:
    """The socket, its folder and the file that names it are private; they go with the service, and it goes soon."""
    address = ServiceFolder(root).address
    with ExitStack() as lines:
        with answering(root, **WORDS_ALONE):
            wire = lines.enter_context(line_to(root))
            assert searched(root, "otter")["hits"]
            place = Path(address.read_text().strip())
            modes = [stat.S_IMODE(path.stat().st_mode) for path in (address, place, place.parent)]
        assert ([0o600, 0o600, 0o700], False, False) == (modes, address.exists(), place.exists())
        assert b"" == wire.recv(1)  # who was connected and silent held nothing up
    assert searched(root, "otter") is None


def test_what_a_killed_service_left_is_replaced(root: Path, answering: Answering) -> None:
    """A socket of this workspace on which nobody listens, and a file that names another place."""
    with answering(root, **WORDS_ALONE):
        place = Path(ServiceFolder(root).address.read_text().strip())
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(place))
    ServiceFolder(root).address.write_text("/nowhere\n")
    with answering(root, **WORDS_ALONE):
        assert str(place) == ServiceFolder(root).address.read_text().strip()
        assert searched(root, "otter")["hits"]


def test_where_the_socket_lies(root: Path, tmp_path: Path) -> None:
    """In the runtime folder of the service or the user; where its path would be too long, among temporary files."""
    deep, runtime = tmp_path / ("x" * 120), Path(mkdtemp(dir="/tmp"))  # short enough
    deep.mkdir()
    places = []
    try:
        for environment in ({"XDG_RUNTIME_DIR": str(runtime)}, {"RUNTIME_DIRECTORY": str(deep)}, {}):
            with listening(root, environment):
                places.append(Path(ServiceFolder(root).address.read_text().strip()))
    finally:
        runtime.rmdir()
    assert (runtime, False, places[1]) == (places[0].parent, deep in places[1].parents, places[2])


def test_a_folder_of_others_is_not_used(tmp_path: Path) -> None:
    """One that everybody may look into, a link, a file; one that is not there is made."""
    for name in ("open", "ours"):
        (tmp_path / name).mkdir(mode=0o700)
    (tmp_path / "open").chmod(0o755)
    (tmp_path / "link").symlink_to(tmp_path / "ours")
    (tmp_path / "file").touch(0o700)
    result = {name: _is_private(tmp_path / name) for name in ("open", "ours", "link", "file", "new", "no/way")}
    assert {"open": False, "ours": True, "link": False, "file": False, "new": True, "no/way": False} == result


def test_a_workspace_that_takes_no_file_is_reported(tmp_path: Path) -> None:
    """The address cannot be written; no socket stays behind."""
    (tmp_path / ".memory").touch()
    with pytest.raises(WriteFailed, match="socket"), listening(tmp_path):
        pass
