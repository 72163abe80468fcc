"""Conversations in which facts stand at the beginning, and much else is said after them, made from lists."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

Said = tuple[str, str]
"""A role and a text."""
FILLER_TURNS = 48


@dataclass(frozen=True)
class TalkWords:
    """The sentences of one language: facts with places for values, the filler, and how a denial of a thing reads."""

    facts: tuple[str, ...]
    denial: str
    asked: tuple[str, ...]
    answers: tuple[str, ...]
    things: tuple[str, ...]
    names: tuple[str, ...]


WORDS = {
    "en": TalkWords(
        facts=(
            "The order number is {identifier}, by the way.",
            "We have {number} seats in the small hall.",
            "Let's go with {thing} for the posters.",
            "My sister is called {name}.",
            "The hall opens on {date}.",
            "The plan of the seats lies in /srv/plans/{identifier}.svg on the old machine.",
            "Wait, I was wrong about the lights: they come from {name}, from nobody else.",
        ),
        denial="We will never use {thing} on the stage.",
        asked=(
            "Could you tell me how {thing} is made?",
            "And what does {thing} cost these days, roughly?",
            "I like {thing} more than most people do. What else goes well with it?",
            "Do {number} pieces of {thing} fit into one box?",
            "Somebody at work says that {thing} is out of fashion. Is that so?",
        ),
        answers=(
            "There are several ways. Most begin with {thing}, take about {number} minutes over it, and do not hurry.",
            "Around {number} dollars, but it depends on the season; see article A-{number} in the list of {name}.",
            "It goes well with {thing}. You should try both, and decide afterwards which you want.",
            "That is a matter of taste. In {number} a survey of {name} found that people always come back to {thing}.",
        ),
        things=(
            "glitter",
            "plywood",
            "green felt",
            "candles",
            "linoleum",
            "brown paper",
            "velvet",
            "real fire",
            "chalk",
        ),
        names=("Ines", "Oakley", "Mr Bram", "Teodora", "the Lindqvists", "Halina"),
    ),
    "pl": TalkWords(
        facts=(
            "Numer zamówienia to {identifier}, tak przy okazji.",
            "W małej sali mamy {number} miejsc.",
            "Na plakaty bierzemy {thing}, ustalone.",
            "Moja siostra ma na imię {name}.",
            "Salę otwieramy {date}.",
            "Plan miejsc leży w /srv/plany/{identifier}.svg na starym komputerze.",
            "Czekaj, pomyliłem się co do świateł: daje je {name}, nikt inny.",
        ),
        denial="Na scenie nigdy nie użyjemy: {thing}.",
        asked=(
            "Powiesz mi, jak się robi {thing}?",
            "A ile teraz kosztuje {thing}, tak mniej więcej?",
            "Lubię {thing} bardziej niż inni. Co jeszcze do tego pasuje?",
            "Czy {number} sztuk {thing} zmieści się w jednym pudle?",
            "Ktoś w pracy mówi, że {thing} wyszło z mody. To prawda?",
        ),
        answers=(
            "Sposobów jest kilka. Zwykle zaczyna się od {thing}, poświęca na to {number} minut i nie spieszy się.",
            "Około {number} złotych, ale zależy od sezonu; zobacz pozycję A-{number} na liście {name}.",
            "Pasuje do tego {thing}. Trzeba spróbować obu i potem zdecydować.",
            "To kwestia gustu. W {number} roku badanie {name} pokazało, że ludzie zawsze wracają do {thing}.",
        ),
        things=(
            "brokat",
            "sklejka",
            "zielony filc",
            "świece",
            "linoleum",
            "szary papier",
            "aksamit",
            "żywy ogień",
            "kreda",
        ),
        names=("Ines", "Oakley", "pan Bram", "Teodora", "Lindqvistowie", "Halina"),
    ),
    "zh": TalkWords(
        facts=(
            "顺便说一下，订单号是{identifier}。",
            "小厅有{number}个座位。",
            "海报就用{thing}，定了。",
            "我妹妹叫{name}。",
            "大厅{date}开放。",
            "座位图放在旧电脑的/srv/plans/{identifier}.svg里。",
            "等等，灯光我说错了：灯是{name}提供的，没有别人。",
        ),
        denial="舞台上绝不用{thing}。",
        asked=(
            "你能告诉我{thing}是怎么做的吗？",
            "现在{thing}大概多少钱？",
            "我比大多数人更喜欢{thing}。还有什么和它相配？",
            "{number}件{thing}能装进一个箱子吗？",
            "同事说{thing}过时了。是这样吗？",
        ),
        answers=(
            "有好几种办法。多数人先准备{thing}，花大约{number}分钟，不要着急。",
            "大约{number}元，要看季节；请看{name}清单里的A-{number}。",
            "它和{thing}很配。应该两种都试试，然后再决定。",
            "这要看口味。{number}年{name}的调查说，人们总是回到{thing}。",
        ),
        things=("亮片", "胶合板", "绿毛毡", "蜡烛", "油毡", "牛皮纸", "天鹅绒", "明火", "粉笔"),
        names=("伊内丝", "奥克利", "布拉姆先生", "特奥多拉", "林德奎斯特一家", "哈利娜"),
    ),
}


@dataclass(frozen=True)
class LongTalk:
    """A conversation: `facts` are said early, one of them the `denial` of a thing; then comes the filler."""

    said: tuple[Said, ...]
    facts: tuple[str, ...]
    denial: str
    denied: str


def long_talk(language: str, seed: int) -> LongTalk:
    """A conversation in a language, always the same for a seed."""
    words, random = WORDS[language], Random(seed)  # noqa: S311 - for a test
    denied, *things = random.sample(words.things, len(words.things))
    facts = [_filled(fact, words, things, random) for fact in words.facts]
    denial = words.denial.format(thing=denied)
    facts.insert(random.randrange(len(facts) + 1), denial)
    early = [one for fact in facts for one in (("user", fact), ("assistant", random.choice(words.answers[2:])))]
    early = [(role, _filled(text, words, things, random)) for role, text in early]
    filler = list(_filler(words, things, random))
    return LongTalk((*early, *filler), tuple(facts), denial, denied)


def _filler(words: TalkWords, things: list[str], random: Random) -> Iterator[Said]:
    for _ in range(FILLER_TURNS):
        yield "user", _filled(random.choice(words.asked), words, things, random)
        answers = random.sample(words.answers, 2)
        yield "assistant", " ".join(_filled(one, words, things, random) for one in answers)


def _filled(text: str, words: TalkWords, things: list[str], random: Random) -> str:
    return text.format(
        identifier=f"{random.choice('QXZK')}{random.randrange(10, 99)}-{random.randrange(1000, 9999)}",
        number=random.randrange(21, 1900),
        thing=random.choice(things),
        name=random.choice(words.names),
        date=f"2027-0{random.randrange(1, 9)}-{random.randrange(10, 28)}",
    )
