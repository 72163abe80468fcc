"""An index that an earlier version left is made anew, with a word, whatever its engine was."""

from pathlib import Path

from pipeline.app.index import open_index
from pipeline.index.search.search import search
from pipeline.index.sync.update import FORMER, update
from pipeline.process.context import ProcessContext
from schemas.requests import SearchRequest

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}


def test_the_index_of_the_former_engine_gives_way(tmp_path: Path) -> None:
    """Its folders and files are removed, the event and the update say why, and the text is found."""
    memory, index = tmp_path / "memory", tmp_path / ".memory" / "index"
    memory.mkdir()
    (tmp_path / "memory.toml").write_text('timezone = "Europe/Warsaw"\n', encoding="utf-8")
    (memory / "2026-03-02.md").write_text("# Birds\n\nThe heron stands in the reeds.\n", encoding="utf-8")
    (index / "shard-0001" / "segments").mkdir(parents=True)
    (index / "shard-0001" / "segments" / "data").write_bytes(b"\0" * 100)
    (index / "live.json").write_text('{"shard": "shard-0001"}', encoding="utf-8")
    with open_index(tmp_path, ProcessContext(WORDS_ALONE)) as opened:
        rebuilt, again = update(opened.indexing).rebuilt, update(opened.indexing).rebuilt
        hits = search(opened.searching, SearchRequest(query="where is the heron")).hits
    assert (FORMER, "", ["memory/2026-03-02.md"]) == (rebuilt, again, [hit.path for hit in hits])
    assert not [path.name for path in index.iterdir() if path.name.startswith(("shard-", "live"))]
