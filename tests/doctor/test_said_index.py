"""The checks of the index of what was said: what it has, what waits, what it owes, and how a damaged one is mended."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.doctor.index import check_said_index
from schemas.checkup import Health
from schemas.index_settings import SearchSettings
from schemas.settings import Settings, SourceSettings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.spoken import Spoken
from tests.support.workspaces.workbench import Workbench

AT = datetime(2026, 3, 2, 8, tzinfo=UTC)


@pytest.fixture
def spoken(new_bench: Callable[..., Workbench]) -> Spoken:
    """A workspace that keeps what was said; two messages were said in one session, and nothing is indexed yet."""
    source = SourceSettings(kind="memory", path="talk", name="memory")
    settings = Settings(sources=(source,), search=SearchSettings(keep_said=timedelta(days=30)))
    bench = new_bench(settings=settings, clock=FixedClock(AT))
    bench.say(conversation("s1", AT, [("owner", "Where is the lagoon?"), ("assistant", "In the attic.")]))
    bench.engine.catalog.refresh()
    return Spoken(bench)


def checked(spoken: Spoken) -> list[tuple[Health, str, str]]:
    """The checks."""
    spoken.bench.engine.catalog.refresh()
    findings = check_said_index(spoken.indexing, spoken.bench.settings)
    return [(one.health, one.message, one.advice) for one in findings]


def test_how_it_follows_the_transcripts(spoken: Spoken) -> None:
    """How many messages it has, how many sessions it has to take in, and how many have no transcript any more."""
    ((health, message, advice),) = checked(spoken)
    assert (Health.OK, "there is none yet, 1 session(s) to take in") == (health, message)
    assert "memory doctor reindex" in advice
    spoken.update()
    assert [(Health.OK, "2 message(s) of 1 session(s)", "")] == checked(spoken)
    spoken.bench.say(conversation("s2", AT, [("owner", "Another word.")]))
    assert "2 message(s) of 1 session(s), 1 session(s) to take in" == checked(spoken)[0][1]
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    assert "3 message(s) of 2 session(s), the transcripts of 1 are gone" == checked(spoken)[0][1]


def test_words_that_wait_to_be_erased(spoken: Spoken) -> None:
    """A warning with the command that erases them, until it has."""
    spoken.bench.say(conversation("s2", AT, [("owner", "Another word.")]))
    spoken.update()
    spoken.bench.say(conversation("s2", AT, [("owner", "Something else.")]))
    assert spoken.update(most=1).owed
    _, (health, message, advice) = checked(spoken)
    assert (Health.WARN, True, "`memory doctor reindex` erases them.") == (
        health,
        "messages that are gone" in message,
        advice,
    )
    assert (True, "memory doctor reindex") == ((now := spoken.report).owed, now.erase)
    spoken.update(most=1, erase=True)
    assert (1, False, None) == (len(checked(spoken)), (now := spoken.report).owed, now.erase)


def test_a_damaged_one_is_removed_and_made_anew(spoken: Spoken) -> None:
    """Of the transcripts, and of what is kept of those that are gone."""
    spoken.update()
    spoken.bench.source.remove("s1.jsonl")
    spoken.update()
    (spoken.folder / "live").write_text("{")
    (check,) = check_said_index(spoken.indexing, spoken.bench.settings)
    assert (Health.FAIL, True) == (check.health, "memory doctor --fix" in check.advice)
    assert check.mend
    assert "removed the damaged index of what was said" in check.mend()
    spoken.update()
    assert spoken.hits("lagoon")[0].source_gone
