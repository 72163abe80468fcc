"""Forgetting a topic: out of every page, every agent's memory, the ledger and the cache, and never read again."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from pipeline.corrections.forget_since import forget_since
from pipeline.corrections.forget_topic import forget_topic, forget_words, line_topic, other_cases, topic, traces
from pipeline.engine.partitioning.base import keep_request
from pipeline.engine.suggestions import waiting
from pipeline.errors.agents import UnknownLine
from pipeline.errors.corrections import NoTopic, TopicUnknown
from pipeline.markdown.blocks import find_blocks, without_marks
from pipeline.ports.engine import Reply
from pipeline.reports.entries import list_entries
from pipeline.scheduling.registry import discover, jobs_named
from pipeline.workspace.layout import FORGOTTEN
from schemas.agent_settings import AgentsSettings
from schemas.memory_change import ChangeRequest, ChangeWord, Operation
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
Opened = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)
MEMORY = "agents/jaskier/memory"
TALKS = (
    ("Falcon", "Remember: the staging server is called Falcon and lives in the cellar.", "The staging server hums."),
    ("Sokół", "Zapamiętaj: serwer testowy nazywa się Sokół i stoi w piwnicy.", "Serwer testowy szumi."),
    ("猎鹰", "记住:测试服务器的名字叫猎鹰,它放在地下室的机房里。", "测试服务器很吵。"),
)
OTHER = "Remember: never deploy to production on a Friday afternoon."


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Two weeks of all jobs, with an agent, after one talk of the owner; made once for a talk, to be copied."""

    @cache
    def make(*talk: str) -> Workbench:
        agents = AgentsSettings.model_validate({"jaskier": {"sources": ["memory"]}, "l1_after": 2})
        settings = Settings(timezone="Europe/Warsaw", start=START, agents=agents)
        clock = FixedClock(datetime(2026, 3, 17, 11, tzinfo=UTC))
        bench = Workbench(tmp_path_factory.mktemp("talked"), discover(), clock, settings)
        bench.say(conversation("s-one", SAID, [(who, text) for text in talk for who in ("owner", "assistant")]))
        bench.say(conversation("s-two", SAID + timedelta(days=1), [("owner", OTHER), ("assistant", "Noted.")]))
        bench.run_due()
        return bench

    return make


@pytest.fixture
def opened(talked: Opened, new_bench: NewBench, tmp_path: Path) -> Opened:
    """A copy of two weeks after a talk."""

    def _opened(*talk: str) -> Workbench:
        return new_bench(**talked(*talk).copied(tmp_path))

    return _opened


def holding(bench: Workbench, words: str) -> set[str]:
    """The files with a name in their bytes, in any case, also as JSON writes it; those of the ledger included."""
    forms = {json.dumps(form)[1:-1].encode() for form in (words, words.lower(), words.upper())}
    forms |= {form.encode() for form in (words, words.lower(), words.upper())}
    files = (file for file in bench.root.rglob("*") if file.is_file())
    return {file.relative_to(bench.root).as_posix() for file in files if any(one in file.read_bytes() for one in forms)}


def brain(bench: Workbench) -> str:
    """What the agent always knows."""
    return without_marks(bench.pages().get(f"{MEMORY}/brain.md", b"").decode())


def request(bench: Workbench, text: str, operation: Operation = Operation.CORE, line: str = "") -> None:
    """A person types a change at a terminal."""
    (job,) = jobs_named(["agent_journal"], bench.jobs)
    bench.clock.moment += timedelta(seconds=1)
    wanted = ChangeRequest(operation=operation, text=text, line=line, word=ChangeWord.PERSON, over="terminal")
    keep_request(bench.engine, job, f"r-{bench.clock.now():%M%S}", wanted.model_dump_json(), "jaskier")
    bench.run_due()


def line_id(bench: Workbench, words: str) -> str:
    """The id of the line in a journal with these words."""
    journals = (data for path, data in bench.pages().items() if "/journal/" in path)
    return next(block.name for data in journals for block in find_blocks(data) if words in block.text)


@pytest.mark.parametrize(("name", "said", "beside"), TALKS, ids=["en", "pl", "zh"])
def test_nothing_of_it_is_left(opened: Opened, name: str, said: str, beside: str) -> None:
    """Daily file, wrap-up, journal, brain, session, its summary, cached answers and ledger are without it."""
    bench = opened(said, beside)
    bench.engine.ledger.answers.put_answer("k", "m", Reply(json.dumps({"said": f"it is {name}."})))
    held = holding(bench, name)
    session = f"{MEMORY}/sessions/2026-03-02_001.md"
    families = ("memory/2026-03-02.md", session, f"{MEMORY}/journal/", ".memory/state.db")
    assert [] == [family for family in families if not any(path.startswith(family) for path in held)]
    seen = traces(bench.engine, topic([name]))
    assert 1 == len(seen.entries)
    assert any("/sessions/" in line.where for line in seen.lines)
    receipt = forget_topic(bench.engine, topic([name]))
    assert set() == holding(bench, name)
    assert (1, True, ()) == (len(receipt.entries), receipt.answers >= 1, receipt.kept)
    assert beside in bench.pages()[session].decode()
    assert "never deploy to production" in brain(bench)


@pytest.mark.parametrize(("name", "said", "beside"), TALKS, ids=["en", "pl", "zh"])
def test_it_never_comes_back(opened: Opened, name: str, said: str, beside: str) -> None:
    """Not by a back-fill, not after a lost ledger; what the owner says about it later is new."""
    bench = opened(said, beside)
    forget_topic(bench.engine, topic([name]))
    bench.backfill(date(2026, 3, 1), date(2026, 3, 16))
    assert set() == holding(bench, name)
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    bench = bench.reopen()
    bench.run_due()
    bench.backfill(date(2026, 3, 1), date(2026, 3, 16))
    assert set() == holding(bench, name)
    bench.say(conversation("s-new", bench.clock.now() + timedelta(hours=1), [("owner", said)]))
    bench.clock.moment += timedelta(days=1)
    bench.run_due()
    assert f"{MEMORY}/journal/2026-03-17.md" in holding(bench, name)


def test_a_line_does_not_come_back_with_its_page(opened: Opened) -> None:
    """An old copy of a page is cleared again, also where no entry was forgotten and only the topic is listed."""
    name, said, beside = TALKS[0]
    bench = opened(said, beside)
    page, listed = bench.root / "bank" / "world.md", bench.root / FORGOTTEN
    before = page.read_bytes()
    forget_topic(bench.engine, topic([name]))
    kept = [line for line in listed.read_text("utf-8").splitlines() if "identity:" not in line]
    listed.write_text("\n".join([*kept, ""]), "utf-8")
    page.write_bytes(before)
    assert "bank/world.md" in holding(bench, name)
    bench.run_due()
    assert "bank/world.md" not in holding(bench, name)


def texts_in(bench: Workbench) -> list[str]:
    """All that a state holds, its ledger too, as pieces of a back-up give it."""
    return [file.read_bytes().decode(errors="replace") for file in bench.root.rglob("*") if file.is_file()]


@pytest.mark.parametrize("talk", TALKS, ids=["en", "pl", "zh"])
def test_an_earlier_state_is_without_it_too(
    talked: Opened, new_bench: NewBench, tmp_path: Path, talk: tuple[str, str, str]
) -> None:
    """By the list of today alone, which has no word of it: as a restore does with an earlier generation."""
    name, *said = talk
    later, earlier = (new_bench(**talked(*said).copied(tmp_path / place)) for place in ("later", "earlier"))
    forget_topic(later.engine, topic([name]))
    today = later.engine.workspace.read(FORGOTTEN)
    assert today
    assert 0 < forget_since(earlier.engine, today, texts_in(earlier))
    assert set() == holding(earlier, name)
    assert today == earlier.engine.workspace.read(FORGOTTEN)
    assert "never deploy to production" in brain(earlier)
    earlier.run_due()
    assert set() == holding(earlier, name)


def test_a_line_of_an_agent_in_an_earlier_state(talked: Opened, new_bench: NewBench, tmp_path: Path) -> None:
    """It is known by its id."""
    talk = TALKS[0][1:]
    later, earlier = (new_bench(**talked(*talk).copied(tmp_path / place)) for place in ("later", "earlier"))
    forget_words(later.engine, line_topic(later.engine, line_id(later, "Falcon")))
    today = later.engine.workspace.read(FORGOTTEN)
    assert today
    assert 0 < forget_since(earlier.engine, today, ())
    assert {*holding(later, "Falcon")} == {*holding(earlier, "Falcon")}


def test_what_people_wrote_stays_and_is_named(opened: Opened) -> None:
    """Their notes, and lines of ours that they changed."""
    name, said, beside = TALKS[0]
    bench = opened(said, beside)
    (bench.root / "memory/projects").mkdir(parents=True)
    (bench.root / "memory/projects/mine.md").write_text("falcon needs a fan\n")
    page = bench.root / f"{MEMORY}/brain.md"
    page.write_text(page.read_text().replace("Falcon", "the Falcon of ours"))
    receipt = forget_topic(bench.engine, topic([name]))
    kept = {"memory/projects/mine.md", f"{MEMORY}/brain.md"}
    assert kept == {place.rpartition(":")[0] for place in receipt.kept} == holding(bench, name)


def test_a_note_in_an_entry_is_of_the_topic(opened: Opened) -> None:
    """A line that a person added to the block goes with it, or is named; it is not left in silence."""
    bench = opened("Remember: the cellar server lives beside the boiler.")
    file = bench.root / list_entries(bench.engine)[0].path
    file.write_text(file.read_text().replace("- kind: ", "- note: ask the falconer\n- kind: ", 1))
    receipt = forget_topic(bench.engine, topic(["falconer"]))
    assert {place.rpartition(":")[0] for place in receipt.kept} == holding(bench, "falconer")


def test_cases_go_only_where_they_are_said(opened: Opened) -> None:
    """A case that nobody added stays; those that facts take for other entities are only alike."""
    bench = opened("Remember: the invoices go to Kinga, and never to Kingi.", "Remember: we met Kindze at noon.")
    (bench.root / "memory/projects").mkdir(parents=True)
    (bench.root / "memory/projects/mine.md").write_text("Lunch with Kingą, and with Kindze.\n")
    name = topic(["Kinga "])
    assert {"Kingą": 1} == other_cases(bench.engine, name)
    assert {"Kindze", "Kingi", "Kingą"} <= set(traces(bench.engine, name).alike)
    forget_topic(bench.engine, name)
    assert "we met Kindze" in brain(bench)
    receipt = forget_topic(bench.engine, replace(name, cases=("Kindze",)))
    assert (("Kinga", "Kindze"), False) == (receipt.names, "we met Kindze" in brain(bench))
    assert {"memory/projects/mine.md"} == holding(bench, "Kindze")


def test_what_it_was_corrected_from_does_not_come_back(opened: Opened) -> None:
    """A line that replaced another goes, and the older one stays replaced; what replaced an erased line stands."""
    bench = opened("Good morning.")
    request(bench, "Kuba runs a bakery in Gdansk")
    request(bench, "Kuba runs a bakery in Gdynia", Operation.UPDATE, line_id(bench, "Gdansk"))
    request(bench, "Kuba runs a bakery in Sopot", Operation.UPDATE, line_id(bench, "Gdynia"))
    forget_topic(bench.engine, topic(["Gdansk"]))
    assert "Sopot" in brain(bench)
    forget_topic(bench.engine, topic(["Sopot"]))
    assert ("Gdynia" in brain(bench), set()) == (False, holding(bench, "Sopot"))
    bench.run_due()
    assert "bakery" not in brain(bench)


def test_a_fact_that_was_replaced_does_not_hold_again(opened: Opened) -> None:
    """It goes with the one that replaced it; what is about something else stays."""
    bench = opened("I live in Gdansk.", "I am allergic to nuts.")
    moved = conversation("s-three", SAID + timedelta(days=7), [("owner", "I now live in Sopot."), ("assistant", "Ok.")])
    bench.say(moved)
    bench.backfill(date(2026, 3, 1), date(2026, 3, 16))
    world = "bank/world.md"
    facts = [data.decode() for path, data in bench.pages().items() if "/retain/" in path]
    assert ["replaces: f-" in text for text in facts].count(True) == 1
    assert "Gdansk" in bench.pages()[world].decode().partition("## No more")[2]
    lines = [line.text for line in traces(bench.engine, topic(["Sopot"])).lines]
    assert any("Gdansk" in line for line in lines)
    forget_topic(bench.engine, topic(["Sopot"]))
    assert "allergic to nuts" in bench.pages()[world].decode()
    assert [] == [path for path in holding(bench, "Gdansk") if path.startswith(("bank/", "memory/retain/"))]
    assert set() == holding(bench, "Sopot")


def test_a_line_of_an_agent_is_forgotten_by_its_id(opened: Opened) -> None:
    """With the message that it quotes, wherever it stands; an entry with the words stays, and is named."""
    name, said, beside = TALKS[0]
    bench = opened(said, beside)
    receipt = forget_words(bench.engine, line_topic(bench.engine, line_id(bench, "Falcon")))
    assert "Falcon" not in brain(bench)
    assert {"memory/2026-03-02.md"} <= {place.rpartition(":")[0] for place in receipt.kept}
    assert not any(path.startswith(MEMORY) for path in holding(bench, name))
    bench.backfill(date(2026, 3, 1), date(2026, 3, 16))
    assert not any(f"{MEMORY}/journal" in path for path in holding(bench, name))
    with pytest.raises(UnknownLine, match="memory agents know AGENT"):
        line_topic(bench.engine, "j-00000000")


def test_what_waits_for_a_person_goes_too(opened: Opened) -> None:
    """A suggestion about it is dropped."""
    bench = opened("Good morning.")
    (job,) = jobs_named(["agent_journal"], bench.jobs)
    wanted = ChangeRequest(operation=Operation.CORE, text="The falcon nests in May", asked_by="jaskier", over="shell")
    keep_request(bench.engine, job, "r-1", wanted.model_dump_json(), "jaskier")
    bench.run_due()
    assert (1, 1) == (len(waiting(bench.engine)), traces(bench.engine, topic(["falcon"])).waiting)
    assert 1 == forget_topic(bench.engine, topic(["falcon"])).suggestions
    assert ([], set()) == (waiting(bench.engine), holding(bench, "falcon"))


@pytest.mark.parametrize("name", ["job", "start", "2026", "done", "quote", "core", "impact", "trust"])
def test_a_topic_is_called_as_our_records_are(opened: Opened, name: str) -> None:
    """As a field of theirs, as a state or as a year: what every run did is still known, and what waits stays."""
    bench = opened(f"Remember: the {name} server is called Falcon and lives in the cellar.")
    (job,) = jobs_named(["agent_journal"], bench.jobs)
    wanted = ChangeRequest(operation=Operation.CORE, text="Kuba bakes at dawn", asked_by="jaskier", over="shell")
    keep_request(bench.engine, job, "r-1", wanted.model_dump_json(), "jaskier")
    bench.run_due()
    before = {run.run_id: run.outcome for run in bench.engine.ledger.runs.latest(limit=1_000)}
    records = [bench.root / ".memory" / file for file in ("backups.json", "place", "sign-in.json")]
    for record in records:
        record.write_text(json.dumps({name: name}))
    forget_topic(bench.engine, topic([name]))
    assert [json.dumps({name: name})] * len(records) == [record.read_text() for record in records]
    after = {run.run_id: run.outcome for run in bench.engine.ledger.runs.latest(limit=1_000)}
    for run_id, outcome in before.items():
        known = after[run_id]
        assert outcome
        assert known
        assert (outcome.job, outcome.window, outcome.ending) == (known.job, known.window, known.ending)
    assert ["Kuba bakes at dawn"] == [one.about.text for one in waiting(bench.engine)]
    assert [OTHER.removeprefix("Remember: ")] == [place.entry.conclusion for place in list_entries(bench.engine)]


def test_an_unknown_topic_is_an_error(opened: Opened) -> None:
    """Other forms of the word are offered; what has no letter names nothing."""
    bench = opened(*TALKS[1][1:])
    with pytest.raises(TopicUnknown, match="piwnicy"):
        traces(bench.engine, topic(["piwnica"]))
    with pytest.raises(TopicUnknown, match="Try another form"):
        traces(bench.engine, topic(["helicopter"]))
    with pytest.raises(NoTopic, match="names nothing"):
        topic(["..."])


def test_a_killed_erasure_goes_on(opened: Opened) -> None:
    """What was listed first is not read again, and the same command takes out the rest."""
    name, said, beside = TALKS[0]
    bench = opened(said, beside)
    page = bench.root / f"{MEMORY}/sessions/2026-03-02_001.md"
    before = page.read_bytes()
    forget_topic(bench.engine, topic([name]))
    page.write_bytes(before)  # as if it had been killed before it came to this page
    forget_topic(bench.engine, topic([name]))
    assert set() == holding(bench, name)
