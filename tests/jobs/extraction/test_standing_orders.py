"""Orders without `always` or `never`: a rule for acts, and words that leave it no exception."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from jobs.resolution.drafting import OFFLINE_LINE
from schemas.entry import Kind
from schemas.extraction import Candidate
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]

ANSWER = "< Let me look at the folder."
TAKEN_ON = {"en": "< Understood: {}", "pl": "< Jasne, zapisuję: {}", "zh": "< 明白：{}"}

BIDS = [
    "I said this already, never park in the yard",
    "Whenever you are unsure about a dose, ask me first.",
    "from today on answer the neighbours in one sentence",
    "you must not lend the ladder, no exceptions",
    "house rule: boots stay in the hall",
    "always send me what he said",
    "never sell the last loaf without asking me first ok?",
    "whenever a guest leaves, water the plants",
    "Mówiłam już, nigdy nie parkuj na podwórku",
    "ilekroć nie jesteś pewien dawki, zapytaj mnie",
    "od dziś odpisuj sąsiadom jednym zdaniem",
    "zasada domowa: kalosze zostają w sieni",
    "poniżej 300 zł nie przyjmujemy zleceń",
    "zawsze podlewaj storczyki przed wyjściem, dobrze?",
    "以后用一句话回复邻居",
    "规定：靴子一律放在门厅",
    "每次寄样品都要抄送我",
    "以后用一句话回复邻居，好吗？",
    "低于三百我们不接",
]


@table("said", BIDS)
def test_an_order_that_bids_its_reader_is_written(candidates_of: CandidatesOf, said: str) -> None:
    """It says how long or how widely it holds, and what the reader or the owner's side is to do."""
    [one] = candidates_of(f"> {said}", ANSWER)
    assert (one.kind, one.confidence >= OFFLINE_LINE) == (Kind.RULE, True)


RULES = [
    ("en", "Nobody rides the bay mare but me, not even on a lead rope"),
    ("en", "we don't lend the trailer, no matter who asks"),
    ("en", "The cellar stays locked on weekdays. Not for the band and not for the mayor."),
    ("en", "no visitor gets into the server room, i don't care how important they look"),
    ("en", "You pack the boxes, I label them. Plates, books, lamps, everything."),
    ("en", "the recipes are not printed, not even for the newspaper"),
    ("pl", "Nie pożyczamy przyczepy, obojętne kto prosi"),
    ("pl", "ty pakujesz kartony, podpisuję ja. talerze, książki, lampy, wszystko"),
    ("pl", "przelewy robię ja, choćbym miał wstawać w nocy"),
    ("pl", "wożę do 15 kilometrów i ani metra dalej"),
    ("pl", "żadnego przestawiania mebli w sali prób"),
    ("zh", "拖车不借，谁来说都不行"),
    ("zh", "只收整箱的货，其他的一概不收"),
    ("zh", "没签字的单子一张都不付"),
    ("zh", "客户的照片谁要都不给，包括记者"),
    ("zh", "我上周就说过，院子里一律不停车"),
]


@table(("language", "said"), RULES)
def test_a_rule_is_written_where_the_assistant_takes_it_on(
    every_candidate_of: CandidatesOf, language: str, said: str
) -> None:
    """Its form alone might describe; without the assistant's word it waits for a person, and is not lost."""
    answers = (TAKEN_ON[language].format(said), ANSWER)
    [written], [suggested] = (every_candidate_of(f"> {said}", answer) for answer in answers)
    sure = [one.confidence >= OFFLINE_LINE for one in (written, suggested)]
    assert (written.kind, suggested.kind, sure) == (Kind.RULE, Kind.RULE, [True, False])


TAKEN_NOTE_OF = [
    ("the new rule of the council is that bins must be out by six", "< Understood."),
    ("they told us we always have to ring twice", "< OK."),
    ("drivers must not stop in front of the school any more", "< Got it."),
    ("Members of the choir have to pay in advance, without exception", "< Noted."),
    ("nobody may leave the hall in the first hour, whoever asks", "< I see."),
    ("nowa zasada wspólnoty jest taka, że śmieci muszą stać od szóstej", "< Rozumiem."),
    ("kierowcy nie mogą już nigdy stawać przed szkołą", "< OK."),
    ("chórzyści muszą płacić z góry, bez wyjątku", "< Zanotowane."),
    ("piekarz zawsze piecze tylko rano, bez wyjątku", "< Jasne."),
    ("od teraz Marcin robi zakupy w soboty", "< OK."),
    ("居委会的新规定是垃圾六点前必须放出去", "< 明白。"),
    ("司机一律不准停在学校门口", "< 好的。"),
    ("他跟我说谁都不准提前走", "< 记下了。"),
]


@table(("said", "answer"), TAKEN_NOTE_OF)
def test_a_bare_yes_to_news_makes_it_no_order(every_candidate_of: CandidatesOf, said: str, answer: str) -> None:
    """Who says `understood` may have understood news; it is no order until the assistant says it again or does it."""
    sure = [one.quote for one in every_candidate_of(f"> {said}", answer) if one.confidence >= OFFLINE_LINE]
    assert sure == []


POLITE = [
    ("Could you always ask before deleting files?", "< Sure, I'll always ask before deleting files."),
    ("Can you please never use the word leverage?", "< Got it, I won't use leverage."),
    ("Czy możesz od teraz odpowiadać krócej?", "< Jasne, od teraz krócej."),
    ("你能不能以后都用中文回答？", "< 好的，以后都用中文。"),
]


@table(("said", "answer"), POLITE)
def test_a_polite_order_that_is_taken_on_waits_for_a_person(
    every_candidate_of: CandidatesOf, said: str, answer: str
) -> None:
    """By its form it may ask what the assistant can do; where that says no more, it is a question."""
    [waits] = every_candidate_of(f"> {said}", answer)
    assert (True, said.rstrip("?？")) == (waits.confidence < OFFLINE_LINE, waits.conclusion)
    assert () == every_candidate_of(f"> {said}", "< It depends. Which ones do you mean?")


@table(
    ("said", "conclusion"),
    [
        ("always use tabs in Makefiles, ok?", "always use tabs in Makefiles"),
        ("od teraz odpowiadaj mi krótko, dobrze?", "od teraz odpowiadaj mi krótko"),
        ("以后先问我再删文件，好吗？", "以后先问本人再删文件"),
    ],
)
def test_an_order_that_asks_for_a_yes_is_an_order(candidates_of: CandidatesOf, said: str, conclusion: str) -> None:
    """Its end is all that makes it a question; a question with the same end stays one."""
    assert [(True, conclusion)] == [
        (one.confidence >= OFFLINE_LINE, one.conclusion) for one in candidates_of(f"> {said}", "< OK.")
    ]
    assert () == candidates_of("> should we always use tabs, ok?", "< Tabs are fine.")


SCOLDS = [
    ("You always forget the semicolon.", "< Sorry, I'll add the semicolon."),
    ("you never read the file before editing", "< I will read it first."),
    ("you always skip the tests", "< Sorry, I won't skip the tests."),
    ("don't ever do that again, you deleted my file!", "< I'm sorry. I'll never delete files without asking."),
    ("nigdy więcej tak nie rób, skasowałeś mi plik!", "< Przepraszam."),
]


@table(("said", "answer"), SCOLDS)
def test_who_scolds_is_not_written_down(every_candidate_of: CandidatesOf, said: str, answer: str) -> None:
    """It says how the assistant is, or names no act; the assistant's contrary word makes it no order."""
    assert [] == [one.quote for one in every_candidate_of(f"> {said}", answer) if one.confidence >= OFFLINE_LINE]


def test_the_same_form_is_an_order_where_the_assistant_obeys(candidates_of: CandidatesOf) -> None:
    """By its own word, or where the words before name the matter."""
    for said in ("you never push to main", "the branch is mine, you never push there by yourself"):
        [rule] = candidates_of(f"> {said}", "< Understood, I never push to main.")
        assert rule.confidence >= OFFLINE_LINE


FROM_NOW_ON = [
    ("from now on the keys stay with the porter", "Understood, the keys stay there.", "I'll leave the keys there."),
    ("od teraz klucze zostają u portiera", "Jasne, klucze u portiera.", "Klucze zostawiam u portiera."),
    ("以后钥匙归门卫管", "明白，钥匙归门卫。", "好，钥匙我会交给门卫。"),
]


@table(("said", "echo", "deed"), FROM_NOW_ON)
def test_what_is_so_from_now_on_is_an_order_where_the_assistant_does_it(
    every_candidate_of: CandidatesOf, said: str, echo: str, deed: str
) -> None:
    """`from now on the bus stops at the bridge` is said again too, so saying it again is not enough."""
    [said_again], [done] = (every_candidate_of(f"> {said}", f"< {answer}") for answer in (echo, deed))
    assert [one.confidence >= OFFLINE_LINE for one in (said_again, done)] == [False, True]


@table(
    ("said", "answer"),
    [
        ("the bank's new rule is that nobody pays cash", "< Understood, nobody pays cash."),
        ("the exam rule: no one may leave in the first hour", "< Okay, no one leaves in the first hour."),
        ("zasada na basenie: nikt nie wchodzi bez czepka", "< Jasne, bez czepka nikt nie wchodzi."),
        ("我们健身房的规矩是垫子上不准穿鞋", "< 明白，垫子上不穿鞋。"),
    ],
)
def test_a_rule_of_others_waits_also_where_it_is_said_again(
    every_candidate_of: CandidatesOf, said: str, answer: str
) -> None:
    """Its name says whose it is; it is not lost."""
    assert [one.confidence < OFFLINE_LINE for one in every_candidate_of(f"> {said}", answer)] == [True]


@table(
    ("said", "answer"),
    [
        ("generated pages do not get in the archive. The printer makes them", "< Right, I'm removing both files."),
        ("kluczy do garażu nie oddam, od tego jest portier", "< Dobrze, klucze do garażu zostają u portiera."),
        ("jak mówiłam, zdjęcia do albumu nie idą, od tego jest teczka", "< Usunięte z albumu."),
        ("Pani odkłada listy do teczki i na tym pani rola się kończy.", "< Odłożone do teczki."),
        ("we always label the jars on both sides", "< OK."),
        ("我永远不想在你的信里看到表情", "< 好的。"),
    ],
)
def test_a_rule_in_plain_words_waits_for_a_person(every_candidate_of: CandidatesOf, said: str, answer: str) -> None:
    """It has no word of an order, or bids nobody: it is asked and not lost."""
    assert [one.confidence < OFFLINE_LINE for one in every_candidate_of(f"> {said}", answer)] == [True]


def test_what_closes_the_exceptions_is_part_of_the_order(candidates_of: CandidatesOf) -> None:
    """The next sentence says how far the order goes, so the line has both."""
    [one] = candidates_of(
        "> You pack the boxes, I label them. Plates, books, lamps, everything.",
        "< Understood, I pack the boxes and you label them.",
    )
    assert one.quote == "You pack the boxes, I label them. Plates, books, lamps, everything."


STRESSED = [
    ("the recipes are not printed, not even for the newspaper", "< Understood."),
    ("dzieci nie wchodzą do warsztatu, nawet na chwilę", "< Jasne."),
    ("晚饭后不接工作，哪怕是急事", "< 明白。"),
]


@table(("said", "answer"), STRESSED)
def test_stress_alone_needs_more_than_a_yes(every_candidate_of: CandidatesOf, said: str, answer: str) -> None:
    """`Not even` stands in jokes and troubles too, so the assistant has to say again what it took for a rule."""
    [one] = every_candidate_of(f"> {said}", answer)
    assert (one.kind, one.confidence < OFFLINE_LINE) == (Kind.RULE, True)


NEWS = [
    ("from today the ferry skips our island", "< That's a pity. Shall I look for another boat?"),
    ("no parking at the station, not even for bikes", "< Is there a garage nearby?"),
    ("the lift never stops on three, no exceptions", "< Odd. Did you ask the caretaker?"),
    ("we don't get anywhere, not even with the new plan", "< Which step takes longest?"),
    ("the museum rule: no photos", "< Leave the camera in a locker."),
    ("zasada w muzeum: żadnych zdjęć", "< Aparat można zostawić w szatni."),
    ("as a rule we sleep badly before a launch", "< Sorry to hear that. What keeps you up?"),
    ("od dziś tramwaj omija nasz przystanek", "< Szkoda. Sprawdzić inną linię?"),
    ("od jutra piekarnia otwiera się o szóstej", "< Czyli przed pracą?"),
    ("nie robimy postępów, nawet z nowym planem", "< Co najbardziej hamuje?"),
    ("nie wolno tu palić, mówi tabliczka", "< Gdzie jest palarnia?"),
    ("winda nie staje na trzecim, bez wyjątku", "< Dziwne. Zgłosić to?"),
    ("从今天起公交不在学校门口停了", "< 那要换别的路线吗？"),
    ("以后地铁票都要涨价", "< 涨多少？"),
    ("公园不让带狗，再小的狗也不行", "< 要找别的公园吗？"),
    ("那家店只收现金，别的都不收", "< 附近有取款机吗？"),
]


@table(("said", "answer"), NEWS)
def test_news_with_every_word_of_an_order_is_not_written(candidates_of: CandidatesOf, said: str, answer: str) -> None:
    """It bids nobody, and the assistant does not take it for an order: at most a person decides."""
    assert [one.quote for one in candidates_of(f"> {said}", answer) if one.confidence >= OFFLINE_LINE] == []


NO_ORDERS = [
    "For every user, print the name and the mail.",
    "Dla każdego użytkownika wypisz imię i mail.",
    "nobody picks up the phone, not even the night desk",
    "no cable fits this port, not even the short one",
    "we can't open the archive, not even with the old key",
    "the lamps are not connected, not even the spare one",
    "Nothing helps, no matter what i try",
    "from today the API returns 404",
    "from now on the login page throws an error",
    "You read the map, I look for the keys, then we leave.",
    "he lends nobody his trailer, not even his brother",
    "in their contract nothing leaves the yard unsigned, not even samples",
    "Does nobody enter the cellar, not even the owner?",
    "if i were you, i'd lend it to nobody, not even to friends",
    "no ordering without a login? not even for guests?",
    "every test fails, no exceptions in the log",
    "always put the sums in this sheet in bold, then send it over",
    "nikt nie odbiera, nawet portier",
    "żaden kabel nie pasuje, nawet krótki",
    "od dziś API zwraca 404",
    "od teraz strona wywala błąd",
    "od jutra mam urlop",
    "nie mogę otworzyć archiwum, nawet starym kluczem",
    "ty czytasz mapę, ja szukam kluczy i jedziemy",
    "szef mówi, że nikt nie pożycza przyczepy, nawet sąsiad",
    "żadnych błędów w dzienniku, nawet ostrzeżeń",
    "谁都打不开，包括管理员",
    "从今天起接口返回 404",
    "从明天起我休假",
    "只有旧钥匙能打开，其他的都不行",
    "你看地图，我找钥匙",
    "老板说拖车谁来都不借",
    "一封信都收不到，快递也没有",
]


@table("said", NO_ORDERS)
def test_a_report_of_the_same_form_is_not_written(candidates_of: CandidatesOf, said: str) -> None:
    """A trouble, the rule of others, a question, a step of today's work: none of it is the owner's order."""
    assert [one.quote for one in candidates_of(f"> {said}", ANSWER) if one.confidence >= OFFLINE_LINE] == []


@table(
    ("asked", "said", "conclusion"),
    [
        ("Should I delete backups older than 90 days from now on?", "yes", "delete backups older than 90 days"),
        ("Want me to archive the receipts every month?", "yes please", "archive the receipts every month"),
        ("Czy od teraz mam wysyłać raport w każdy piątek?", "tak, poproszę", "wysyłać raport w każdy piątek"),
        ("以后要不要每周归档收据？", "好的", "每周归档收据"),
        (
            "Shall I archive the receipts every month? And should I rename the photos?",
            "yes, both",
            "archive the receipts every month; rename the photos",
        ),
        (
            "Done:\n1. saved\n2. sent\n\nShall I:\n1. **Archive the receipts:** every month?\n2. Rename the photos?",
            "yes to both",
            "Archive the receipts: every month; Rename the photos",
        ),
        (
            "Mogę:\n1. co miesiąc archiwizować paragony\n2. nazywać zdjęcia datą\n3. wysłać raport",
            "tak, wszystkie trzy",
            "co miesiąc archiwizować paragony; nazywać zdjęcia datą; wysłać raport",
        ),
        ("要不要：\n1. 每月归档收据\n2. 按日期命名照片", "好，都要", "每月归档收据; 按日期命名照片"),
    ],
)
def test_a_yes_to_a_question_about_all_future_cases_waits_for_a_person(
    every_candidate_of: CandidatesOf, asked: str, said: str, conclusion: str
) -> None:
    """The suggestion has the words of the question, and of each that the yes is to."""
    [one] = every_candidate_of(f"< {asked}", f"> {said}", "< OK.")
    assert (conclusion in one.conclusion, one.quote, one.confidence < OFFLINE_LINE) == (True, said, True)


@table(
    ("asked", "said"),
    [
        ("Should I restart the server now?", "yes"),
        ("Should I always use REST or GraphQL?", "yes"),
        ("Should I delete the backups every week?", "no"),
        ("Should I delete the backups every week? And the logs?", "yes"),
        ("以后要不要每周归档收据？", "不用"),
        ("Should I restart the server? And should I clear the cache?", "yes, both"),
        ("Should I delete the backups every week? And the logs?", "yes, both"),
        ("I can:\n1. archive the receipts every month\n2. rename the photos\n3. send the report", "yes to both"),
        ("I can:\n1. archive the receipts every month\n2. rename the photos", "yes to all, the second only by hand"),
        ("It was noted.\n1. The plan should be checked every day.\n\nShall I:\n1. start?\n2. stop?", "yes for all 3"),
    ],
)
def test_a_yes_that_settles_nothing_for_good_is_no_suggestion(
    every_candidate_of: CandidatesOf, asked: str, said: str
) -> None:
    """A task of now, several things of which it is not clear which are meant, or no yes."""
    assert every_candidate_of(f"< {asked}", f"> {said}", "< OK.") == ()


@table("said", ["选二", "选第二个", "第二个"])
def test_a_picked_option_is_never_written(candidates_of: CandidatesOf, said: str) -> None:
    """Which words were picked is for a person to confirm."""
    picks = candidates_of("< 1. 发票存本地 2. 发票存云端。选哪个？", f"> {said}", "< 好，发票存云端。")
    assert [one.quote for one in picks if one.confidence >= OFFLINE_LINE] == []


@table(
    "said",
    [
        "so the cellar door must always be clear?",
        "from now on every invoice needs two approvals - is this the deal?",
        "should the goats never be fed at night, ok?",
        "will you always ask before a sale, please?",
        "每次出货前都要称重，你知道吗？",
    ],
)
def test_a_question_that_ends_like_a_tag_is_no_order(candidates_of: CandidatesOf, said: str) -> None:
    """Its first word asks, or its last word belongs to it."""
    assert [] == [one.conclusion for one in candidates_of(f"> {said}", "< OK.") if one.confidence >= OFFLINE_LINE]


@table(
    "said",
    [
        "unit test for the reader, the input should be: remember my goat is called Otto",
        "question 3 is too soft. Should read We never take cards under five pounds, ever.",
        "w punkcie 4 ma być, że nigdy nie wysyłamy mebli za granicę, a w 7 że zawsze mailem",
        "ułóż prompt do bota w sklepie, że zawsze pisze na Pan i nigdy nie podaje terminów",
        "解析器单测 输入就用：记一下我家羊叫奥托",
        "给客服机器人写段提示词 永远两句话回答 绝对不许提价格",
    ],
)
def test_the_words_of_a_text_that_is_asked_for_are_no_order(candidates_of: CandidatesOf, said: str) -> None:
    """They are to stand in a test, a form or a prompt."""
    assert [] == [one for one in candidates_of(f"> {said}", "< OK.") if one.confidence >= OFFLINE_LINE]
