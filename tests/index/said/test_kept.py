"""What was said is found after its transcript is gone, for as long as the settings want, and no word of it longer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from pydantic import SecretStr

from pipeline.app.said import TranscriptWords
from pipeline.corrections.forget_topic import forget_topic, topic
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed, UnknownJob
from pipeline.index.said.update import drop_said, rebuild_said, update_said
from pipeline.ports.said import ScreenedWords
from pipeline.transcripts.catalog import Catalog
from schemas.index_settings import SearchSettings
from schemas.settings import ModelSettings, SessionRule, Settings, SourceSettings
from schemas.transcript import Session
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.spoken import Spoken
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
SOURCE = SourceSettings(kind="memory", path="talk", name="memory")
KEPT = Settings(timezone="Europe/Warsaw", search=SearchSettings(keep_said=timedelta(days=30)), sources=(SOURCE,))
TALK = (
    ("owner", "Where do we keep the heron pictures?"),
    ("assistant", "They are in the bucket called lagoon."),
    ("tool", "a word of a program: albatross"),
    ("owner", "Thanks, move them to the attic later."),
)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A workspace that keeps what was said for 30 days; `TALK` was said yesterday."""
    bench = new_bench(settings=KEPT, clock=FixedClock(AT + timedelta(days=1)))
    say(bench, "s1", TALK)
    return bench


@pytest.fixture
def spoken(bench: Workbench) -> Spoken:
    """The same, indexed."""
    spoken = Spoken(bench)
    spoken.update()
    return spoken


def say(bench: Workbench, name: str, talk: Sequence[tuple[str, str]], at: datetime = AT) -> None:
    """Have something said in a session."""
    bench.say(conversation(name, at, talk, zone="Europe/Warsaw", agent="main", project="~/code/shop"))


def kept_files(bench: Workbench) -> list[Path]:
    """The files of what is kept."""
    return sorted(file for file in (bench.root / ".memory" / "said").rglob("*") if file.is_file())


def holding(bench: Workbench, word: str) -> set[str]:
    """The files of the workspace with a word in their bytes, but for the transcripts."""
    files = (file for file in bench.root.rglob("*") if file.is_file())
    return {file.relative_to(bench.root).as_posix() for file in files if word.encode() in file.read_bytes()}


def test_nothing_is_kept_unless_it_is_asked_for(new_bench: NewBench) -> None:
    """What a transcript says is in no file of the workspace; the session that goes is found no more."""
    bench = new_bench(settings=Settings(sources=(SOURCE,)))
    say(bench, "s1", TALK)
    spoken = Spoken(bench)
    spoken.update()
    assert (set(), True) == (holding(bench, "lagoon"), bool(spoken.hits("lagoon")))
    bench.source.remove("s1.jsonl")
    spoken.update()
    assert ([], []) == (spoken.hits("lagoon"), kept_files(bench))


def test_nothing_that_was_kept_goes_while_no_engine_can_be_opened(spoken: Spoken) -> None:
    """A slip in the settings is no word about a session whose transcript is gone."""
    slip = "weekly_paln"

    def refuse() -> Engine:
        raise UnknownJob(slip, ["weekly_plan"])

    spoken.bench.source.remove("s1.jsonl")
    spoken.bench.engine.catalog.refresh()
    engine, kept = spoken.bench.engine, kept_files(spoken.bench)
    source = TranscriptWords(engine.workspace, engine.settings, engine.clock, lambda: engine.ledger, refuse)
    with pytest.raises(UnknownJob):
        update_said(replace(spoken.indexing, source=source))
    assert kept == kept_files(spoken.bench)
    assert spoken.hits("which bucket is called lagoon")


class UnreadableCatalog:
    """A catalog of transcripts none of which can be read now."""

    def conversation(self, session_id: str, _: object) -> Session:
        """No session."""
        return self.session(session_id)

    def session(self, session_id: str) -> Session:
        """No session."""
        raise ReadFailed(session_id, "the disk is away")


def test_a_session_that_cannot_be_read_stays_kept(spoken: Spoken) -> None:
    """What was kept of it, too: it is asked for again."""
    say(spoken.bench, "s1", (*TALK, ("owner", "And print one of them.")))
    engine, kept = spoken.bench.engine, kept_files(spoken.bench)
    engine.catalog.refresh()
    away = replace(engine, catalog=cast("Catalog", UnreadableCatalog()))
    source = TranscriptWords(engine.workspace, engine.settings, engine.clock, lambda: engine.ledger, lambda: away)
    update_said(replace(spoken.indexing, source=source))
    assert kept == kept_files(spoken.bench)


def test_a_session_that_a_client_deleted_can_be_searched(spoken: Spoken) -> None:
    """As before, with its neighbours, its place and its time, and a word that its source is gone; no word of a tool."""
    before = spoken.hits("which bucket is called lagoon")[0]
    assert not before.source_gone
    spoken.bench.source.remove("s1.jsonl")
    spoken.bench.engine.catalog.refresh()
    assert spoken.hits("which bucket is called lagoon")[0].source_gone
    spoken.update()
    assert (1, 3, 0) == ((now := spoken.report).source_gone, now.messages, now.behind)
    hit = spoken.hits("which bucket is called lagoon")[0]
    assert before == hit.model_copy(update={"score": before.score, "source_gone": False})
    assert hit.source_gone
    page = spoken.page("said:s1#2")
    assert ([1, 2, 4], True) == ([message.number for message in page.messages], page.source_gone)
    assert set() == holding(spoken.bench, "albatross")


def test_a_rebuild_reads_it(spoken: Spoken) -> None:
    """Also when the index was lost; a second update finds nothing to do."""
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    spoken.indexing.store.drop()
    assert 3 == spoken.update().passages
    rebuild_said(spoken.indexing)
    assert (True, 0) == (spoken.hits("lagoon")[0].source_gone, spoken.update().read)


def test_a_transcript_that_comes_back_counts(spoken: Spoken) -> None:
    """It is the source again, and what is kept follows it."""
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    say(spoken.bench, "s1", (TALK[0], ("assistant", "They are in the bucket called harbour.")))
    spoken.update()
    assert (False, []) == (spoken.hits("harbour")[0].source_gone, spoken.hits("lagoon"))
    assert ({"harbour"}, 1) == (
        {word for word in ("harbour", "lagoon", "attic") if holding(spoken.bench, word)},
        len(kept_files(spoken.bench)),
    )


def test_a_part_that_goes_just_now_hinders_nobody(spoken: Spoken) -> None:
    """Another process removes what has expired, while this one looks at what is kept."""
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    (file,) = kept_files(spoken.bench)
    older = file.parent.with_name("2026-02-20")
    older.mkdir()
    (older / file.name).symlink_to("gone")
    assert 1 == spoken.report.source_gone


def test_what_cannot_be_looked_through_stays_kept(spoken: Spoken) -> None:
    """The kept talk is the only copy: it waits for a list of forgotten words that can be read."""
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    files = kept_files(spoken.bench)
    (spoken.bench.root / "memory/forgotten.md").mkdir(parents=True)
    assert spoken.indexing.source.take("s1", ScreenedWords()) is None
    assert files == kept_files(spoken.bench)


def test_only_the_owner_may_read_the_files(spoken: Spoken) -> None:
    """The folders and the files, below the folder of the workspace's state."""
    (file,) = kept_files(spoken.bench)
    modes = [oct(path.stat().st_mode & 0o777) for path in (file, file.parent, file.parent.parent)]
    assert ["0o600", "0o700", "0o700"] == modes


WHEN_GONE = {
    "off the record": (*TALK, ("owner", "My brother lost his pelican."), ("owner", "That is off the record.")),
    "edited": (*TALK, ("owner", "My brother lost nothing.")),
    "taken back": TALK,
}


@pytest.mark.parametrize("now", WHEN_GONE.values(), ids=WHEN_GONE)
def test_a_message_that_goes_is_not_kept(bench: Workbench, now: Sequence[tuple[str, str]]) -> None:
    """What the transcript takes back leaves the file with the same update; what stays is kept."""
    say(bench, "s2", (*TALK, ("owner", "My brother lost his pelican.")))
    spoken = Spoken(bench)
    spoken.update()
    assert holding(bench, "pelican")
    say(bench, "s2", now)
    spoken.update()
    assert (set(), True, False) == (holding(bench, "pelican"), bool(holding(bench, "lagoon")), spoken.holds("pelican"))


@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_forgotten_topic_leaves_it(spoken: Spoken, *, is_indexed: bool) -> None:
    """Though no transcript has it any more, it is counted and erased, with an index and without one."""
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    if not is_indexed:
        spoken.indexing.store.drop()
    assert ("said:s1#2",) == forget_topic(spoken.bench.engine, topic(["lagoon"])).said
    assert is_indexed == spoken.erase()
    assert (set(), False) == (holding(spoken.bench, "lagoon"), spoken.holds("lagoon"))
    spoken.update()
    assert ([], "said:s1#1-4") == (spoken.hits("lagoon"), spoken.hits("heron pictures attic")[0].at)


def test_newer_masking_rules_reach_it(spoken: Spoken) -> None:
    """A word that is a secret now is masked in what was kept of a transcript that is gone."""
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    secret = KEPT.model_copy(update={"model": ModelSettings(api_key=SecretStr("called lagoon"))})
    later = Spoken(spoken.bench.reopen(settings=secret))
    later.update()
    assert (set(), False) == (holding(later.bench, "lagoon"), later.holds("lagoon"))
    assert later.hits("bucket")[0].source_gone


NOT_SEARCHED = KEPT.model_copy(update={"sources": (SOURCE.model_copy(update={"search": False}),)})
NOT_KEPT = KEPT.model_copy(update={"search": SearchSettings()})
EXCLUDED = SOURCE.model_copy(update={"exclude": (SessionRule(agent="main"),)})
TAKE_IT_AWAY = {
    "not searched": NOT_SEARCHED,
    "not kept": NOT_KEPT,
    "excluded": KEPT.model_copy(update={"sources": (EXCLUDED,)}),
    "named no more": KEPT.model_copy(update={"sources": ()}),
}


@pytest.mark.parametrize("settings", TAKE_IT_AWAY.values(), ids=TAKE_IT_AWAY)
def test_settings_take_it_away(spoken: Spoken, settings: Settings) -> None:
    """What may not be found any more though its transcript is gone leaves with the next update, to the last byte."""
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    assert 1 == len(kept_files(spoken.bench))
    later = Spoken(spoken.bench.reopen(settings=settings))
    later.update()
    assert (set(), False) == (holding(later.bench, "lagoon"), later.holds("lagoon"))


@pytest.mark.parametrize("settings", [NOT_SEARCHED, NOT_KEPT], ids=["not searched", "not kept"])
def test_settings_take_away_what_is_there_too(spoken: Spoken, settings: Settings) -> None:
    """The transcript stays as it is, and nothing of it is in the workspace."""
    later = Spoken(spoken.bench.reopen(settings=settings))
    later.update()
    assert (set(), []) == (holding(later.bench, "lagoon"), kept_files(later.bench))


def test_it_goes_with_the_index(spoken: Spoken) -> None:
    """When what was said is searched no more, nothing of it stays."""
    drop_said(spoken.indexing)
    assert set() == holding(spoken.bench, "lagoon")


def test_it_expires(bench: Workbench) -> None:
    """By whole days: what is older leaves the files and the index, though the rest of its session is kept."""
    say(bench, "s2", [("owner", "An old word: pelican.")], AT - timedelta(days=20))
    spoken = Spoken(bench)
    spoken.update()
    for name in ("s1.jsonl", "s2.jsonl"):
        bench.source.remove(name)
    spoken.update()
    assert [True, True] == [hit.source_gone for word in ("pelican", "lagoon") for hit in spoken.hits(word, k=1)]
    bench.clock.move(timedelta(days=15))
    spoken.update()
    assert ([], set(), False) == (spoken.hits("pelican"), holding(bench, "pelican"), spoken.holds("pelican"))
    assert spoken.hits("lagoon")
    bench.clock.move(timedelta(days=60))
    spoken.update()
    assert ([], []) == (spoken.hits("lagoon"), kept_files(bench))


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]\n",
        b"\xff\n",
        b'{"session_id": "s1"}\n{"number": 1}\n',
        b'{"session_id": "s1", "source": ["memory"]}\n',
        b'{"session_id": "s1", "source": "memory", "other_sources": 1}\n',
    ],
)
def test_a_damaged_file_is_passed_over(spoken: Spoken, damage: bytes) -> None:
    """It gives nothing, and hinders nothing else."""
    say(spoken.bench, "s2", [("owner", "The other bucket is called lagoon two.")])
    spoken.update()
    files = kept_files(spoken.bench)
    for name in ("s1.jsonl", "s2.jsonl"):
        spoken.bench.source.remove(name)
    next(file for file in files if b'"s1"' in file.read_bytes()).write_bytes(damage)
    spoken.update()
    assert ["said:s2#1"] == [hit.at for hit in spoken.hits("lagoon")]


def test_an_agents_summary_is_kept_as_that(bench: Workbench) -> None:
    """It is its note, and nobody's words; it goes with what it may tell again."""
    say(bench, "s2", (*TALK, ("summary", "So far: the pelican flew to the attic.")))
    spoken = Spoken(bench)
    spoken.update()
    bench.source.remove("s2.jsonl")
    spoken.update()
    hit = spoken.hits("pelican flew")[0]
    assert ("summary", "agent's note", True) == (hit.speaker, hit.trust, hit.source_gone)
    forget_topic(bench.engine, topic(["heron"]))
    spoken.erase()
    assert (set(), False) == (holding(bench, "pelican"), spoken.holds("pelican"))
