"""What the index of details costs a workspace without a store."""

import subprocess
import sys
from pathlib import Path


def test_a_workspace_without_a_store_pays_nothing(tmp_path: Path) -> None:
    """A search of files, and an update of the index of details, load no database; no store is made."""
    (tmp_path / "memory.toml").touch()
    code = f"""
import sys
from pathlib import Path
from pipeline.app.detail_index import update_details
from pipeline.app.index import open_index
from pipeline.index.search.search import search
from schemas.requests import SearchRequest
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
with open_index(Path({str(tmp_path)!r}), ProcessContext({{"MEMORY_EMBEDDER__KIND": "none"}})) as opened:
    update(opened.indexing)
    search(opened.searching, SearchRequest(query="walrus"))
    update_details(opened.details.indexing)
print("sqlalchemy" in sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False" == ended.stdout.strip()
    assert not (tmp_path / "store").exists()
    assert not (tmp_path / ".memory" / "index" / "details").exists()
