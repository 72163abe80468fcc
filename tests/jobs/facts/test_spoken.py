"""Talk that reads like a fact: broken speech, advice, comfort, shared memories, and what only sounds like a rule."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from datetime import UTC, datetime

from jobs.facts.offline import read_facts
from schemas.fact import FactCandidate
from schemas.window import Window
from tests.support.ports.memory_source import conversation

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = Window(start=AT.replace(hour=0), end=AT.replace(hour=23))

BROKEN = (
    "Remember the, the thing with the uh curtains",
    "I like I like small rooms",
    "I prefer flats with a view and",
    "my favourite colour is um blue",
    "Lubię yyy małe pokoje",
    "Wolę mieszkania z z balkonem",
    "Wolę mieszkania z",
    "我喜欢呃小房间",
    "我喜欢小房间和",
    "我喜欢安静然后然后明亮的房间",
)
FOR_THE_LISTENER = (
    "Just remember to breathe deeply in the garden.",
    "And remember, you are not alone in this.",
    "Remember that patience is important.",
    "Remember that every journey starts small.",
    "Remember we talked about the garden in the car.",
    "Remember it's the blue one.",
    "Pamiętaj, że dasz radę.",
    "Pamiętaj, żeby czasem odpocząć.",
    "Pamiętaj, wszystko jest możliwe.",
    "Pamiętaj, jak mówiłem, ogród jest suchy.",
    "Pamiętaj, to jest ten niebieski.",
    "记住，你有很多朋友。",
    "记得多喝水。",
    "记住，耐心很重要。",
    "记得我们上次聊过花园的事。",
    "记住它是蓝色的那个。",
)
NO_RULE = (
    "You must be so proud of the garden.",
    "Must have been strict about every exception at the old club.",
    "I admire how you never complain about long winters.",
    "Those values of our club will never change.",
    "If you like roses, you must never miss the old palace.",
    "Możemy zawsze pojechać do starego pałacu, bez dyskusji.",
    "Jeśli chcesz, zawsze sprawdzaj pogodę przed wyjazdem.",
    "Podziwiam, jak zawsze pilnujesz porządku, bez wyjątków.",
    "那些文件一律不许带出办公室。",
    "我们以后可以一起去图书馆学习。",
)
OWN_PROMISE = (
    "I'll always remember our week on the lake with Ela.",
    "We'll make sure to remember Ela and the lake.",
    "我永远记住湖边的那个夏天。",
)
OF_THE_TALK = (
    "I enjoy chatting with you",
    "I love watching them play in the garden",
    "Casablanca Express is my top pick",
    "Lubię rozmawiać z tobą",
    "Nowy Sącz to mój wybór",
    "我喜欢看它跑",
)
"""What is liked in the talk, and means little behind it."""

MEANT = (
    "remember that the spare key hangs with Anna",
    "remember that you can't park on Mill Street after six",
    "remember that nobody is in the office on Fridays",
    "I need you to remember that the contract ends in June",
    "pamiętaj, że wszystko w lewej szufladzie należy do mojego brata",
    "zapamiętaj, że dostawca serów przyjeżdża przed ósmą",
    "możesz zapamiętać, że jeżdżę wcześniejszym pociągiem?",
    "记住周五办公室没有人",
    "帮我记得，房东只回邮件不接电话",
    "你帮我记住，备用路由器在蓝色柜子里",
    "You must never send invoices to the clinic on paper.",
    "Hi, my name is Henry and I'm glad to meet you",
)
"""What is to be retained, although it has words of the others."""


def alone(text: str) -> tuple[FactCandidate, ...]:
    """The facts of a message of the owner that answers nothing."""
    turns = [("owner", "hi"), ("assistant", "Noted."), ("owner", text), ("assistant", "Noted.")]
    return read_facts(conversation("s", AT, turns), DAY).facts


def test_broken_speech_is_no_fact() -> None:
    """A filler inside, a word said twice, and an end behind which the sentence would go on."""
    assert {} == {text: facts for text in BROKEN if (facts := alone(text))}


def test_what_is_said_to_the_listener_is_no_fact() -> None:
    """An order, comfort, what holds of everything, what both recall, and what points back."""
    assert {} == {text: facts for text in FOR_THE_LISTENER if (facts := alone(text))}


def test_what_only_sounds_like_a_rule_is_none() -> None:
    """A guess, praise, an offer, what is so at times, and what begins with a thing of the talk before."""
    assert {} == {text: facts for text in NO_RULE if (facts := alone(text))}


def test_who_promises_to_remember_asks_for_nothing() -> None:
    """The words are about the speaker's own memory."""
    assert [] == [text for text in OWN_PROMISE if any(fact.asked for fact in alone(text))]


def test_what_is_liked_in_the_talk_is_no_preference() -> None:
    """A thing that only the talk names, the listener, and a choice among what was offered."""
    assert {} == {text: facts for text in OF_THE_TALK if (facts := alone(text))}


def test_what_is_meant_to_last_stays() -> None:
    """A name, a number, a day, or a word that ties it to something: then it is no advice."""
    assert [] == [text for text in MEANT if not alone(text)]
