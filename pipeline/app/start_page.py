"""Opening `MEMORY.md` for a session that begins. Light to import: an agent waits for it."""

from pathlib import Path

from pipeline.entries.project_names import is_folder
from pipeline.errors import ReadFailed
from pipeline.language.tokens import count_tokens
from pipeline.ledger import open_ledger
from pipeline.markdown.blocks import without_marks
from pipeline.markdown.encoding import NotText, readable_text
from pipeline.reports.start_page import fitted_page, start_page
from pipeline.transcripts.projects import Projects
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.hot_page import PATH
from schemas.reports.agents import WakePart, WakeUp


def read_start_page(root: Path, project: str, budget: int) -> WakeUp:
    """The start page: what holds everywhere, and what is about a project."""
    workspace, problems, text = Workspace(root), list[str](), ""
    try:
        text = without_marks(readable_text(workspace.read(PATH) or b"")).strip()
    except (ReadFailed, NotText) as error:
        problems.append(str(error))
    page = start_page(text, project)
    kept, gone = fitted_page(page, budget, count_tokens)
    parts = (WakePart("memory", kept.text, count_tokens(kept.text)),) if kept.text else ()
    left_out = (f"{gone} lines of {PATH}",) if gone else ()
    return WakeUp("", parts, sum(part.tokens for part in parts), left_out, tuple(problems))


def project_of_folder(root: Path, home: str, given: str) -> str:
    """The name of a project that is given by a name or a folder; a ledger that is not there is not made.

    Raises:
        LedgerDamaged: the ledger cannot be used.
    """
    file = Workspace(root).state_folder / LEDGER_FILE
    if not is_folder(given) or not file.exists():
        return Projects(home).project_name(given)
    ledger = open_ledger(file)
    try:
        return Projects(home).project_name(given, ledger.project_names.of)
    finally:
        ledger.store.close()
