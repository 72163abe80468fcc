"""The catalog: one session out of several files, without secrets."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from pipeline.scheduling.registry import jobs_named
from pipeline.transcripts.catalog import merge, redact_session
from schemas.transcript import MASK, Origin, Session
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation

DAY = datetime(2026, 2, 2, tzinfo=UTC).date()
NINE = datetime(2026, 2, 2, 9, tzinfo=UTC)
LIVE = "agents/main/sessions/s-one.jsonl"
BOAT = "Remember that the boat key hangs with Anna."
KAYAK = "Zapamiętaj: klucz do kajaka wisi u Dawida."
SAUNA = "Remember that the sauna is for guests of cabin 4 alone."
ENDINGS = (".reset.2026-02-02T16-37-44.079Z", ".deleted.2026-02-03T08-00-00.000Z")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], Engine]]:
    """Opens a workspace that reads `tmp_path / "openclaw"`, after a look at its files."""
    (tmp_path / "memory.toml").write_text(
        'timezone = "UTC"\nstart = 2026-02-01T00:00:00Z\n[[sources]]\nkind = "openclaw"\npath = "openclaw"\n'
    )
    made: list[Engine] = []

    def _opened() -> Engine:
        clock = FixedClock(datetime(2026, 2, 4, 12, tzinfo=UTC))
        made.append(open_engine(tmp_path, ProcessContext({}, clock=clock)))
        prepare(made[-1])
        return made[-1]

    yield _opened
    for engine in made:
        engine.ledger.store.close()


def lines(*texts: str, skipped: int = 0) -> OpenClawLines:
    """A session of which the first records after the header are left out; ids and times are those of the whole."""
    whole = OpenClawLines("s-one")
    for text in texts:
        whole.user(text)
    del whole.lines[1 : 1 + skipped]
    return whole


def cited(engine: Engine) -> dict[str, str]:
    """The file that each entry of the day cites, by its quote, when the day has been run."""
    plan = in_days(engine, jobs_named(["micro_sync"], engine.jobs), DAY, DAY)
    list(work_through(Runner(engine), plan, again=True))
    return {place.entry.quote.rstrip("."): place.entry.source.session_path for place in list_entries(engine)}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_message_is_cited_where_it_stands_now(tmp_path: Path, opened: Callable[[], Engine], ending: str) -> None:
    """Of an archive and the live file the live one counts; what only the archive holds is cited there; each once."""
    lines(BOAT, KAYAK).write(tmp_path / "openclaw" / (LIVE + ending))
    lines(BOAT, KAYAK, SAUNA, skipped=1).write(tmp_path / "openclaw" / LIVE)

    engine = opened()

    live, archive = f"openclaw:{LIVE}", f"openclaw:{LIVE}{ending}"
    expected = {BOAT: archive, KAYAK: live, SAUNA: live}
    assert {quote.rstrip("."): path for quote, path in expected.items()} == cited(engine)
    session = engine.catalog.session("s-one")
    assert session is not None
    assert [BOAT, KAYAK, SAUNA] == [message.text for message in session.messages]
    assert (live, False) == (session.session_path, session.archived)


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_archive_alone_is_cited(tmp_path: Path, opened: Callable[[], Engine], ending: str) -> None:
    """Nothing else holds the words any more."""
    lines(BOAT).write(tmp_path / "openclaw" / (LIVE + ending))

    assert {BOAT.rstrip("."): f"openclaw:{LIVE}{ending}"} == cited(opened())


def test_a_live_session_counts_before_an_archived_one_that_holds_the_same(
    tmp_path: Path, opened: Callable[[], Engine]
) -> None:
    """Also when the agent has given the session another id meanwhile."""
    archive = OpenClawLines("a-before")
    archive.user(BOAT)
    archive.write(tmp_path / "openclaw" / f"{LIVE.replace('s-one', 'a-before')}{ENDINGS[0]}")
    lines(BOAT).write(tmp_path / "openclaw" / LIVE)

    assert {BOAT.rstrip("."): f"openclaw:{LIVE}"} == cited(opened())


def test_records_without_ids_of_two_files_are_all_there(tmp_path: Path) -> None:
    """One line number stands in both; what is the same record counts once."""

    def part(*texts: str) -> OpenClawLines:
        made = OpenClawLines("s-one")
        for text in texts:
            made.add({"id": None, "type": "message", "message": {"role": "user", "content": text}})
        return made

    first = part("one", "two").read(tmp_path, path="a.jsonl.reset.2026-02-02T16-37-44.079Z")
    second = part("one", "three").read(tmp_path, path="b.jsonl")

    assert ["one", "two", "three"] == [message.text for message in merge([first, second]).messages]


def part(path: str, *texts: str, archived: bool = False, ids: str = "r") -> Session:
    """A file of a session with a message a minute; each is named by its words, too."""
    whole = conversation("s", NINE, [("owner", text) for text in texts], path=path, archived=archived)
    messages = [
        message.model_copy(update={"entry_ids": (f"{ids}-{message.text}",), "aliases": (f"said-{message.text}",)})
        for message in whole.messages
    ]
    return whole.model_copy(update={"messages": tuple(messages)})


def numbered(session: Session) -> list[tuple[int, str]]:
    """The numbers and the texts of a session."""
    return [(message.number, message.text) for message in session.messages]


def test_of_files_that_begin_together_an_archive_comes_first() -> None:
    """Its numbers stay when the live one grows, and the live one's stand where they go on."""
    archive = part("z.jsonl", "one", "two", archived=True)
    for length in (2, 3, 4):
        live = part("a.jsonl", *("one", "two", "three", "four")[:length])
        merged = merge([live, archive])
        assert [(1, "one"), (2, "two"), (3, "three"), (4, "four")][:length] == numbered(merged)
        assert ("memory:a.jsonl", False) == (merged.session_path, merged.archived)
        assert {""} == {message.session_path for message in merged.messages}


def test_numbers_of_a_file_run_on_when_they_begin_anew() -> None:
    """After a reset the live file counts from 1."""
    archive = part("a.jsonl.reset.1", "one", "two", archived=True)
    merged = merge([archive, part("a.jsonl", "three", "four")])
    assert [(1, "one"), (2, "two"), (3, "three"), (4, "four")] == numbered(merged)
    assert ["memory:a.jsonl.reset.1"] * 2 == [message.session_path for message in merged.messages[:2]]


def test_a_message_of_another_id_is_the_same_by_what_it_says() -> None:
    """It keeps the first id, has the others as names, and is cited in the live file."""
    parts = [
        part("a.jsonl.reset.1", "one", archived=True, ids="old"),
        part("a.jsonl.reset.2", "one", archived=True, ids="later"),
        part("a.jsonl", "one", ids="new"),
    ]
    merged = merge(parts)
    (message,) = merged.messages
    assert ("old-one",) == message.entry_ids
    assert {"later-one", "new-one"} <= set(message.aliases)
    assert ("memory:a.jsonl", "") == (merged.session_path, message.session_path)


def test_a_machines_words_stay_its_own_beside_a_person() -> None:
    """A file that claims a person's session cannot speak for the person; an archive of answers alone loses nothing."""
    job = conversation("s", NINE, [("owner", "report"), ("assistant", "Done.")], path="job.jsonl", machine=True)
    answers = part("a.jsonl.reset.1", "hi", archived=True).messages[0].model_copy(update={"origin": Origin.ASSISTANT})
    archive = job.model_copy(update={"path": "a.jsonl.reset.1", "messages": (answers,)})
    own = part("a.jsonl", "one")

    merged = merge([job, archive, own])

    assert not merged.machine
    assert {("report", "machine"), ("Done.", "machine"), ("hi", "assistant"), ("one", "owner")} == {
        (message.text, message.origin) for message in merged.messages
    }
    assert ["owner", "assistant"] == [message.origin for message in merge([job, job]).messages]


def texts(session: Session) -> list[str]:
    """What its messages say, without secrets."""
    return [message.text for message in redact_session(session, SecretRedactor()).messages]


def test_a_message_is_redacted_with_what_was_said_before_it() -> None:
    """An answer to a question for a secret is masked, also when a tool was at work between them."""
    question = "What is the password for the nas?"
    turns = [("assistant", question), ("tool", "looking"), ("owner", "Autumn2026!"), ("assistant", "Thanks, noted.")]
    assert [question, "", MASK * 11, "Thanks, noted."] == texts(conversation("s", NINE, turns))
    assert ["Autumn2026!"] == texts(conversation("s", NINE, turns[2:3]))


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_answer_in_another_file_than_its_question_is_masked(
    tmp_path: Path, opened: Callable[[], Engine], ending: str
) -> None:
    """The question stands last in an archive, the answer first in the live file."""
    question, answer = "What is the password for the router?", "sunflower"
    whole = OpenClawLines("s-one")
    whole.user("I am back.")
    whole.assistant(question)
    whole.write(tmp_path / "openclaw" / (LIVE + ending))
    whole.user(answer)
    del whole.lines[1:3]
    whole.write(tmp_path / "openclaw" / LIVE)

    session = opened().catalog.session("s-one")

    assert session is not None
    assert ["I am back.", question, MASK * len(answer)] == [message.text for message in session.messages]


def test_a_question_is_open_for_two_messages() -> None:
    """What comes later is looked at by itself."""
    turns = [
        ("assistant", "What is the password?"),
        ("owner", "wait"),
        ("owner", "Autumn2026!"),
        ("owner", "Winter2026!"),
    ]
    assert ["What is the password?", "wait", MASK * 11, "Winter2026!"] == texts(conversation("s", NINE, turns))


def test_a_message_keeps_the_project_of_its_file() -> None:
    """A session that goes on in another folder, in a file of its own, is of two projects."""
    begun = part("a.jsonl", "one queue").model_copy(update={"project": "~/shop"})
    moved = part("b.jsonl", "two queues", ids="q").model_copy(update={"project": "~/blog"})
    session = merge([begun, moved])
    assert [session.project_of(message) for message in session.messages] == ["~/shop", "~/blog"]


def test_a_secret_in_the_name_of_a_folder_is_masked() -> None:
    """The name of a project is shown to models, and stands in entries."""
    token = "ghp_" + "a1B2" * 9
    begun = part("a.jsonl", "one queue").model_copy(update={"project": f"~/{token}"})
    session = redact_session(begun, SecretRedactor())
    assert token not in session.project_of(session.messages[0])
