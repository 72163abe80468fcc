"""Two texts side by side, in three languages."""

from hypothesis import given
from hypothesis import strategies as st

from jobs.resolution.same_thing import (
    FeatureCounts,
    Weights,
    denies,
    features,
    former_values,
    quantities,
    repeats,
    replaces,
)
from pipeline.language.folding import flat
from tests.support.tables import table


@table(
    ("one", "other"),
    [
        ("deployments of the reminders", "deployed a reminder"),
        ("zamówienia internetowe", "zamowieniach internetowych"),
        ("日誌保留三十天", "日志保留三十天"),
    ],
)
def test_inflection_diacritics_and_scripts_do_not_hide_a_subject(one: str, other: str) -> None:
    """The same words in another form have the same features."""
    assert features(one) == features(other)


def test_words_that_stand_everywhere_tell_nothing() -> None:
    """Grammar alone makes no subject."""
    assert features("that is what we should do with it") == frozenset()


def test_prices_and_empty_quotation_marks_are_named_for_their_own_sake() -> None:
    """`9,99` is as telling as a name; other numbers are values, not subjects."""
    assert features("9,99 or 9.99, not 30") == {"9.99"}
    assert features("一律「」") == {"「」"}


def test_when_is_not_what() -> None:
    """Days, dates and parts of the day tell no subject apart."""
    assert features("on Tuesday 10 February in the morning, we wtorek rano, 周二下午") == frozenset()


def test_rare_words_weigh_most() -> None:
    """A word that every entry holds says less than one that only two hold."""
    texts = [f"moth {name}" for name in ("price", "music", "cards", "shader", "discount")]
    weights = Weights([*texts, "moth discount ends"])

    assert weights.weight_of("disco") > weights.weight_of("moth")


def test_chinese_counts_two_characters_as_one_word() -> None:
    """Overlapping pairs do not inflate the count."""
    assert Weights([]).likeness("对象存储", "对象存储").shared == 2


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_a_symmetric_share(one: str, other: str) -> None:
    """Between 0 and 1, whichever comes first, on any text."""
    weights = Weights([one, other])
    likeness = weights.likeness(one, other)

    assert likeness == weights.likeness(other, one)
    assert 0 <= likeness.cosine <= 1.0000001


@table("text", ["never on Fridays", "don't push", "dont push", "nigdy w piątek", "bez wyjątków", "禁止使用", "别用"])
def test_denials_are_seen(text: str) -> None:
    """In all three languages."""
    assert denies(text)


@table("text", ["on Fridays", "the payment for a tent", "w piątek rano", "别人的服务器也行"])
def test_what_denies_nothing_is_no_denial(text: str) -> None:
    """Nor is a word that only ends like one, or the Chinese word for other people."""
    assert not denies(text)


@table(
    "text",
    [
        "use ruff instead",
        "we move the backups to the bucket",
        "zamiast Redisa bierzemy Postgresa",
        "przechodzimy na abonament",
        "przedłużamy zapisy",
        "保留期改成十四天",
        "備份改為每天一次",
    ],
)
def test_replacements_are_seen(text: str) -> None:
    """Verbs and particles of change in all three languages, in both Chinese scripts."""
    assert replaces(text)


@table("text", ["never move them to staging", "numeru nie zmieniamy", "keep it as it is", "不取消"])
def test_a_denied_change_is_no_change(text: str) -> None:
    """Who forbids a change replaces nothing."""
    assert not replaces(text)


@table("text", ["as before", "powtarzam, 14 nocy", "próg zostaje jak był", "重申一下"])
def test_repetition_is_seen(text: str) -> None:
    """Words that say that something held before."""
    assert repeats(text)


def test_quantities_go_by_their_unit() -> None:
    """Values are kept with the word behind them, times of day and bare decimals by themselves."""
    result = quantities("85 an hour, at 18:00, for 9,99, 30 天, v7")

    assert result == {
        "hour": frozenset({"85"}),
        ":": frozenset({"18:00"}),
        ".": frozenset({"9.99"}),
        "天": frozenset({"30"}),
    }


@table("text", ["12000 zł", "12 000 zł", "12,000 zł", "12.000 zł", "\uff11\uff12\uff10\uff10\uff10 zł"])
def test_a_quantity_is_one_however_its_thousands_are_set_apart(text: str) -> None:
    """Else the same amount would be another one, and take the place of what holds."""
    assert quantities(f"czynsz {text} miesięcznie") == {"zl": frozenset({"12000"})}
    assert former_values(f"nie {text}, mniej") == {"zl": frozenset({"12000"})}


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    """Nothing raises, whatever people type."""
    assert isinstance(flat(text), str)
    assert isinstance(quantities(text), dict)
    assert (denies(text), replaces(text), repeats(text)) is not None


def test_counting_on_gives_what_counting_anew_gives() -> None:
    """Texts come and go between two calls, and some come with the pair that is compared."""
    counts = FeatureCounts()
    texts = [
        f"the {word} of the boat hangs behind door {number}" for number, word in enumerate(["key", "oar", "map", "net"])
    ]
    for some in (texts, texts[1:], [*texts[1:], "the boat leaves at noon"], texts):
        for text in (*texts, "the boat leaves at noon"):
            anew, counted = Weights([*some, text]), Weights(some, counts, more=[text])
            assert anew.likeness(text, texts[0]) == counted.likeness(text, texts[0])
