"""`I` and `you` of the assistant become names, or the words are no line."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from hypothesis import given
from hypothesis import strategies as st

from jobs.extraction.persons import named_in_proposal
from pipeline.language.detection import Language
from tests.support.tables import table

ENGLISH = {
    "I draft, Hania checks, you publish.": "the assistant drafts, Hania checks, the owner publishes.",
    "I'll send you the draft": "the assistant will send the owner the draft",
    "if you agree, I start on Monday": "if the owner agrees, the assistant starts on Monday",
    "Ola calls you and I write it down": "Ola calls the owner and the assistant writes it down",
    "Do you want me to keep your notes?": "Does the owner want the assistant to keep the owner's notes?",
    "you never carry it alone": "the owner never carries it alone",
    "closed on Mondays": "closed on Mondays",
}
POLISH = {
    "ja piszę, Hania sprawdza, ty publikujesz": "asystent pisze, Hania sprawdza, właściciel publikuje",
    "publikujesz w środy i wysyłasz kopię": "właściciel publikuje w środy i wysyła kopię",
    "będziesz pisać, a ja będę sprawdzać": "właściciel będzie pisać, a asystent będzie sprawdzać",
    "kroję deski w piątki": "asystent kroi deski w piątki",
    "klawisz wisi za gaśnicą": "klawisz wisi za gaśnicą",
    "nasz kosz stoi u Tomasz-Metal, Tomasz go opróżnia": "nasz kosz stoi u Tomasz-Metal, Tomasz go opróżnia",
    "program zaczyna się o 8, tam stoi Adam": "program zaczyna się o 8, tam stoi Adam",
    "zamykamy o 20, za grubym hotelem": "zamykamy o 20, za grubym hotelem",
}
CHINESE = {
    "我写初稿，你发布": "助手写初稿，本人发布",
    "我们每周四开会，您确认": "我们每周四开会，本人确认",
    "自我介绍放第一页": "自我介绍放第一页",
}


@table(("language", "lines"), [(Language.ENGLISH, ENGLISH), (Language.POLISH, POLISH), (Language.CHINESE, CHINESE)])
def test_the_assistant_and_the_owner_are_named(language: Language, lines: dict[str, str]) -> None:
    """Subjects with their verbs, objects and what belongs to whom."""
    assert lines == {line: named_in_proposal(line, language) for line in lines}


@table(
    ("language", "lines"),
    [
        (Language.ENGLISH, ["I draft and send it", "the thing you want", "I put it there", "the one you told Ola of"]),
        (
            Language.POLISH,
            [
                "zrobię to ja",
                "robię to w piątki",
                "twój numer zostaje",
                "wysłałbym to",
                "żebyś publikowała",
                "napisz mi",
            ],
        ),
    ],
)
def test_what_grammar_does_not_tell_is_no_line(language: Language, lines: list[str]) -> None:
    """A second verb, a verb that may be past, an ending of two meanings, a form that the sentence decides."""
    assert [None] * len(lines) == [named_in_proposal(line, language) for line in lines]


@given(
    st.sampled_from(list(ENGLISH)), st.sampled_from(["", "you ", "I ", "mine or "]), st.text("aeiou ,.'", max_size=9)
)
def test_no_pronoun_is_left_in_a_line(line: str, before: str, after: str) -> None:
    """Whatever stands around it: either the line names everybody, or there is none."""
    named = named_in_proposal(f"{before}{line} {after}", Language.ENGLISH) or ""
    assert {"i", "you", "me", "my", "your"}.isdisjoint(named.lower().replace("'", " ").replace(",", " ").split())
