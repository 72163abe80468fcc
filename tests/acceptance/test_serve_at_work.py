"""`memory serve` is stopped while it works on an answer that takes longer than it waits for."""

from pathlib import Path
from threading import Thread

from benchmarks.slow_reranker import slow_reranker
from pipeline.service.answering import STOPPING_SECONDS
from pipeline.service.asking import ask
from pipeline.testing.command_line import end_of
from pipeline.testing.serving_process import serving_process

QUESTION = "where does the kayak key hang"
PRODUCTS = 4_000  # of matrices: minutes, on any machine
PAGES = "\n".join(f"## Key {number}\n\nThe kayak key {number} hangs with David.\n" for number in range(50))
SETTINGS = 'timezone = "UTC"\n\n[embedder]\nkind = "none"\n\n[reranker]\nfolder = "{folder}"\n'


def test_it_ends_well_all_the_same(tmp_path: Path) -> None:
    """It ends within seconds and with 0: the thread that is left, in a library of C++, does not abort the process."""
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "keys.md").write_text(PAGES, encoding="utf-8")
    (root / "memory.toml").write_text(SETTINGS.format(folder=tmp_path / "reranker"), encoding="utf-8")
    slow_reranker(tmp_path / "reranker", [PAGES], PRODUCTS)
    with serving_process(root, tmp_path) as service:
        assert ask(root, "search", {"query": QUESTION}) is not None
        asking = Thread(target=ask, args=(root, "search", {"query": QUESTION, "rerank": True}))
        asking.start()
        asking.join(STOPPING_SECONDS)  # far longer than loading the model takes
        assert asking.is_alive()
        service.terminate()
        said = end_of(service, STOPPING_SECONDS + 20)
        asking.join()
    assert (0, "") == (said.code, said.out)
    assert "terminate called" not in said.err
