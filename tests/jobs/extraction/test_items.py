"""Every explicit thing in a message is items by itself, with its own quote."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from schemas.extraction import Candidate
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]

ITEMS = [
    ("Some rules:\n- always use pnpm\n- PRs need two reviews", ("always use pnpm", "PRs need two reviews")),
    (
        "Remember two things: 1. the ladder is in the attic 2. the plumber is called Ray",
        ("the ladder is in the attic", "the plumber is called Ray"),
    ),
    (
        "from now on: always use tabs; never push to main; keep commits small",
        ("from now on: always use tabs", "never push to main", "keep commits small"),
    ),
    (
        "We agreed on Postgres. Also, from now on every migration has a way back.",
        ("Also, from now on every migration has a way back.",),
    ),
    (
        "Pamiętaj, że klucze leżą pod doniczką. Pamiętaj też, że kot je tylko mokrą karmę.",
        ("Pamiętaj, że klucze leżą pod doniczką.", "Pamiętaj też, że kot je tylko mokrą karmę."),
    ),
    (
        "zasady na przyszłość:\n1. testy przed commitem\n2. nazwy gałęzi po angielsku",
        ("testy przed commitem", "nazwy gałęzi po angielsku"),
    ),
    (
        "Please remember two things. The boiler is in the attic. The plumber is called Ray. What is for lunch?",
        ("The boiler is in the attic.", "The plumber is called Ray."),
    ),
    ("Zapamiętaj dwie rzeczy. Kosz stoi w ogrodzie. Klucz wisi obok.", ("Kosz stoi w ogrodzie.", "Klucz wisi obok.")),
    ("记住两件事。车停在B2。会员卡在手套箱里。", ("车停在B2。", "会员卡在手套箱里。")),
    ("od teraz: commity po angielsku; zawsze lint", ("od teraz: commity po angielsku", "zawsze lint")),
    ("记住，车停在B2。还有记住，钥匙在信箱里。", ("记住，车停在B2。", "还有记住，钥匙在信箱里。")),
    ("以后：提交信息用英文；推之前先跑 lint", ("以后：提交信息用英文", "推之前先跑 lint")),
]


@table(("said", "quotes"), ITEMS)
def test_every_thing_has_its_own_quote(candidates_of: CandidatesOf, said: str, quotes: tuple[str, ...]) -> None:
    """Lists below a heading, sentences behind one, and sentences that are explicit by themselves."""
    items = [one for one in candidates_of(f"> {said}", "< Noted.") if one.confidence >= 0.8]
    assert tuple(one.quote for one in items) == quotes
    assert [
        one.conclusion for one in items if any(other.quote in one.conclusion for other in items if other != one)
    ] == []


@table(
    "said", ["From now on we ship on Mondays. Never on Fridays.", "Od teraz wysyłamy w poniedziałki. Nigdy w piątki."]
)
def test_what_only_goes_on_is_no_thing_of_its_own(candidates_of: CandidatesOf, said: str) -> None:
    """A second sentence without a matter of its own belongs to the first."""
    assert len(candidates_of(f"> {said}", "< Noted.")) == 1
