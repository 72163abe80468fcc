"""Facts in a workspace on disk, as the product writes them: in files, and in the ledger."""

from pathlib import Path

from pipeline.ledger import open_ledger
from pipeline.ledger.changes import REBUILT, KnownBlock
from pipeline.markdown.blocks import find_blocks
from pipeline.workspace.layout import LEDGER_FILE
from schemas.fact import Fact
from schemas.index_settings import DERIVED
from tests.support.builders.facts import retained_page


def retain(root: Path, *facts: Fact) -> None:
    """Put facts of ours into the files of their days; what stands there is replaced."""
    ledger = open_ledger(root / DERIVED / LEDGER_FILE)
    try:
        for day in {fact.day for fact in facts}:
            path = f"memory/retain/{day}.md"
            data = retained_page(fact for fact in facts if fact.day == day).encode()
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
            for block in find_blocks(data):
                ledger.changes.know(KnownBlock(block.name, path, block.digest, "", REBUILT))
    finally:
        ledger.store.close()
