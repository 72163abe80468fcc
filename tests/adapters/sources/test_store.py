"""Conversations of the workspace's own store: whose word each message is, and which no job reads."""

import uuid
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from pydantic import SecretStr

from pipeline.adapters.sources import store
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.store import moment_of, session_of
from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from pipeline.store.conversations import ConversationTable
from pipeline.store.database import open_database
from schemas.conversation import ConversationMessage, ConversationRecord, ExtraContext, SessionSettings
from schemas.settings import SourceSettings
from schemas.store_settings import StoreSettings
from schemas.transcript import Origin, Role
from tests.support.builders.conversation_rows import START, ConversationRows
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.servers.postgresql import PostgresServer
from tests.support.sources import opened_source
from tests.support.tables import table

opened = partial(opened_source, store)
SAID = (("user", OWNER), ("assistant", ASSISTANT), ("tool", "out"), ("system", "be brief"), ("user", "żółć 好"))


class TestStoreSource(SourceContract):
    """The contract, over a file."""

    def source(self, root: Path) -> TranscriptSource:
        """Two conversations, one with marks in its name."""
        with closing(ConversationRows(root / "memory.db")) as rows:
            rows.conversation("s-1", *SAID)
            rows.conversation("a:b@c+d-1", *SAID)
        return opened(root)


class TestServerSource(SourceContract):
    """The contract, over a server."""

    @pytest.fixture(autouse=True)
    def _server(self, postgres: PostgresServer) -> None:
        self.settings = StoreSettings(url=SecretStr(postgres.url), workspace=uuid.uuid4().hex)

    def source(self, root: Path) -> TranscriptSource:
        """The same two, and one of another workspace."""
        with closing(open_database(root, self.settings)) as database:
            for workspace in (self.settings.workspace, uuid.uuid4().hex):
                table = ConversationTable(database, workspace)
                for name in ("s-1", "a:b@c+d-1"):
                    own = {"id": str(uuid.uuid4()), "session_id": name, "created_at": START}
                    begun = table.begin(ConversationRecord.model_validate(own))
                    table.append(begun, [_message(role, text) for role, text in SAID])
        return store.KIND.source(SourcePlace(SourceSettings(kind="store", path="x"), root, "UTC", self.settings))

    def test_what_no_job_may_read_is_not_listed(self, tmp_path: Path) -> None:
        """Nor read by its path."""
        source = self.source(tmp_path)
        with closing(open_database(tmp_path, self.settings)) as database:
            table = ConversationTable(database, self.settings.workspace)
            settings = SessionSettings(store_knowledge=False)
            for name, one in (("s-8", {"user_id": "bob", "by_person": True}), ("s-9", {"settings": settings})):
                own = {"id": str(uuid.uuid4()), "session_id": name, "created_at": START, **one}
                begun = table.begin(ConversationRecord.model_validate(own))
                table.append(begun, [_message("user", OWNER)])
        assert 2 == len(list(source.files()))
        assert [(), ()] == [source.read(f"memory.db/{name}") for name in ("s-8", "s-9")]


def _message(role: str, text: str) -> ConversationMessage:
    own = {"number": 0, "role": role, "text": text, "tokens": 1, "created_at": START}
    return ConversationMessage.model_validate(own | {"by_person": role == Role.USER})


@pytest.fixture(name="rows")
def _rows(tmp_path: Path) -> ConversationRows:
    return ConversationRows(tmp_path / "memory.db")


def test_who_speaks_is_what_the_store_knows(tmp_path: Path, rows: ConversationRows) -> None:
    """The owner under a person's token; an agent that speaks as the user is somebody else, and the session nobody's."""
    rows.conversation("s-1", *SAID)
    rows.conversation("s-2", *SAID, by_person=False)
    rows.close()
    source = opened(tmp_path)
    (owned,), (claimed,) = (source.read(f"memory.db/{name}") for name in ("s-1", "s-2"))
    rest = [Origin.ASSISTANT, Origin.TOOL, Origin.MACHINE]
    assert [Origin.OWNER, *rest, Origin.OWNER] == [message.origin for message in owned.messages]
    assert [Origin.OTHER, *rest, Origin.OTHER] == [message.origin for message in claimed.messages]
    assert (False, True) == (owned.machine, claimed.machine)
    assert ("main", "s-1-1") == (owned.agent, owned.messages[0].entry_ids[0])


@table(
    ("user_id", "by_person", "origin"),
    [("", True, Origin.OWNER), ("", False, Origin.OTHER), ("bob", True, Origin.OTHER), ("bob", False, Origin.OTHER)],
)
def test_whose_word_it_is(tmp_path: Path, user_id: str, by_person: bool, origin: Origin) -> None:  # noqa: FBT001 - a case
    """The owner's with both: a person's token, and no other user's conversation."""
    place = SourcePlace(SourceSettings(kind="store", path="x"), tmp_path, "UTC")
    about = {"session_id": "s-1", "user_id": user_id, "agent_id": "main"}
    row = _message("user", OWNER).model_copy(update={"number": 1, "by_person": by_person})
    (said,) = session_of(place, "memory.db/s-1", about, [row.model_dump(mode="json")]).messages
    assert origin == said.origin


def test_what_no_job_may_read(tmp_path: Path, rows: ConversationRows) -> None:
    """A conversation that is not to be kept as knowledge, or is another user's, is neither listed nor read."""
    rows.conversation("s-1", *SAID, settings=SessionSettings(store_knowledge=False))
    rows.conversation("s-2", *SAID, user_id="bob")
    rows.close()
    source = opened(tmp_path)
    assert [] == list(source.files())
    assert [(), ()] == [source.read(f"memory.db/{name}") for name in ("s-1", "s-2")]


def test_what_was_cleared_is_read(tmp_path: Path, rows: ConversationRows) -> None:
    """A reset empties the context, and takes no word back; the numbers stay."""
    begun = rows.conversation("s-1", *SAID)
    rows.table.clear(begun)
    rows.close()
    (session,) = opened(tmp_path).read("memory.db/s-1")
    assert [1, 2, 3, 4, 5] == [message.number for message in session.messages]


def test_what_came_along_is_no_word(tmp_path: Path, rows: ConversationRows) -> None:
    """Files, links and notes of a message confirm nothing: they are not in the session."""
    begun = rows.conversation("s-1", *SAID)
    extra = ExtraContext(files=("we keep two queues",), notes=("remember: two queues",))
    rows.table.append(begun, [_message("user", "see").model_copy(update={"extra_context": extra})])
    rows.close()
    (session,) = opened(tmp_path).read("memory.db/s-1")
    assert "see" == session.messages[-1].text
    assert "two queues" not in session.model_dump_json()


def test_a_server_that_is_gone(tmp_path: Path) -> None:
    """A sentence, for the list and for one conversation."""
    settings = StoreSettings(url=SecretStr("postgresql://nobody@127.0.0.1:1/none"), workspace="w")
    source = store.KIND.source(SourcePlace(SourceSettings(kind="store", path="x"), tmp_path, "UTC", settings))
    for asked in (lambda: list(source.files()), lambda: source.read("memory.db/s-1")):
        with pytest.raises(ReadFailed, match="cannot be reached"):
            asked()


def test_a_moment_without_an_offset_is_in_utc() -> None:
    """As SQLite keeps it; what is no moment is none."""
    assert START == moment_of("2026-02-02 09:00:00.000000") == moment_of("2026-02-02T10:00:00+01:00")
    assert [None] * 3 == [moment_of(value) for value in ("9999-99", None, 7)]


def test_nothing_is_proposed(tmp_path: Path) -> None:
    """The conversations of a workspace are read where its settings say so."""
    assert () == store.KIND.roots(tmp_path, {})
