"""The service's side of the local socket."""

import json
import os
import resource
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from time import clock_gettime, pthread_getcpuclockid, sleep
from typing import IO, Any

import pytest

from pipeline.app.index import IndexOptions, open_index
from pipeline.clock import stopwatch
from pipeline.errors import WriteFailed
from pipeline.events import Event
from pipeline.index.schema import LAYOUT
from pipeline.ports.index import RankedSearcher
from pipeline.process.context import ProcessContext
from pipeline.service.socket.address import _is_private, listening
from pipeline.service.socket.client import NoQuestion, Refused, ask, settings_of
from pipeline.service.socket.protocol import LONGEST, PROTOCOL
from pipeline.service.socket.server import CONNECTIONS, STOPPING_SECONDS, AnswerServer
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.workspace.service_files import ServiceFolder
from tests.support.builders.gates import Gate, HeldUpEmbedder, HeldUpReranker
from tests.support.ports.memory_index import MemoryIndex
from tests.support.processes.waiting import awaited
from tests.support.workspaces.animals import BIRDS, write_birds

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
ASKED = {"settings": settings_of(WORDS_ALONE)}
CLIENTS = 8
SOON_SECONDS, KNOCKING_SECONDS = 60.0, 1.0
TOO_LARGE_A_STACK = 1 << 46
"""Bytes; no system has so many for a thread, so that none can be started."""
Answering = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of a few notes, not indexed."""
    return write_birds(tmp_path)


@contextmanager
def line_to(root: Path) -> Iterator[tuple[socket.socket, IO[bytes]]]:
    """A connection, and what comes back on it."""
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(SOON_SECONDS)
        wire.connect(ServiceFolder(root).address.read_text().strip())
        with wire.makefile("rb") as answers:
            yield wire, answers


def question(name: str, **fields: object) -> bytes:
    """A line that asks."""
    return json.dumps({"ask": name, "protocol": PROTOCOL, **ASKED, **fields}).encode() + b"\n"


def answer_of(root: Path, name: str, **asked: object) -> Any:  # noqa: ANN401 - JSON
    """What the service tells; it has to."""
    reply = ask(root, name, {**ASKED, **asked})
    assert reply is not None
    return reply


def searched(root: Path, query: str, **asked: object) -> Any:  # noqa: ANN401 - JSON
    """What the service tells when it is asked for something; `None` when it hangs up."""
    return ask(root, "search", {"query": query, **ASKED, **asked})


def test_it_answers(root: Path, answering: Answering) -> None:
    """Searches, places, and what it is itself; before the first question nothing is opened."""
    with answering(root, **WORDS_ALONE):
        assert not (root / ".memory" / "index").exists()
        assert {"pid", "host", "started"} == set(answer_of(root, "about"))
        assert (os.getpid(), socket.gethostname()) == (
            answer_of(root, "about")["pid"],
            answer_of(root, "about")["host"],
        )
        reply = searched(root, "where does the otter sleep?", k=1)
        assert ["memory/2026-03-02.md"] == [hit["path"] for hit in reply["hits"]]
        assert "- The otter sleeps here." == answer_of(root, "get", place="memory/2026-03-02.md#L3")["text"]


def test_several_questions_on_one_connection(root: Path, answering: Answering) -> None:
    """They are answered in order."""
    with answering(root, **WORDS_ALONE), line_to(root) as (wire, answers):
        wire.sendall(b"".join(question("search", query=bird, k=1) for bird in BIRDS))
        actual = [json.loads(answers.readline())["told"] for _ in BIRDS]
    assert list(BIRDS) == [text["query"] for text in actual]
    assert all(bird in text["hits"][0]["text"] for bird, text in zip(BIRDS, actual, strict=True))


def test_many_who_ask_at_once_are_all_answered_rightly(root: Path, answering: Answering) -> None:
    """Each gets the answer to its own question, also while files change."""

    def all_birds(number: int) -> list[str]:
        order = [*BIRDS[number:], *BIRDS[:number]] * 5
        (root / "memory" / f"2026-04-{number + 1:02}.md").write_text(f"# April\n\n- Client {number} was here.\n")
        actual = [searched(root, bird, k=1) for bird in order]
        return [bird for bird, answer in zip(order, actual, strict=True) if bird not in answer["hits"][0]["text"]]

    with answering(root, **WORDS_ALONE), ThreadPoolExecutor(CLIENTS) as clients:
        assert [[]] * CLIENTS == list(clients.map(all_birds, range(CLIENTS)))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"no JSON\n", "it is no JSON"),
        (b"[" * 100_000 + b"\n", "it is no JSON"),
        (b"\xff\xfe\n", "it is no JSON"),
        (b"[1]\n", "it is no JSON object"),
        (question("colour"), "there is no question 'colour'"),
        (question("search"), "query: Field required"),
        (question("search", query="x", k=0), "k: Input should be greater than or equal to 1"),
        (question("search", query="x", colour="red"), "colour: Extra inputs are not permitted"),
        (question("get"), "place: Field required"),
        (question("get", place=3), "place: Input should be a valid string"),
        (question("wake", budget=0), "budget: Input should be greater than or equal to 1"),
        (question("wake", colour="red"), "colour: Extra inputs are not permitted"),
        (question("know", agent=3), "agent: Input should be a valid string"),
        (json.dumps({"ask": [], "protocol": PROTOCOL}).encode() + b"\n", "there is no question '[]'"),
    ],
    ids=range(14),
)
def test_what_is_no_question_gets_an_answer_that_says_so(
    line: bytes, why: str, root: Path, answering: Answering
) -> None:
    """With exit code 2; the connection stays, and the next question is answered."""
    with answering(root, **WORDS_ALONE), line_to(root) as (wire, answers):
        wire.sendall(line + question("about"))
        wrong, about = json.loads(answers.readline()), json.loads(answers.readline())
    assert (2, True) == (wrong["code"], wrong["no_question"])
    assert why in wrong["error"]
    assert os.getpid() == about["told"]["pid"]


def test_half_a_letter_in_a_question_is_searched_for_as_a_replacement(root: Path, answering: Answering) -> None:
    """Programs that cut a text between two halves of a letter send such a thing."""
    with answering(root, **WORDS_ALONE), line_to(root) as (wire, answers):
        wire.sendall(question("search", query="otter \ud83d", k=1))
        answer = json.loads(answers.readline())["told"]
    assert ("otter \N{REPLACEMENT CHARACTER}", True) == (answer["query"], "otter" in answer["hits"][0]["text"])


def test_a_line_without_end_is_hung_up_on(root: Path, answering: Answering) -> None:
    """What is longer than any question is not kept."""
    with answering(root, **WORDS_ALONE):
        with line_to(root) as (wire, answers):
            wire.sendall(b"x" * (LONGEST + 1))
            assert "it is longer than" in json.loads(answers.readline())["error"]
            assert b"" == answers.readline()
        assert searched(root, "otter")["hits"]


def test_another_protocol_is_hung_up_on(root: Path, answering: Answering) -> None:
    """Who asks by it looks itself."""
    with answering(root, **WORDS_ALONE), line_to(root) as (wire, answers):
        wire.sendall(question("about", protocol=PROTOCOL + 1))
        assert b"" == answers.readline()


def test_errors_keep_their_sentence_and_code(root: Path, answering: Answering) -> None:
    """As they are without a service."""
    with answering(root, **WORDS_ALONE):
        with pytest.raises(Refused, match="nowhere is no file that can be shown") as caught:
            ask(root, "get", {"place": "nowhere", **ASKED})
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
        with AnswerServer(root, broken, in_use, lambda event, **fields: heard.append((event, fields))):
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
        with AnswerServer(root, index, SettingsInUse(root, WORDS_ALONE, opened.settings)):
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


def test_who_is_too_many_is_hung_up_on(root: Path, answering: Answering) -> None:
    """So it looks itself; when somebody has gone, there is room again."""
    with answering(root, **WORDS_ALONE):
        with ExitStack() as lines:
            connected = [lines.enter_context(line_to(root)) for _ in range(CONNECTIONS)]
            for wire, answers in connected:
                wire.sendall(question("about"))
                assert os.getpid() == json.loads(answers.readline())["told"]["pid"]
            assert ask(root, "about", {}) is None
            assert searched(root, "otter") is None
            with line_to(root) as (_, answers):
                assert b"" == answers.readline()
        assert awaited(lambda: searched(root, "otter"))["hits"]


@pytest.mark.processor
def test_no_room_for_one_more_connection(root: Path, answering: Answering) -> None:
    """Who knocks waits, and is answered as soon as there is room; meanwhile no processor is kept busy."""
    others = threading.enumerate()
    with answering(root, **WORDS_ALONE), socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(SOON_SECONDS)
        place = ServiceFolder(root).address.read_text().strip()
        assert os.getpid() == answer_of(root, "about")["pid"]  # by now all is there that answering needs
        [accepting] = [one.ident or 0 for one in threading.enumerate() if one.name == "answers" and one not in others]
        processor = pthread_getcpuclockid(accepting)
        with limited(resource.RLIMIT_NOFILE, 3):
            wire.connect(place)
            began, busy_before = stopwatch(), clock_gettime(processor)
            sleep(KNOCKING_SECONDS)
            busy, knocked = clock_gettime(processor) - busy_before, stopwatch() - began
        wire.sendall(question("about"))
        with wire.makefile("rb") as answers:
            assert os.getpid() == json.loads(answers.readline())["told"]["pid"]
    assert busy < knocked / 5


@contextmanager
def limited(what: int, most: int) -> Iterator[None]:
    """This process may have no more of something than that; what it has it keeps."""
    usual, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(what, (usual, hard))


def test_no_room_for_one_more_thread(root: Path, answering: Answering) -> None:
    """Who knocks is hung up on and counts no more; others are taken as soon as there is room."""
    with answering(root, **WORDS_ALONE):
        usual = threading.stack_size(TOO_LARGE_A_STACK)
        try:
            for _ in range(CONNECTIONS):
                with line_to(root) as (_wire, answers):
                    assert b"" == answers.readline()
        finally:
            threading.stack_size(usual)
        assert searched(root, "otter")["hits"]


@pytest.mark.soak
def test_it_ends_soon_with_questions_under_way(root: Path) -> None:
    """Those that wait for their turn are hung up on at once; those at work have some seconds, all together."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        with held_up(root) as (embedding, ranking):
            at_work = [clients.submit(searched, root, "a slow otter") for _ in range(3)]
            ranked = [clients.submit(searched, root, "otter", rerank=True)]
            embedding.wait_for(3)
            ranking.wait_for(1)
            waiting = [clients.submit(searched, root, "otter", rerank=True) for _ in range(3)]
            began = stopwatch()
        assert stopwatch() - began < STOPPING_SECONDS + 4
        assert [None] * 3 == [future.result(STOPPING_SECONDS) for future in waiting]  # less than they would wait
        assert not any(future.done() for future in (*at_work, *ranked))
        embedding.open()
        ranking.open()
        assert all(future.result(SOON_SECONDS)["hits"] for future in (*at_work, *ranked))


def test_only_its_user_may_open_it_and_nothing_is_left(root: Path, answering: Answering) -> None:
    """The socket, its folder and the file that names it are private; they go with the service, and it goes soon."""
    address = ServiceFolder(root).address
    others = threading.enumerate()
    with ExitStack() as lines:
        with answering(root, **WORDS_ALONE):
            wire, answers = lines.enter_context(line_to(root))
            wire.sendall(question("about"))
            assert answers.readline()
            place = Path(address.read_text().strip())
            modes = [stat.S_IMODE(path.stat().st_mode) for path in (address, place, place.parent)]
            [serving] = [one for one in threading.enumerate() if one.name == "answer" and one not in others]
        assert ([0o600, 0o600, 0o700], False, False) == (modes, address.exists(), place.exists())
        assert not serving.is_alive()  # who was connected and silent held nothing up: it was hung up on
    assert ask(root, "about", {}) is None


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
