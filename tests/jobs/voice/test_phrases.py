"""What the owner says to the memory, in three languages, beside what only sounds like it."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from datetime import UTC, datetime, timedelta

from jobs.voice.forgetting import clears, forgotten_facts, without_reminder
from pipeline.entries.voice.off_record import on_record
from schemas.window import Window
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

AT = datetime(2026, 3, 3, 8, tzinfo=UTC)
WINDOW = Window(start=AT, end=AT + timedelta(hours=1))
FORGETS = {
    "Forget that I live in Gdansk.": "i live in gdansk",
    "Please forget what I told you about the divorce.": "the divorce",
    "ok, forget what I said about the blue car": "the blue car",
    "sorry, forget what I said about the blue car, it was sold": "the blue car",
    "Can you forget my old address?": "my old address",
    "Forget my old address!": "my old address",
    "Please, forget everything you know about my brother.": "my brother",
    "forget our meeting notes from May": "our meeting notes from may",
    "Zapomnij, że mieszkam w Gdańsku.": "mieszkam w gdansku",
    "zapomnij ze mieszkam w Gdansku": "mieszkam w gdansku",
    "Proszę, zapomnij o moim starym adresie.": "moim starym adresie",
    "Zapomnij o tym, że lubię kawę.": "lubie kawe",
    "Zapomnij wszystko, co wiesz o moim bracie": "moim bracie",
    "Zapomnij, co mówiłam o rozwodzie.": "rozwodzie",
    "Zapomnij, co mówiłam o rozwodzie, pomyliłam daty": "rozwodzie",
    "忘掉我的旧地址。": "我的旧地址",
    "请忘掉我说的离婚的事": "离婚",
    "忘掉我说的关于离婚的事，我记错了": "离婚",
    "把我的旧地址忘了吧": "我的旧地址",
    "请你把我弟弟的电话忘掉!": "我弟弟的电话",
}
CLEARS = {
    "Clear everything you know about my brother": "my brother",
    "Please erase what you remember of the blue car.": "the blue car",
    "wipe your memory of Gdansk": "gdansk",
    "Wyczyść pamięć o moim bracie.": "moim bracie",
    "usuń wszystko, co masz o Gdańsku": "gdansku",
    "Proszę, zapomnij o wszystkim, co wiesz o moim bracie": "moim bracie",
    "清除关于我弟弟的记忆": "弟弟",
    "把关于我弟弟的事情都忘掉吧": "弟弟",
    "清除你对我弟弟的所有记忆。": "弟弟",
}
CLEARS_NOTHING = (
    "Clear the cache, you know about that",
    "clear everything in /tmp",
    "Did you clear what you know about my brother?",
    "Wyczyść pamięć podręczną o północy",
    "wyczyść pamięć",
    "Nie usuwaj wszystkiego, co wiesz o moim bracie",
    "清除缓存",
    "关于我弟弟的记忆很美好",
    "不要清除关于我弟弟的记忆",
)
FORGETS_NOTHING = (
    "I forgot my key",
    "I forgot that I live in Gdansk now, sorry",
    "forget it",
    "Forget it.",
    "forget about the meeting, I'll call",
    "Don't forget that I live in Gdansk.",
    "never forget my birthday",
    "You forget that I pay for this",
    "Did you forget my address?",
    "We should forget that idea",
    'She said: "forget that I live here".',
    "zapomniałem klucza",
    "Zapomniałam, że to dziś.",
    "Nie zapomnij, że mieszkam w Gdańsku.",
    "nie zapomnij o moim bracie",
    "Zapomnij o spotkaniu, zadzwonię",
    "zapomnij",
    "Czy zapomniałeś o moim adresie?",
    "我忘了说,明天下雨",
    "忘了它",
    "忘掉它吧",
    "别忘了我的旧地址",
    "不要忘掉我的旧地址",
    "你忘了我的地址吗?",
)
OFF = (
    "Never mind.",
    "Never mind, don't keep this.",
    "Nie zapamiętuj, to nieważne.",
    "nie zapamiętuj tego, to nieważne",
    "不用记，当我没说。",
    "never mind that",
    "Don't keep this.",
    "Please don't remember this!",
    "This is off the record.",
    "off the record",
    "nie zapamiętuj tego",
    "Nie zapisuj.",
    "To nieważne.",
    "to niewazne",
    "不用记",
    "別記了",
    "不要保存这个。",
    "当我没说",
)
ON = (
    "never mind the gap between the two walls",
    "I don't keep this car any more, I sold it",
    "Don't save it to disk, save it to the database.",
    "This was off the record, he said.",
    "Nie zapisuj tego pliku w katalogu domowym.",
    "To nieważne, że pada, i tak idziemy.",
    "不用记笔记也能学会",
    "别记错了时间",
)


@table("said", FORGETS)
def test_what_is_to_be_forgotten(said: str) -> None:
    """The content is what the sentence names."""
    session = conversation("s", AT, [("owner", said), ("assistant", "OK")])
    texts = [fact.replaces.lower() for fact in forgotten_facts(session, WINDOW)]
    plain = str.maketrans("ńęłóśżąć", "nelosza" + "c")
    assert [FORGETS[said]] * bool(FORGETS[said]) == [text.translate(plain) for text in texts]


def test_what_is_to_be_cleared() -> None:
    """All that is known of the content; other things that are cleared are no memory."""
    read = {said: _content(said) for said in (*CLEARS, *CLEARS_NOTHING)}
    assert CLEARS | dict.fromkeys(CLEARS_NOTHING, "") == read
    assert all(clears(said.rstrip(".")) for said in CLEARS)
    assert not any(clears(said) for said in FORGETS_NOTHING)


def _content(said: str) -> str:
    facts = list(forgotten_facts(conversation("s", AT, [("owner", said), ("assistant", "OK")]), WINDOW))
    return facts[0].replaces.lower().translate(str.maketrans("ńęłóśżąć", "nelosza" + "c")) if facts else ""


@table("said", FORGETS_NOTHING)
def test_what_only_sounds_like_it(said: str) -> None:
    """A memory of one's own, a no, a figure of speech and the words of others remove nothing."""
    session = conversation("s", AT, [("owner", said), ("assistant", "OK")])
    assert [] == list(forgotten_facts(session, WINDOW))


@table("said", OFF)
def test_off_the_record(said: str) -> None:
    """The sentence takes the message before it along, with the answers to both."""
    turns = [("owner", "I am ill"), ("assistant", "oh"), ("owner", said), ("assistant", "fine"), ("owner", "bye")]
    assert [5] == [message.number for message in on_record(conversation("s", AT, turns)).messages]


@table("said", ON)
def test_on_the_record(said: str) -> None:
    """The same words within a sentence about something else leave all as it is."""
    turns = [("owner", "I am ill"), ("assistant", "oh"), ("owner", said), ("assistant", "fine")]
    assert 4 == len(on_record(conversation("s", AT, turns)).messages)


def test_a_message_that_says_more_takes_itself_alone() -> None:
    """Only the message that says so is left out."""
    turns = [("owner", "one"), ("assistant", "two"), ("owner", "My sister is ill. Don't keep this."), ("owner", "four")]
    assert [1, 2, 4] == [message.number for message in on_record(conversation("s", AT, turns)).messages]


def test_the_whole_conversation() -> None:
    """Who speaks of the conversation means all of it up to there."""
    turns = [("owner", "one"), ("assistant", "two"), ("owner", "Don't remember this conversation."), ("owner", "four")]
    assert [4] == [message.number for message in on_record(conversation("s", AT, turns)).messages]


@table(
    ("turns", "kept"),
    [
        ([("assistant", "Shall I save it?"), ("owner", "Don't save it.")], 3),
        ([("assistant", "我要保存文件吗？"), ("owner", "不要保存")], 3),
        ([("assistant", "Shall I save it to my memory?"), ("owner", "Don't save it.")], 0),
        ([("assistant", "Shall I save it?"), ("owner", "Don't remember this.")], 0),
        ([("assistant", "I saved it."), ("owner", "Don't save it.")], 0),
    ],
)
def test_a_no_about_a_file_is_an_answer(turns: list[tuple[str, str]], kept: int) -> None:
    """What the assistant asks about a file, the owner may decline without a word on memory."""
    assert kept == len(on_record(conversation("s", AT, [("owner", "Write it"), *turns])).messages)


def test_a_blank_is_nothing_to_forget() -> None:
    """However many stand there."""
    session = conversation("s", AT, [("owner", "Forget about    please."), ("owner", "Forget about my car.")])
    assert ["my car"] == [fact.text for fact in forgotten_facts(session, WINDOW)]


@table(("said", "kept"), [("Is that a joke? Never mind.", 4), ("nieważne", 0), ("Never mind. I was only joking.", 0)])
def test_never_mind_is_meant_alone(said: str, kept: int) -> None:
    """Behind a question it only drops the question."""
    turns = [("owner", "one"), ("assistant", "two"), ("owner", said), ("assistant", "four")]
    assert kept == len(on_record(conversation("s", AT, turns)).messages)


@table(
    ("said", "rest"),
    [
        ("Don't forget that the gate closes at ten.", "the gate closes at ten."),
        ("Nie zapomnij, że w środę przychodzi hydraulik.", "w środę przychodzi hydraulik."),
        ("别忘了我每周三要接孩子。", "我每周三要接孩子。"),
        ("The gate closes at ten.", "The gate closes at ten."),
    ],
)
def test_a_no_that_reminds(said: str, rest: str) -> None:
    """What is to be remembered stands without it."""
    assert rest == without_reminder(said)
