"""OpenClaw moves to its store, rewinds and rewrites between two runs: what was written stands, and is written once."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries, story_of_entry
from pipeline.scheduling.registry import jobs_named
from schemas.reports.entries import EntryHistory
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.builders.openclaw_store import NAME, OpenClawStoreFile
from tests.support.ports.clock import FixedClock

DAY = datetime(2026, 2, 2, tzinfo=UTC).date()
FILE = "agents/main/sessions/s-one.jsonl"
STORED = f"agents/main/agent/{NAME}/s-one"
BOAT = "Remember that the boat key hangs with Anna."
KAYAK = "Zapamiętaj: klucz do kajaka wisi u Dawida."
SAUNA = "记住:桑拿只给四号小屋的客人用。"
STOVE = "Remember that the stove of cabin 2 needs dry birch."


class Workspace:
    """A workspace that reads one agent; each look opens it anew, as a command does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / "openclaw"
        self.state.mkdir()
        (root / "memory.toml").write_text(
            'timezone = "UTC"\nstart = 2026-02-01T00:00:00Z\n[[sources]]\nkind = "openclaw"\npath = "openclaw"\n'
        )
        self._opened: list[Engine] = []

    def open(self) -> Engine:
        """The engine, after a look at the transcripts."""
        clock = FixedClock(datetime(2026, 2, 4, 12, tzinfo=UTC))
        self._opened.append(open_engine(self.root, ProcessContext({}, clock=clock)))
        prepare(self._opened[-1])
        return self._opened[-1]

    def run(self, *, again: bool = False) -> dict[str, EntryHistory]:
        """Runs the day, unless nothing of it is due and not `again`; the entries there are then, by their quotes."""
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
        return {story.quote.rstrip(".。"): story for story in stories if isinstance(story, EntryHistory)}

    def stale(self) -> bool:
        """Whether anything that was covered has to be done again."""
        return bool(self.open().ledger.store.value("SELECT max(stale) FROM coverage"))

    @property
    def written(self) -> bytes:
        """The day's file."""
        return (self.root / "memory" / f"{DAY}.md").read_bytes()

    def close(self) -> None:
        """Closes all engines."""
        for engine in self._opened:
            engine.ledger.store.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace without transcripts yet."""
    made = Workspace(tmp_path)
    with closing(made):
        yield made


@pytest.fixture
def store(workspace: Workspace) -> Iterator[Callable[[], OpenClawStoreFile]]:
    """Makes the store of the agent, at the moment of its upgrade."""
    made: list[OpenClawStoreFile] = []

    def _made() -> OpenClawStoreFile:
        made.append(OpenClawStoreFile(workspace.state / "agents/main"))
        return made[-1]

    yield _made
    for item in made:
        item.agent.close()


def chat(*texts: str) -> OpenClawLines:
    """A session in which the owner says something, each with a time (ms) of its own."""
    lines = OpenClawLines("s-one")
    for number, text in enumerate(texts):
        spoken(lines, text, number)
    return lines


def spoken(lines: OpenClawLines, text: str, number: int, **record: Any) -> str:  # noqa: ANN401 - any JSON
    """Adds what the owner says; gives its id."""
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1_770_022_800_000 + number}
    return lines.add({"type": "message", "message": message} | record)


def copied(lines: OpenClawLines, number: int, **record: Any) -> str:  # noqa: ANN401 - any JSON
    """Adds a copy of the record in a line, from 1, with an id and a time of its own."""
    return lines.add({"type": "message", "message": json.loads(lines.lines[number - 1])["message"]} | record)


def key(text: str) -> str:
    """A quote as it is compared."""
    return text.rstrip(".。")


def test_an_upgrade_changes_nothing_that_was_written(
    workspace: Workspace, store: Callable[[], OpenClawStoreFile]
) -> None:
    """The file stays beside the store: each message counts once, and new ones are cited in the store."""
    chat(BOAT, KAYAK).write(workspace.state / FILE)
    first, before = workspace.run(), workspace.written
    assert {key(BOAT): f"openclaw:{FILE}", key(KAYAK): f"openclaw:{FILE}"} == {
        quote: story.source.session_path for quote, story in first.items()
    }

    upgraded = store()
    upgraded.put(chat(BOAT, KAYAK))
    assert not workspace.stale()
    assert first == workspace.run()
    assert before == workspace.written

    upgraded.put(chat(BOAT, KAYAK, SAUNA))
    assert workspace.stale()
    after = workspace.run(again=True)
    assert f"openclaw:{STORED}" == after[key(SAUNA)].source.session_path
    assert (4, 4) == after[key(SAUNA)].source.message_range
    assert first == {quote: story for quote, story in after.items() if quote != key(SAUNA)}
    assert workspace.written.startswith(before.rstrip())

    (workspace.state / FILE).unlink()
    assert all(story.quote_stands and story.quote_said and story.words for story in workspace.run().values())


@pytest.mark.parametrize("how", ["rows", "branch"])
def test_what_was_taken_back_stays_written(
    workspace: Workspace, store: Callable[[], OpenClawStoreFile], how: str
) -> None:
    """A rewind drops the rows, or leaves them on a dead branch: the entry stands, and its words are gone."""
    held = store()
    held.put(chat(BOAT, KAYAK, SAUNA))
    first, before = workspace.run(), workspace.written

    rewound = chat(BOAT, KAYAK, SAUNA) if how == "branch" else chat(BOAT)
    parent = json.loads(rewound.lines[1])["id"]
    rewound.add({"type": "leaf", "id": "f0000001", "targetId": parent})
    held.put(rewound)
    assert not workspace.stale()
    assert before == workspace.written
    spoken(rewound, STOVE, 9, id="f0000002", parentId=parent)
    held.put(rewound)
    after = workspace.run(again=True)

    assert {key(BOAT), key(KAYAK), key(SAUNA), key(STOVE)} == after.keys()
    assert workspace.written.startswith(before.rstrip())
    assert first[key(BOAT)] == after[key(BOAT)]
    for gone in (after[key(KAYAK)], after[key(SAUNA)]):
        assert (True, True, False, ()) == (gone.verified, gone.source_exists, gone.quote_stands, gone.words)


def test_a_rewind_to_a_session_of_another_id_writes_nothing_twice(
    workspace: Workspace, store: Callable[[], OpenClawStoreFile]
) -> None:
    """The agent copies all records to a new session, and goes on there from an earlier one."""
    held = store()
    held.put(chat(BOAT, KAYAK))
    first, before = workspace.run(), workspace.written

    parent = json.loads(chat(BOAT).lines[1])["id"]
    rewound = chat(BOAT, KAYAK)
    rewound.lines[0] = rewound.lines[0].replace(b"s-one", b"s-two")
    rewound.add({"type": "leaf", "id": "f0000001", "targetId": parent})
    spoken(rewound, STOVE, 9, id="f0000002", parentId=parent)
    held.put(rewound, previous_session_id="s-one", reason="rewind")
    after = workspace.run(again=True)

    assert {key(BOAT), key(KAYAK), key(STOVE)} == after.keys()
    assert workspace.written.startswith(before.rstrip())
    assert first[key(BOAT)] == after[key(BOAT)]
    assert ("s-two", True) == (after[key(STOVE)].source.session_id, after[key(STOVE)].quote_stands)
    gone = after[key(KAYAK)]
    assert (True, True, False, ()) == (gone.verified, gone.source_exists, gone.quote_stands, gone.words)


def test_a_session_that_is_gone_takes_nothing_along(
    workspace: Workspace, store: Callable[[], OpenClawStoreFile]
) -> None:
    """Its entry stands without a source."""
    held = store()
    held.put(chat(BOAT))
    workspace.run()
    before = workspace.written
    held.agent.execute("DELETE FROM transcript_events")
    held.agent.execute("DELETE FROM session_windows")
    (gone,) = workspace.run(again=True).values()
    assert (True, False, None) == (gone.verified, gone.source_exists, gone.words)
    assert before == workspace.written


@pytest.mark.parametrize("era", ["file", "store"])
def test_a_rewritten_history_is_not_written_again(
    workspace: Workspace, store: Callable[[], OpenClawStoreFile], era: str
) -> None:
    """The copies have new ids and are of today: they are the messages that were read already."""
    held = store() if era == "store" else None

    def put(lines: OpenClawLines) -> None:
        if held:
            held.put(lines)
        else:
            lines.write(workspace.state / FILE)

    lines = chat("hello", BOAT, KAYAK)
    put(lines)
    first, before = workspace.run(), workspace.written
    parent = json.loads(lines.lines[1])["id"]
    for number in (3, 4):
        parent = copied(lines, number, parentId=parent)
    put(lines)
    assert not workspace.stale()
    after = workspace.run(again=True)
    assert [story.model_dump_json() for story in first.values()] == [
        story.model_dump_json() for story in after.values()
    ]
    assert before == workspace.written


def test_a_copy_in_the_live_file_is_the_message_of_the_archive(workspace: Workspace) -> None:
    """It is cited in the live file, under the id that it had first."""
    archive = f"{FILE}.reset.2026-02-02T16-37-44.079Z"
    lines = chat(BOAT)
    lines.write(workspace.state / archive)
    first = json.loads(lines.lines[1])["id"]
    copied(lines, 2, parentId=None)
    del lines.lines[1]
    lines.write(workspace.state / FILE)
    (story,) = workspace.run().values()
    assert (f"openclaw:{FILE}", (first,)) == (story.source.session_path, story.source.entry_ids)
    assert story.quote_stands


def test_an_entry_of_a_copy_still_verifies(workspace: Workspace) -> None:
    """An earlier version may have written it from the copy: its id is one of the message's names."""
    whole = chat("hello", BOAT)
    copied(whole, 3, parentId=json.loads(whole.lines[1])["id"])
    alone = OpenClawLines("s-one")
    alone.lines += [whole.lines[1], whole.lines[3]]
    alone.write(workspace.state / FILE)
    (written,) = workspace.run().values()
    before = workspace.written

    whole.write(workspace.state / FILE)
    (story,) = workspace.run(again=True).values()
    assert before == workspace.written
    assert written.id == story.id
    assert (True, True, 1) == (story.quote_stands, story.quote_said, len(story.words or ()))

    # A person who changes the title leaves the quote, and with it the trust.
    day = workspace.root / "memory" / f"{DAY}.md"
    day.write_bytes(before.replace(b"boat key", b"boat's key", 1))
    assert [True] == [story.verified for story in workspace.entries().values()]
