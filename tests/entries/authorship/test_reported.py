"""Words that somebody else perhaps speaks, and the owner's own words that look like them."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from pathlib import Path

from pipeline.entries.authorship import said_by_owner
from pipeline.entries.authorship.reported import perhaps_reported
from tests.support.tables import table

REPORTED = [
    ("小李说，以后一律周一上线", "以后一律周一上线"),
    ("Ewa mówi, od teraz zawsze wysyłamy w poniedziałki", "od teraz zawsze wysyłamy w poniedziałki"),
    ("from now on we always ship on Monday - Anna from sales", "from now on we always ship on Monday"),
    ("our CTO keeps saying that from now on nobody works late", "from now on nobody works late"),
    ("my aunt says we always water at night", "my aunt says we always water at night"),
    ("the doctor would like us to always walk to work", "the doctor would like us to always walk to work"),
    ("kierownik prosi, żeby od teraz nikt nie wchodził bokiem", "od teraz nikt nie wchodził bokiem"),
    ("经理希望我们以后都走侧门", "经理希望我们以后都走侧门"),
    ("dobrze to brzmi? Od teraz wszyscy płacą z góry.", "Od teraz wszyscy płacą z góry."),
    ("Summarize this. From now on everybody pays first.", "From now on everybody pays first."),
    ("♫ from now on I always come home ♫", "from now on I always come home"),
    ("na na na, od teraz zawsze razem", "od teraz zawsze razem"),
    ("Observation: from now on the gate is shut", "Observation: from now on the gate is shut"),
    ("[Finding] the gate is always shut", "the gate is always shut"),
    ("[planner] the gate is always shut", "the gate is always shut"),
    ("[Marek Nowak] brama jest zawsze zamknięta", "brama jest zawsze zamknięta"),
    ("[审核员] 以后都用制表符", "以后都用制表符"),
    ("Wniosek: od teraz brama jest zamknięta", "Wniosek: od teraz brama jest zamknięta"),
    ("观察：以后门一律关着", "观察：以后门一律关着"),
    ("the boss\nfrom now on the gate is shut", "from now on the gate is shut"),
    ("Dr. Wolf\nfrom now on two pills a day", "from now on two pills a day"),
    ("going round my head: from now on I never look back", "from now on I never look back"),
    ("w kółko to nucę: od teraz zawsze razem", "od teraz zawsze razem"),
    ("整天在我脑子里转：从今以后不回头", "从今以后不回头"),
    ("Step 3 - from now on keep the lid shut", "from now on keep the lid shut"),
    ("第三步：从现在起用小火", "从现在起用小火"),
    ("commas ok? From now on everybody signs the book.", "From now on everybody signs the book."),
    ("przecinki? Od teraz każdy wpisuje się do księgi.", "Od teraz każdy wpisuje się do księgi."),
    ("标点对吗？以后都要登记。", "以后都要登记。"),
    ("check the commas please. From now on only cards.", "From now on only cards."),
    ("popraw mi to:\n\nod teraz tylko karty", "od teraz tylko karty"),
    ("I am done. From now on both routes answer. Files changed: 4.", "From now on both routes answer."),
    ("codex says\nDecision: the parser stays", "Decision: the parser stays"),
    ("what the other one answered\n\nThe queue goes. From now on it is a table.", "From now on it is a table."),
    ("the board's position is that from now on nobody parks here", "from now on nobody parks here"),
    ("saw an ad that said from now on fresh bread at seven", "from now on fresh bread at seven"),
    ("步骤四：以后用小火", "以后用小火"),
    ("楼道里贴的：以后随手关门", "以后随手关门"),
    ("小李决定以后用小火", "小李决定以后用小火"),
    ("2. From now on keep the lid shut\n3. Never add salt", "From now on keep the lid shut"),
    ("the insurer's rule is that from now on two people sign", "from now on two people sign"),
    ("error: from now on pass --force", "from now on pass --force"),
    ("Piotr Zalewski\nod teraz zawsze wysyłamy w poniedziałki", "od teraz zawsze wysyłamy w poniedziałki"),
]
OWN = [
    ("From now on we always ship on Monday - never on Friday", "From now on we always ship on Monday"),
    ("Hi Claude,\nfrom now on always answer in Polish", "from now on always answer in Polish"),
    ("my boss is gone, so from now on I sign everything", "my boss is gone, so from now on I sign everything"),
    ("the boss and I decided that we always ship on Monday", "we always ship on Monday"),
    ("Marta pays all invoices from now on", "Marta pays all invoices from now on"),
    ("I want us to always ship on Monday", "I want us to always ship on Monday"),
    ("我希望以后一律周一发货", "我希望以后一律周一发货"),
    ("Is the build done? From now on always run it twice.", "From now on always run it twice."),
    ("no no no, from now on never on Friday", "from now on never on Friday"),
    ("[Rule] the gate is always shut", "the gate is always shut"),
    ("and since january burned us: from now on we test it", "from now on we test it"),
    ("bo w styczniu się sparzyliśmy: od teraz zawsze to sprawdzamy", "od teraz zawsze to sprawdzamy"),
    ("因为上次出了问题：以后都要先测试", "以后都要先测试"),
    ("[urgent] We decided: the crane is rented.", "We decided: the crane is rented."),
    ("[pilne] od teraz w piątki nie wdrażamy", "od teraz w piątki nie wdrażamy"),
    ("【重要】以后都用制表符", "以后都用制表符"),
    ("that too, but the real lesson: never lend keys", "never lend keys"),
    ("Garden gate: from now on always shut", "Garden gate: from now on always shut"),
    ("the new rule for all of the shop: never lend keys", "never lend keys"),
    ("Answer in Polish. From now on no tables.", "From now on no tables."),
    ("1. From now on keep the lid shut\n2. Never add salt", "Never add salt"),
    ("the rule is that from now on two people sign", "from now on two people sign"),
    ("The garden gate: from now on always shut", "from now on always shut"),
    ("for the attic: from now on no shoes", "from now on no shoes"),
    ("we thought about it all week: from now on no shoes", "from now on no shoes"),
    ("Some rules:\n- no shoes\n- never on Friday", "never on Friday"),
    ("House rules\n1. no shoes\n2. never on Friday", "never on Friday"),
    ("I cleaned the attic today\nfrom now on no shoes", "from now on no shoes"),
    ("8 o'clock? From now on 8 it is.", "From now on 8 it is."),
    ("Attic\nfrom now on the skis stand by the wall", "from now on the skis stand by the wall"),
    ("老实说：以后一律先测试", "以后一律先测试"),
    ("mówię wprost: od teraz żadnych telefonów", "od teraz żadnych telefonów"),
]


def _read_samples(name: str) -> list[list[str]]:
    """Messages, with line ends written as in JSON, and a quote of each."""
    lines = (Path(__file__).parent / "samples" / name).read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n").split("\t") for line in lines]


@table(("text", "quote"), [*REPORTED, *_read_samples("reported.tsv")])
def test_another_speaker_is_a_doubt(text: str, quote: str) -> None:
    """A person with a clause, a request about a text, a song, a record, a name behind a dash or alone in a line."""
    assert perhaps_reported(text, quote)


@table(("text", "quote"), [*OWN, *_read_samples("own.tsv")])
def test_the_owners_words_are_none(text: str, quote: str) -> None:
    """A greeting, a heading, the owner's own lead, and a person who only takes part name no other speaker."""
    assert not perhaps_reported(text, quote)


@table(("question", "most"), [("is this {}?", "x" * 19), ("{}?", "ok " * 3), ("commas {}?", "commas " * 2)])
def test_a_question_about_a_text_is_short(question: str, most: str) -> None:
    """A letter or a word more, and it asks for something else."""
    assert perhaps_reported(f"{question.format(most)} It stays.", "It stays.")
    assert not perhaps_reported(f"{question.format(most + most[-7:])} It stays.", "It stays.")


@table(
    "text",
    [
        "remember that the audit log for unit A25 is printed every Monday",
        "zapamiętaj że serwis stoi na hoście B, a tam deploy według zasad X",
        "记住,发票一律用人民币开。 See @a.txt",
        "I'll say it once: never deploy on Fridays",
        "老实说：以后一律先测试",
        "from now on ship on Mondays (never on Fridays)",
        "od teraz: commity po angielsku;",
        "let me be blunt: from now on no calls before ten",
        "let's go with the blue one (not the red one)",
        "Tom asks: can we ship on Friday? No, never.",
        "Ela pyta: czy bierzemy gotówkę? Nie, nigdy.",
        "小王问：周五能发货吗？不能，以后都不行。",
    ],
)
def test_what_only_looks_like_a_text_from_elsewhere_is_the_owners(text: str) -> None:
    """A text named within what is to be remembered, a mention of a file, a lead of one's own, and marks of code."""
    assert said_by_owner(text, text)


@table(
    ("text", "quote"),
    [
        ("Tom asks: can we ship on Friday? I need it.", "I need it."),
        ("Tom says: we ship on Friday. No, never.", "No, never."),
    ],
)
def test_a_question_without_the_owners_answer_is_anothers(text: str, quote: str) -> None:
    """What follows may still be the other speaker's."""
    assert said_by_owner(quote, text) is None


@table("text", ["[10:02] Kowalski, Jan\nod teraz zawsze w poniedziałki", "10:02 Rosa Blum\nfrom now on"])
def test_a_time_before_a_name_heads_a_copied_message(text: str) -> None:
    """As chats are copied where the time stands first."""
    assert not said_by_owner(text.split("\n")[1], text)
