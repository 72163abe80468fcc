"""Two things of one sort are two things, and a case of a rule is not the rule."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from datetime import UTC, datetime, timedelta

from jobs.resolution.relation import Relation, relation, statement
from jobs.resolution.same_thing import (
    Weights,
    bare_subject,
    has_other_number,
    has_other_qualifier,
    names_another_of_series,
    same_message,
)
from schemas.entry import Entry, Kind, Source
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def entry(text: str, day: int = 0, kind: Kind = Kind.DECISION) -> Entry:
    """What the owner says on a day, in a session of its own."""
    source = Source(session_id=f"s{day}", session_path="m:x", message_range=(1, 1), entry_ids=(f"e-{day}",))
    return Entry(
        id=f"{day}:{text}",
        title=text,
        kind=kind,
        date=START + timedelta(days=day),
        source=source,
        quote=text,
        conclusion=text,
        confidence=0.9,
    )


def between(later: Entry, earlier: Entry) -> Relation | None:
    """Their relation, when they are alone in the world."""
    return relation(later, earlier, Weights([statement(later), statement(earlier)]))


@table(
    ("later", "earlier"),
    [
        ("lab backups are kept 53 days", "the imaging archive keeps 35 days"),
        ("backups of the lab are kept for 53 days", "backups of the imaging archive are kept for 35 days"),
        ("order_items are kept 60 days in bronze", "orders are kept 90 days in bronze"),
        ("order_items 只保留 60 天", "orders 保留 90 天"),
        ("invoices-archive is kept for 10 years", "invoices are kept for 5 years"),
        ("the garage light goes off after 13 minutes instead", "the hall light goes off after 3 minutes"),
        ("swiatlo w garazu gasnie po 13 minutach", "swiatlo w korytarzu gasnie po 3 minutach"),
        ("kwiaciarnia placi 840 zl miesiecznie", "piekarnia placi 480 zl miesiecznie"),
        ("203 班的截止日改到 3 月 28 日", "201 班的截止日是 3 月 27 日"),
        ("the yearly plan costs 119 euro", "the monthly plan costs 12 euro"),
    ],
)
def test_a_name_with_another_qualifier_is_another_thing(later: str, earlier: str) -> None:
    """Both hold, whatever value they give."""
    assert between(entry(later, 1), entry(earlier)) is None


@table(
    ("later", "earlier"),
    [
        (
            "the patch window moves to sunday 4:00, ward machines restart then",
            "ward machines never restart by day, between 6:00 and 21:00",
        ),
        ("the intern may merge docs without review", "nobody merges without review"),
        ("stażysta może mergować dokumentację bez review", "nikt nie merguje bez review"),
        ("实习生可以不经评审合并文档", "任何人不得不经评审合并代码"),
        ("faktury dla Nowaka wystawiamy do 10 dnia miesiaca", "faktury wystawiamy do 5 dnia miesiaca"),
        ("backups run at 5:00 only for the phone", "backups run at 3:00 every night"),
    ],
)
def test_a_case_does_not_replace_its_rule(later: str, earlier: str) -> None:
    """An exception, one customer, one slot: the rule holds for all else."""
    assert between(entry(later, 1), entry(earlier, kind=Kind.RULE)) is None


@table(
    ("later", "earlier"),
    [
        ("standup moves to 6:30", "standup is at 7:00"),
        ("the team standup is now at 6:30", "the team standup is at 7:00"),
        ("loki keeps logs for 14 days", "loki keeps logs for 30 days"),
        ("klient dostaje odpowiedz w 24 godziny", "klient dostaje odpowiedz w 48 godzin"),
        ("日志保留改成 14 天", "日志保留 30 天"),
    ],
)
def test_the_same_subject_with_another_value_is_replaced(later: str, earlier: str) -> None:
    """The same thing, the same property, however short the words are."""
    assert between(entry(later, 1), entry(earlier)) is Relation.REPLACES


SERIES = [
    [f"remember that unit A{n} prints on {day}" for n, day in ((25, "Monday"), (26, "Tuesday"), (27, "Monday"))],
    [f"spare part K-{n} lies on shelf {n % 7}" for n in (300, 301, 307)],
    [f"van {n} goes to the north depot at 9:15" for n in (11, 15, 19)],
    [f"pot {name} gets {value} ml of water every Sunday" for name, value in (("A", 100), ("B", 150), ("C", 100))],
    [f"pamiętaj: raport dla działu B{n} wysyłamy {day} o 8:00" for n, day in ((21, "we wtorek"), (22, "w środę"))],
    [f"zapamiętaj: halę {n} sprząta ekipa nocna o 22:00" for n in (1, 2, 3)],
    [f"nigdy nie restartuj serwera web{n:02d} w ciągu dnia" for n in (1, 2, 3)],
    [f"记住：备件K-{n}放在{n % 7}号架" for n in (300, 301, 307)],
    [f"记住，{n}号仓库周{day}盘点" for n, day in ((1, "一"), (2, "二"), (3, "一"))],
    [f"记住，{name}周一审代码" for name in ("小王", "小李", "老张")],
]
"""Each line has sentences of one form, about another thing each."""


def test_things_of_one_series_are_not_joined() -> None:
    """Neither as the same again nor as a replacement: a wrong link takes a line out of the memory."""
    pairs = [
        (later, earlier, kind)
        for texts in SERIES
        for place, later in enumerate(texts)
        for earlier in texts[:place]
        for kind in (Kind.REMEMBER, Kind.RULE)
    ]
    joined = [
        (later, earlier) for later, earlier, kind in pairs if between(entry(later, 1, kind), entry(earlier, 0, kind))
    ]

    assert joined == []


@table(
    ("later", "earlier"),
    [
        ("unit A25 prints at 9:00", "unit A25 prints at 8:00"),
        ("switch the CI from node18 to node20", "the CI runs on node18"),
        ("jednostka A25 drukuje o 9:30", "jednostka A25 drukuje o 8:00"),
        ("A25号机改成9点打印", "A25号机8点打印"),
    ],
)
def test_a_thing_of_a_series_can_change(later: str, earlier: str) -> None:
    """The same code with another value, or another code behind the words of change, is no other thing."""
    assert not names_another_of_series(later, earlier)


def test_nothing_of_one_message_replaces_its_neighbour() -> None:
    """Two values in one answer are of two things."""
    one, other = entry("loki keeps logs for 30 days"), entry("loki keeps logs for 14 days")
    other = other.model_copy(update={"id": "other", "date": one.date + timedelta(minutes=1)})

    assert same_message(one, other)
    assert between(other, one) is None


def test_a_qualifier_is_part_of_a_name() -> None:
    """In any spelling of several words; a name that both have has none, nor has a number."""
    assert has_other_qualifier("order_items", "orders")
    assert has_other_qualifier("orderItems are kept", "each order is kept")
    assert not has_other_qualifier("order_items and orders", "orders")
    assert not has_other_qualifier("order_items", "order_items of today")
    assert not has_other_qualifier("from 2026-03 to 10-20", "2026 and 20")


def test_a_number_before_the_change_names_the_thing() -> None:
    """After it stands the new value; without words of change there is none."""
    assert has_other_number("room 5 moves to 6:30", "room 3 opens at 7:00") is False  # `room` stands before its number
    assert has_other_number("203 班改到 3 月 28 日", "201 班是 3 月 27 日")
    assert not has_other_number("30 天改成 14 天", "保留 30 天")


def test_a_subject_is_what_is_left_without_value_and_change() -> None:
    """Empty without a value: then the words alone say nothing of a slot."""
    assert bare_subject("standup moves to 6:30") == bare_subject("standup is at 7:00") != ""
    assert bare_subject("standup moves to the kitchen") == ""
