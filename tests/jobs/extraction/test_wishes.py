"""What is clearly meant to last and is not understood waits for a person, with its subject in words."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from jobs.extraction.grounds import UNCERTAIN
from schemas.entry import Kind
from schemas.extraction import Candidate, WordsDoubt
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]
DoubtsOf = Callable[..., list[tuple[int, WordsDoubt]]]

WISHES = [
    ("> the club room is on the third floor now", "< OK.", "> add that to memory", "< Done."),
    ("> I prefer short answers", "< OK."),
    ("> use spaces not tabs in this repo", "< OK."),
    ("< I'd suggest keeping the invoices in Postgres. Fine?", "> yes", "< Done."),
    ("> wolę krótkie odpowiedzi", "< Dobrze."),
    ("< Proponuję trzymać rachunki w Postgresie. Pasuje?", "> tak", "< Zrobione."),
    ("> 我喜欢简短的回答", "< 好的。"),
    ("> please call me by my middle name", "< Sure."),
    ("> proszę nie używaj już tabel w listach", "< Ok."),
    ("> add to memory - loans over ten days need my signature", "< Done."),
    ("> our choir meets in the old mill now, not at the school. what's the weather on Thursday?", "< Rain."),
    ("> mieszkamy teraz na wsi pod Lublinem, bez samochodu. ile jedzie pociąg do Warszawy?", "< Dwie godziny."),
    ("> 我妈妈对海鲜过敏，牙口也不好。周日吃什么好？", "< 豆腐。"),
    ("< 我建议发票存 Postgres。可以吗？", "> 可以", "< 好。"),
]


@table("lines", WISHES)
def test_a_wish_waits_for_a_person(candidates_of: CandidatesOf, doubts_of: DoubtsOf, lines: tuple[str, ...]) -> None:
    """It is given to the memory, preferred, chosen, only acknowledged, or the only proposal that a yes takes."""
    [number] = [place for place, line in enumerate(lines, start=1) if line[0] == ">"][-1:]
    assert doubts_of(*lines) == [(number, WordsDoubt.NOT_UNDERSTOOD)]
    assert candidates_of(*lines) == ()


@table(
    "lines",
    [
        ("> the customer says it is slow, so from now on we cache the prices", "< Noted."),
        ("> okay final call, we are going with the smaller hall", "< Great."),
        ("> szef się zgodził, od teraz pracuję zdalnie w piątki", "< Zapisane."),
        ("> 我的决定是：继续用老供应商", "< 好的。"),
    ],
)
def test_words_that_settle_beside_another_person_are_not_lost(doubts_of: DoubtsOf, lines: tuple[str, ...]) -> None:
    """Whose they are is not clear to a reading without a model: a person decides."""
    assert [number for number, _ in doubts_of(*lines)] == [1]


@table(
    "said",
    [
        "Change of plan: we open in May",
        "Architecture change: the worker now reads from a queue instead of the table",
        "Zmiana planu: jednak wysyłamy kurierem",
        "架构调整：缓存换成本地文件",
        "计划有变，改用Postgres。",
    ],
)
def test_a_change_under_its_heading_is_suggested_first(candidates_of: CandidatesOf, said: str) -> None:
    """It is said outright, and still no wish to have it remembered."""
    [change] = candidates_of(f"> {said}", "< OK.")
    assert (change.conclusion, change.confidence) == (said, UNCERTAIN)


@table(
    ("said", "conclusion"),
    [
        ("add this to CLAUDE.md: the tests need Docker running", "the tests need Docker running"),
        ("can you save this for later: the glazier's name is Ray", "the glazier's name is Ray"),
        ("dodaj do pamięci: rachunki wysyłamy w PDF", "rachunki wysyłamy w PDF"),
        ("写进你的记忆：发票用 PDF 寄", "写进你的记忆：发票用 PDF 寄"),
    ],
)
def test_what_is_given_to_the_memory_in_words_is_remembered(
    candidates_of: CandidatesOf, said: str, conclusion: str
) -> None:
    """It is as good as `remember`."""
    [given] = candidates_of(f"> {said}", "< Done.")
    assert (given.kind, given.conclusion) == (Kind.REMEMBER, conclusion)


@table(
    "lines",
    [
        ("> fix the failing test", "= tool", "< Done."),
        ("> show me the memory usage", "< 40 percent."),
        ("> add logging to the memory manager", "= tool", "< Done."),
        ("< Shall I run the tests?", "> yes", "= tool", "< They pass."),
        ("> I prefer not to say", "< OK."),
        ("> send the invoice to the landlord", "< Done."),
        ("> wyślij rachunek sąsiadce", "< Zrobione."),
        ("> quick change to the header: make it blue", "= tool", "< Done."),
        ("> Change of plan: can't make it tonight", "< OK."),
        ("> czekaj, serwer nie odpowiada", "< Sprawdzam."),
        ("> 修一下测试", "= tool", "< 好了。"),
        ("> my printer shows a blank page and fails with error 50. what now?", "< Restart it."),
        ("> we were at the lake all weekend and it rained. what's on today?", "< A fair."),
        ("> our hens lay best in the small shed, it seems", "< Good."),
        ("> nie, nie dopisuj, w majówkę i tak mamy pełno gości. co jeszcze jest?", "< Nic."),
    ],
)
def test_ordinary_work_is_no_wish(doubts_of: DoubtsOf, lines: tuple[str, ...]) -> None:
    """Tasks, questions, offers that are taken and words about a program's memory."""
    assert doubts_of(*lines) == []


def test_a_line_behind_a_hash_is_the_owners(candidates_of: CandidatesOf) -> None:
    """Some agents have a thing to remember begin so."""
    [rule] = candidates_of("> # always use pnpm", "< OK.")
    assert (rule.conclusion, rule.confidence >= 0.8) == ("always use pnpm", True)


@table(
    ("said", "answer"),
    [
        ("git checkout release-2.4", "Switched to release-2.4."),
        ("then the goat chewed up 3 cables", "3 cables, noted."),
        ("potem koza zjadła 3 kable", "3 kable, zapisane."),
        ("后来羊把线咬断了", "羊把线咬断了，记下了。"),
        ("if one more lamp breaks i become a beekeeper, final answer", "Noted."),
        ("jeszcze jedna awaria i zostaję pszczelarzem, ostateczna decyzja", "Zapisane."),
        ("再崩一次我就去养蜂，决定了", "记下了。"),
    ],
)
def test_commands_stories_and_threats_are_not_sure(candidates_of: CandidatesOf, said: str, answer: str) -> None:
    """The assistant's echo makes no decision of them."""
    assert [one for one in candidates_of(f"> {said}", f"< {answer}") if one.confidence >= 0.8] == []
