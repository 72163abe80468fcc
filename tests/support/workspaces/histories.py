# ruff: noqa: RUF001 - Chinese is typed with full-width punctuation
"""Weeks of talk in three languages, from a seed: the same seed, the same history."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from random import Random

from pipeline.clock import day_start
from schemas.transcript import Session
from tests.support.ports.memory_source import conversation

ZONE = "Europe/Warsaw"
Turn = tuple[str, str]

_NEW = ("remember", "rule", "decision")
_WAYS = (*_NEW, "again", "instead")
_STEPS = (timedelta(minutes=1), timedelta(minutes=1), timedelta(minutes=50), timedelta(hours=7))
_A_DAY = (0, 1, 1, 2, 3)


@dataclass(frozen=True)
class Tongue:
    """What is said in a language about things that are lent out, each in a way that is extracted for sure."""

    things: tuple[str, ...]
    places: tuple[str, ...]
    people: tuple[str, ...]
    sentences: dict[str, str]
    chatter: tuple[Turn, ...]


TONGUES = (
    Tongue(
        ("boat", "sauna", "kayak", "bike", "canoe", "grill", "tent", "stove", "lamp", "ladder", "saw", "drill"),
        ("mill {}", "forge {}", "school {}", "harbour {}", "orchard {}"),
        ("Anna", "Martin", "Celia", "David", "Eve", "Philip"),
        {
            "remember": "remember that the {thing} key hangs with {who}",
            "rule": "from now on nobody but {who} lends out the {thing}",
            "decision": "from now on the {thing} costs {n} euro a day",
            "again": "as i said, from now on the {thing} costs {n} euro a day",
            "instead": "we changed our mind: from now on the {thing} costs {n} euro a day, not {before} euro any more",
        },
        (("owner", "how many guests are there this week?"), ("tool", "we decided: always remember to check the list")),
    ),
    Tongue(
        ("łódka", "sauna", "rower", "kajak", "namiot", "grill", "wiertarka", "drabina", "piła", "lampa", "kosiarka"),
        ("{} z młyna", "{} z kuźni", "{} ze szkoły", "{} z portu", "{} z sadu"),
        ("Ania", "Bartek", "Celina", "Dawid", "Ewa", "Filip"),
        {
            "remember": "zapamiętaj, że {thing}: klucz ma {who}",
            "rule": "od teraz {thing}: wypożycza tylko {who} i nikt inny",
            "decision": "od teraz {thing} kosztuje {n} zł za dzień",
            "again": "przypominam: od teraz {thing} kosztuje {n} zł za dzień",
            "instead": "zmieniliśmy zdanie: od teraz {thing} kosztuje {n} zł za dzień, a już nie {before} zł",
        },
        (("owner", "ile osób przyjeżdża w tym tygodniu?"), ("assistant", "Cztery, a w piątek jeszcze dwie.")),
    ),
    Tongue(
        ("皮划艇", "桑拿房", "自行车", "烧烤炉", "帐篷", "电钻", "梯子", "割草机", "投影仪", "雨伞"),
        ("磨坊的{}", "铁匠铺的{}", "学校的{}", "码头的{}", "果园的{}"),
        ("小安", "老白", "小陈", "阿丁", "小鄂", "老冯"),
        {
            "remember": "记住，{thing}的钥匙在{who}那里",
            "rule": "从现在起，{thing}只能由{who}借出，别人都不行",
            "decision": "从现在起，{thing}每天租金{n}元",
            "again": "再说一遍：从现在起，{thing}每天租金{n}元",
            "instead": "改主意了，从现在起{thing}每天租金改成{n}元，不再是{before}元",
        },
        (("owner", "这周有几位客人？"), ("assistant", "四位，周五还有两位。")),
    ),
)


@dataclass(frozen=True)
class History:
    """What was said from a Monday on."""

    seed: int
    first: date
    weeks: int

    def until(self, now: datetime) -> list[Session]:
        """The sessions as far as they have come by `now`, or by the end of the last day; none that has not begun."""
        end = min(now, day_start(self.first + timedelta(weeks=self.weeks), ZONE))
        so_far = [
            session.model_copy(update={"messages": tuple(said for said in session.messages if said.time < end)})
            for session in self._all
        ]
        return [session for session in so_far if session.messages]

    @property
    def days(self) -> list[date]:
        """All days, whether something was said on them or not."""
        return [self.first + timedelta(days=number) for number in range(7 * self.weeks)]

    @cached_property
    def _all(self) -> list[Session]:
        dice = Random(self.seed)  # noqa: S311 - the same history every time
        prices: dict[tuple[int, str], int] = {}
        return [self._session(dice, prices, day, number) for day in self.days for number in range(dice.choice(_A_DAY))]

    def _session(self, dice: Random, prices: dict[tuple[int, str], int], day: date, number: int) -> Session:
        place = dice.randrange(len(TONGUES))
        turns = list(TONGUES[place].chatter)
        for _ in range(dice.randint(1, 4)):
            said = _sentence(dice, prices, place)
            turns += [("owner", said), ("assistant", f"OK, I'll keep to it: {said}")]
        start = datetime.combine(day, time(dice.randint(6, 17), dice.randrange(60)), UTC)
        return conversation(f"s-{day}-{number}", start, turns, step=dice.choice(_STEPS), zone=ZONE)


def _sentence(dice: Random, prices: dict[tuple[int, str], int], place: int) -> str:
    """Something new, something that was said before, or another price."""
    tongue, way = TONGUES[place], dice.choice(_WAYS)
    thing = dice.choice(tongue.places).format(dice.choice(tongue.things))
    if way not in _NEW and (known := [name for at, name in prices if at == place]):
        thing = dice.choice(known)
    before = prices.get((place, thing))
    if way not in _NEW and before is None:
        way = "decision"
    price = before if way == "again" and before else dice.choice([n for n in range(5, 95, 5) if n != before])
    if way not in {"remember", "rule"}:
        prices[place, thing] = price
    return tongue.sentences[way].format(thing=thing, who=dice.choice(tongue.people), n=price, before=before)
