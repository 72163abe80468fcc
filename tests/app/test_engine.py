"""The composition root."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.app.engine import new_run_id, open_engine, prepare
from pipeline.errors import WriteFailed
from pipeline.ledger.store import is_alone
from pipeline.ports.engine import TranscriptSource
from pipeline.process.context import ProcessContext
from pipeline.transcripts.look_around import Neighbourhood
from schemas.window import PartitionKey, Window
from tests.support.workspaces.sample_workspace import sample


def test_run_ids_of_one_second_are_all_their_own() -> None:
    """A back-fill begins hundreds of runs a second, and each has an id that sorts by time."""
    moment = datetime(2026, 3, 2, 8, tzinfo=UTC)
    ids = {new_run_id(moment) for _ in range(20_000)}
    assert len(ids) == 20_000
    assert all(text.startswith("20260302T080000-") for text in ids)


def test_other_kinds_are_looked_for_once_a_day_and_when_something_came(tmp_path: Path) -> None:
    """A run with nothing new does not load the reader of every kind."""
    looked = list[str]()

    def others(name: str) -> Mapping[str, TranscriptSource]:
        looked.append(name)
        return {}

    engine = open_engine(sample(tmp_path).root, ProcessContext({"HOME": str(tmp_path)}))
    engine = replace(engine, neighbourhood=Neighbourhood(engine.neighbourhood.folders, others))
    names, now = list(engine.neighbourhood.folders), engine.clock.now()
    prepare(engine)
    prepare(engine)
    assert [*names, *names] == looked
    window = Window(start=now - timedelta(hours=1), end=now)
    engine.ledger.runs.begin("today", "micro_sync", PartitionKey(key="now", window=window), now)
    prepare(engine)
    assert [*names, *names] == looked
    engine.ledger.files.read_as(names[0], "another version of the settings")
    prepare(engine)
    assert [*names, *names, *names] == looked
    engine.ledger.store.close()


def test_a_ledger_is_closed_when_the_engine_cannot_be_opened(tmp_path: Path) -> None:
    """Who gets an error has nothing to close; another program may want the file alone."""
    root = sample(tmp_path).root
    open_engine(root, ProcessContext({})).ledger.store.close()
    ignore = root / ".memory" / ".gitignore"
    ignore.unlink()
    ignore.symlink_to(tmp_path / "nowhere" / "at-all")
    with pytest.raises(WriteFailed) as refused:
        open_engine(root, ProcessContext({}))
    assert is_alone(root / ".memory" / "state.db"), refused.value
