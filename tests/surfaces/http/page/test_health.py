"""Health on the page: sources, findings with what mends them, settings without secrets; and the interface."""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from pipeline.backfill.orders import OrdersFolder
from pipeline.clock import SystemClock
from pipeline.ledger.answers import Batches
from pipeline.ledger.store import Store
from pipeline.workspace.locks import Latch, Locks
from pipeline.workspace.service_files import ServiceFolder
from schemas.run_request import BackfillRequest
from schemas.service_state import JobState, Parked
from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader, SentForm
from tests.support.workspaces.served_demo import NOW, STATE, served

SECRET = "sk-very-secret-0123456789abcdef"  # noqa: S105 - made up


@pytest.fixture
def sick(demo: Path, tmp_path: Path) -> Iterator[PageReader]:
    """A reader of a workspace that has a key, and whose transcripts can be taken away."""
    shutil.copytree(demo, tmp_path / "work")
    settings = tmp_path / "work" / "memory.toml"
    settings.write_text(
        settings.read_text() + f'\n[model]\nname = "m"\nbase_url = "http://127.0.0.1:9/v1"\napi_key = "{SECRET}"\n'
    )
    with served(tmp_path / "work") as workspace:
        yield PageReader(workspace)


def test_what_is_known_at_once(reader: PageReader) -> None:
    """Sources with their counts, jobs, and the model."""
    document = reader.get("/health")
    for words in (
        "openclaw",
        "Understood",
        "Decisions and rules",
        "No model is asked",
        "What the doctor finds",
    ):
        assert words in document.text
    assert 'hx-get="/health/findings' in document.html
    assert "/health/findings" in document.links


def test_no_secret_is_shown(sick: PageReader) -> None:
    """In no part of it."""
    assert SECRET not in sick.get("/health").html
    assert SECRET not in sick.get("/health/findings").html
    assert SECRET not in sick.get("/health/stores").html


def test_secrets_in_other_places(changer: PageReader) -> None:
    """An address with a user and a password, one of pings, and keys of other servers; nor the reader's own token."""
    settings = changer.workspace.root / "memory.toml"
    settings.write_text(
        settings.read_text()
        + '\n[model]\nname = "m"\nbase_url = "http://anna:hidden-1@127.0.0.1:9/v1"\n[embedder]\napi_key = "hidden-2"\n'
        + '[index]\napi_key = "hidden-3"\n[pings]\nurl = "https://hc.example/hidden-4"\n'
        + '[store]\nurl = "postgresql://anna:hidden-5@127.0.0.1:9/memory"\n'
    )
    settings.chmod(0o644)  # so that the doctor names them
    for path in ("/health", "/health/sources", "/health/stores", "/health/findings"):
        html = changer.get(path).html
        assert [] == [word for word in ("hidden-", changer.workspace.person) if word in html]


def test_a_sick_source_is_named_and_mended(sick: PageReader) -> None:
    """A folder that has gone is a finding, with what mends it; when it is back, it is none any more."""
    sessions = Path(sick.workspace.root, "sessions")
    sessions.rename(sessions.with_name("elsewhere"))
    assert "Mount or restore" in sick.get("/health/findings").text
    for path in ("/health", "/health/sources"):
        assert re.search("openclaw cannot be read .* Sessions read: 7 cannot be read since", sick.get(path).text)
    sessions.with_name("elsewhere").rename(sessions)
    assert "cannot be read" not in sick.get("/health/findings").text
    assert re.search("claude_code well .* Sessions read: 3", sick.get("/health").text)


def test_a_source_that_is_silent(reader: PageReader) -> None:
    """Its agent spoke almost daily, and long ago: it is told with what may be the reason; the other has no habit."""
    text = reader.get("/health").text
    assert re.search("openclaw silent .* no message since 2026-03-14, .* it may write elsewhere now", text)
    assert "claude_code well" in text


def test_the_sources_follow_the_findings(reader: PageReader) -> None:
    """The doctor has looked at them: an open document is told, and asks for that part again."""
    assert "looked" == reader.get("/health/findings").headers["hx-trigger"]
    assert 'hx-get="/health/sources" hx-trigger="looked from:body"' in reader.get("/health").html


def test_a_back_fill_that_was_stopped(changer: PageReader) -> None:
    """It is there with its days and a form that goes on with it; a lock that is held is named."""
    request = BackfillRequest(id="20260301-abc123", jobs=("micro_sync",), first=date(2026, 2, 1), last=date(2026, 2, 9))
    OrdersFolder(changer.workspace.root / ".memory").keep(request)
    now = SystemClock().now()
    with Locks(changer.workspace.root / "memory" / ".locks").hold(["retain"], "r-1", now + timedelta(minutes=1)):
        document = changer.get("/health")
    assert "2026-02-01 to 2026-02-09" in document.text
    assert "20260301-abc123" == document.form("/work/resume").fields["backfill"]
    assert "retain: process" in document.text


def test_a_batch_at_the_server(changer: PageReader) -> None:
    """It is there with its questions."""
    with closing(Store(changer.workspace.root / ".memory/state.db")) as store:
        Batches(store, SystemClock()).begin("b-1", "gpt-x", ["q-1", "q-2"])
    assert "2 questions to gpt-x since" in changer.get("/health").text


@table(("language", "words"), [("pl", "Co wykazuje diagnoza"), ("zh", "诊断结果")])
def test_in_other_languages(reader: PageReader, language: str, words: str) -> None:
    """The document and its parts, with what the doctor says."""
    other = PageReader(reader.workspace, language)
    assert words in other.get("/health").text
    assert other.get("/health/stores").html.count("dt>") == reader.get("/health/stores").html.count("dt>")
    assert '<bdi lang="en">' not in other.get("/health/findings").html


def test_a_finding_with_a_pattern(demo: Path, tmp_path: Path) -> None:
    """What stands between backticks is code; all else stands as it is, though it may look like Markdown."""
    root = shutil.copytree(demo, tmp_path / "work")
    with (root / "memory.toml").open("a") as settings:
        settings.write('[index]\ninclude = ["notes/**/2025/**"]\n')
    with served(root) as workspace:
        document = PageReader(workspace).get("/health/findings")
    assert "notes/**/2025/**" in document.text
    assert "<code>**</code> goes through" in document.html


def test_why_records_were_passed_over(reader: PageReader) -> None:
    """Words, in the language of the page, and no names of ours."""
    texts = [PageReader(reader.workspace, one).get("/health/sources").text for one in ("en", "pl", "zh")]
    assert [True] * 3 == [
        words in text for words, text in zip(("no conversation", "to nie rozmowa", "不是对话"), texts, strict=True)
    ]
    assert not any("no_conversation" in text or "no_text" in text for text in texts)


def test_mending(sick: PageReader) -> None:
    """A file with a key that others may read is closed to them; the same form twice does nothing."""
    settings = Path(sick.workspace.root, "memory.toml")
    settings.chmod(0o644)
    form = next(_mending(sick))
    answers = [sick.post(form)]
    while settings.stat().st_mode & 0o077 and len(answers) < 10:
        answers.append(sick.post(next(_mending(sick))))
    assert "Mended:" in answers[0].text
    assert 0o600 == settings.stat().st_mode & 0o777
    outdated = sick.post(form)
    assert (409, True) == (outdated.status, "not so any more" in outdated.text)


def _mending(reader: PageReader) -> Iterator[SentForm]:
    """The forms that mend something now."""
    return (form for form in reader.get("/health/findings").forms if form.action == "/health/mend")


def test_a_form_that_was_made_up(reader: PageReader) -> None:
    """What nobody was shown is not mended, and the digest has a length."""
    assert [409, 422] == [reader.post(SentForm("/health/mend", {"seen": word})).status for word in ("x", "x" * 65)]


def test_a_job_that_is_left_alone(changer: PageReader) -> None:
    """Why, what mends it, and a form that runs it; what the failure said is text."""
    parked = Parked(since=NOW, failures=3, reason="the server <b>refuses</b>")
    state = STATE.model_copy(update={"jobs": {"micro_sync": JobState(parked=parked)}})
    folder = ServiceFolder(changer.workspace.root)
    folder.state.parent.mkdir(parents=True, exist_ok=True)
    folder.state.write_text(state.model_dump_json())
    document = changer.get("/health")
    assert "left alone the server <b>refuses</b> Mend that" in document.text
    assert {"job": "micro_sync"} == document.form("/work/run").fields
    assert "micro_sync has been parked since" in changer.get("/health/findings").text


def test_an_index_that_is_being_made(changer: PageReader) -> None:
    """Nobody waits for it: it is said, and the part asks again."""
    (changer.workspace.root / "memory" / "2026-03-20.md").write_text("# A new day\n")
    latch = Latch(changer.workspace.root / ".memory" / "index" / "update.lock")
    with latch.hold(30):
        part = changer.get("/health/stores")
    assert "being brought up to date now" in part.text
    assert 'hx-trigger="every 2s"' in part.html


def test_findings_are_kept(changer: PageReader) -> None:
    """Health begins with a verdict of the last look, has its time, and looks again while something is wrong."""
    first = changer.get("/health/findings")
    assert "1 thing needs a look: source openclaw" in first.text
    assert "Looked at" in first.text
    assert "claude_code" in changer.get("/health/findings?kept=true").text
    assert "Looked at" in changer.get("/health").text
    day = changer.workspace.root / "memory/2026-03-14.md"
    day.write_bytes(day.read_bytes()[:-200])
    assert 'hx-get="/health/findings?kept=true" hx-trigger="every 2s"' in changer.get("/health").html
    later = changer.get("/health/findings")
    assert "breaks off at line" in later.text
    assert "2 things need a look: " in later.text


def test_a_part_for_a_script(reader: PageReader) -> None:
    """The findings come as a part where a script asks for them."""
    answer = reader.workspace.ask("/health/findings", hx_request="true", accept="text/html")
    assert (200, False) == (answer.status, b"<html" in answer.body)


def test_the_interface(reader: PageReader) -> None:
    """Every route of the interface is there; nothing is loaded from elsewhere."""
    document = reader.get("/docs")
    for words in ("GET /api/v1/search", "POST /api/v1/memories", "memory config token add NAME"):
        assert words in document.text
