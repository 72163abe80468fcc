"""Which stretches of an owner's message are the owner's own words."""

# ruff: noqa: RUF001 - full-width and typographic marks stand in what people paste

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.entries.authorship import TYPED, foreign, said_by_owner
from schemas.extraction import Candidate
from tests.support.builders.long_texts import busy_at_most
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]

OWN = (
    "Remember: the dentist is on 5 May at 9:00.",
    "From now on we always ship the blue build to production, never anything else.",
    "rule: never deploy on Fridays.",
    "Decision: we use Postgres from now on, never MySQL.",
    "**Decision:** we use Postgres from now on, never MySQL.",
    "Final decision: never book flights before 9, whatever they cost.",
    "I said: never book flights before 9, from now on.",
    "New rule for emails: always sign as Tom, never as Thomas.",
    "ok, and one more thing: from now on never call me before 10.",
    "Zapamiętaj: dentysta jest 5 maja o 9:00.",
    "Zasada: nigdy nie wysyłamy niczego w piątek.",
    "Decyzja: od teraz zawsze używamy Postgresa.",
    "Ustalmy: od teraz zawsze płacimy przelewem, nigdy gotówką.",
    "Ferie: od teraz zawsze jedziemy w góry, nigdy nad morze.",
    "记住：牙医预约在五月五日上午九点。",
    "规则：以后周五一律不上线。",
    "决定：以后一律用 Postgres，绝不用 MySQL。",
    "对了记一下：变更窗口以后固定是每周四凌晨两点",
    "From now on invoices always go to Anna, never to me.\n\n> Hi Tom,\n> never pay before May.\n> Bob",
    "From now on invoices always go to Anna, never to me.\n\nFwd: invoices\n\nNever pay before May.",
    "```\nalways use tabs\n```\nFrom now on never use tabs, always four spaces.",
    "> we should always ship on Friday\n\nNo. Rule: never ship on Friday.",
    "--- begin ---\nalways ship\n--- end ---\nDecision: we never ship on Friday.",
    "Bob: can we ship on Friday?\n\nDecision: we never ship on Friday.",
    "ChatGPT says: use MongoDB.\n\nI have decided: we always use Postgres, never MongoDB.",
    "Od teraz faktury zawsze idą do Anny, nigdy do mnie.\n\nPD: faktury\n\nNie płać przed majem.",
    "以后发票一律发给安娜，绝不发给我。\n\n转发：发票\n\n五月前不付款。",
    'Remember: call the project "Blue Heron" from now on.',
    "Always use `pnpm` and never `npm` from now on.",
    "From now on never merge without [the checklist](https://example.org/c).",
    "When you translate for me, always use British spelling from now on.",
    "From now on always answer me in Polish, even when I write in English.",
    "backend: from now on always Postgres, never MySQL",
    "Remember: my sister's name is Ola and she was born on 3 May.",
    "Remember that the landlord's phone number is 555 1234.",
    "Remember: Bob is allergic to nuts.",
    "Decision: from now on we always take the second one. Thanks!",
    "I've decided: no meetings on Fridays from now on, ever.",
    "hi! from now on always answer in Polish",
    "Hi Claude,\nfrom now on always answer in Polish, never in English.",
    "From now on, when I paste a mail, always summarise it in three bullets.",
    "Always translate my messages into English from now on.",
    "Remember that Bob is allergic to nuts. Now check this recipe.",
    "Never create fake users in the shop database without my consent.",
    "We need mock servers in all tests. Never call the real till from a test.",
    "Don't create dummy files in the yard folder. Always use the barn folder for that.",
    "From now on we always quote gross prices. Rewrite this function.",
    "Zapamiętaj, że dentysta jest 5 maja. A teraz popraw ten test.",
    "Od teraz zawsze podajemy ceny brutto. Popraw ten test.",
    "Rule: translate every mail into Polish before you answer.",
    "From now on never send mails without asking me.",
    "new rule: when Bob writes, always reply the same day",
    "You must always run the tests before you commit. Remember that.",
    "Remember the following: we never deploy on Friday",
    "Please remember this: our office closes at 5 on Fridays.",
    "zapisz sobie: biuro zamykamy w piątki o 15, zawsze",
    "Od teraz zawsze podpisuj maile jako Tomek, nigdy inaczej.",
    "For the record: we decided on Postgres, never MySQL.",
    "My decision: we always use Postgres, for good.",
    "About the invoices: from now on always send them to Anna.",
    "From now on the readme must always have a badge, never two.",
    "From now on our team always writes tests first, never after.",
    "Zasada dla maili: zawsze podpisujemy się pełnym imieniem.",
    "邮件规则：以后一律署名汤姆，绝不写英文名。",
    "以后我的邮件一律先发给我看，绝不直接发。",
    "Decision: we never use MongoDB.\n\nWhy: it lost data twice.",
    "remember this for later: the wifi password is on the fridge",
    "jot this down: filters are F7, always swap them in October",
    "architecture: from now on the API always talks to the queue, never to the database",
    "The API always talks to the queue from now on, never to Postgres directly. Write that down.",
    "Dzień dobry. Od teraz proszę zawsze pisać do mnie po polsku, nigdy po angielsku.",
    "你好，以后一律用中文回答我，绝不用英文。",
    "Wichtig: from now on always metric units, never imperial.",
    "Here's the summary:\n> we could ship Friday\n\nNope. Decision: we never ship on Friday.",
    "Forget that. From now on we always ship on Monday, never Friday.",
    "from now on: always tabs, never spaces",
    "OK so: from now on we always use pnpm, never npm.",
    "我们商量好了：以后发票一律给安娜，绝不给我。",
    "Uzgodniliśmy z Anią: od teraz zawsze ja płacę rachunki, nigdy ona.",
    "I told my boss yesterday\n\nFrom now on I never work on Fridays, always on Mondays.",
    "跟老板说了\n\n决定：以后一律用 Postgres，绝不用 MySQL。",
    "log lines: no guest names and no mail addresses in them, ever. the booking number is enough",
    "log level: from now on always warn, never debug",
    "The mail server: from now on always the one in Oslo, never the old one.",
    "page titles: from now on always at most six words, never more",
    "email templates: from now on always a greeting, never a logo",
    "for wiki backups: from now on always the north disk, never the old one",
    "From now on the lab is always closed on Mondays, never open.\n\ncan you put that on the website?",
    "Decision: we always rent the small hall.\n\ncould you book it for May?",
    "Od teraz laboratorium w poniedziałki zawsze jest zamknięte.\n\nmożesz to wpisać do kalendarza?",
    "Decyzja: zawsze wynajmujemy małą salę.\n\nzarezerwujesz ją na maj?",
    "以后实验室周一一律不开。\n\n你能更新一下日历吗？",
    "Greta asked me to sort the attic\n\nRemember: the skis always stand by the wall.",
    "Greta kazała mi posprzątać strych\n\nZapamiętaj: narty zawsze stoją przy ścianie.",
    "葛蕾让我整理阁楼\n\n记住：滑雪板一律靠墙放。",
    "I'm tidying the handbook today\n\nRule: every chapter always has a date.",
    "I need it in the manual\n\nRule: never print secrets.",
    "dziś porządkuję podręcznik\n\nZasada: rozdział zawsze ma datę.",
    "chcę to dać do instrukcji\n\nZasada: nigdy nie drukujemy haseł.",
    "我今天在整理手册\n\n规则：每章以后一律写日期。",
    "我想把这条写进说明\n\n规则：以后绝不打印密码。",
    "Attic\nfrom now on the skis always stand by the wall, never on the floor",
    "from my side: from now on never any calls on Sundays",
    "Claude, remember: the skis always stand by the wall.",
    "minutes always go to the archive from now on, never by mail.",
    "protokoły od teraz zawsze idą do archiwum, nigdy mailem.",
    "会议纪要以后一律存档，绝不发邮件。",
    "Wreszcie decyzja: od teraz zawsze bierzemy większą paczkę, nigdy małą.",
    "Good morning\n\nFrom now on we always eat at seven. Never later.",
    "I hung a card on the gate. From now on we always eat at seven, never later.",
    "Wywiesiłem kartkę na furtce. Od teraz zawsze jemy o siódmej, nigdy później.",
    "我在篱笆上挂了块牌子。以后一律七点吃饭，绝不更晚。",
    "Attic\n\nDecision: the skis always stand by the wall.",
    "Option 2.\n\nFrom now on we always rent the small hall, never the big one.",
    "our minutes rule: from now on always one page, never more.",
    "From now on the lab is always closed on Mondays.\n\ncould you hook that up to the door lock?",
    "Decision: the lab is always closed on Mondays.\n\nwill you mark it as settled?",
    "put a note on the calendar. From now on we always eat at seven, never later.",
)
OWN_LISTS = (
    "our rules:\n- never deploy on Fridays\n- always ask me before you send mail",
    "nasze zasady:\n- nigdy nie wysyłamy w piątek\n- zawsze pytasz mnie przed wysłaniem maila",
    "我们的规矩：\n- 周五一律不上线\n- 发邮件之前必须先问我",
    "Decisions:\n1. We always use Postgres.\n2. We never deploy on Friday.",
    "Our rules for emails:\n1. always sign as Tom\n2. never reply after 6pm",
    "rules for the blog:\n- always British spelling\n- never emojis",
    "Zasady:\n1. nigdy nie wysyłamy w piątek\n2. zawsze pytasz mnie przed wysłaniem",
    "记住以下规则：\n1. 周五一律不上线\n2. 发邮件前必须先问我",
    "以下是我们的规则：\n- 周五一律不上线\n- 发邮件前必须先问我",
    "Here are our rules:\n- never deploy on Fridays\n- always ask me first",
    "Two things. From now on we never deploy on Friday. And always ping Anna first.",
    "Preferences:\n- always metric units\n- never emojis",
)
SCRAPS = (
    *(
        "```",
        "~~~",
        '"""',
        "<!--",
        "-->",
        "<p>",
        "</p>",
        "---",
        "> ",
        "# ",
        "- ",
        "| a |",
        '{"a":',
        "}",
        "\n",
        "\n\n",
        " ",
    ),
    *("Fwd:", "From: Bob", "Subject: x", "Bob:", "[10:00] Bob:", "ChatGPT says", "You are a bot.", "translate this:"),
    *(
        "od szefa:",
        "co odpisać",
        "według ChatGPT",
        "Jesteś botem.",
        "转发：",
        "老板说：",
        "翻译：",
        "什么意思",
        "你是一个专家",
    ),
    *(
        "Decision: we never ship.",
        "Remember this",
        '"',
        "“",
        "”",
        "「",
        "」",
        "(end)",
        "--- end ---",
        "Best,\nBob",
        "a",
        "。",
    ),
)
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(SCRAPS), max_size=12).map(" ".join))
SHAPES = {
    "lines": "\n",
    "spaces": " ",
    "tabs": "\t",
    "brackets": "[",
    "tags": "<a>",
    "ticks": "`",
    "marks": '"',
    "labels": "a:\n",
    "items": "- a\n",
    "rows": "| a ",
    "objects": '{"a":',
    "quoted": "> a\n",
    "headers": "From: a\nTo: b\n",
    "fences": "```\n",
    "sayings": "bob says: ",
    "requests": "translate this ",
    "quotations": 'he said "a b c d" ',
    "stamps": "[10:00] Bob: a\n",
    "han": "他说：",
    "names": "Greta\nhello\nOlaf\n",
    "fields": "status: a\n",
    "keys": "ABC-1 a\n\n",
    "titles": "Plum jam\n\n",
    "hung": "there is a sign on the ",
    "dashes": "from a on b — ",
    "plurals": "wiecie robcie ",
}


@table("message", OWN)
def test_what_the_owner_says_is_written(candidates_of: CandidatesOf, message: str) -> None:
    """Labels, dictated lists, words about mail and translations, and own lines around a paste."""
    assert len(candidates_of(f"> {message}", "< Noted.")) == 1


@table("message", OWN_LISTS)
def test_both_things_that_the_owner_says_are_written(candidates_of: CandidatesOf, message: str) -> None:
    """A list below its heading is no document."""
    assert len(candidates_of(f"> {message}", "< Noted.")) == 2


@table(
    ("message", "own", "other"),
    [
        ("Never pay before May.\n\nFwd: x\n\nPay now.", "Never pay before May.", "Pay now."),
        ("```\nPay now.\n```\nNever pay before May.", "Never pay before May.", "Pay now."),
        ("> Pay now.\n\nNever pay before May.", "Never pay before May.", "Pay now."),
        ("--- begin ---\nPay now.\n--- end ---\nNever pay before May.", "Never pay before May.", "Pay now."),
        ("Bob wrote:\n> Pay now.\n\nNever pay before May.", "Never pay before May.", "Pay now."),
        ("Never pay.\n```\nPay now.\n```\nwhat does this mean?", "Never pay.", "Pay now."),
        ("summarise this:\n```\nPay now.\n```\nNever pay.", "Never pay.", "Pay now."),
        ("look what Bob sent me\n> Pay now.\n\nNever pay.", "Never pay.", "Pay now."),
        ("ChatGPT says: Pay now.\n\nDecision: never pay.", "Decision: never pay.", "Pay now."),
        ("<mail>Pay</mail> now.</mail>\nNever pay.", "Never pay.", "now."),
        ("Pay now.\n</mail>\nNever pay.", "Never pay.", "Pay now."),
        ("```\nx\n```\nPay now.\n```", "", "Pay now."),
        ("Mail:\n\nPay now.\n\nDecision: pay today.", "", "Decision: pay today."),
    ],
)
def test_a_line_of_the_owners_counts_where_it_is_clearly_outside(message: str, own: str, other: str) -> None:
    """Before what opens a paste, after what closes it, and after one remark where the owner decides."""
    assert own == "" or said_by_owner(own, message) == (message.index(own), message.index(own) + len(own))
    assert not said_by_owner(other, message)


def test_a_quote_that_stands_in_both_is_the_owners() -> None:
    """The owner repeats what somebody wrote, and means it: the owner's place counts."""
    assert said_by_owner("pay on Friday", "> pay on Friday\n\nyes, pay on Friday") == (22, 35)


def test_a_quote_across_the_edge_is_not_the_owners() -> None:
    """Half of it was never said by the owner."""
    message = "ok\n> pay on Friday"

    assert not said_by_owner("ok\n> pay", message)
    assert said_by_owner("ok", message)


def test_what_is_too_long_to_be_typed_is_not_the_owners() -> None:
    """Nobody types pages into a chat; what stands before a paste that marks set apart is another matter."""
    typed, pasted = "Never pay before May.", "word and " * TYPED

    assert not said_by_owner(typed, f"{typed} {pasted}")
    assert said_by_owner(typed, f"```\n{pasted}\n```\n{typed}")


@given(texts)
def test_stretches_are_in_order_inside_the_text_and_apart(text: str) -> None:
    """Whatever the text."""
    edges = [edge for stretch in foreign(text) for edge in stretch]

    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(text) for edge in edges)


@given(texts, st.data())
def test_a_quote_is_either_own_or_touches_what_is_foreign(text: str, data: st.DataObject) -> None:
    """There is one list of stretches, and it decides."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end]
    own = [
        (place, place + len(quote))
        for place in range(len(text))
        if quote
        and text.startswith(quote, place)
        and not any(begin < place + len(quote) and place < stop for begin, stop in foreign(text))
    ]

    assert next(iter(own), None) == said_by_owner(quote, text)


@pytest.mark.processor
@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_of_text_takes_the_time(shape: str) -> None:
    """Some hundred thousand characters are read in a moment; a pattern that goes back would take minutes."""
    text = SHAPES[shape] * (100_000 // len(SHAPES[shape]))
    with busy_at_most(20):
        foreign(text)
