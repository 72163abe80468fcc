"""Two kinds of sources with one session id: the sessions never join, and what is cited keeps its id."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.corrections.undo import undo
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.errors import SeveralNames
from pipeline.ledger import open_ledger
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries, story_of_entry
from pipeline.reports.transcripts import find_session, listed_sessions
from pipeline.scheduling.registry import jobs_named
from pipeline.transcripts.session_names import SessionNames
from schemas.entry import Source, Trust
from schemas.reports.entries import EntryHistory
from schemas.transcript import Session
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.ports.clock import FixedClock

DAY = datetime(2026, 2, 2, tzinfo=UTC).date()
ID = "8f1c2d"
BOAT = "Remember that the boat key hangs with Anna."
SAUNA = "Remember that the sauna is for guests of cabin 4 alone."
STOVE = "Remember that the stove of cabin 2 needs dry birch."
EARLIER, LATER = "2026-02-02T08:00:00Z", "2026-02-02T10:00:00Z"
KINDS = ("claude_code", "gemini_cli")


class Workspace:
    """A workspace that reads sources of two kinds, in an order; each look opens it anew, as a command does."""

    def __init__(self, root: Path, kinds: tuple[str, ...] = KINDS) -> None:
        self.root = root
        tables = "".join(f'[[sources]]\nkind = "{kind}"\npath = "{kind}"\n' for kind in kinds)
        (root / "memory.toml").write_text(f'timezone = "UTC"\nstart = 2026-02-01T00:00:00Z\n{tables}')
        for kind in kinds:
            (root / kind).mkdir(exist_ok=True)
        self._opened: list[Engine] = []

    def own(self, *texts: str) -> None:
        """What the owner says to Claude Code; the first record is `u-1`."""
        lines = ClaudeLines(ID)
        for text in texts:
            lines.user(text)
        lines.write(self.root / "claude_code" / "shop" / f"{ID}.jsonl")

    def foreign(self, text: str, time: str = EARLIER, record: str = "u-1", session_id: str = ID) -> None:
        """A file of Gemini CLI with the id of that session, and of a record in it."""
        lines = GeminiLines(session_id)
        lines.user(text, id=record, timestamp=time)
        (self.root / "gemini_cli" / "session-s.jsonl").write_bytes(b"".join(lines.lines))

    def open(self) -> Engine:
        """The engine, after a look at the transcripts."""
        clock = FixedClock(datetime(2026, 2, 4, 12, tzinfo=UTC))
        self._opened.append(open_engine(self.root, ProcessContext({}, clock=clock)))
        prepare(self._opened[-1])
        return self._opened[-1]

    def run(self, *, again: bool = False) -> dict[str, EntryHistory]:
        """Runs what is due of the day, with `again` also what was undone; the entries then, by their quotes."""
        engine = self.open()
        list(
            work_through(
                Runner(engine), in_days(engine, jobs_named(["micro_sync"], engine.jobs), DAY, DAY), again=again
            )
        )
        return self.entries()

    def entries(self) -> dict[str, EntryHistory]:
        """The stories of all entries, by their quotes."""
        engine = self.open()
        stories = [story_of_entry(engine, place.entry.id) for place in list_entries(engine)]
        return {f"{story.quote.rstrip('.')}.": story for story in stories if isinstance(story, EntryHistory)}

    def said(self) -> dict[str, list[str]]:
        """What is said in each session, by its id."""
        engine = self.open()
        ids = sorted(session.id or "" for session in listed_sessions(engine))
        sessions = [session for name in ids if (session := engine.catalog.session(name))]
        return {session.session_id: [message.text for message in session.messages] for session in sessions}

    @property
    def page(self) -> Path:
        """The day's file."""
        return self.root / "memory" / f"{DAY}.md"

    @property
    def ledger(self) -> Path:
        """The ledger's file, after it was closed."""
        self.close()
        return self.root / ".memory" / "state.db"

    def close(self) -> None:
        """Closes all engines."""
        while self._opened:
            self._opened.pop().ledger.store.close()


@pytest.fixture
def new_workspace(tmp_path: Path) -> Iterator[Callable[..., Workspace]]:
    """Makes workspaces, each in a folder of its own."""
    made: list[Workspace] = []

    def _made(kinds: tuple[str, ...] = KINDS) -> Workspace:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Workspace(folder, kinds))
        return made[-1]

    yield _made
    for workspace in made:
        workspace.close()


@pytest.mark.parametrize("kinds", [KINDS, KINDS[::-1]])
@pytest.mark.parametrize("time", [EARLIER, LATER])
@pytest.mark.parametrize("arrival", ["together", "own first", "foreign first"])
def test_a_foreign_message_hides_nothing(
    new_workspace: Callable[..., Workspace], kinds: tuple[str, ...], time: str, arrival: str
) -> None:
    """Whichever comes first, with the same ids of session and record: two sessions, each with its own words."""
    workspace = new_workspace(kinds)
    if arrival == "foreign first":
        workspace.foreign(STOVE, time)
        workspace.run()
    workspace.own(BOAT, SAUNA)
    if arrival == "own first":
        workspace.run()
    workspace.foreign(STOVE, time)
    entries = workspace.run()
    first = {"together": kinds[0], "own first": "claude_code", "foreign first": "gemini_cli"}[arrival]
    own, foreign = (ID, f"gemini_cli:{ID}") if first == "claude_code" else (f"claude_code:{ID}", ID)
    assert {own: [BOAT, SAUNA], foreign: [STOVE]} == workspace.said()
    assert {BOAT: own, SAUNA: own, STOVE: foreign} == {
        quote: story.source.session_id for quote, story in entries.items()
    }
    assert {"claude_code", "gemini_cli"} == {
        story.source.session_path.partition(":")[0] for story in entries.values() if story.quote_said
    }
    before = workspace.page.read_bytes()
    assert entries.keys() == workspace.run(again=True).keys()
    assert before == workspace.page.read_bytes()


def test_the_same_words_in_another_kind_keep_nothing_out(new_workspace: Callable[..., Workspace]) -> None:
    """A record of another kind with the same id is no copy, so the owner's own words are written and cited."""
    workspace = new_workspace()
    workspace.foreign(BOAT)
    workspace.run()
    workspace.own(BOAT)
    workspace.run()
    cited = [place.entry.source.session_id for place in list_entries(workspace.open())]
    assert [ID, f"claude_code:{ID}"] == cited


def test_run_on_time_and_back_filled_are_the_same(new_workspace: Callable[..., Workspace]) -> None:
    """The entries of a day do not depend on when the foreign file came."""
    on_time, later = new_workspace(), new_workspace()
    on_time.own(BOAT)
    on_time.run()
    for workspace in (on_time, later):
        workspace.own(BOAT, SAUNA)
        workspace.foreign(STOVE)
    written = on_time.run()
    assert {BOAT, SAUNA, STOVE} == written.keys()
    assert {story.id: story.source for story in written.values()} == {
        story.id: story.source for story in later.run().values()
    }


def test_a_record_that_was_seen_is_new_in_another_kind(new_workspace: Callable[..., Workspace]) -> None:
    """Its time is due once more, and no other time."""
    workspace = new_workspace()
    workspace.own(BOAT)
    workspace.foreign("What is the time?", "2026-02-02T20:00:00Z", "m-1")
    workspace.run()
    stale = "SELECT count(*) FROM coverage WHERE stale"
    assert 0 == workspace.open().ledger.store.value(stale)
    workspace.foreign(STOVE, LATER, "u-1")
    assert 1 == workspace.open().ledger.store.value(stale)
    assert {BOAT, STOVE} == workspace.run().keys()


def test_a_quote_is_looked_for_in_the_cited_kind(new_workspace: Callable[..., Workspace]) -> None:
    """An entry that somebody changed gets nothing from a foreign message under its ids, also without a ledger."""
    workspace = new_workspace()
    workspace.own(BOAT)
    workspace.run()
    workspace.foreign(STOVE)
    workspace.open()
    text = workspace.page.read_text()
    workspace.page.write_text(text.replace("Remember: ", "Remember: x "))
    assert [(BOAT, Trust.OWNER)] == [(quote, story.trust) for quote, story in workspace.entries().items()]
    workspace.ledger.unlink()
    assert [(Trust.QUOTED, True)] == [(story.trust, story.quote_said) for story in workspace.entries().values()]
    workspace.page.write_text(text.replace(BOAT.rstrip("."), STOVE.rstrip(".")))
    assert [(Trust.UNVERIFIED, False)] == [(story.trust, story.quote_said) for story in workspace.entries().values()]


def test_an_entry_of_before_is_looked_for_in_the_kind_of_its_source(new_workspace: Callable[..., Workspace]) -> None:
    """Earlier versions wrote the id of the file alone, also for the kind that comes second."""
    workspace = new_workspace()
    workspace.own(BOAT)
    workspace.foreign(STOVE)
    workspace.run()
    workspace.page.write_text(workspace.page.read_text().replace(f"gemini_cli:{ID}", ID))
    workspace.ledger.unlink()
    story = workspace.entries()[STOVE]
    assert (ID, Trust.QUOTED, True) == (story.source.session_id, story.trust, story.quote_said)
    assert [STOVE] == [message.text for message in story.words or ()]


def test_a_session_that_is_gone_leaves_its_id_to_nobody(new_workspace: Callable[..., Workspace]) -> None:
    """Agents delete their transcripts; the source of the entry is gone then, whatever claims its id."""
    workspace = new_workspace(KINDS[::-1])
    workspace.own(BOAT)
    workspace.run()
    (workspace.root / "claude_code" / "shop" / f"{ID}.jsonl").unlink()
    workspace.foreign(BOAT)
    story = workspace.entries()[BOAT]
    assert (Trust.OWNER, False, ID) == (story.trust, story.source_exists, story.source.session_id)
    assert {f"gemini_cli:{ID}": [BOAT]} == workspace.said()


def test_the_run_that_is_undone_is_that_of_its_session(new_workspace: Callable[..., Workspace]) -> None:
    """And the same entry comes again when it is back-filled."""
    workspace = new_workspace()
    workspace.own(BOAT)
    before = workspace.run()
    workspace.foreign(STOVE, "2026-02-02T20:00:00Z")
    workspace.run()
    undo(workspace.open(), before[BOAT].run_id or "")
    assert [STOVE] == list(workspace.entries())
    assert {BOAT: before[BOAT].id} == {
        quote: story.id for quote, story in workspace.run(again=True).items() if quote != STOVE
    }


def test_a_cited_id_is_kept_when_the_ledger_is_lost(new_workspace: Callable[..., Workspace]) -> None:
    """The files say which kind had it, also when the other kind is read first."""
    workspace = new_workspace(KINDS[::-1])
    workspace.own(BOAT)
    workspace.run()
    workspace.ledger.unlink()
    workspace.foreign(STOVE)
    entries = workspace.run(again=True)
    assert {ID: [BOAT], f"gemini_cli:{ID}": [STOVE]} == workspace.said()
    assert {BOAT: True, STOVE: True} == {quote: story.quote_said for quote, story in entries.items()}


def of_version_5(ledger: Path) -> None:
    """Makes a ledger as version 5 left it: sessions of two kinds with one id are one."""
    with closing(sqlite3.connect(ledger)) as connection:
        for table in (
            "agents",
            "sights",
            "pieces",
            "open_pieces",
            "entry_proposals",
            "batches",
            "batched",
            "episodes",
            "unsettled",
            "token_counts",
            "session_kinds",
            "projects",
            "session_projects",
            "written_texts",
            "spending",
            "suggestions",
            "suggestions_said",
            "shipped",
            "shipping",
        ):
            connection.execute(f"DROP TABLE {table}")
        for index in ("coverage_by_run", "keyed_by_run"):
            connection.execute(f"DROP INDEX {index}")
        connection.execute("ALTER TABLE requests DROP COLUMN about")
        connection.execute("PRAGMA user_version = 5")
        for table, column in (("files", "session"), ("seen", "session"), ("inputs", "name")):
            query = f"UPDATE {table} SET {column} = ? WHERE {column} = ?"  # noqa: S608 - fixed texts
            connection.execute(query, (ID, f"gemini_cli:{ID}"))
        connection.commit()


def test_a_ledger_of_before_is_taken_apart(new_workspace: Callable[..., Workspace]) -> None:
    """What is cited keeps its id, what was written stands as it is, and nothing of the owner runs again."""
    workspace = new_workspace(KINDS[::-1])
    workspace.own(BOAT)
    workspace.run()
    workspace.foreign("What is the time?", LATER)
    workspace.open()
    of_version_5(workspace.ledger)
    before = workspace.page.read_bytes()
    entries = workspace.run()
    assert {ID: [BOAT], f"gemini_cli:{ID}": ["What is the time?"]} == workspace.said()
    assert [(BOAT, Trust.OWNER, True)] == [(quote, one.trust, one.quote_said) for quote, one in entries.items()]
    assert before == workspace.page.read_bytes()


def test_a_block_of_somebody_else_gives_no_id_away(new_workspace: Callable[..., Workspace]) -> None:
    """In a ledger of before, what it knows word for word says whose an id is."""
    workspace = new_workspace(KINDS[::-1])
    workspace.own(BOAT)
    workspace.run()
    text = workspace.page.read_text()
    workspace.page.write_text(
        text + text.replace("claude_code:", "gemini_cli:").replace("- id: REMEMBER-", "- id: REMEMBER-X-")
    )
    workspace.foreign(STOVE)
    of_version_5(workspace.ledger)
    assert {ID: [BOAT], f"gemini_cli:{ID}": [STOVE]} == workspace.said()


@pytest.mark.parametrize("given", [ID, ID[:3]])
def test_an_id_of_two_kinds_is_to_be_named_whole(new_workspace: Callable[..., Workspace], given: str) -> None:
    """The refusal names both, as they can be given."""
    workspace = new_workspace()
    workspace.own(BOAT)
    workspace.foreign(STOVE)
    engine = workspace.open()
    with pytest.raises(SeveralNames) as refused:
        find_session(engine, given)
    first, *lines = str(refused.value).splitlines()
    assert f"More than one session begins with '{given}'; name one of them:" == first
    assert [f"claude_code:{ID}", f"gemini_cli:{ID}"] == sorted(line.split()[0] for line in lines)
    for name, text in ((f"claude_code:{ID}", BOAT), (f"gemini_cli:{ID}", STOVE), ("gem", STOVE)):
        assert [text] == [message.text for message in find_session(engine, name).messages]


def test_two_folders_of_one_kind_join_as_before(new_workspace: Callable[..., Workspace]) -> None:
    """A session that was moved to another folder goes on there."""
    workspace = new_workspace(("claude_code",))
    with (workspace.root / "memory.toml").open("a") as settings:
        settings.write('[[sources]]\nkind = "claude_code"\nname = "laptop"\npath = "laptop"\n')
    workspace.own(BOAT)
    lines = ClaudeLines(ID)
    for text in (BOAT, SAUNA):
        lines.user(text)
    lines.write(workspace.root / "laptop" / f"{ID}.jsonl")
    assert {ID: [BOAT, SAUNA]} == workspace.said()


def test_no_id_can_look_like_that_of_another_kind(tmp_path: Path) -> None:
    """A file that claims the name of a session of another kind gets a name of its own."""
    names = SessionNames(open_ledger(tmp_path / "state.db").session_kinds, dict(zip("cg", KINDS, strict=True)))

    def name(source: str, session_id: str) -> str:
        return names.give_id(Session(session_id=session_id, source=source, path="s")).session_id

    claims = [("c", ID), ("g", ID), ("c", f"gemini_cli:{ID}"), ("g", f"gemini_cli:{ID}"), ("g", f"claude_code:{ID}")]
    made = [name(*claim) for claim in claims]
    assert [ID, f"gemini_cli:{ID}"] == made[:2]
    assert len(claims) == len(set(made)) == len({name(*claim) for claim in claims})
    sessions = [Session(session_id=session_id, source=source, path="s") for source, session_id in claims]
    assert [True] * len(claims) == list(map(names.is_named, sessions, made))
    assert "2026-02-02T10:00" == name("g", "2026-02-02T10:00")


def test_a_source_that_got_a_name_is_still_the_cited_one(tmp_path: Path) -> None:
    """Without a name a source has that of its kind, and entries cite it so; of any other name the id alone counts."""
    names = SessionNames(open_ledger(tmp_path / "state.db").session_kinds, dict(zip("cg", KINDS, strict=True)))
    for source in "cg":
        names.give_id(Session(session_id=ID, source=source, path="s"))
    for root, expected in {"c": ID, "g": f"gemini_cli:{ID}", KINDS[1]: f"gemini_cli:{ID}", "old": ID}.items():
        cited = Source(session_id=ID, session_path=f"{root}:s", message_range=(1, 1), entry_ids=("a",))
        assert expected == names.cited_id(cited)
