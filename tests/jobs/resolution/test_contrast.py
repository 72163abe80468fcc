"""Sentences of one form about different things, which share most of their words and not what they are about."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

import pytest

from jobs import micro_sync
from jobs.resolution.judging import code_judge
from jobs.resolution.linking import Timeline, relations
from jobs.resolution.nearness import EntryIndex
from jobs.resolution.relation import Relation, contrast, relation, statement
from jobs.resolution.same_thing import Weights
from pipeline.clock import day_start
from pipeline.reports.entries import list_entries
from schemas.entry import Entry, Kind, Source
from schemas.settings import Settings
from tests.support.marks import at_length
from tests.support.ports.clock import FixedClock
from tests.support.tables import table
from tests.support.workspaces.histories import TONGUES, ZONE, History
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
FIRST, WEEKS = date(2026, 3, 2), 6
RIGHT = 0.95


def entry(text: str, day: int = 0, kind: Kind = Kind.RULE) -> Entry:
    """An entry that says `text`, in a session of its own."""
    source = Source(session_id=f"s{day}", session_path="m:x", message_range=(1, 1), entry_ids=(f"e-{day}-{text}",))
    return Entry(
        id=f"{day}:{text}",
        title=text,
        kind=kind,
        date=START + timedelta(days=day),
        source=source,
        quote=text,
        conclusion=text,
        confidence=0.8,
    )


def between(later: str, earlier: str, kind: Kind = Kind.RULE) -> Relation | None:
    """The relation of two entries that are alone in the world, said on two days."""
    one, other = entry(later, 1, kind), entry(earlier, 0, kind)
    return relation(one, other, Weights([statement(one), statement(other)]))


ELSEWHERE = [
    (
        "remember that the staging server password is with Anna",
        "remember that the billing server password is with Anna",
    ),
    ("remember that the kayak key hangs with David", "remember that the saw key hangs with David"),
    ("from now on nobody but David lends out the forge lamp", "from now on nobody but David lends out the mill lamp"),
    (
        "od teraz lampa z młyna: wypożycza tylko Dawid i nikt inny",
        "od teraz grill z młyna: wypożycza tylko Ania i nikt inny",
    ),
    ("zapamiętaj, że grill z młyna: klucz ma Ewa", "zapamiętaj, że rower ze szkoły: klucz ma Ewa"),
    ("记住，皮划艇的钥匙在阿丁那里", "记住，自行车的钥匙在阿丁那里"),
    (
        "we decided: the saw costs 25 euro a day",
        "we decided: from now on the kayak costs 75 euro a day, not 55 euro any more",
    ),
    (
        "postanowiliśmy: kajak kosztuje 40 zł za dzień",
        "zmieniliśmy zdanie: od teraz piła kosztuje 5 zł za dzień, a już nie 80 zł",
    ),
    ("我们决定：磨坊的割草机每天租金5元", "改主意了，从现在起码头的自行车每天租金改成70元，不再是75元"),
    ("as i said: the saw costs 25 euro a day", "we decided: the kayak costs 25 euro a day"),
    ("we decided: we drop the one queue; each job gets its own", "we decided: we keep one queue"),
    ("decision: we drop the one queue; each job gets its own", "decision: we keep one queue"),
]


@table(("one", "other"), [*ELSEWHERE, *((other, one) for one, other in ELSEWHERE)])
def test_one_form_about_two_things_links_nothing(one: str, other: str) -> None:
    """Whichever is said first, and whether they are rules or facts to remember: both hold."""
    assert [None, None] == [between(one, other, kind) for kind in (Kind.RULE, Kind.REMEMBER)]


@table(
    ("later", "earlier"),
    [
        ("from now on the kayak costs 80 euro a day, not 75 euro any more", "the kayak costs 75 euro a day"),
        (
            "we changed our mind: from now on the mill kayak costs 80 euro a day, not 75 euro any more",
            "we decided: the mill kayak costs 75 euro a day",
        ),
        (
            "zmieniliśmy zdanie: od teraz rower z kuźni kosztuje 85 zł za dzień, a już nie 20 zł",
            "postanowiliśmy: rower z kuźni kosztuje 20 zł za dzień",
        ),
        ("改主意了，从现在起码头的自行车每天租金改成70元，不再是75元", "我们决定：码头的自行车每天租金75元"),
    ],
)
def test_another_value_for_the_same_thing_still_replaces(later: str, earlier: str) -> None:
    """What is announced differs in a value and in how it opens, and in nothing that tells of a thing."""
    assert between(later, earlier) is Relation.REPLACES


def test_a_value_that_was_never_said_is_not_what_goes() -> None:
    """`not 55 euro any more` takes the place of 55 euro, not of 75."""
    assert between("from now on the kayak costs 80 euro a day, not 55 euro", "the kayak costs 75 euro a day") is None
    once = "from now on the kayak costs 75 euro a day, not 80 euro"
    assert between("the kayak costs 60 euro a day, not 80 euro any more", once) is None


@table(
    "text",
    [
        "never deploy on a Friday afternoon",
        "remember that the kayak key hangs with David",
        "od teraz lampa z młyna: wypożycza tylko Dawid i nikt inny",
        "记住，皮划艇的钥匙在阿丁那里",
    ],
)
def test_the_very_same_words_in_another_session_repeat(text: str) -> None:
    """Even when all but one of them are days or words of all talk."""
    old, new = entry(text), entry(text, 1)
    weights = Weights([statement(old)])

    assert Timeline(EntryIndex({old.id: old}), weights, ()).link_entry(new, code_judge(weights)).reinforces == (old.id,)
    assert [Relation.REPEATS] == [kind for _, _, kind in relations([new], [old])]


def test_words_too_few_to_tell_a_matter_repeat_nothing() -> None:
    """`the second one` may be the second of anything."""
    old, new = entry("the second one"), entry("the second one", 1)

    assert relations([new], [old]) == []


def test_what_a_verb_of_change_leads_to_may_differ() -> None:
    """It is what the thing changes into; what stands before the verb may not."""
    disk = "nightly database backups go to the garage disk"
    bucket = "nightly database backups move to the Frankfurt bucket"

    assert contrast(bucket, disk, (bucket, disk))
    assert not contrast(bucket, disk, (bucket, disk), change=True)


def thing(entry: Entry) -> str:
    """What an entry from a generated history is about: the sentences there name one thing each."""
    sentences = [sentence for tongue in TONGUES for sentence in tongue.sentences.values()]
    actual = (re.search(_pattern(sentence), entry.quote) for sentence in sentences)
    return next(match["thing"] for match in actual if match)


def _pattern(sentence: str) -> str:
    wild = re.sub(r"\\\{(?:who|n|before)\\\}", r"\\w+?", re.escape(sentence))
    return wild.replace(r"\{thing\}", "(?P<thing>.+?)") + "$"


@pytest.mark.parametrize("seed", [1, *at_length(2, 3)])
def test_links_of_six_weeks_are_about_one_thing(seed: int, new_bench: NewBench) -> None:
    """At least 95 of 100 links lead from a thing to the same thing, and changes of a price are found at all."""
    history = History(seed, FIRST, WEEKS)
    now = datetime.combine(history.days[-1] + timedelta(days=1), time(5), UTC)
    begun = Settings(timezone=ZONE, start=day_start(FIRST, ZONE))
    bench = new_bench(jobs=(micro_sync.JOB,), clock=FixedClock(now), settings=begun)
    bench.say(*history.until(now))
    bench.backfill(FIRST, history.days[-1])
    entries = {place.entry.id: place.entry for place in list_entries(bench.engine)}
    links = [(one, entries[other]) for one in entries.values() for other in (*one.supersedes, *one.reinforces)]
    right = sum(thing(one) == thing(other) for one, other in links)

    assert len(links) > 2 * WEEKS
    assert right >= RIGHT * len(links)
