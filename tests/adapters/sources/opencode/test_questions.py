"""The owner's answers to questions that the assistant asks in OpenCode's dialogue."""

import json
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import opencode
from tests.support.builders.claude_lines import said
from tests.support.builders.opencode_rows import OpenCodeRows, folder, text
from tests.support.sources import opened_source
from tests.support.tables import table

DATABASE, PORT = "Which database?", "Which port?"


def dialogue(*questions: str, answers: object, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """A part with the call of the tool and what it left."""
    state = {"status": "completed", "input": {"questions": [{"question": one} for one in questions]}}
    state |= {"output": "User has answered your questions.", "metadata": {"answers": answers}}
    return {"type": "tool", "tool": "question", "state": state} | fields


def test_an_answer_is_the_owners_and_its_question_the_assistants(tmp_path: Path) -> None:
    """It is a message of its own, and what follows is numbered behind it."""
    rows = OpenCodeRows(tmp_path / "opencode.db")
    rows.session("ses_1")
    rows.message("ses_1", "user", text("set up the store"))
    part = dialogue(DATABASE, "Which city?", PORT, answers=[["Postgres", "one for each shop"], [], ["5433"]])
    rows.message("ses_1", "assistant", text("Two things first."), part)
    rows.message("ses_1", "assistant", text("Done."))
    rows.close()
    (session,) = opened_source(opencode, tmp_path).read("opencode.db/ses_1")
    assert [
        ("owner", "set up the store"),
        ("assistant", f"Two things first.\n{DATABASE}\nWhich city?\n{PORT}"),
        ("owner", "Postgres; one for each shop; 5433"),
        ("assistant", "Done."),
    ] == said(session)
    assert [1, 2, 3, 4] == [message.number for message in session.messages]
    assert {} == session.skipped


@table(
    "part",
    [
        dialogue(DATABASE, answers=[["Postgres"]], tool="desk_question"),
        dialogue(DATABASE, answers=[["Postgres"]], type="text"),
        dialogue(DATABASE, answers=[[]]),
        dialogue(DATABASE, answers="Postgres"),
        dialogue(DATABASE, answers=["Postgres"]),
        dialogue(DATABASE, answers=[[" "]]),
        dialogue(DATABASE, answers=[["Postgres"]], state="Postgres"),
    ],
)
def test_only_the_programs_own_fields_hold_an_answer(tmp_path: Path, part: dict[str, Any]) -> None:
    """A server's tool, and a dialogue that was closed or sent empty."""
    rows = OpenCodeRows(tmp_path / "opencode.db")
    rows.session("ses_1")
    rows.message("ses_1", "assistant", text("A question first."), part)
    rows.close()
    (session,) = opened_source(opencode, tmp_path).read("opencode.db/ses_1")
    assert ["assistant"] == [origin for origin, _ in said(session)]


def test_the_folder_of_files_holds_it_too(tmp_path: Path) -> None:
    """Versions before 1.2 wrote each part into a file of its own."""
    folder(tmp_path, "ses_1", ("user", "set up the store"), ("assistant", "A question first."))
    parts = max((tmp_path / "storage" / "part").iterdir())
    (parts / "prt_2.json").write_text(json.dumps({"id": "prt_2"} | dialogue(DATABASE, answers=[["Postgres"]])))
    opened = opened_source(opencode, tmp_path)
    (session,) = [session for file in opened.files() for session in opened.read(file.path)]
    assert ("owner", "Postgres") == said(session)[-1]
