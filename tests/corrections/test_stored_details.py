"""Forgetting reaches what is stored outside of the files: descriptions, synopses and texts of details."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.app.details.upkeep import list_details
from pipeline.corrections.forget_topic import forget_topic, topic, traces
from pipeline.corrections.stored_conversations import details_about, forget_details
from pipeline.errors.corrections import TopicUnknown
from pipeline.scheduling.registry import discover
from pipeline.store.opening import FOLDER, WorkspaceStore
from schemas.store_settings import StoreSettings
from tests.support.builders.details import LOG, detail_of
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]


def test_a_topic_leaves_the_store(new_bench: NewBench, tmp_path: Path) -> None:
    """Wherever the name stands in a detail, it goes as a whole, and no byte of it is left in the store's files."""
    bench = new_bench(jobs=discover())
    store = WorkspaceStore(tmp_path / "with", StoreSettings())
    store.root.mkdir()
    said = detail_of(store, LOG, description="the Falcon server")
    deep = detail_of(store, "".join(f"{n} words\n" for n in range(30_000)) + "ping falcon\n" + LOG * 9)
    command = detail_of(store, LOG + "3", command="ssh falcon")
    gone = detail_of(store, LOG + "4 FALCON\n")
    store.details.retire([gone.key])
    other = detail_of(store, LOG + "5 falconer\n")
    about = {said.key, deep.key, command.key}
    engine = replace(bench.engine, store=store)
    assert about == set(traces(engine, topic(["Falcon"])).details)
    assert about == set(forget_topic(engine, topic(["Falcon"])).details)
    assert [other.key] == [one.key for one in list_details(store)]
    with pytest.raises(TopicUnknown):
        traces(engine, topic(["Falcon"]))
    store.close()
    files = [path for path in (store.root / FOLDER).iterdir() if b"Falcon server" in path.read_bytes()]
    assert [] == files


def test_forgetting_makes_no_store(tmp_path: Path) -> None:
    """Where there is none, nothing is opened."""
    store = WorkspaceStore(tmp_path, StoreSettings())
    assert [] == details_about(store, topic(["Falcon"]))
    assert () == forget_details(store, topic(["Falcon"]))
    assert [] == list(tmp_path.iterdir())
