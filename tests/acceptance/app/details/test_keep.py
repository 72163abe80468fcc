"""Keeping a large text in a process of its own."""

from pathlib import Path
from threading import Thread

from pipeline.store.opening import WorkspaceStore
from tests.support.builders.details import detail_of


def test_two_writers_of_one_key(store: WorkspaceStore, tmp_path: Path) -> None:
    """Both get a placeholder of the one detail that there is then."""
    seen = list[str]()

    def write() -> None:
        mine = WorkspaceStore(tmp_path, store.settings)
        seen.extend(detail_of(mine).key for _ in range(3))
        mine.close()

    store.database.migrate()
    threads = [Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 12 == len(seen)
    assert 1 == len(set(seen)) == len(store.details.every())
