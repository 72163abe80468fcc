"""What is kept of conversations: a file for each day and session, within bounds."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.errors import WriteFailed
from pipeline.transcripts.kept_talk import KeptTalk
from schemas.transcript import Message, Origin, Role, Session
from tests.support.ports.clock import FixedClock

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)


@pytest.fixture
def talk(tmp_path: Path) -> KeptTalk:
    """A folder that keeps what was said in one source for ten days."""
    return KeptTalk(tmp_path / "said", timedelta(days=10), FixedClock(NOW), {"codex": "all"})


def said(name: str, *days: int, text: str = "They are in the bucket called lagoon.") -> Session:
    """A session with a message so many days ago each."""
    messages = tuple(
        Message(
            number=number,
            entry_ids=(f"{name}-{number}",),
            role=Role.USER,
            origin=Origin.OWNER,
            time=NOW - timedelta(days=ago),
            text=text,
            session_path="codex:other.jsonl",
            aliases=("alias",),
            project="~/code/shop",
        )
        for number, ago in enumerate(days, 1)
    )
    return Session(session_id=name, source="codex", path=f"{name}.jsonl", agent="main", messages=messages)


def test_a_session_is_given_as_it_was_kept(talk: KeptTalk) -> None:
    """Whatever its name and its text are, with all that its messages are named by; its days are put together."""
    for name, text in (
        ("s1", "łódź 猎鹰"),
        ("../../s 2", "a lone \ud800 surrogate"),
        ("x" * 400, "line\nline\u2028line"),
    ):
        session = said(name, 2, 1, 0, text=text)
        talk.keep(session)
        assert session == talk.read(name)
    assert 3 == len(list(talk.sessions()))
    assert ["s1"] == [one.session_id for one in talk.sessions(without=["../../s 2", "x" * 400])]


def test_what_is_kept_alike_is_not_written(talk: KeptTalk) -> None:
    """A day that has not changed keeps its file."""
    talk.keep(said("s1", 1, 0))
    before = {file: file.stat().st_ino for file in talk.folder.rglob("*.jsonl")}
    talk.keep(said("s1", 1, 0))
    assert before == {file: file.stat().st_ino for file in talk.folder.rglob("*.jsonl")}


def test_nothing_older_than_wanted_is_kept(talk: KeptTalk) -> None:
    """Of a session that goes on for long, the last days."""
    talk.keep(said("s1", 12, 10, 0))
    kept = talk.read("s1")
    assert kept is not None
    assert [2, 3] == [message.number for message in kept.messages]


def test_no_more_than_the_bound_is_kept(talk: KeptTalk) -> None:
    """The oldest days go, as many as it takes."""
    talk.keep(said("s1", 3, 2, 1, 0, text="x" * 100))
    bounded = KeptTalk(talk.folder, talk.duration, talk.clock, talk.sources, most_bytes=1_200)
    bounded.limit(["s1"])
    kept = bounded.read("s1")
    assert kept is not None
    assert [3, 4] == [message.number for message in kept.messages]


def test_what_is_of_no_session_goes(talk: KeptTalk) -> None:
    """Also what a process left that was killed while it wrote; an empty folder is none."""
    talk.keep(said("s1", 0))
    talk.keep(said("s2", 0))
    (file,) = [file for file in talk.folder.rglob("*.jsonl") if '"s1"' in file.read_text("utf-8")]
    file.with_name(f"{file.name}.new").write_text("half a line")
    talk.limit(["s1"])
    assert [file] == [path for path in talk.folder.rglob("*") if path.is_file()]
    talk.limit([])
    assert not talk.is_there


def test_what_another_process_drops_meanwhile_is_not_given(talk: KeptTalk) -> None:
    """A session of which a day is gone waits for the next look."""
    talk.keep(said("s1", 1, 0))
    talk.keep(said("s2", 1, 0))
    sessions = talk.sessions()
    first = next(sessions)
    other = "s2" if first.session_id == "s1" else "s1"
    talk.keep(said(other, 0))
    assert [] == list(sessions)
    assert {"s1", "s2"} == {session.session_id for session in talk.sessions()}


def test_a_refusal_of_the_system_names_the_folder(talk: KeptTalk) -> None:
    """It is an error of ours."""
    talk.folder.write_text("no folder")
    with pytest.raises(WriteFailed, match="said"):
        talk.keep(said("s1", 0))
