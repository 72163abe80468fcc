"""Languages are told apart message by message, from the script and the small words."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from pipeline.language.detection import Language, detect, languages
from tests.support.tables import table


@table(
    ("text", "code"),
    [
        ("the gate is closed", "en"),
        ("brama jest zamknięta", "pl"),
        ("brama jest zamknieta", "pl"),
        ("门关了", "zh"),
        ("門關了", "zh"),
        ("把 API gateway 关了吧", "zh"),
    ],
)
def test_a_message_tells_its_language(text: str, code: str) -> None:
    """Script first, then closed-class words; Polish needs no diacritics."""
    assert detect(text) == code


@table(
    "text",
    [
        "mi idea es usar la misma base de datos",
        "te lo mando luego",
        "wir nehmen die zweite Variante, weil sie einfacher ist",
        "kurz und gut: im März machen wir das",
        "désormais ma sauvegarde passe avant la migration",
        "ma non mi piace, usiamo sempre la stessa",
        "a partir de agora não fazemos deploy na sexta",
        "Pamatuj si, že klíč od lodi má Anna",
        "覚えておいて、ボートの鍵はアンナが持っている",
        "東京駅で会議",
        "データベース移行完了",
        "이제부터 금요일에는 배포하지 않는다",
        "서버 再起動 완료",
        "Запомни, ключ от лодки у Анны",
    ],
)
def test_a_language_that_is_not_known_is_read_as_english(text: str) -> None:
    """No word or character that it shares with Polish or Chinese makes it one of these."""
    assert [Language.ENGLISH] == languages([text])


@table(
    ("text", "code"),
    [
        ("dla klientów z Niemiec faktura w euro, umowa z Müllerem zostaje", "pl"),
        ("serwer ma nowy dysk i tyle", "pl"),
        ("mi to nie pasuje", "pl"),
        ("we met at the café in Málaga", "en"),
        ("always cc Małgorzata Żółć on it", "en"),
        ("the price is 42 zł for now", "en"),
        ("Żadnych emoji", "pl"),
        ("Wyłącz the cache for tests", "pl"),
        ("我们去唱カラオケ吧，周五八点", "zh"),
    ],
)
def test_a_foreign_word_does_not_make_a_text_foreign(text: str, code: str) -> None:
    """A name or a loan in a text of ours leaves it ours."""
    assert [code] == languages([text])


def test_a_message_that_does_not_tell_takes_the_language_around_it() -> None:
    """`45` is in the language of the message before; at the start, of the next that tells."""
    assert languages(["45", "brama jest zamknięta", "30", "the gate is open"]) == [
        "pl",
        "pl",
        "pl",
        "en",
    ]
