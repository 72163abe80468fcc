"""What a new workspace is offered to read."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from pipeline.app.engine import propose_sources, usual_places
from pipeline.app.first_look import Extent, measure_sources, proposals
from pipeline.errors import ReadFailed
from schemas.transcript import TranscriptFile
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.memory_source import MemorySource, conversation

START = datetime(2026, 2, 2, 9, tzinfo=UTC)
REFUSED = f"/{'x' * 300}"
"""A path at which the system refuses even a look, as below a folder that is closed."""


class HangingSource(MemorySource):
    """A source whose listing does not come to an end before it is let go."""

    def __init__(self) -> None:
        super().__init__(name="hanging")
        self.let_go = Event()

    def files(self) -> Iterator[TranscriptFile]:
        """Nothing, in the end."""
        self.let_go.wait()
        yield from ()


class RefusedSource(MemorySource):
    """A source that cannot be listed."""

    def files(self) -> Iterator[TranscriptFile]:
        """Refuse."""
        raise ReadFailed(self.name, "no")


def written(file: Path, day: int) -> None:
    """A session, last changed on a day of February."""
    OpenClawLines(file.stem).write(file)
    moment = datetime(2026, 2, day, tzinfo=UTC).timestamp()
    os.utime(file, (moment, moment))


def test_how_much_a_store_holds(tmp_path: Path) -> None:
    """The number of its files, and when they changed first and last; nothing is read."""
    folder = tmp_path / ".openclaw" / "agents" / "main" / "sessions"
    for day in (9, 4, 7):
        written(folder / f"s-{day}.jsonl", day)
    (folder / "s-4.jsonl").chmod(0)
    [proposal] = proposals(tmp_path, {}, seconds=60)
    assert ("openclaw", str(tmp_path / ".openclaw")) == (proposal.source.kind, proposal.source.path)
    assert Extent(3, datetime(2026, 2, 4, tzinfo=UTC), datetime(2026, 2, 9, tzinfo=UTC), 411) == proposal.extent


def test_a_slow_store_holds_nobody_up() -> None:
    """It has no extent, and the others have theirs; nor has one that cannot be listed.

    The time is over by a clock of the test, when the others were waited for: a busy machine may need long for them.
    """
    slow, quick = HangingSource(), MemorySource(conversation("s", START, [("owner", "hi")]), name="quick")
    now = iter([0.0, 0.0, 0.0, 60.0]).__next__
    extents = measure_sources([quick, RefusedSource(name="refused"), slow], 60, now)
    slow.let_go.set()
    assert {"quick": 1} == {name: extent.files for name, extent in extents.items()}


def test_of_kinds_that_share_a_folder_those_with_files(tmp_path: Path) -> None:
    """Both, when neither has any: nobody knows yet."""
    shared = {"CLAUDE_CONFIG_DIR": str(tmp_path), "OPENCLAW_STATE_DIR": str(tmp_path / "projects")}
    (tmp_path / "projects").mkdir()
    assert ["claude_code", "openclaw"] == [
        proposal.source.kind for proposal in proposals(tmp_path / "home", shared, seconds=60)
    ]
    written(tmp_path / "projects" / "s-1.jsonl.reset.2026-02-03T03-00-00.412Z", 3)
    assert ["openclaw"] == [proposal.source.kind for proposal in proposals(tmp_path / "home", shared, seconds=60)]


def test_a_folder_by_two_names_is_one(tmp_path: Path) -> None:
    """As where a variable names the usual place; two folders of a kind have names of their own."""
    (tmp_path / ".openclaw").mkdir()
    same = {"OPENCLAW_STATE_DIR": str(tmp_path / ".openclaw")}
    assert ["openclaw"] == [source.name for source in propose_sources(tmp_path, same)]
    (tmp_path / ".clawdbot").mkdir()
    assert ["openclaw", "openclaw-2"] == [source.name for source in propose_sources(tmp_path, {})]
    assert ["openclaw", "openclaw-2"] == [source.name for source in propose_sources(tmp_path, {"CODEX_HOME": REFUSED})]


def test_every_kind_has_a_usual_place(tmp_path: Path) -> None:
    """Below the home folder, when no variable names another."""
    places = usual_places(tmp_path, {})
    assert {"claude_code", "openclaw"} <= places.keys()
    assert all(place.is_relative_to(tmp_path) for folders in places.values() for place in folders)
    assert not any("Library" in place.parts for folders in places.values() for place in folders)
    (tmp_path / "Library").mkdir()  # as in a home of macOS
    on_mac = usual_places(tmp_path, {})
    extra = {kind: len(on_mac[kind]) - len(places[kind]) for kind in places if on_mac[kind] != places[kind]}
    assert {"cline": 5, "roo": 5, "zed": 1} == extra
