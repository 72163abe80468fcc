"""Sentences of ours in the languages of readers."""

import re
from pathlib import Path

from pipeline.reports.phrases import Translator, phrases
from tests.support.sentences import VALUE, sentences_of
from tests.support.tables import table

ROOT = Path(__file__).parents[2]
COMPLETE = [
    *sorted(ROOT.glob("pipeline/doctor/*.py")),
    *sorted(ROOT.glob("pipeline/adapters/sources/reading/*.py")),
    ROOT / "pipeline/adapters/embedding/choice.py",
    ROOT / "pipeline/adapters/model/checks.py",
    ROOT / "pipeline/engine/partition.py",
    ROOT / "pipeline/index/search/fresh_search.py",
    ROOT / "pipeline/index/search/recall.py",
    ROOT / "pipeline/index/search/search.py",
    ROOT / "pipeline/index/sync/stamp.py",
    ROOT / "pipeline/markdown/encoding.py",
    ROOT / "pipeline/transcripts/alarms.py",
    ROOT / "pipeline/transcripts/unreadable.py",
    ROOT / "schemas/reports/status.py",
]
"""The modules of which every sentence is told in each language."""
_WORDS = re.compile(r"[a-z]{2,}[,:;]? [a-z`(]")
_BRACES = re.compile(r"\{(\w+)\}")
_VALUES = ("7", "`x`", "7 days", "offline")
"""Values for the braces of a sentence; it is told with one of them."""
_NO_SENTENCES = {
    "a kept result mends nothing",
    "At which time does the harbour close? Answer with `closes_at`, as HH:MM.",
    "We talked it over: the harbour closes at 21:00, and that is final.",
    "database is locked",
    "it is of a version that is not known",
    "SQLite cannot read it",
    "The store postgresql://",
}
"""Strings for a model or a programmer, and the beginnings of what other programs say."""
_PLURALS = "7 day old, 7 days old, 7 later days, 7 problems"  # made of a number and a word
NAMES = {"note": "Notatka", "bad_line": "wiersz nie do odczytania", "failed": "błąd"}


@table("file", COMPLETE)
def test_every_sentence(file: Path) -> None:
    """No sentence of these modules has been left out."""
    sentences = {
        text.strip(" ,;") for text in sentences_of(file) if _WORDS.search(text) and "SELECT" not in text
    } - _NO_SENTENCES
    assert [] == [text for text in sentences if not _has_words(text)]


def _has_words(text: str) -> bool:
    return any(Translator("pl", {}).translate(text.replace(VALUE, value)) for value in _VALUES)


def test_both_languages() -> None:
    """Every phrase is told in both, with all values of the English one."""
    wanted = [(one.english, language, _values_of(one.english)) for one in phrases() for language in ("pl", "zh")]
    assert wanted == [
        (one.english, name, _values_of(words)) for one in phrases() for name, words in one.translations.items()
    ]


def _values_of(sentence: str) -> set[str]:
    return set(_BRACES.findall(sentence))


def test_no_phrase_is_left_over() -> None:
    """Each fixed text of a phrase is somewhere in our sentences."""
    files = [file for folder in ("pipeline", "jobs", "schemas") for file in (ROOT / folder).rglob("*.py")]
    source = "\n".join(
        [_PLURALS, *(text for file in files if "surfaces" not in file.parts for text in sentences_of(file))]
    )
    pieces = {one.english: [piece.strip(' :;,()"') for piece in _BRACES.split(one.english)[::2]] for one in phrases()}
    assert [] == [english for english, fixed in pieces.items() if not all(piece in source for piece in fixed)]


PROMOTED = 'score 0.84: rule, confidence 0.96, owner, 1 day old; under "Rules" since 2026-W10, because '

ZASADA = "ocena 0.84: zasada, pewność 0.96, Twoje słowo, wiek w dniach: 1; pod „Rules” od 2026-W10, "


@table(
    ("english", "polish"),
    [
        (
            f"{PROMOTED}its score is still 0.40 or more",
            f"{ZASADA}bo jego ocena to nadal co najmniej 0.40",
        ),
        (
            "score 0.62: decision; into m-1, because that took its place on 2026-03-13",
            "ocena 0.62: decyzja; do m-1, bo tamten zajął jego miejsce 2026-03-13",
        ),
        (
            "score 0.62: decision, said 3 times on 2 days, came up on 2 later days; into m-1, because it says the same",
            (
                "ocena 0.62: decyzja, powiedziane razy: 3, w dniach: 2, późniejsze dni, w których wróciło: 2; do m-1, "
                "bo mówi to samo"
            ),
        ),
        ("score 0.00; because a person archived it", "ocena 0.00; bo człowiek przeniósł go do archiwum"),
        ("score 0.00; because I like it", "ocena 0.00; bo I like it"),
        ("because I like it", ""),
        (
            "3 in all, 0 changed by a person, 2 not verified",
            "wszystkich: 3, zmienionych przez człowieka: 0, niepotwierdzonych: 2",
        ),
        ("Run `memory run note`, or leave them.", "Uruchom `memory run note` albo zostaw je."),
        (
            "agents/memory.md is gone, though note wrote it",
            "agents/memory.md zniknął, choć zapisało go zadanie „Notatka”",
        ),
        ("timezone cannot be read: Permission denied", "nie można odczytać timezone: Permission denied"),
        (
            "memory.toml has 1 problem:\n  - start: write a whole number\nCorrect it, then try `memory`.",
            "Błędy w memory.toml: 1:\n  - start: podaj liczbę całkowitą\nPopraw to, potem spróbuj `memory`.",
        ),
        ("2026-03-02, failed: Cannot read a: gone.", "2026-03-02, błąd: Nie można odczytać a: gone."),
        ("passed over: 3 bad_line", "pominięte: wiersz nie do odczytania: 3"),
        ("passed over: 3 odd_one", "pominięte: 3 odd_one"),
        ("The next run removes it; an angel does it.", ""),
        (
            "It was killed, or the machine stopped. `memory serve` starts it again.",
            "Został przerwany albo komputer się zatrzymał. Ponownie uruchomi ją `memory serve`.",
        ),
    ],
)
def test_whole_sentences(english: str, polish: str) -> None:
    """Sentences are told whole, with their values as they are; empty where a part is not known."""
    assert polish == Translator("pl", NAMES).translate(english)


def test_stops() -> None:
    """Chinese has a stop of its own, and no space behind it; a path at the beginning gets no capital letter."""
    assert "memory/a.md 中还有 2 处。" == Translator("zh", {}).translate("2 more in memory/a.md.")
    english = "`memory doctor reindex` does it now. `memory serve` starts it again."
    assert "`memory doctor reindex` 可立即完成。`memory serve` 会重新启动它。" == Translator("zh", {}).translate(
        english
    )


@table(
    "text",
    [
        "  - " * 300 + "a and z, y; x. w\nv",
        "its engine says: " * 100 + "a and z, y; x. w",
        "x cannot be read: " * 100 + "a and z, y; x. w.md, line 2: it has a byte that is not UTF-8",
        "a: " * 600,
        "x" + "." * 1_500,
        "a " * 900 + ": today's judgement would not link themx",
        "the server at " + "a a (" * 390 + ")x",
    ],
)
def test_values_of_strangers(text: str) -> None:
    """A file's name that is made of our sentences, one in the other, costs little and breaks nothing."""
    asked = Translator("pl", {})
    asked.translate(text)
    assert len(asked.known) < 300  # each text is looked at once
