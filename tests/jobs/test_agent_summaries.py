"""What an agent's sessions were about: a page after every few of them, and one after every few of these."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from jobs.agent_journal import JOB as JOURNAL
from jobs.agent_l1 import JOB as L1
from jobs.agent_l2 import JOB as L2
from jobs.agent_sessions import JOB as SESSIONS
from pipeline.corrections.forget import forget
from pipeline.errors.agents import LineOfAnAgent
from pipeline.language.tokens import count_tokens
from pipeline.markdown.front_matter import front_fields
from schemas.agent_settings import AgentsSettings
from schemas.settings import Settings
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
MORNING = datetime(2026, 3, 3, 8, tzinfo=UTC)
FOLDER = "agents/jaskier/memory/summaries"
JOBS = (SESSIONS, JOURNAL, L1, L2)
TALKS = (
    ("Let's use SQLite for the ledger from now on.", "Good, SQLite it is."),
    ("The nightly backup failed again with error 28, the disk is full.", "I removed 40 GB of old images."),
    ("From now on run the bakery's site on Hetzner.", "Noted: Hetzner."),
    ("How long does the import take?", "The import takes 12 minutes for 3,000 rows."),
)


def opened(new_bench: NewBench, autonomy: int = 2, language: str = "en") -> Workbench:
    """A workspace in which all sessions are jaskier's, and two make a summary."""
    agent = {"sources": ["memory"], "autonomy": autonomy, "language": language}
    agents = AgentsSettings.model_validate({"jaskier": agent, "l1_after": 2})
    return new_bench(jobs=JOBS, settings=Settings(timezone="Europe/Warsaw", start=START, agents=agents))


def talk(bench: Workbench, *talks: tuple[str, str]) -> None:
    """Conversations of a question and an answer, an hour apart, and what is due after them."""
    for place, (asked, answered) in enumerate(talks, 1):
        at = MORNING + timedelta(hours=place)
        bench.say(conversation(f"s{place}", at, [("owner", asked), ("assistant", answered)]))
    bench.run_due()


def summaries(bench: Workbench) -> dict[str, str]:
    """The pages of both layers, by name."""
    paths = (path for path in bench.pages() if path.startswith(FOLDER))
    return {path.rpartition("/")[2].removesuffix(".md"): bench.pages()[path].decode() for path in paths}


def test_two_sessions_make_a_page_and_two_pages_another(new_bench: NewBench) -> None:
    """Each names its members, links to them, and lists what was decided by id."""
    bench = opened(new_bench)
    talk(bench, *TALKS)
    pages = summaries(bench)
    assert {"L1_001", "L1_002", "L2_001"} == pages.keys()
    assert ["2026-03-03_001", "2026-03-03_002"] == front_fields(pages["L1_001"].encode())["sessions"]
    assert ["L1_001", "L1_002"] == front_fields(pages["L2_001"].encode())["l1_summaries"]
    for page in pages.values():
        fields = front_fields(page.encode())
        assert "2026-03-03" == fields["created"]
        assert 0 < int(fields["token_count"]) < 400
    assert "use SQLite for the ledger" in pages["L1_001"].partition("## Decisions")[2]
    assert "(j-" in pages["L1_001"]
    assert "../../sessions/2026-03-03_002.md" in pages["L1_001"]
    assert "../L1/L1_002.md" in pages["L2_001"]
    assert "SQLite" in pages["L2_001"]


def test_a_link_leads_to_the_session(new_bench: NewBench) -> None:
    """From the folder of the page."""
    bench = opened(new_bench)
    talk(bench, *TALKS[:2])
    assert (bench.root / FOLDER / "L1" / "../../sessions/2026-03-03_001.md").is_file()


def test_without_a_model_the_words_are_the_speakers(new_bench: NewBench) -> None:
    """The page says what failed and by what figure, within its room."""
    bench = opened(new_bench)
    talk(bench, *TALKS)
    body = summaries(bench)["L1_001"].partition("# ")[2].partition("## ")[0]
    assert "error 28" in body
    assert count_tokens(body) < 400


def test_what_stands_on_a_pasted_page_is_not_decided(new_bench: NewBench) -> None:
    """Its paragraphs show in the archive that it was pasted, as they do in the transcript."""
    bench = opened(new_bench)
    page = "Option A\n\n\n\nFrom now on invoices always go to Anna.\n\n\n\nOption B"
    talk(bench, (page, "Two options."), TALKS[0])
    text = summaries(bench)["L1_001"]
    assert ("use SQLite" in text, "Anna" in text) == (True, False)


def test_no_sentence_of_a_summary_of_summaries_is_under_another_day(new_bench: NewBench) -> None:
    """What stands there stood so in one of the first layer: no sentence is under the day of another session."""
    bench = opened(new_bench)
    for place in range(4):
        at = MORNING + timedelta(hours=2 * place)
        turns = [
            (who, f"{text} (run {place})")
            for pair in TALKS[:place] + TALKS[place + 1 :]
            for who, text in zip(("owner", "assistant"), pair, strict=True)
        ]
        bench.say(conversation(f"s{place}", at, turns))
    bench.run_due()
    pages = summaries(bench)
    body = pages["L2_001"].partition("# ")[2].partition("## ")[0]
    first = pages["L1_001"] + pages["L1_002"]
    days = [part for part in re.split(r"(?=2026-03-03: )", re.sub("<!--.*?-->", "", body)) if ": " in part]
    assert len(days) > 1
    assert [] == [part for part in days if part.strip() not in first]


def test_a_late_message_is_in_the_summary(new_bench: NewBench) -> None:
    """Its session is archived again, and so the page is made again."""
    bench = opened(new_bench)
    talk(bench, *TALKS[:2])
    late = [("owner", TALKS[1][0]), ("assistant", TALKS[1][1]), ("owner", "From now on we keep the logs for 14 days.")]
    bench.say(conversation("s2", MORNING + timedelta(hours=2), late))
    bench.run_due()
    assert "14 days" in summaries(bench)["L1_001"]
    assert ["L1_001"] == list(summaries(bench))


def test_what_the_owner_asked_not_to_keep_is_in_no_summary(new_bench: NewBench) -> None:
    """The summary is made of the archive, which leaves it out."""
    bench = opened(new_bench)
    kept, other = TALKS[:2]
    bench.say(conversation("s1", MORNING, [("owner", kept[0]), ("assistant", kept[1])]))
    secret = [("owner", "My sister is ill since March 3."), ("assistant", "Sorry."), ("owner", "Don't keep this.")]
    bench.say(conversation("s2", MORNING + timedelta(hours=2), [*secret, ("owner", other[0]), ("assistant", other[1])]))
    bench.run_due()
    assert "sister" not in "".join(summaries(bench).values())


def test_a_line_that_a_person_put_into_the_archive_is_no_message(new_bench: NewBench) -> None:
    """Only what we wrote there counts; the rest may be anybody's."""
    bench = opened(new_bench)
    talk(bench, TALKS[0])
    page = bench.root / "agents/jaskier/memory/sessions/2026-03-03_001.md"
    page.write_text(page.read_text() + "- 09:00:05 owner: The server lists 77 forged lines with error 99.\n")
    talk(bench, *TALKS[:2])
    assert "forged" not in "".join(summaries(bench).values())


@pytest.mark.parametrize(("language", "heading"), [("pl", "## Sesje"), ("zh", "## 会话")])
def test_headings_are_in_the_language_of_the_agent(new_bench: NewBench, language: str, heading: str) -> None:
    """As in its other pages."""
    bench = opened(new_bench, language=language)
    talk(bench, *TALKS[:2])
    assert heading in summaries(bench)["L1_001"]


def test_what_a_person_deletes_from_the_archive_leaves_the_summaries(new_bench: NewBench) -> None:
    """Its message goes from the session's page, its line from the journal: both layers are made again without it."""
    bench = opened(new_bench)
    talk(bench, *TALKS)
    for path, data in bench.pages().items():
        if "/sessions/" in path or "/journal/" in path:
            lines = data.decode().splitlines(keepends=True)
            (bench.root / path).write_text("".join(line for line in lines if "Hetzner" not in line))
    bench.run_due()
    assert not [path for path, data in bench.pages().items() if b"Hetzner" in data]


def test_forget_says_what_to_do_about_a_line_of_an_agent(new_bench: NewBench) -> None:
    """A summary names it, but it is no entry: nothing is taken out of the summary alone."""
    bench = opened(new_bench)
    talk(bench, *TALKS)
    before = bench.pages()
    line = re.search(r"\((j-\w+), ", summaries(bench)["L1_002"])
    assert line
    with pytest.raises(LineOfAnAgent, match="ask the agent to forget it"):
        forget(bench.engine, line[1])
    assert before == bench.pages()


def test_an_agent_that_only_reads_has_none(new_bench: NewBench) -> None:
    """Its sessions are archived, and nothing else; once it may write, they are summed up."""
    bench = opened(new_bench, autonomy=0)
    talk(bench, *TALKS)
    assert {} == summaries(bench)
    later = bench.reopen(settings=opened(new_bench).settings)
    later.run_due()
    assert {"L1_001", "L1_002", "L2_001"} == summaries(later).keys()
