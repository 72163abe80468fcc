"""Aider's chats: whose word each line is."""

from functools import partial
from pathlib import Path

from pipeline.adapters.sources import aider
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source
from tests.support.tables import table

NAME = ".aider.chat.history.md"
HEADER = "\n# aider chat started at 2026-02-02 10:00:00\n\n> aider --model m-1  \n"
CONFIRMED = "Add file to the chat? (Y)es/(N)o/(A)ll [Yes]: y"
ENDS = "> Tokens: 2k sent, 1k received.  \n"


def asked(words: str) -> str:
    """A person's lines, as Aider writes them."""
    return "\n#### " + "  \n#### ".join(words.splitlines()) + "  \n"


def answered(words: str) -> str:
    """An answer, and the end of the turn."""
    return f"\n{words}\n\n{ENDS}"


opened = partial(opened_source, aider)


def read(root: Path, content: str) -> list[Session]:
    """The chats of one file."""
    (root / NAME).write_text(content)
    return list(opened(root).read(NAME))


class TestAiderSource(SourceContract):
    """The contract, over the files of two projects."""

    def source(self, root: Path) -> TranscriptSource:
        """Chats that began in the same second."""
        for project in ("shop", "yard"):
            (root / project).mkdir()
            (root / project / NAME).write_text(2 * (HEADER + asked(OWNER) + answered(ASSISTANT)))
        return opened(root)


def test_default_root_is_only_where_the_environment_says(tmp_path: Path) -> None:
    """Nobody knows in which projects the files are, and a home folder is not searched."""
    assert aider.KIND.roots(tmp_path, {}) == ()
    assert aider.KIND.roots(tmp_path, {"AIDER_CHAT_HISTORY_FILE": f"/srv/chats/{NAME}"}) == (Path("/srv/chats"),)


def test_a_chat_is_the_blocks_after_its_header(tmp_path: Path) -> None:
    """All have the time of its start, which is local; the folder is the project."""
    (tmp_path / NAME).write_text(HEADER + asked("one queue\nor two?") + answered("One.\n\n> a quote\n\nSurely."))
    (session,) = opened(tmp_path, "Europe/Warsaw").read(NAME)
    assert said(session) == [
        ("tool", "aider --model m-1"),
        ("owner", "one queue\nor two?"),
        ("assistant", "One.\n\n> a quote\n\nSurely."),
        ("tool", "Tokens: 2k sent, 1k received."),
    ]
    assert {"2026-02-02T09:00:00+00:00"} == {message.time.isoformat() for message in session.messages}
    assert (session.project, session.machine, session.skipped) == (str(tmp_path), False, {})


def test_chats_of_one_file_are_sessions_of_their_own(tmp_path: Path) -> None:
    """Also those that began in the same second; a chat that goes on keeps its numbers and ids."""
    turn = asked("a") + answered("b")
    before = read(tmp_path, HEADER + turn + HEADER + turn)
    after = read(tmp_path, HEADER + turn + HEADER + turn + asked("c"))
    assert len({session.session_id for session in before}) == 2
    assert [session.session_id for session in before] == [session.session_id for session in after]
    assert before[0] == after[0]
    assert before[1].messages == after[1].messages[:-1]


@table(
    "answer",
    [
        "#### A heading",
        "text\n#### A heading  \ntext",
        "```md\n\n#### A heading  \n```",
        "~~~~\n```\n\n#### A heading  \n~~~~",
        "```\n# aider chat started at 2026-02-03 10:00:00\n\n#### Never  \n",
    ],
)
def test_an_answer_cannot_speak_for_the_person(tmp_path: Path, answer: str) -> None:
    """A heading without Aider's line end, one in the middle of a text, and one in a fence are the answer's."""
    (session,) = read(tmp_path, HEADER + asked("a") + answered(answer) + asked("b"))
    assert ["a", "b"] == [text for origin, text in said(session) if origin == "owner"]


@table(
    ("line", "spoken"),
    [
        ("/add shop.py", ("machine", "/add shop.py")),
        ("!ls", ("machine", "!ls")),
        ("/ask why two?", ("owner", "why two?")),
        ("/ask", ("machine", "/ask")),
        ("<blank>", ("machine", "<blank>")),
        (CONFIRMED, ("machine", CONFIRMED)),
    ],
)
def test_a_command_is_no_word(tmp_path: Path, line: str, spoken: tuple[str, str]) -> None:
    """What stands after a command that takes words is the person's; an answer that Aider gave itself is not."""
    (session,) = read(tmp_path, HEADER + asked(line))
    assert said(session)[1] == spoken


def test_in_a_file_that_an_editor_trimmed_a_person_speaks_after_the_program(tmp_path: Path) -> None:
    """After the header and after the end of a turn; not after the text of an answer."""
    content = HEADER + asked("a") + answered("One.\n\n#### A heading\n\nmore") + asked("b\nc")
    trimmed = "\n".join(line.rstrip() for line in content.split("\n"))
    (session,) = read(tmp_path, trimmed)
    assert ["a", "b\nc"] == [text for origin, text in said(session) if origin == "owner"]


def test_a_line_that_is_still_being_written_waits(tmp_path: Path) -> None:
    """Until its end stands in the file."""
    (session,) = read(tmp_path, HEADER + asked("a") + "\n#### b")
    assert ["aider --model m-1", "a"] == [text for _, text in said(session)]


@table("content", ["", "# notes\n\n#### a  \n", "\x00\ufffd", "#### a  \n"])
def test_files_of_others_are_passed_over(tmp_path: Path, content: str) -> None:
    """In silence."""
    assert read(tmp_path, content) == []


def test_any_bytes_are_lived_with(tmp_path: Path) -> None:
    """What is no UTF-8 is replaced."""
    (tmp_path / NAME).write_bytes(HEADER.encode() + b"\n#### \xff\xed\xa0\x80  \n```\n\x00")
    (session,) = opened(tmp_path).read(NAME)
    session.model_dump_json().encode("utf-8")
    assert "owner" in [origin for origin, _ in said(session)]
