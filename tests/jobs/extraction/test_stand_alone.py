"""What is written can be understood alone: it names its subject, and nothing leads to it."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from jobs.extraction.grounds import UNCERTAIN
from jobs.extraction.profile import profile_of
from jobs.extraction.stand_alone import line_of_proposal, without_lead
from schemas.extraction import Candidate
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]


@table(
    ("text", "expected"),
    [
        ("but it stays a rule: nobody edits the roster", "nobody edits the roster"),
        ("one more: the shed code is never mailed", "the shed code is never mailed"),
        ("and since the flood: pumps are tested on Mondays", "pumps are tested on Mondays"),
        ("remember that the stopcock is on plot 14", "the stopcock is on plot 14"),
        ("ok, as I said, the shed stays green", "the shed stays green"),
        ("jeszcze jedno: klucz wisi za gaśnicą", "klucz wisi za gaśnicą"),
        ("zapamiętaj, że klucz wisi za gaśnicą", "klucz wisi za gaśnicą"),
        ("对了，记一下：钥匙在消防栓后面", "钥匙在消防栓后面"),
        ("还有一条，钥匙不外借", "钥匙不外借"),
        ("note to self: buy new frames", "buy new frames"),
        ("nie zapomnij, że klucz wisi za gaśnicą", "klucz wisi za gaśnicą"),
        ("别忘了，钥匙在消防栓后面", "钥匙在消防栓后面"),
    ],
)
def test_what_only_leads_to_it_is_left_out(text: str, expected: str) -> None:
    """Interjections, announcements and the wish to remember."""
    assert expected == without_lead(text, profile_of(text))


@table("text", ["the garage: 13 minutes", "14: the pump is new", "sklep: od 7 do 17", "no water at noon"])
def test_what_names_the_matter_stays(text: str) -> None:
    """A subject before a colon, the number of a field, and a `no` that denies."""
    assert text == without_lead(text, profile_of(text))


@table(
    ("said", "expected"),
    [
        (
            "Piotr jest uczulony na orzechy, wiesz o tym. And remember the gate code is on the card",
            "the gate code is on the card",
        ),
        ("Thanks, that was it for this week! Pamiętaj też, że klucz wisi za gaśnicą.", "klucz wisi za gaśnicą."),
        ("帮我看一下这张照片，谢谢。 Remember: the blue boat is sold.", "the blue boat is sold."),
        ("great, thanks for all of this. 另外记住服务器每月一号重启", "服务器每月一号重启"),
        ("Remember that Łukasz Wiśniewski has the key.", "Łukasz Wiśniewski has the key."),
    ],
)
def test_the_language_is_that_of_a_sentence(candidates_of: CandidatesOf, said: str, expected: str) -> None:
    """People mix them in one message, and a name is of none."""
    assert [expected] == [one.conclusion for one in candidates_of(f"> {said}", "< OK.")]


@table(
    ("turns", "conclusion"),
    [
        (
            ("> who should do the tiles?", "< Kowal or Nowak. Kowal is cheaper.", "> Kowal it is", "< Kowal, noted."),
            "who should do the tiles? Kowal it is",
        ),
        (
            ("< Zostawić szarą fugę czy zmienić na białą?", "> tak ma być zawsze, szara", "< Dobrze, zawsze szara."),
            "Zostawić szarą fugę czy zmienić na białą? tak ma być zawsze, szara",
        ),
        (
            ("> the alarm code of the boat house is on the blue card. remember it for me", "< Saved."),
            "the alarm code of the boat house is on the blue card.",
        ),
        (("< Regular tickets at 42?", "> 39", "< Regular tickets at 39."), "Regular tickets at 42? 39"),
    ],
)
def test_what_the_words_point_at_is_named(candidates_of: CandidatesOf, turns: tuple[str, ...], conclusion: str) -> None:
    """By the question that they answer, or by the owner's own sentence."""
    [one] = candidates_of(*turns)
    assert one.conclusion == conclusion


def test_a_guess_without_a_subject_is_not_made(candidates_of: CandidatesOf) -> None:
    """Nobody knows what `it` is."""
    assert candidates_of("> then it's decided!", "< Good.") == ()


def test_a_refused_proposal_is_no_subject(candidates_of: CandidatesOf) -> None:
    """Words that point at nothing are not about what the owner has just declined."""
    turns = (
        "> here is the list",
        "< I could also add a lock that closes the shed at night.",
        "> nah no lock",
        "> you never write there",
        "< Read only, no writes there.",
    )
    assert not any("lock" in one.conclusion for one in candidates_of(*turns))


@table(
    ("said", "answered"),
    [
        (
            "小时级撑不住了，仓库要按波次拣货，15 分钟一个",
            "理解。要快有两条：把现在的批改成 15 分钟一批；或者换成流式写入。",
        ),
        ("客户写来，说手册 80 页，三月十号要", "80 页、三月十号，约 40000 字。"),
    ],
)
def test_a_trouble_settles_nothing(candidates_of: CandidatesOf, said: str, answered: str) -> None:
    """Neither with its figures said again among ways out of it, nor as the words of others."""
    assert not any(one.confidence > UNCERTAIN for one in candidates_of(f"> {said}", f"< {answered}"))


@table(
    ("proposal", "line"),
    [
        ("I'd suggest: I sand the hull, Ola paints it, you launch it.", "the assistant sands the hull, Ola paints it"),
        ("My suggestion is that you keep both keys.", "the owner keeps both keys."),
        ("- Okay, I would move the oars to the left rack.", "move the oars to the left rack."),
        ("How about two coats of varnish?", "two coats of varnish"),
        ("Proponuję: piszesz w środy, ja przypominam we wtorki.", "właściciel pisze w środy, asystent przypomina"),
        ("Moja propozycja: żółty lakier na łódź.", "żółty lakier na łódź."),
        ("我建议：我打磨船身，你下水。", "助手打磨船身，本人下水。"),
        ("不如每年刷两遍清漆", "每年刷两遍清漆"),
    ],
)
def test_a_proposal_taken_up_is_no_longer_proposed(proposal: str, line: str) -> None:
    """The words that proposed it go, and `I` and `you` are the assistant and the owner."""
    taken = line_of_proposal(proposal, profile_of(proposal))
    assert taken.named
    assert taken.text.startswith(line)


@table("proposal", ["The first one, the colour you liked best.", "Proponuję, żebyś malowała sama."])
def test_a_proposal_whose_persons_are_unclear_is_no_sure_line(proposal: str) -> None:
    """A person decides whether to take it over."""
    assert not line_of_proposal(proposal, profile_of(proposal)).named


def test_a_question_that_the_words_answer_names_its_persons(candidates_of: CandidatesOf) -> None:
    """`I` in the assistant's question is not the owner."""
    [one] = candidates_of("< Should I mail you on day 20 or 25?", "> 25, always", "< Mail on day 25, saved.")
    assert one.conclusion == "Should the assistant mail the owner on day 20 or 25? 25, always"
