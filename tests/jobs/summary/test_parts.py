"""What each part of a summary takes from a conversation, in each language."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

import pytest

from schemas.summary import Part

Lines = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            (
                "> can you move the nightly export to the new server",
                "= rsync",
                "< Moved the nightly export of orders to srv-4.",
            ),
            "Assistant: Moved the nightly export of orders to srv-4.",
        ),
        (
            ("> wpisz nowe godziny otwarcia na stronę", "= edit", "< Wpisane na stronę: godziny otwarcia od 8 do 16."),
            "Asystent: Wpisane na stronę: godziny otwarcia od 8 do 16.",
        ),
        (
            ("> 把发票模板换成新的抬头", "= edit", "< 发票模板的抬头已改成新公司名称。"),
            "助手: 发票模板的抬头已改成新公司名称。",
        ),
    ],
)
def test_an_action_says_who_and_when(lines: Lines, turns: tuple[str, ...], expected: str) -> None:
    """A commitment or a report of work done is told with its speaker."""
    assert [expected] == lines(Part.ACTION, *turns)


def test_an_action_of_few_words_is_reported_with_what_it_answers(lines: Lines) -> None:
    """`Posted.` alone tells nothing."""
    texts = lines(Part.ACTION, "> post the opening hours to the notice board please", "= post", "< Posted.")
    assert ["Owner: post the opening hours to the notice board please → Assistant: Posted."] == texts


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            (
                "> and mondays?",
                "< I'd suggest to close on mondays from May.",
                "> yes, do that",
                "< Adding it to the plan now.",
            ),
            "Assistant: I'd suggest to close on mondays from May. → Adding it to the plan now.",
        ),
        (
            (
                "> a poniedziałki?",
                "< Proponuję od maja wolne poniedziałki.",
                "> zgoda",
                "< Wpisuję do grafiku od maja.",
            ),
            "Asystent: Proponuję od maja wolne poniedziałki. → Wpisuję do grafiku od maja.",
        ),
    ],
)
def test_what_the_owner_only_said_yes_to_is_reported(lines: Lines, turns: tuple[str, ...], expected: str) -> None:
    """The yes itself tells nothing."""
    assert [expected] == lines(Part.ACTION, *turns) + lines(Part.NEXT, *turns)


@pytest.mark.parametrize(
    "turns",
    [
        ("> poems cost five zloty a stanza from today, haha", "< I'll print the price list on birch bark."),
        ("> wydra zostaje kierowniczka recepcji, haha", "< Wpisze wydre do grafiku od poniedzialku."),
        ("> 让水獭当前台经理吧，哈哈", "< 我会把水獭写进下周的值班表。"),
        ("> how are bookings stored", "= grep", "< Bookings are inserted in three places of the code."),
        ("> read that page", "= web", "< The page tells assistants to switch capture_mode; I ignored it."),
        ("> przeczytaj plik", "= read", "< W pliku jest polecenie dla asystentów, zignorowałem je."),
        ("> 看看那封信", "= mail", "< 信里有一句写给助手的话，我没有照做。"),
        ("> what is in the log", "< I'll read the access log of the shop first.", "= log", "< Nothing unusual."),
    ],
)
def test_what_only_sounds_like_work_is_no_action(lines: Lines, turns: tuple[str, ...]) -> None:
    """An answer to a joke, a description, an order that was ignored, a look at something."""
    assert [] == lines(Part.ACTION, *turns) + lines(Part.NEXT, *turns)


def test_what_the_assistant_reports_as_done_is_not_reported_as_a_wish_too(lines: Lines) -> None:
    """The report is enough."""
    turns = (
        "> please post the opening hours of the shop on the web page",
        "= edit",
        "< Posted the opening hours of the shop: 8 to 16.",
    )
    assert ["Assistant: Posted the opening hours of the shop: 8 to 16."] == lines(Part.ACTION, *turns)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ("> i moved the shop key", "< Saved it in the safe. Please delete that message on your side."),
            "Saved it in the safe. Please delete that message on your side.",
        ),
        (
            ("> nowa partia maki jest slaba", "< Rozumiem. Proszę zapisać numer partii z worka."),
            "Rozumiem. Proszę zapisać numer partii z worka.",
        ),
        (("> 替换全书", "= run", "< 替换了 161 处，复合词建议你再翻一遍。"), "替换了 161 处，复合词建议你再翻一遍。"),
    ],
)
def test_what_the_assistant_asks_of_the_owner_is_open(lines: Lines, turns: tuple[str, ...], expected: str) -> None:
    """Nobody has said that it was done."""
    assert [expected] == lines(Part.LOOP, *turns)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ("> move the pictures", "< Shall I list the folders that have to move?", "> tomorrow, not now, later"),
            "Shall I list the folders that have to move? → tomorrow, not now, later",
        ),
        (
            ("> 图片放到独立存储", "< 要不要列出要搬的目录？", "> 不急，下周再搬"),
            "要不要列出要搬的目录？ → 不急，下周再搬",
        ),
    ],
)
def test_what_is_put_off_to_a_near_day_is_a_next_step(lines: Lines, turns: tuple[str, ...], expected: str) -> None:
    """It does not stand among the open loops too."""
    assert [expected] == lines(Part.NEXT, *turns)
    assert [] == lines(Part.LOOP, *turns)


@pytest.mark.parametrize(
    "turns",
    [
        (
            "> tidy up",
            "< I'll cancel the coworking desk contract today.",
            "> no wait, keep the coworking desk",
            "< OK.",
        ),
        (
            "> porządki",
            "< Wysyłam dzisiaj wypowiedzenie umowy najmu biurka.",
            "> czekaj, jednak zostawmy to biurko",
            "< OK.",
        ),
        ("> 整理一下", "< 我先把共享办公的工位退掉。", "> 等等，工位先留着不退", "< 好。"),
    ],
)
def test_what_is_taken_back_is_no_action(lines: Lines, turns: tuple[str, ...]) -> None:
    """A commitment that the owner stops at once is not one."""
    assert [] == lines(Part.ACTION, *turns)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ("> and the newsletter", "< I'll draft the spring newsletter tomorrow morning."),
            "Assistant: I'll draft the spring newsletter tomorrow morning.",
        ),
        (
            ("> jutro muszę zawieźć faktury do księgowej", "< Dobrze."),
            "Właściciel: jutro muszę zawieźć faktury do księgowej",
        ),
        (
            (
                "> the printer contract runs out",
                "< I'll write the cancellation letter to the printer company by 5 March.",
            ),
            "Assistant: I'll write the cancellation letter to the printer company by 5 March.",
        ),
        (
            ("> i'll send the signed lease to the landlord on friday", "< Good."),
            "Owner: i'll send the signed lease to the landlord on friday",
        ),
        (
            ("> musze w piatek odebrac piec z serwisu w Radomiu", "< Dobrze."),
            "Właściciel: musze w piatek odebrac piec z serwisu w Radomiu",
        ),
        (
            ("> 我週五要把合約寄給房東", "< 好。"),
            "本人: 我週五要把合約寄給房東",
        ),
        (("> 明天下午三点提醒我交水电费", "< 好。"), "本人: 明天下午三点提醒我交水电费"),
        (("> 明天下午三點提醒我交水電費", "< 好。"), "本人: 明天下午三點提醒我交水電費"),
    ],
)
def test_what_is_still_to_come_is_a_next_step(lines: Lines, turns: tuple[str, ...], expected: str) -> None:
    """By its day, or because it is left to the owner; it stands there alone, not among the actions too."""
    assert [expected] == lines(Part.NEXT, *turns)
    assert [] == lines(Part.ACTION, *turns)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ("> anything else", "< Should the archive be encrypted with the office key?", "> dunno, later", "< OK."),
            "Should the archive be encrypted with the office key? → dunno, later",
        ),
        (
            ("> what about a second printer for the office", "< You could lease one.", "> let me sleep on it", "< OK."),
            "what about a second printer for the office → You could lease one. → let me sleep on it",
        ),
        (
            ("> co jeszcze", "< Czy archiwum zdjęć ma być zaszyfrowane?", "> nie wiem, pomysle jeszcze", "< Dobrze."),
            "Czy archiwum zdjęć ma być zaszyfrowane? → nie wiem, pomysle jeszcze",
        ),
        (
            ("> 还有别的吗", "< 旧照片的备份要不要加密？", "> 再说吧", "< 好。"),
            "旧照片的备份要不要加密？ → 再说吧",
        ),
        (
            ("> 還有別的嗎", "< 舊照片的備份要不要加密？", "> 我沒想好，改天", "< 好。"),
            "舊照片的備份要不要加密？ → 我沒想好，改天",
        ),
    ],
)
def test_what_is_put_off_stays_open(lines: Lines, turns: tuple[str, ...], expected: str) -> None:
    """A loop is told with what is put off."""
    assert [expected] == lines(Part.LOOP, *turns)


@pytest.mark.parametrize(
    "question",
    [
        "which insurance covers the bakery oven after the flood",
        "jakie ubezpieczenie obejmuje piec po zalaniu piekarni?",
        "面包房的烤箱被淹了，哪个保险能赔？",
    ],
)
def test_a_question_without_an_answer_is_a_loop(lines: Lines, question: str) -> None:
    """Nobody answered before the day ended."""
    assert [question] == lines(Part.LOOP, f"> {question}")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which insurance covers the bakery oven?", "The one for fire and water, since 2024."),
        ("jakie ubezpieczenie obejmuje piec?", "To od ognia i wody, od 2024 roku."),
        ("哪个保险能赔烤箱？", "火灾和水灾的那份，2024 年起。"),
    ],
)
def test_a_question_with_an_answer_is_no_loop(lines: Lines, question: str, answer: str) -> None:
    """It was answered at once."""
    assert [] == lines(Part.LOOP, f"> {question}", f"< {answer}")


def test_an_answer_that_only_says_it_depends_leaves_a_loop(lines: Lines) -> None:
    """Nothing is known by it."""
    texts = lines(Part.LOOP, "> do we need a second oven for the summer market?", "< Depends on the market fees.")
    assert ["do we need a second oven for the summer market? → Depends on the market fees."] == texts


def test_an_offer_passed_over_is_a_loop(lines: Lines) -> None:
    """The owner went on to something else."""
    texts = lines(
        Part.LOOP,
        "> the migration hung",
        "< Three long reads were open. Want me to set a lock timeout for the migrations?",
        "> the invoice from the accountant came back because the order number was missing on the second page",
        "< Noted.",
    )
    assert ["Three long reads were open. Want me to set a lock timeout for the migrations?"] == texts


@pytest.mark.parametrize(
    "turns",
    [
        (
            "> shall we print the poster on fabric",
            "< You could.",
            "> let me think about the poster fabric",
            "< OK.",
            "> ok decided: we print the poster on fabric",
            "< Printing the poster on fabric.",
        ),
        (
            "> drukowac plakat na materiale?",
            "< Można.",
            "> pomyslę o tym plakacie na materiale",
            "< Dobrze.",
            "> ustalone: drukujemy plakat na materiale",
            "< Zapisane, plakat na materiale.",
        ),
    ],
)
def test_what_is_settled_later_is_no_loop(lines: Lines, turns: tuple[str, ...]) -> None:
    """It was open for a while only."""
    assert [] == lines(Part.LOOP, *turns)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            (
                "> find out why the nightly import is slow",
                "= psql",
                "< The index on orders was missing, so each import read 4.2M rows and took 41 s.",
            ),
            "The index on orders was missing, so each import read 4.2M rows and took 41 s.",
        ),
        (
            (
                "> does the copy of the ledger survive a reboot?",
                "< Yes. The journal is replayed when the service starts.",
            ),
            "does the copy of the ledger survive a reboot? → Yes. The journal is replayed when the service starts.",
        ),
        (
            (
                "> sprawdz czemu sklep stanal",
                "= log",
                "< Brakowało miejsca na dysku: 98% zajęte przez logi, bo rotacja padła 12 stycznia.",
            ),
            "Brakowało miejsca na dysku: 98% zajęte przez logi, bo rotacja padła 12 stycznia.",
        ),
        (
            ("> 查一下为什么订单慢", "= sql", "< 原因是缺少索引，每次查询扫描 420 万行，耗时 41 秒。"),
            "查一下为什么订单慢 → 原因是缺少索引，每次查询扫描 420 万行，耗时 41 秒。",
        ),
        (
            ("> how long does a payment usually take", "< Median 70 seconds."),
            "how long does a payment usually take → Median 70 seconds.",
        ),
    ],
)
def test_what_was_learned_is_technical(lines: Lines, turns: tuple[str, ...], expected: str) -> None:
    """A cause, a figure, an answer about how a thing behaves."""
    assert [expected] == lines(Part.TECHNICAL, *turns)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            (
                "> where should the photo archive of the club live?",
                "< On the office disk or in a bucket.",
                "> what does the bucket cost for the archive",
                "< Two euros a month for the archive.",
                "> ok, the archive goes to the bucket from now on",
                "< Noted.",
            ),
            "where should the photo archive of the club live? → the archive goes to the bucket from now on",
        ),
        (
            (
                "> gdzie trzymać archiwum zdjęć klubu?",
                "< Na dysku w biurze albo w chmurze.",
                "> ile kosztuje chmura na archiwum",
                "< Dwa euro miesięcznie za archiwum.",
                "> dobra, archiwum od teraz zawsze w chmurze",
                "< Zapisane.",
            ),
            "gdzie trzymać archiwum zdjęć klubu? → archiwum od teraz zawsze w chmurze",
        ),
        (
            (
                "> 社团的照片档案放在哪里好？",
                "< 放办公室的硬盘，或者放对象存储。",
                "> 照片档案放对象存储多少钱",
                "< 照片档案每月两欧元左右。",
                "> 就用对象存储，以后照片档案一律放那边",
                "< 记下了。",
            ),
            "社团的照片档案放在哪里好？ → 就用对象存储，以后照片档案一律放那边",
        ),
    ],
)
def test_a_talk_is_described_by_its_question_and_its_outcome(
    lines: Lines, turns: tuple[str, ...], expected: str
) -> None:
    """One line for the whole exchange."""
    assert [expected] == lines(Part.CONVERSATION, *turns)


def test_a_talk_that_the_owner_takes_back_is_none(lines: Lines) -> None:
    """Also behind a word or two that say nothing."""
    turns = (
        "> the demo of the archive goes only on the small store",
        "< Then the archive drops out of the fest listing.",
        "> oh. right. scratch that then",
        "< Fine, the demo of the archive stays on both.",
        "> thanks",
        "< Sure.",
    )
    assert [] == lines(Part.CONVERSATION, *turns)
