"""A workspace in which agents have a memory of their own, with lines in it."""

from collections.abc import Iterable
from itertools import cycle
from pathlib import Path

from pipeline.app.agents import change_request, request_change
from pipeline.app.opening import opened_to_run
from pipeline.process.context import ProcessContext
from schemas.memory_change import SECTIONS, ChangeWord
from schemas.reports.agents import ChangeAnswer
from schemas.run_options import RunOptions

SETTINGS = 'timezone = "UTC"\n[agents.jaskier]\n[agents.zoe]\nmay_read = []\n'
IDENTITY = "I am Jaskier, and write what Kuba tells me: po polsku, i 中文.\n"
LINES = ("Kuba runs a bakery in Gdansk", "Kuba woli krótkie odpowiedzi", "店铺周一不开门", "The oven is repaired")


def new_agent_memory(root: Path, lines: Iterable[str] = LINES, settings: str = SETTINGS) -> Path:
    """A workspace in which `jaskier` has an identity and knows these lines, and `zoe` nothing, nor a right to look."""
    (root / "agents" / "jaskier").mkdir(parents=True)
    (root / "memory.toml").write_text(settings)
    (root / "agents" / "jaskier" / "identity.md").write_text(IDENTITY)
    (root / "MEMORY.md").write_text("# Memory\n\n- The harbour office asks for the ledger.\n")
    remember(root, *lines)
    return root


def remember(root: Path, *lines: str) -> list[ChangeAnswer]:
    """Write lines into the memory of `jaskier`, in all sections in turn, as a person who types them."""
    typed = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal", "importance": 5}
    with opened_to_run(root, ProcessContext({}), RunOptions()) as engine:
        return [
            request_change(engine, "jaskier", change_request(engine.settings, operation, line, **typed))
            for operation, line in zip(cycle(SECTIONS), lines, strict=False)
        ]
