"""What people say about themselves and named ones, in three languages: what is read, and what is not."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from jobs.facts.offline import read_facts
from jobs.facts.reading import find_sayings
from jobs.resolution.drafting import OFFLINE_LINE
from schemas.fact import FactCandidate, FactKind
from schemas.window import Window
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = Window(start=AT.replace(hour=0), end=AT.replace(hour=23))
W, O = FactKind.WORLD, FactKind.OPINION  # noqa: E741 - its letter in a file

SAID = {
    "I live in Porto.": (W, ("Owner", "Porto")),
    "by the way, I live in Gdańsk now": (W, ("Owner", "Gdańsk")),
    "My sister is called Kasia.": (W, ("Owner", "Kasia")),
    "my boss Tomek lives in Berlin": (W, ("Tomek", "Berlin")),
    "please call me Marta": (W, ("Owner", "Marta")),
    "mów mi Marta": (W, ("Owner", "Marta")),
    "Correction: Ola lives in Łódź, not Kraków.": (W, ("Ola", "Łódź", "Kraków")),
    "Poprawka: Ola mieszka w Krakowie": (W, ("Ola", "Krakowie")),
    "Marta works at Allegro": (W, ("Marta", "Allegro")),
    "I'm a freelance translator": (W, ("Owner",)),
    "I'm allergic to peanuts, and my doctor knows": (W, ("Owner",)),
    "I have two kids": (W, ("Owner",)),
    "I speak Polish and German": (W, ("Owner",)),
    "Kasia's birthday is on 12 June": (W, ("Kasia",)),
    "I prefer short answers": (O, ("Owner",)),
    "I can't stand meetings before ten": (O, ("Owner",)),
    "I always use tabs": (O, ("Owner",)),
    "my favourite tea is oolong": (O, ("Owner",)),
    "Mieszkam w Gdańsku": (W, ("Owner", "Gdańsku")),
    "moja siostra nazywa się Kasia": (W, ("Owner", "Kasia")),
    "pracuję jako pielęgniarka w Toruniu": (W, ("Owner", "Toruniu")),
    "Marek pracuje w Allegro": (W, ("Marek", "Allegro")),
    "jestem uczulony na orzechy": (W, ("Owner",)),
    "nie jem mięsa": (W, ("Owner",)),
    "wolę krótkie odpowiedzi": (O, ("Owner",)),
    "nienawidzę spotkań przed dziesiątą": (O, ("Owner",)),
    "nigdy nie piję kawy po południu": (O, ("Owner",)),
    "moja ulubiona herbata to oolong": (O, ("Owner",)),
    "我住在上海": (W, ("Owner",)),
    "我妹妹叫小红": (W, ("Owner", "小红")),
    "小王在腾讯上班": (W, ("小王",)),
    "我对花生过敏": (W, ("Owner",)),
    "我喜歡喝烏龍茶": (O, ("Owner",)),
    "我不喜欢开会": (O, ("Owner",)),
}
"""The kind and the names of what one sentence says."""

NOT_SAID = (
    "I live in hope",
    "call me Monday",
    "call me crazy",
    "mów mi prawdę",
    "if I live in Gdańsk I can walk",
    "do I live in Poland?",
    "I like it",
    "I like that idea",
    "I like the second one better",
    "I prefer option B",
    "I'd prefer the blue one",
    "I would like to live in Rome",
    "she lives in Rome",
    "Tom says he works at Acme",
    "I work on the parser",
    "I always forget that flag",
    "maybe I prefer tea",
    "I'm from the agency",
    "This is my laptop",
    "The owner is my friend",
    "I have two questions",
    "Nothing works at all",
    "I love how you write",
    "imagine I live on the moon",
    "I used to live in Oslo",
    "haha I live in a bin lol",
    "To moja wina",
    "mieszkałem w Oslo",
    "gdybym mieszkał w Rzymie",
    "jestem z siebie dumny",
    "wolę opcję B",
    "nie lubię tego",
    "podobno Kasia mieszka w Rzymie",
    "Kasia mówi, że mieszka w Rzymie",
    "zawsze zapominam",
    "mam kota na punkcie porządku",
    "pracuje w Allegro",
    "我住院了",
    "我更喜欢第二个",
    "我喜欢你的方案",
    "我在旁边工作",
    "我叫外卖了",
    "我不吃了",
    "他住在北京",
    "听说小王住在北京",
    "如果我住在上海",
    "老是在公司加班",
)


def heard(*turns: tuple[str, str]) -> tuple[FactCandidate, ...]:
    """The facts of one session."""
    return read_facts(conversation("s", AT, turns), DAY).facts


def alone(text: str) -> tuple[FactCandidate, ...]:
    """The facts of a message of the owner that answers nothing."""
    return heard(("owner", "hi"), ("assistant", "Noted."), ("owner", text), ("assistant", "Noted."))


def test_what_lasts_is_read() -> None:
    """One fact each, with the kind and the names that were said, and the words as the quote."""
    read_as = {text: [(fact.kind, fact.entities) for fact in alone(text)] for text in SAID}
    assert {text: [expected] for text, expected in SAID.items()} == read_as
    assert all(fact.quote in text for text in SAID for fact in alone(text))


def test_what_does_not_last_is_not() -> None:
    """Questions, conditions, hearsay, jokes, the past, choices, what others do, and turns of phrase."""
    assert {} == {text: facts for text in NOT_SAID if (facts := alone(text))}


def test_a_choice_that_answers_a_question_is_no_preference() -> None:
    """It is about the matter; what one always prefers to do is said without being asked."""
    assert () == heard(("owner", "hi"), ("assistant", "Tea or coffee for the guests?"), ("owner", "I prefer tea"))
    assert 1 == len(heard(("owner", "I prefer tea"), ("assistant", "Noted.")))


def test_what_is_taken_back_is_no_fact() -> None:
    """In the same message, or in the next one."""
    assert () == heard(("owner", "I live in Porto. No wait, scratch that."), ("assistant", "OK."))
    assert () == heard(("owner", "I live in Porto."), ("assistant", "Noted."), ("owner", "scratch that"))


@table(
    ("text", "quote"),
    [
        ("I live in Porto, so the call is at nine.", "I live in Porto"),
        ("I prefer tea, not coffee.", "I prefer tea, not coffee"),
        ("Mieszkam w Toruniu, ale tylko do maja.", "Mieszkam w Toruniu, ale tylko do maja"),
        ("Hi, I live in Porto", "I live in Porto"),
    ],
)
def test_a_quote_has_what_belongs_to_it(text: str, quote: str) -> None:
    """A restriction stays, what follows from it does not."""
    assert [quote] == [fact.quote for fact in alone(text)]


def test_what_is_asked_for_is_marked() -> None:
    """In the sentence, and where the extraction finds the wish beside it."""
    assert [True] == [fact.asked for fact in alone("Remember that Basia is allergic to nuts.")]
    assert [True] == [fact.asked for fact in alone("Remember that the boat key hangs with Anna.")]
    assert [False] == [fact.asked for fact in alone("Basia is allergic to nuts.")]


def test_a_rule_is_retained_when_it_stands_alone() -> None:
    """It says that it holds in all cases, and what it is about; what was decided in passing is an entry alone."""
    rule = "New rule: migrations in this repository are written by hand, never commit generated ones."
    assert [O] == [fact.kind for fact in alone(rule)]
    assert () == alone("ok, 9.99 then")


def test_sessions_of_scripts_and_long_texts_say_nothing() -> None:
    """A routine session may be a script's; who says something of themselves does it in a short message."""
    routine = conversation("s", AT, [("owner", "I live in Porto")], routine=True)
    assert () == read_facts(routine, DAY).facts
    assert () == alone("word " * 300 + "\nI live in Porto")


def test_deeds_of_the_assistant() -> None:
    """What it repaired, after work and in its own words; plans, offers and bare reports are none."""
    work = [("owner", "the socket crashes"), ("tool", "ok")]
    deeds = {
        "I fixed the websocket crash by wrapping the handlers.": 1,
        "Naprawiłem błąd w eksporcie faktur, dodając brakujący nagłówek.": 1,
        "我修复了导出发票时的编码错误。": 1,
        "I fixed it.": 0,
        "I will fix the websocket crash by wrapping the handlers.": 0,
        "Should I say I fixed the websocket crash?": 0,
        "```\nI fixed the websocket crash by wrapping the handlers.\n```": 0,
    }
    results = {text: len(heard(*work, ("assistant", text))) for text in deeds}
    assert deeds == results
    assert () == heard(("owner", "hi"), ("assistant", "I fixed the websocket crash by wrapping the handlers."))


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    """Nothing raises, and what is results stands in the text."""
    assert all(text[slice(*thing.span)] in text for thing in find_sayings(f"I like {text}"))


PLAIN = {
    "Anna prefers tea": ("Anna",),
    "Anna moved to Warsaw": ("Anna", "Warsaw"),
    "Marek is the CTO of Orlen": ("Marek", "Orlen"),
    "Anna woli herbatę": ("Anna",),
    "Anna przeprowadziła się do Warszawy": ("Anna", "Warszawy"),
    "Marek jest dyrektorem technicznym Orlenu": ("Marek", "Orlenu"),
    "小王不吃辣": ("小王",),
    "安娜喜欢喝茶": (),
    "李明是奥伦的技术总监": (),
}
HEADS = ("Zasady na przyszłość:", "Rules for this repo:")
WORK = ("Docker keeps crashing on startup", "Wdrożenie znowu padło w nocy", "部署脚本每次都失败")


def test_a_plain_statement_about_somebody_is_a_guess() -> None:
    """Whatever the verb: it is not sure enough to be written, so a person decides."""
    actual = {text: [(fact.entities, fact.confidence < OFFLINE_LINE) for fact in alone(text)] for text in PLAIN}
    assert {text: [(names, True)] for text, names in PLAIN.items()} == actual


@table("text", HEADS)
def test_the_head_of_a_list_states_nothing(text: str) -> None:
    """Whatever capital it begins with."""
    assert () == alone(text)


@table("text", WORK)
def test_what_the_assistant_works_on_is_no_statement(text: str) -> None:
    """A tool that runs, or an answer that says more than that it was noted."""
    answer = "I looked into it. The second container has too little memory, so I raised the limit and restarted it."
    assert () == heard(("owner", text), ("assistant", answer))
    assert () == heard(("owner", text), ("tool", "restarted"), ("assistant", "OK."))
