"""Summaries of conversations: when one is due, what a model's answer is held to, and what code writes."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from datetime import UTC, datetime

from pipeline.context.summary import (
    HEURISTIC,
    PROSE_TOKENS,
    covered_messages,
    heuristic_prose,
    is_due,
    model_summary,
    offline_summary,
    summary_task,
    talk_language,
    why_refused,
)
from pipeline.language.detection import Language
from pipeline.language.tokens import count_tokens
from pipeline.model.ask import Asker
from pipeline.model.question import Readers, question_of
from schemas.conversation import ConversationMessage, ConversationProse, NoteKind
from schemas.transcript import Role
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.tables import table

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
TALK = [
    ("user", "We are painting the small hall before the concert, and the order is ZX-8812."),
    ("assistant", "Then I would begin with the ceiling, because it drips on everything that is below it."),
    ("tool", "secret output"),
    ("user", "We will never use glitter on the stage, my sister has had enough of it since the last time."),
    ("assistant", "That is fine with me, and I will keep the floor for the end of the whole work."),
]
PROSE = "The user paints the small hall; the ceiling comes first. Glitter on the stage was refused."


def messages(*said: tuple[str, str]) -> list[ConversationMessage]:
    """Messages in order."""
    return [
        ConversationMessage(number=number, role=Role(role), text=text, tokens=count_tokens(text), created_at=NOW)
        for number, (role, text) in enumerate(said, 1)
    ]


class Kept:
    """A cache of answers, and a budget without an end."""

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        """The kept answer."""
        return self.answers.get(key)

    def put_answer(self, key: str, model: str, reply: object) -> None:
        """Keep an answer."""
        del model
        self.answers[key] = getattr(reply, "text", "")

    def settle(self, question: str) -> None:
        """No answer comes from a batch."""

    def check(self, spent: int, ahead: int = 0) -> None:
        """There is always enough."""


def asker(prose: str) -> Asker:
    """The door to a model that answers this."""
    kept = Kept()
    return Asker(Readers.only(ScriptedModel(lambda _: ConversationProse(prose=prose))), kept, kept, 1)


@table(
    ("count", "window", "due"), [(19, 8000, False), (20, 8000, True), (5, 8000, False), (5, 10, True), (4, 10, False)]
)
def test_when_a_summary_is_due(count: int, window: int, *, due: bool) -> None:
    """At 20 messages or 70 % of the window; never while only those that stay verbatim are there."""
    assert due is is_due(messages(*[("user", "a few words")] * count), None, window)


def test_only_what_no_summary_covers_counts() -> None:
    """After a summary the count begins anew."""
    history = messages(*[("user", "tea")] * 39)
    last = offline_summary(covered_messages(history[:24]), NOW)
    assert (1, 20) == (last.first_number, last.last_number)
    assert not is_due(history, last, 8000)
    assert is_due(messages(*[("user", "tea")] * 40), last, 8000)


def test_a_model_writes_the_prose_and_code_the_ledger() -> None:
    """The lines are those of the messages, whatever the model says."""
    made = model_summary(messages(*TALK), asker(PROSE), "small-model", NOW, frozenset())
    assert made.summary is not None
    assert ("", PROSE, "small-model") == (made.refused, made.summary.prose, made.summary.made_by)
    kinds = {line.text: (line.number, line.kind) for line in made.summary.ledger}
    assert (4, NoteKind.DENIAL) == kinds[TALK[3][1]]
    assert TALK[0][1] in kinds


@table(
    ("prose", "why"),
    [
        ("", "empty"),
        (" \n...", "empty"),
        ("The hall is painted. " * 40, "longer than what it sums up"),
        ("word " * (PROSE_TOKENS + 1), f"more than {PROSE_TOKENS}"),
        ("Użytkownik maluje małą salę, a brokat na scenie został odrzucony.", "another language"),
        ("用户在粉刷小厅，拒绝在舞台上使用亮片。", "another language"),
        ("Der Nutzer streicht den kleinen Saal und will keinen Glitter auf der Bühne.", "another language"),
        ("The user paints 14 halls.", "numbers that nobody said: 14"),
    ],
)
def test_what_is_refused(prose: str, why: str) -> None:
    """It is not used, and the reason is known."""
    made = model_summary(messages(*TALK), asker(prose), "small-model", NOW, frozenset())
    assert made.summary is None
    assert why in made.refused


def test_what_is_used_is_in_the_language_of_the_talk() -> None:
    """Of each language, and of a talk in two."""
    polish = ["Malujemy małą salę przed koncertem, a brokatu na scenie nie będzie, moja siostra ma go dość."]
    assert "" == why_refused("Malują salę, bez brokatu.", polish)
    assert "" == why_refused("他们粉刷大厅。", ["我们在音乐会之前粉刷小厅，舞台上绝不用亮片。"])
    mixed = [*polish, "And the order is in my mail, please have a look at it when you can."]
    assert ["", ""] == [why_refused(prose, mixed) for prose in ("Malują salę, bez brokatu.", "They paint the hall.")]


def test_the_question_holds_the_originals_without_outputs() -> None:
    """As data between marks, for the background model; very long ones lose their middle."""
    task = summary_task(messages(*TALK), frozenset())
    question = question_of(task)
    assert question.background
    assert "[4, user] We will never use glitter" in question.input
    assert "secret output" not in question.input
    long = summary_task(messages(*[("user", f"{number} " + "x" * 2000) for number in range(200)]), frozenset())
    text = long.input.model_dump_json()
    assert len(text) < 60_000
    assert "[1, user]" in text
    assert "[200, user]" in text


def test_the_language_of_the_talk_is_the_users() -> None:
    """Whatever the assistant speaks."""
    assert Language.POLISH is talk_language(messages(("assistant", TALK[1][1]), ("user", "Nie teraz, może jutro.")))
    assert Language.ENGLISH is talk_language(messages(*TALK))


def test_code_writes_prose_of_their_own_words() -> None:
    """Within its tokens, from the beginning, the middle and the end; nothing of a tool."""
    talk = [("user", f"This is point {number}, said in a sentence of its own.") for number in range(200)]
    prose = heuristic_prose(messages(*talk, ("tool", "secret output")))
    assert count_tokens(prose) <= PROSE_TOKENS
    assert all(line.removeprefix("user: ") in {text for _, text in talk} for line in prose.splitlines())
    numbers = [int(line.split("point ")[1].split(",")[0]) for line in prose.splitlines()]
    assert numbers == sorted(numbers)
    assert (0, 199) == (numbers[0], numbers[-1])
    assert any(60 < number < 140 for number in numbers)
    assert HEURISTIC == offline_summary(messages(*talk), NOW).made_by
