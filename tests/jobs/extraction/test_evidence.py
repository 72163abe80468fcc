"""What is found: each class of evidence, in the languages the product serves."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from jobs.resolution.drafting import OFFLINE_LINE
from schemas.entry import Kind
from schemas.extraction import Candidate
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]


@table(
    ("said", "answer"),
    [
        ("From now on nobody restarts the broker without asking me.", "Understood."),
        ("Invoices never leave the house without a second pair of eyes.", "Noted."),
        ("Od teraz nikt nie restartuje brokera bez mojej zgody.", "Rozumiem."),
        ("Od teraz zadnych zdjec klientow w ulotkach, bez wyjatkow", "Zapisane."),
        ("以后没有我同意，谁都不许重启消息服务。", "明白。"),
        ("以後沒有我同意，誰都不許重啟伺服器。", "明白。"),
    ],
)
def test_a_lasting_order_is_a_rule(candidates_of: CandidatesOf, said: str, answer: str) -> None:
    """An order that says it is to last is found as a rule, with the owner's words as its quote."""
    [rule] = candidates_of(f"> {said}", f"< {answer}")
    assert rule.kind is Kind.RULE
    assert rule.quote.strip(".。") == said.strip(".。")
    assert rule.confirmation == "stated"


@table(
    ("said", "answer"),
    [
        ("Remember that the landlord only takes cash on the first Monday.", "Noted."),
        ("zapamiętaj, że dozorca ma klucze do piwnicy i wychodzi o 15", "Zapamiętane."),
        ("Remember: the accountant wants the invoices by the fifth of each month.", "Noted."),
        ("Zapamiętaj: księgowa chce faktury do piątego każdego miesiąca.", "Zapamiętane."),
        ("记住：会计说发票要每月五号前交", "记下了。"),
        ("记住，房东的电话只有晚上才打得通", "记下了。"),
        ("記住，房東的電話只有晚上才打得通", "記下了。"),
    ],
)
def test_an_explicit_wish_to_remember_is_kept(candidates_of: CandidatesOf, said: str, answer: str) -> None:
    """Whoever says `remember this` gets it remembered."""
    [kept] = candidates_of(f"> {said}", f"< {answer}")
    assert kept.kind is Kind.REMEMBER


@table(
    ("said", "answer"),
    [
        ("We've decided: the workshop moves to the harbour hall.", "Good, the harbour hall."),
        ("Zdecydowałam: warsztaty przenosimy do hali w porcie.", "Dobrze, hala w porcie."),
        ("决定了，工作坊改到港口大厅。", "好的，改到港口大厅。"),
    ],
)
def test_a_decision_that_is_called_one_is_detected(candidates_of: CandidatesOf, said: str, answer: str) -> None:
    """Words that settle by being said are found without any deliberation before them."""
    [decision] = candidates_of(f"> {said}", f"< {answer}")
    assert decision.kind is Kind.DECISION


@table(
    ("options", "pick", "answer", "chosen"),
    [
        (
            "Three ways:\n1. rent a van\n2. two trips by car\n3. a courier",
            "2",
            "Two trips then.",
            "two trips by car",
        ),
        (
            "Do wyboru:\na) wynajem busa\nb) dwa kursy autem\nc) kurier",
            "b.",
            "Dobrze, dwa kursy.",
            "dwa kursy autem",
        ),
        ("三个办法：\n① 租车\n② 自己跑两趟\n③ 叫快递", "②", "好，自己跑两趟。", "自己跑两趟"),
    ],
)
def test_an_option_picked_by_its_mark_speaks_with_the_words_of_the_option(
    candidates_of: CandidatesOf, options: str, pick: str, answer: str, chosen: str
) -> None:
    """A bare `2` is a decision for what stood behind the 2."""
    [decision] = candidates_of(f"< {options}", f"> {pick}", f"< {answer}")
    assert decision.quote.strip(".") == pick.strip(".")
    assert decision.conclusion == chosen
    assert decision.confirmation == "accepted"
    assert decision.support_numbers == (1,)


@table(
    ("lead", "proposal", "yes", "answer"),
    [
        ("I'd ", "keep the receipts in one folder per year, named by shop.", "yes, do that", "Done."),
        ("Proponuję ", "trzymać paragony w jednym katalogu na rok.", "tak, dokładnie tak", "Zrobione."),
        ("我建议", "把收据按年份放在一个文件夹里。", "行，就这么办", "好的，已建好。"),
        ("我建議", "把收據按年份放在一個資料夾裡。", "好，就這樣", "好的，已建好。"),
    ],
)
def test_a_proposal_accepted_is_concluded_in_the_words_of_the_proposal(
    candidates_of: CandidatesOf, lead: str, proposal: str, yes: str, answer: str
) -> None:
    """A bare yes settles what was proposed; the quote is still the owner's."""
    [decision] = candidates_of(f"< {lead}{proposal}", f"> {yes}", f"< {answer}")
    assert decision.quote in yes
    assert decision.conclusion == proposal
    assert decision.confirmation == "accepted"


@table(
    ("lead", "proposal", "yes", "answer"),
    [
        ("I'd ", "ship on Thursdays, by insured courier.", "Yes, that's exactly how we do it from now on.", "Noted."),
        ("Proponuję ", "wysyłać w czwartki, kurierem.", "Tak, od teraz zawsze tak właśnie robimy.", "Zapisane."),
        ("我建议", "每周四用保价快递发货。", "好的，那以后我们就一直这样做吧", "记下了。"),
        ("我建議", "每週四用保價快遞發貨。", "好的，那以後我們就一直這樣做吧", "記下了。"),
    ],
)
def test_a_long_yes_that_names_nothing_is_as_bare_as_a_short_one(
    candidates_of: CandidatesOf, lead: str, proposal: str, yes: str, answer: str
) -> None:
    """However many small words an acceptance has, what it settles is in the proposal."""
    [rule] = candidates_of(f"< {lead}{proposal}", f"> {yes}", f"< {answer}")
    assert rule.quote in yes
    assert rule.conclusion == proposal
    assert rule.confirmation == "accepted"


def test_a_yes_that_names_something_speaks_for_itself(candidates_of: CandidatesOf) -> None:
    """What the owner adds to the proposal is not lost."""
    [rule] = candidates_of(
        "< I'd ship on Thursdays, by insured courier.",
        "> Yes, that's how we do it from now on, but in paper bags.",
        "< Noted.",
    )
    assert "paper bags" in rule.conclusion
    assert rule.confirmation == "stated"


@table(
    ("asked", "said", "answer"),
    [
        ("How long should a reservation be held? I'd say 20 minutes.", "make it 45", "45 minutes, set."),
        ("Ile minut trzymać rezerwację? Proponuję 20.", "45", "Ustawiam 45."),
        ("预订保留多久？我建议 20 分钟。", "45 分钟", "好，改成 45 分钟。"),
    ],
)
def test_a_value_named_instead_of_the_proposed_one_is_a_decision(
    candidates_of: CandidatesOf, asked: str, said: str, answer: str
) -> None:
    """A number given in reply to a proposed number, and repeated by the assistant, is settled."""
    [decision] = candidates_of(f"< {asked}", f"> {said}", f"< {answer}")
    assert decision.quote == said


@table(
    ("open_question", "said", "answer"),
    [
        (
            "So it is between the wooden floor and the tiles?",
            "wooden floor, oiled, in every room",
            "Wooden floor, oiled, everywhere.",
        ),
        ("Drewno czy płytki?", "drewno, olejowane, w każdym pokoju", "Drewno olejowane w każdym pokoju."),
        ("木地板还是瓷砖？", "木地板，每个房间都上油", "木地板，每个房间都上油。"),
    ],
)
def test_an_answer_to_this_or_that_which_the_assistant_repeats_is_settled(
    candidates_of: CandidatesOf, open_question: str, said: str, answer: str
) -> None:
    """One of two, chosen and restated, needs no word of decision."""
    [decision] = candidates_of(f"< {open_question}", f"> {said}", f"< {answer}")
    assert decision.quote == said


def test_a_system_named_in_a_decision_makes_it_architecture(candidates_of: CandidatesOf) -> None:
    """What is settled about parts of a system is architecture."""
    [settled] = candidates_of(
        "> We decided to move billing into a service with its own database.", "< Good, own database."
    )
    assert settled.kind is Kind.ARCHITECTURE


def test_the_reason_is_taken_from_the_words(candidates_of: CandidatesOf) -> None:
    """A clause that gives a reason is the entry's why; without one it is not stated."""
    with_reason, without = candidates_of(
        "> We've decided to sell the trailer because the insurance doubled.",
        "< Noted.",
        "> From now on the shed stays locked, no exceptions.",
        "< Understood.",
    )
    assert with_reason.why == "the insurance doubled"
    assert without.why == "not stated"


@table(
    ("said", "answer"),
    [
        ("the booking api runs behind the proxy, that's how it stays", "Understood."),
        ("the booking api sits behind the proxy and stays that way", "Clear."),
        ("api rezerwacji stoi za bramką, niech tak zostanie", "Rozumiem."),
        ("预订接口放在网关后面，不变", "明白。"),
        ("读走从库，写只走主库", "明白，写只走主库。"),
    ],
)
def test_what_is_said_to_stay_is_suggested(candidates_of: CandidatesOf, said: str, answer: str) -> None:
    """How parts of a system stand is perhaps a decision when the owner says that it stays so."""
    [one] = candidates_of(f"> {said}", f"< {answer}")
    assert (one.kind, one.confidence < OFFLINE_LINE) == (Kind.ARCHITECTURE, True)
