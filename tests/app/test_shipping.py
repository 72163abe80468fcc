"""Transcripts that a laptop ships: the server reads the sessions that the laptop would read, each word once."""

import importlib
import inspect
import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.app.shipments import conversation_name, keep_masks
from pipeline.app.shipping import MOST_BYTES, open_shipping
from pipeline.app.store_transfer import StoreImport, export_store
from pipeline.corrections.stored_conversations import ConversationMasking
from pipeline.entries.mentions import TopicMatcher
from pipeline.errors import SettingsInvalid
from pipeline.errors.shipping import (
    NoReceiver,
    NoServerToShipTo,
    OtherMemory,
    ServerAway,
    ServerFull,
    ShippingError,
    ShippingForbidden,
)
from pipeline.process.context import ProcessContext
from pipeline.store.opening import WorkspaceStore
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from schemas.detail import ALL_DETAILS
from schemas.shipment import TranscriptHead
from schemas.store_settings import StoreSettings
from schemas.transcript import MASK
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.codex_lines import CodexLines
from tests.support.marks import at_length
from tests.support.ports.clock import FixedClock
from tests.support.ports.source_contract import SourceContract
from tests.support.servers.loopback import Loopback, OwnedServer
from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace
from tests.support.workspaces.shipping import (
    NOW,
    Between,
    Laptop,
    open_engine_of,
    receiving,
    sessions_in,
    state_of,
)

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
SAID = (
    "Remember that the boat key hangs with Anna.",
    f"Remember that the token {KEY} is for the sauna.",
    "From now on we always deploy on Tuesdays, never on Fridays.",
)
ROOT = Path(__file__).parents[2]
TRANSCRIPTS = "/api/v1/transcripts"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServedWorkspace]:
    """A server that takes transcripts."""
    with receiving(tmp_path / "server") as workspace:
        yield workspace


def claude(laptop: Laptop, *texts: str, session: str = "8f1c2d", **fields: object) -> ClaudeLines:
    """A session of Claude Code in which the owner says some things, and each is answered."""
    lines = ClaudeLines(session)
    for text in texts:
        lines.user(text, **fields)
        lines.assistant("Noted.")
    lines.write(laptop.sessions / "shop" / f"{session}.jsonl")
    return lines


def texts_at(server: ServedWorkspace) -> list[str]:
    """The words that the server holds, in their order."""
    talks = server.ask("/api/v1/sessions").value
    names = sorted(talk["conversation"]["session_id"] for talk in talks)
    said = (server.ask(f"/api/v1/sessions/{name}").value["messages"] for name in names)
    return [message["text"] for messages in said for message in messages if message["text"]]


def contracts() -> Iterator[tuple[str, type[SourceContract]]]:
    """The contract suites of sources of files, with the kinds that they are about."""
    for file in sorted((ROOT / "tests/adapters/sources").rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        if (kind := re.search(r"^from pipeline\.adapters\.sources import (\w+)", text, re.MULTILINE)) and (
            "SourceContract" in text
        ):
            module = importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
            for name, suite in inspect.getmembers(module, inspect.isclass):
                if issubclass(suite, SourceContract) and name.startswith("Test") and name != "TestServerSource":
                    yield kind[1], suite


@pytest.mark.parametrize("contract", at_length(*contracts()), ids=lambda contract: contract[1].__name__)
def test_sessions_of_every_contract_are_those_of_the_laptop(
    contract: tuple[str, type[SourceContract]], tmp_path: Path, server: ServedWorkspace
) -> None:
    """Each field of each message, also where a session is in several files or stores."""
    kind, suite = contract
    laptop = Laptop(tmp_path / "laptop", kind)
    suite().source(laptop.sessions)
    laptop.ship(server)
    local = sessions_in(laptop.root)
    assert local == sessions_in(server.root)
    assert len(local) > 1


def test_only_new_messages_are_sent(tmp_path: Path, server: ServedWorkspace) -> None:
    """Nobody is asked where nothing is new, not even whether the server is there."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    assert 6 == laptop.ship(server).messages
    unsent = laptop.ship_to("http://127.0.0.1:1", "x")
    assert (0, 1) == (unsent.messages, unsent.unchanged)
    claude(laptop, *SAID, "The sauna is closed in May.")
    assert 2 == laptop.ship(server).messages


def test_a_rule_of_masking_sends_nothing_again(tmp_path: Path, server: ServedWorkspace) -> None:
    """What was sent stays as it was sent, and what comes is masked by the rule of now."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, "The harbour master is called zebra.")
    laptop.ship(server)
    laptop.set('[model]\napi_key = "zebra-harbour"\n')
    claude(laptop, "The harbour master is called zebra.", "It is zebra-harbour today.")
    assert 2 == laptop.ship(server).messages
    assert ["The harbour master is called zebra.", "Noted.", f"It is {MASK * 13} today.", "Noted."] == texts_at(server)


def test_no_secret_leaves_the_laptop(tmp_path: Path, server: ServedWorkspace) -> None:
    """Neither in what is said, nor in names of projects and addresses of repositories, nor in what records prove."""
    laptop = Laptop(tmp_path / "laptop")
    project = tmp_path / KEY
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "config").write_text(f'[remote "origin"]\n\turl = https://example.org/{KEY}/shop.git\n')
    lines = claude(laptop, *SAID, cwd=str(project))
    lines.wrote(f"notes-{KEY}.md", "x")
    lines.write(laptop.sessions / "shop" / "8f1c2d.jsonl")
    with Between(server, left=100) as between:
        laptop.ship_to(between.address, server.person)
    bodies = b"".join(between.posted).decode()
    assert ("Remember that the token" in bodies, "/shop" in bodies, "notes-" in bodies) == (True, True, True)
    assert KEY not in bodies


def test_two_machines_of_one_owner(tmp_path: Path, server: ServedWorkspace) -> None:
    """The same session from both counts once; each also has one of its own."""
    one, two = Laptop(tmp_path / "one"), Laptop(tmp_path / "two")
    for laptop, more in ((one, ("On one.",)), (two, ())):
        claude(laptop, *SAID, *more)
        claude(laptop, f"Only {laptop.root.name}.", session=f"own-{laptop.root.name}")
        laptop.ship(server)
    there = sessions_in(server.root)
    assert {"8f1c2d", "own-one", "own-two"} == there.keys()
    assert sessions_in(one.root)["8f1c2d"][1] == there["8f1c2d"][1]  # type: ignore[index]


def test_a_session_of_another_kind_with_the_same_id(tmp_path: Path, server: ServedWorkspace) -> None:
    """Whatever id a file claims, its session never joins that of another agent."""
    one, two = Laptop(tmp_path / "one"), Laptop(tmp_path / "two", "codex")
    claude(one, "Remember that the boat key hangs with Anna.")
    lines = CodexLines("8f1c2d")
    lines.user("Remember that the stove needs birch.")
    lines.write(two.sessions / "rollout-8f1c2d.jsonl")
    for laptop in (one, two):
        laptop.ship(server)
    assert {"8f1c2d", "codex:8f1c2d"} == sessions_in(server.root).keys()


def test_the_next_shipment_goes_on(tmp_path: Path, server: ServedWorkspace) -> None:
    """A large session takes several requests of bounded size, and each that was answered is noted."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *(f"{number} {'words ' * (MOST_BYTES // 10)}" for number in range(6)))
    with Between(server, left=3) as between:
        with pytest.raises(ServerAway):
            laptop.ship_to(between.address, server.person)
        first = len(texts_at(server))
        assert 0 < first < 12
        between.left = 1_000
        report = laptop.ship_to(between.address, server.person)
        assert (12, 12 - first) == (len(texts_at(server)), report.messages)
    assert max(map(len, between.posted)) < MOST_BYTES * 1.5
    assert sessions_in(laptop.root) == sessions_in(server.root)


def test_a_shipment_has_so_many_bytes_in_any_script(tmp_path: Path, server: ServedWorkspace) -> None:
    """A letter of Chinese is three of them; a server before ours takes no larger body."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *(f"{number} {'船钥匙在安娜那里' * 2_000}" for number in range(40)))
    with Between(server, left=1_000) as between:
        laptop.ship_to(between.address, server.person)
    assert max(map(len, between.posted)) < MOST_BYTES * 1.5


def test_a_server_that_was_brought_back_gets_what_it_lost(tmp_path: Path, server: ServedWorkspace) -> None:
    """The laptop sees it by the number of messages there, and sends the session from its beginning."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    laptop.ship(server)
    with closing(sqlite3.connect(server.root / "store" / "memory.db")) as store:
        store.execute("DELETE FROM conversation_messages WHERE number > 2")
        store.commit()
    claude(laptop, *SAID, "The sauna is closed in May.")
    assert 8 == laptop.ship(server).messages
    assert sessions_in(laptop.root) == sessions_in(server.root)


def test_a_session_that_was_deleted_there_stays_deleted(tmp_path: Path, server: ServedWorkspace) -> None:
    """What is said in it later is new, and arrives; `again` brings back the rest."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    laptop.ship(server)
    (name,) = (talk["conversation"]["session_id"] for talk in server.ask("/api/v1/sessions").value)
    server.ask(f"/api/v1/memory/session/{name}", "DELETE")
    claude(laptop, *SAID, "The sauna is closed in May.")
    laptop.ship(server)
    assert ["The sauna is closed in May.", "Noted."] == texts_at(server)
    claude(laptop, *SAID, "The sauna is closed in May.", "The stove needs birch.")
    laptop.ship(server)
    assert 4 == len(texts_at(server))
    laptop.ship(server, again=True)
    assert sessions_in(laptop.root) == sessions_in(server.root)


def test_forgotten_words_do_not_come_back(tmp_path: Path, server: ServedWorkspace) -> None:
    """A message that comes again stays masked where it was, also when all is sent once more."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, "The harbour master is called Zebedeusz.", "We sail in May.")
    laptop.ship(server)
    with open_engine_of(server.root) as engine:
        ConversationMasking(engine, TopicMatcher(("Zebedeusz",))).done()
    assert "Zebedeusz" not in "".join(texts_at(server))
    laptop.ship(server, again=True)
    assert "Zebedeusz" not in "".join(texts_at(server))
    assert "We sail in May." in texts_at(server)


@given(before=st.text("ab\u2022"), now=st.text("ab\u2022"))
def test_masks_stay(before: str, now: str) -> None:
    """Of a text that comes again every mask stays, and nothing else changes; a longer one keeps what is new."""
    kept = keep_masks(before, now)
    assert len(now) == len(kept)
    assert all(new in {old, MASK} for old, new in zip(now, kept, strict=True))
    assert now == keep_masks("", now)
    if len(before) <= len(now) and all(old in {new, MASK} for old, new in zip(before, now, strict=False)):
        assert before == "".join(old if old == MASK else new for old, new in zip(before, kept, strict=False))


def test_forgotten_words_do_not_come_back_from_elsewhere(tmp_path: Path, server: ServedWorkspace) -> None:
    """From another laptop with the same session, and from a file whose beginning was cut."""
    one, two = Laptop(tmp_path / "one"), Laptop(tmp_path / "two")
    for laptop in (one, two):
        claude(laptop, "The harbour master is called Zebedeusz.", "We sail in May.")
    one.ship(server)
    with open_engine_of(server.root) as engine:
        ConversationMasking(engine, TopicMatcher(("Zebedeusz",))).done()
    two.ship(server)
    assert "Zebedeusz" not in "".join(texts_at(server))
    assert 2 == texts_at(server).count("We sail in May.")


def test_forgotten_words_go_from_what_records_prove(tmp_path: Path, server: ServedWorkspace) -> None:
    """Also when all is sent once more."""
    laptop = Laptop(tmp_path / "laptop")
    lines = claude(laptop, "We sail in May.")
    lines.wrote("zebedeusz.md", "x")
    lines.write(laptop.sessions / "shop" / "8f1c2d.jsonl")
    laptop.ship(server)
    (name,) = (talk["conversation"]["session_id"] for talk in server.ask("/api/v1/sessions").value)
    assert b"zebedeusz" in server.ask(f"/api/v1/sessions/{name}/export").body
    with open_engine_of(server.root) as engine:
        ConversationMasking(engine, TopicMatcher(("zebedeusz",))).done()
    assert b"zebedeusz" not in server.ask(f"/api/v1/sessions/{name}/export").body
    laptop.ship(server, again=True)
    assert b"zebedeusz" not in server.ask(f"/api/v1/sessions/{name}/export").body


def moved_store(root: Path, other: Path) -> Path:
    """A folder with what a store holds, by an export and an import."""
    other.mkdir()
    with closing(WorkspaceStore(root, StoreSettings())) as own, closing(WorkspaceStore(other, StoreSettings())) as new:
        export_store(own, other / "out", ALL_DETAILS)
        StoreImport(new, SecretRedactor(), other / "out").done()
    return other


def all_words(root: Path) -> list[str]:
    """All that a store holds of conversations."""
    with closing(WorkspaceStore(root, StoreSettings())) as store:
        return sorted(store.conversations.texts())


@table(
    ("field", "value"),
    [
        ("zone", "Europe/Nowhere"),
        ("zone", ""),
        ("path", "a\nb.jsonl"),
        ("session_id", "s\u2028"),
        ("source", "\x00"),
        ("machine", "m\n"),
        ("project", "shop\n# Forgotten"),
    ],
)
def test_a_shipment_that_no_source_would_read(field: str, value: str, server: ServedWorkspace) -> None:
    """It is refused, as what it names would stand in pages, or stop whoever reads it."""
    head = {"machine": "m", "kind": "codex", "session_id": "s-1", "source": "codex", "path": "one.jsonl"}
    assert 422 == server.ask(TRANSCRIPTS, "POST", {"head": {**head, field: value}}).status
    assert 200 == server.ask(TRANSCRIPTS, "POST", {"head": head}).status


def test_evidence_out_of_time(server: ServedWorkspace) -> None:
    """It is refused: arithmetic with its time would end."""
    head = {"machine": "m", "kind": "codex", "session_id": "s-1", "source": "codex", "path": "one.jsonl"}
    for year, status in (("9999", 422), ("2026", 200)):
        proven = {"kind": "commit", "number": 1, "time": f"{year}-12-31T23:59:59Z"}
        record = {"number": 1, "entry_ids": ["u-1"], "origin": "owner", "evidence": [proven]}
        message = {"role": "user", "time": "2026-02-02T09:00:00Z", "text": "We sail.", "record": record}
        assert status == server.ask(TRANSCRIPTS, "POST", {"head": head, "messages": [message]}).status


def test_the_name_of_a_machine_is_made_once(tmp_path: Path, server: ServedWorkspace) -> None:
    """Its host may be called otherwise tomorrow, and whoever knows the host does not know the conversation."""
    laptop = Laptop(tmp_path / "laptop")
    named = {"MEMORY_SHIP__URL": server.address, "MEMORY_SHIP__TOKEN": server.person}
    for more in ((), ("The sauna is closed in May.",)):
        claude(laptop, *SAID, *more)
        with open_shipping(laptop.root, ProcessContext(named, FixedClock(NOW)), again=False, sending=True) as shipping:
            shipping.run()
    (talk,) = (talk["conversation"]["transcript"] for talk in server.ask("/api/v1/sessions").value)
    assert talk["machine"] == state_of(laptop).machine
    assert socket.gethostname() not in talk["machine"]


def test_what_was_asked_not_to_be_kept_stays_here(tmp_path: Path, server: ServedWorkspace) -> None:
    """Neither the words, nor the answer to them; also when it was asked after they had been sent."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, "The sauna is closed in May.", "My salary is nine thousand.")
    laptop.ship(server)
    claude(laptop, "The sauna is closed in May.", "My salary is nine thousand.", "Off the record, please.")
    laptop.ship(server)
    assert ["The sauna is closed in May.", "Noted."] == texts_at(server)


def test_a_session_that_is_left_out_stays_here(tmp_path: Path, server: ServedWorkspace) -> None:
    """By a rule of its source, as for jobs; and so do the sessions of machines."""
    laptop = Laptop(tmp_path / "laptop")
    laptop.set('exclude = [{ first_words = "secret" }]\n')
    claude(laptop, "secret plans", session="s-1")
    claude(laptop, "check the tests", session="s-2", isSidechain=True)
    claude(laptop, "The sauna is closed in May.", session="s-3")
    assert 1 == laptop.ship(server).sessions
    assert ["The sauna is closed in May.", "Noted."] == texts_at(server)


def test_an_agent_cannot_pass_for_the_owner(server: ServedWorkspace) -> None:
    """Neither by a shipment, nor by an import of what it made up; nor may a person ship for somebody else."""
    message = {
        "role": "user",
        "time": "2026-02-02T09:00:00Z",
        "text": "Remember that agents decide.",
        "record": {"number": 1, "entry_ids": ["u-1"], "origin": "owner"},
    }
    head = {"machine": "m", "kind": "codex", "session_id": "s-1", "source": "codex", "path": "one.jsonl"}
    body = {"head": head, "messages": [message]}
    agent = f"Bearer {server.agent}"
    assert 403 == server.ask(TRANSCRIPTS, "POST", body, authorization=agent).status
    assert 403 == server.ask(f"{TRANSCRIPTS}?user_id=bob", "POST", body).status
    assert 403 == server.ask(TRANSCRIPTS, authorization=agent).status
    assert {} == sessions_in(server.root)
    assert 200 == server.ask(TRANSCRIPTS, "POST", body).status
    (name,) = (talk["conversation"]["session_id"] for talk in server.ask("/api/v1/sessions").value)
    lines = server.ask(f"/api/v1/sessions/{name}/export").body
    server.ask(f"/api/v1/memory/session/{name}", "DELETE")
    assert 200 == server.ask("/api/v1/sessions/import", "POST", lines, authorization=agent).status
    assert {} == sessions_in(server.root)
    with open_engine_of(server.root) as engine:
        assert [] == engine.ledger.files.sessions()
    said = [{"role": "user", "text": "more"}]
    assert 400 == server.ask(f"/api/v1/sessions/{name}/messages", "POST", said, authorization=agent).status


def test_a_conversation_of_an_agent_under_the_name_of_a_session(tmp_path: Path, server: ServedWorkspace) -> None:
    """It gets no word of the owner: the session is refused, and said to be so; the others are sent."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    head = TranscriptHead(machine="laptop", kind="claude_code", session_id="8f1c2d", source="s", path="p")
    taken = {"session_id": conversation_name(head)}
    assert 200 == server.ask("/api/v1/sessions", "POST", taken, authorization=f"Bearer {server.agent}").status
    claude(laptop, "The sauna is closed in May.", session="s-2")
    report = laptop.ship(server)
    assert (1, ["8f1c2d"]) == (report.sessions, [sentence.partition(":")[0] for sentence in report.refused])
    assert {"s-2"} == sessions_in(server.root).keys()
    assert state_of(laptop).failure


def test_an_export_of_a_shipped_session_comes_back(tmp_path: Path, server: ServedWorkspace) -> None:
    """With its records, so that jobs read the same; also where a record has gone with a new version of its file."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    laptop.ship(server)
    file = laptop.sessions / "shop" / "8f1c2d.jsonl"
    file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if SAID[1] not in line))
    laptop.ship(server)
    assert SAID[1] not in texts_at(server)
    before = sessions_in(server.root)
    (name,) = (talk["conversation"]["session_id"] for talk in server.ask("/api/v1/sessions").value)
    lines = server.ask(f"/api/v1/sessions/{name}/export").body
    server.ask(f"/api/v1/memory/session/{name}", "DELETE")
    assert {} == sessions_in(server.root)
    assert 200 == server.ask("/api/v1/sessions/import", "POST", lines).status
    assert before == sessions_in(server.root)
    assert lines == server.ask(f"/api/v1/sessions/{name}/export").body


class Answering(Loopback):
    """Gives every request the same answer."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(_Answer)
        self.status, self.body = status, body


class _Answer(BaseHTTPRequestHandler):
    server: OwnedServer

    def do_GET(self) -> None:
        """Answer."""
        answering = self.server.owner
        assert isinstance(answering, Answering)
        self.send_response(answering.status)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()
        self.wfile.write(answering.body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@table(
    ("status", "body", "error"),
    [
        (507, b"{}", ServerFull),
        (503, b'{"detail": "The store is away."}', ServerAway),
        (302, b"", NoReceiver),
        (404, b"<html>", NoReceiver),
        (200, b"<html>", NoReceiver),
        (200, b"9" * 70_000, NoReceiver),
        (401, b"[]", ShippingForbidden),
    ],
)
def test_a_server_that_does_not_take_transcripts(
    status: int, body: bytes, error: type[ShippingError], tmp_path: Path
) -> None:
    """Each ends with an error of its own, which the doctor tells until a shipment goes well."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    with Answering(status, body) as strange, pytest.raises(error):
        laptop.ship_to(strange.address, "x")
    assert NOW == state_of(laptop).failed


def test_a_token_that_is_revoked_in_the_middle(tmp_path: Path, server: ServedWorkspace) -> None:
    """What had arrived stays; a new token sends the rest."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID, session="s-1")
    laptop.ship(server)
    TokenFile(server.root).revoke("anna", NOW)
    claude(laptop, *SAID, session="s-2")
    with pytest.raises(ShippingForbidden, match="A token is needed"):
        laptop.ship(server)
    fresh = TokenFile(server.root).add("anna-2", CallerKind.PERSON, "", NOW)
    assert 6 == laptop.ship_to(server.address, fresh).messages
    assert "" == state_of(laptop).failure


def test_the_memory_of_another_owner(tmp_path: Path, server: ServedWorkspace) -> None:
    """It gets nothing unless a person says so."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    laptop.ship(server)
    claude(laptop, *SAID, "The sauna is closed in May.")
    with receiving(tmp_path / "other") as other:
        with pytest.raises(OtherMemory):
            laptop.ship(other)
        assert [] == texts_at(other)
        assert 8 == laptop.ship(other, again=True).messages


def test_a_server_without_a_source_says_so(tmp_path: Path) -> None:
    """What is sent there is kept, and no job reads it."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    with receiving(tmp_path / "server", 'timezone = "UTC"\n') as server:
        assert not laptop.ship(server).reads
        assert 6 == len(texts_at(server))


def test_a_laptop_with_another_clock(tmp_path: Path, server: ServedWorkspace) -> None:
    """The times of messages are those of their records, whatever the clocks say."""
    laptop = Laptop(tmp_path / "laptop")
    claude(laptop, *SAID)
    laptop.ship(server, now=NOW + timedelta(days=1))
    assert sessions_in(laptop.root) == sessions_in(server.root)


def test_without_a_server_or_a_token(tmp_path: Path) -> None:
    """Nothing is sent anywhere."""
    laptop = Laptop(tmp_path / "laptop")
    for url, token, missing in (("", "x", "url"), ("http://127.0.0.1:1", "", "token")):
        with pytest.raises(NoServerToShipTo, match=missing):
            laptop.ship_to(url, token)


def test_an_address_that_others_could_read(tmp_path: Path) -> None:
    """It is refused: the words of the owner do not go over a network in the clear."""
    laptop = Laptop(tmp_path / "laptop")
    with pytest.raises(SettingsInvalid):
        laptop.ship_to("http://127.0.0.1:1", "mem_x\ny")
    for url in ("http://memory.example.org", "https://anna:secret@memory.example.org", "ftp://127.0.0.1"):
        with pytest.raises(SettingsInvalid):
            laptop.ship_to(url, "x")
