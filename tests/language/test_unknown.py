"""A text in a language that is not known is told from one with foreign names or code in it."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from pipeline.language.detection import unknown
from tests.support.tables import table


@table(
    "text",
    [
        "Wir nehmen ab jetzt immer den großen Saal, das ist entschieden.",
        "Recuerda que mi mujer se llama Ana.",
        "À partir de maintenant on utilise toujours la petite salle.",
        "Ricorda che mia moglie si chiama Giulia.",
        "Vanaf nu gebruiken we altijd de kleine zaal.",
        "A partir de agora nunca mais usamos a sala grande.",
        "Od teď vždy používáme malý sál.",
        "Zapamätaj si, že moja manželka sa volá Eva.",
        "Запомни: мою жену зовут Аня.",
        "Відтепер завжди використовуй малу залу.",
        "これからは必ず小さい部屋を使ってください。",
        "앞으로는 항상 작은 방을 사용해.",
    ],
)
def test_other_languages_are_unknown(text: str) -> None:
    """By their script, their letters or their small words."""
    assert unknown(text)


@table(
    "text",
    [
        "Remember that Renée works at the Café Müller.",
        "we take the Málaga flat, São Paulo later",
        "od teraz używamy `src/app.py` i PostgreSQL",
        "以后一律用 PostgreSQL",
        "记住：鲜の每日 是我们的供应商",
        'add a message "Привет мир" to the page',
        "set LC_ALL=de_DE.UTF-8 and name the variable con_per_pro",
        "Kowal it is",
        "ja to biore",
        "ok",
        "42",
        "",
    ],
)
def test_names_and_code_do_not_make_a_text_foreign(text: str) -> None:
    """Nor does a text without evidence."""
    assert not unknown(text)
