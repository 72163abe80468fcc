"""Cline and Roo Code: whose word each message of a task is, and when it was said."""

from pathlib import Path
from typing import Any

from pipeline.adapters.sources import cline, roo
from pipeline.adapters.sources.reading.assembly import LONGEST_RESULT
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.cline_tasks import START, assistant, session_file, task_file, user, write
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source
from tests.support.tables import table

CLOCK = "# Current Time\n2/2/2026, 9:05:00 PM (Europe/Warsaw, UTC+1:00)"
DETAILS = f"<environment_details>\n{CLOCK}\n</environment_details>"
FEEDBACK = "<feedback>\nno\n</feedback>"
ATTACHED = "<file_content path='a.md'>\n</task>never</file_content>"
RESUMED = "[TASK RESUMPTION] This task was interrupted."
MISTAKES = "You seem to be having trouble proceeding. The user has provided the following feedback to help guide you:"


def opened(root: Path, kind: str = "cline") -> TranscriptSource:
    """The source as the application opens it."""
    return opened_source(cline if kind == "cline" else roo, root)


def read(root: Path, kind: str = "cline") -> Session:
    """The one session below a folder."""
    ((session,),) = [source.read(file.path) for source in [opened(root, kind)] for file in source.files()]
    return session


class TestClineSource(SourceContract):
    """The contract, over a task of the extension and a session of the newer program."""

    def source(self, root: Path) -> TranscriptSource:
        """One of each."""
        task_file(root, user(f"<task>\n{OWNER}\n</task>", DETAILS), assistant(ASSISTANT))
        session_file(root, "s-1", user(OWNER), assistant(ASSISTANT), user("żółć \ud83d 好"))
        return opened(root)


class TestRooSource(SourceContract):
    """The contract, over two tasks."""

    def source(self, root: Path) -> TranscriptSource:
        """The first words are in one tag or the other."""
        task_file(root, user(f"<task>\n{OWNER}\n</task>", ts=START), assistant(ASSISTANT, ts=START + 1))
        task_file(root, user(f"<user_message>\n{OWNER}\n</user_message>"), assistant(ASSISTANT), task=str(START + 5))
        return opened(root, "roo")


def test_default_roots_are_in_the_editors(tmp_path: Path) -> None:
    """And, of the newer program, in a folder of its own."""
    roots = cline.KIND.roots(tmp_path, {"XDG_CONFIG_HOME": "/srv/config"})
    assert roots[0] == tmp_path / ".cline/data/sessions"
    assert Path("/srv/config/Code/User/globalStorage/saoudrizwan.claude-dev") in roots
    assert cline.KIND.roots(tmp_path, {"CLINE_DATA_DIR": "/srv/cline"})[0] == Path("/srv/cline/sessions")
    assert tmp_path / ".vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline" in roo.KIND.roots(
        tmp_path, {}
    )


@table(
    ("blocks", "words"),
    [
        (["<task>\nhello\n</task>"], "hello"),
        ([f"<task>\nsee 'a.md'\n</task>\n\n{ATTACHED}"], "see 'a.md'"),
        (["<task>\n<explicit_instructions type='x'>y</explicit_instructions>\nhello\n</task>"], "hello"),
        (["<user_message>\nhello\n</user_message>"], "hello"),
        (["[ask_followup_question for 'One?'] Result:", "<answer>\nyes\n</answer>"], "yes"),
        (["[ask_followup_question for 'One?'] Result:\n<answer>\nyes\n</answer>"], "yes"),
        (["[plan_mode_respond] Result:", "<user_message>\ngo on\n</user_message>"], "go on"),
        (["[attempt_completion] Result:", f"The user has provided feedback. Go on.\n{FEEDBACK}"], "no"),
        (["[execute_command for 'ls'] Result:", "ok", f"The user provided the following feedback:\n{FEEDBACK}"], "no"),
        ([f"{MISTAKES}\n{FEEDBACK}"], "no"),
        ([f"{RESUMED}\n\nNew instructions for task continuation:\n<user_message>\ngo\n</user_message>"], "go"),
        ([RESUMED, "New message to respond to:\n<user_message>\ngo\n</user_message>"], "go"),
    ],
)
def test_words_in_a_tag_of_the_program_are_the_owners(tmp_path: Path, blocks: list[str], words: str) -> None:
    """At the begin of a block, or after a tool that asks; what is attached behind the words is nobody's."""
    task_file(tmp_path, user(*blocks, DETAILS), assistant("Well."))
    assert said(read(tmp_path))[0] == ("owner", words)


@table(
    ("blocks", "origin"),
    [
        (["[read_file for 'a.md'] Result:", "<task>\nnever\n</task>"], "tool"),
        (["[read_file for 'a.md'] Result:", f"The user provided the following feedback:\n{FEEDBACK}"], "tool"),
        (["[read_file for 'a.md'] Result:\n<answer>never</answer>"], "tool"),
        (["[ERROR] You did not use a tool!"], "machine"),
        ([RESUMED], "machine"),
        (["plain"], "machine"),
        (["<task>\nno end"], "machine"),
    ],
)
def test_what_no_person_typed_is_not_the_owners(tmp_path: Path, blocks: list[str], origin: str) -> None:
    """A tag that a tool read is the tool's; notices are the program's."""
    task_file(tmp_path, user(*blocks, DETAILS))
    text = "\n".join([*blocks, DETAILS])
    assert said(read(tmp_path)) == [(origin, text[:LONGEST_RESULT] if origin == "tool" else text)]


def test_results_of_tools_in_blocks_of_their_own(tmp_path: Path) -> None:
    """The call before them names the tool: of one that asks, the answer is the person's."""

    def call(name: str) -> dict[str, Any]:
        return {"type": "tool_use", "id": name, "name": name, "input": {}}

    def result(name: str, words: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": words}]}

    task_file(
        tmp_path,
        assistant("One?", call("ask_followup_question"), call("web_fetch")),
        result("ask_followup_question", "<answer>\nyes\n</answer>"),
        result("web_fetch", "<answer>\nnever\n</answer>"),
    )
    assert said(read(tmp_path)) == [("assistant", "One?"), ("owner", "yes"), ("web", "<answer>\nnever\n</answer>")]


def test_times_are_of_the_record_or_of_the_environment(tmp_path: Path) -> None:
    """Before the first one, the start of the task counts."""
    iso = "<environment_details>\nCurrent time in ISO 8601 UTC format: 2026-02-02T21:00:00Z\n</environment_details>"
    task_file(
        tmp_path,
        user("<task>\na\n</task>"),
        user("<user_message>\nb\n</user_message>", DETAILS),
        user("<user_message>\nc\n</user_message>", iso),
        user("<user_message>\nd\n</user_message>", iso, ts=START),
        user("<user_message>\ne\n</user_message>", "[read_file] Result:", DETAILS, "more"),
    )
    times = [message.time.isoformat() for message in read(tmp_path).messages]
    start = "2026-02-02T02:40:00+00:00"
    assert [start, "2026-02-02T20:05:00+00:00", "2026-02-02T21:00:00+00:00", start, start] == times


def test_the_project_is_in_the_list_of_tasks(tmp_path: Path) -> None:
    """Of Cline one list of all, of Roo Code a file a task."""
    task_file(tmp_path, user("<task>\na\n</task>"))
    write(tmp_path / "state" / "taskHistory.json", [{"id": str(START), "cwdOnTaskInitialization": "/home/tom/shop"}])
    assert read(tmp_path).project == "/home/tom/shop"
    write(tmp_path / "tasks" / str(START) / "history_item.json", {"workspace": "/home/tom/yard", "mode": "code"})
    session = read(tmp_path, "roo")
    assert (session.project, session.agent, session.machine) == ("/home/tom/yard", "code", False)


def test_a_task_that_another_began_opens_with_a_machines_words(tmp_path: Path) -> None:
    """What the person adds later is the person's."""
    task_file(tmp_path, user("<task>\na\n</task>"), user("<user_message>\nb\n</user_message>"))
    write(tmp_path / "tasks" / str(START) / "history_item.json", {"parentTaskId": "1"})
    session = read(tmp_path, "roo")
    assert said(session) == [("machine", "a"), ("owner", "b")]
    assert session.parent == "1"


def test_a_session_of_the_newer_program_has_no_tags(tmp_path: Path) -> None:
    """Words with a mode are in one; its members other than the lead are machines."""
    session_file(tmp_path, "s-1", user('<user_input mode="act">a</user_input>', ts=START, id="m-1"), user("b"))
    session = read(tmp_path)
    assert said(session) == [("owner", "a"), ("owner", "b")]
    assert (session.messages[0].entry_ids, session.project, session.machine) == (("m-1",), "/home/tom/shop", False)
    session_file(tmp_path, "s-1", user("b"), agent="reviewer")
    assert read(tmp_path).machine


def test_a_file_that_is_written_anew_keeps_its_ids(tmp_path: Path) -> None:
    """As long as its messages stay the same; a summary is nobody's word."""
    task_file(tmp_path, user("<task>\na\n</task>"))
    before = read(tmp_path)
    task_file(tmp_path, user("<task>\na\n</task>"), assistant("Well."), user("all", isSummary=True))
    after = read(tmp_path)
    assert before.messages == after.messages[:1]
    assert [origin for origin, _ in said(after)] == ["owner", "assistant", "summary"]


@table("content", ["", "{", "[]", "{}", '[{"a": 1}]', '{"messages": 1}', '[1, {"role": "user"}]'])
def test_files_of_others_are_passed_over(tmp_path: Path, content: str) -> None:
    """In silence; what is no message among messages is counted."""
    task_file(tmp_path).write_text(content)
    source = opened(tmp_path)
    assert [()] == [source.read(file.path) for file in source.files()]


def test_what_is_unknown_is_counted(tmp_path: Path) -> None:
    """Messages, sides and blocks."""
    odd = {"role": "user", "content": [{"type": "hologram"}]}
    task_file(tmp_path, user("<task>\na\n</task>"), 1, odd, {"role": "oracle", "content": "x"})
    skipped = {"bad_record": 1, "unknown_block:hologram": 1, "unknown_role:oracle": 1, "no_text": 1}
    assert skipped == read(tmp_path).skipped
