"""The list of checks, which has every check."""

import ast
from contextlib import closing
from pathlib import Path

from pipeline.app.engine import open_engine
from pipeline.doctor.checks import CHECKS, KeptChecks
from pipeline.process.context import ProcessContext
from tests.support.workspaces.sample_workspace import sample

FOLDERS = ("pipeline/doctor", "pipeline/app")


def functions() -> set[str]:
    """The public functions that check something: those that yield results."""
    modules = (file for folder in FOLDERS for file in Path(folder).rglob("*.py"))
    nodes = (node for module in modules for node in ast.walk(ast.parse(module.read_text())))
    defined = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")]
    return {node.name for node in defined if node.returns and "CheckResult" in ast.dump(node.returns)}


def test_every_check_is_in_the_list() -> None:
    """A function that yields results is asked once; another way for the doctor to ask there is not."""
    asked = [name for check in CHECKS for name in check.question.__code__.co_names if name.startswith("check_")]
    assert sorted(functions()) == sorted(asked)


def test_kept_answers_about_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    """They are dropped: nobody can tell whether anything has changed, and the checks name the folder."""
    root, kept = sample(tmp_path).root, KeptChecks()
    engine = open_engine(root, ProcessContext({}))
    with closing(engine.ledger.store):
        kept.look(engine)
        assert "" != kept.seen
        (root / "bank").symlink_to("bank")
        kept.look(engine)
        assert "" == kept.seen
