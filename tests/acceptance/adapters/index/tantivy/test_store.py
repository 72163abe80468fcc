"""The index of words in a folder among processes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.errors import Held
from pipeline.ports.index import EVERYTHING
from tests.support.ports.search_contract import Stored
from tests.support.processes.word_index import generation, made, run, start, store_in, write

HOLD = """
with store.writing() as index:
    index.upsert([point(7777, kind="first")])
    print(flush=True)
    sys.stdin.read()
"""


def test_the_engine_is_loaded_when_it_is_used(tmp_path: Path) -> None:
    """Not on import, and not to learn that there is no index; nothing is made by looking."""
    script = """
from pipeline.adapters.index.tantivy.store import TantivyStore
with TantivyStore(Path(sys.argv[1]), None).reading() as index:
    assert index is None
assert not Path(sys.argv[1]).exists()
assert "tantivy" not in sys.modules, "loaded"
"""
    assert (0, "", "") == run(tmp_path / "index", script)


def test_writers_take_turns_and_readers_do_not(tmp_path: Path) -> None:
    """While one process writes, another reads what was before, and a third that waits gets its turn."""
    store = store_in(tmp_path)
    Stored(store, made(1))
    with start(tmp_path, HOLD) as process, ThreadPoolExecutor(1) as pool:
        assert process.stdout
        process.stdout.readline()
        with pytest.raises(Held, match="index is at work elsewhere"), store_in(tmp_path, patience=0.01).writing():
            pass
        waiting = pool.submit(write, store, 3)
        with store.reading() as index:
            assert generation(index) == 1
        assert not waiting.done()
        process.communicate()
        waiting.result()
    with store.reading() as index:
        assert index
        assert {"g1", "g3", "first"} == {str(read.payload["kind"]) for read in index.scroll(EVERYTHING)}
