"""What is taken back does not stand; what replaces it does."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from schemas.extraction import Candidate, WordsDoubt
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]
DoubtsOf = Callable[..., list[tuple[int, WordsDoubt]]]

TAKEN_BACK = [
    ("Let's go with the wooden boxes.", "Wooden boxes, noted.", "wait no, scratch that", "OK."),
    ("Zdecydowane: bierzemy drewniane skrzynki.", "Zapisane.", "nie, czekaj, cofam to", "Dobrze."),
    ("Let's go with the wooden boxes.", "Wooden boxes, noted.", "changed my mind, drop it", "Dropped."),
    ("Zdecydowane: bierzemy drewniane skrzynki.", "Zapisane.", "zmieniłam zdanie, odpuść to", "Dobrze."),
    ("决定了，用木箱。", "好的，记下了。", "等等，算了", "好的。"),
    ("決定了，用木箱。", "好的，記下了。", "等等，算了", "好的。"),
]


@table(("said", "answer", "back", "then"), TAKEN_BACK)
def test_what_is_taken_back_in_the_next_message_is_not_detected(
    candidates_of: CandidatesOf, said: str, answer: str, back: str, then: str
) -> None:
    """A decision withdrawn a moment later leaves no trace."""
    assert candidates_of(f"> {said}", f"< {answer}", f"> {back}", f"< {then}") == ()


@table(("said", "answer", "back", "then"), TAKEN_BACK)
def test_what_is_taken_back_is_left_for_a_person(
    doubts_of: DoubtsOf, said: str, answer: str, back: str, then: str
) -> None:
    """It waits as a suggestion: the reading may be wrong."""
    assert doubts_of(f"> {said}", f"< {answer}", f"> {back}", f"< {then}") == [(1, WordsDoubt.TAKEN_BACK)]


SAID = {
    "en": (
        ("Remember: the boiler is serviced on the last Friday of May.", "Remembered."),
        ("From now on we always weigh the parcels first.", "Understood."),
        ("We decided to rent the hall in Oak Street.", "Oak Street, noted."),
    ),
    "pl": (
        ("Zapamiętaj: przegląd kotła jest w ostatni piątek maja.", "Zapamiętane."),
        ("Od teraz zawsze najpierw ważymy paczki.", "Jasne."),
        ("Zdecydowane: wynajmujemy salę przy Dębowej.", "Zapisane."),
    ),
    "zh": (
        ("记住：锅炉在五月最后一个周五检修。", "记住了。"),
        ("以后一律先称包裹。", "明白。"),
        ("决定了，租橡树街的礼堂。", "好的，记下了。"),
    ),
}
ORDINARY = {
    "en": (
        "wait, the printer is on fire",
        "hold on, somebody is at the door",
        "actually, show me the photos first",
        "never mind the typo, I fixed it",
        "no, the left one is still empty",
        "forget the warning, it is only noise",
        "oh right, what about the drums?",
        "my mistake, wrong window",
        "back to the poster",
        "changed my mind about lunch: soup",
        "undo the last edit please",
        "on second thought, open the other tab too",
        "after all that, is the shop open?",
    ),
    "pl": (
        "czekaj, drukarka się pali",
        "chwila, ktoś puka",
        "jednak pokaż mi najpierw zdjęcia",
        "nieważne z tą literówką, poprawiłem",
        "nie, lewa dalej jest pusta",
        "zapomnij o tym ostrzeżeniu, to szum",
        "moja wina, złe okno",
        "wracamy do plakatu",
        "zmieniłem zdanie co do obiadu: zupa",
        "cofnij ostatnią poprawkę",
    ),
    "zh": (
        "等等，打印机着火了",
        "等一下，有人敲门",
        "算了这个错别字不管，继续",
        "不对，左边那个还是空的",
        "别管那个警告，只是噪音",
        "我的错，开错窗口了",
        "回到海报吧",
        "午饭改主意了：喝汤",
        "撤回最后一处修改",
    ),
}


@table(
    ("said", "answer", "then"),
    [(*said, then) for language, things in SAID.items() for said in things for then in ORDINARY[language]],
)
def test_an_ordinary_next_message_takes_nothing_back(
    candidates_of: CandidatesOf, doubts_of: DoubtsOf, said: str, answer: str, then: str
) -> None:
    """It has a matter of its own, whatever it begins with."""
    lines = (f"> {said}", f"< {answer}", f"> {then}", "< OK.")
    assert [one.quote_number for one in candidates_of(*lines)][:1] == [1]
    assert doubts_of(*lines) == []


@table(
    ("language", "back"),
    [
        ("en", "no, forget that"),
        ("en", "actually no"),
        ("pl", "nie, zapomnij o tym"),
        ("pl", "jednak nie"),
        ("zh", "还是算了"),
        ("zh", "不对，收回"),
    ],
)
def test_words_that_only_withdraw_are_meant_for_what_was_said_last(
    doubts_of: DoubtsOf, language: str, back: str
) -> None:
    """They have no matter of their own, so they point at the decision just before them."""
    lines = [(f"> {said}", f"< {answer}", f"> {back}", "< OK.") for said, answer in SAID[language]]
    assert [doubts_of(*one) for one in lines] == [[(1, WordsDoubt.TAKEN_BACK)]] * 3


@table(
    ("said", "then"),
    [
        ("Remember: the lab server runs Debian.", "wait, the server is down"),
        ("Remember that the alarm code book is in the safe.", "hold on, the alarm is on"),
        ("Zapamiętaj: serwer w laboratorium ma Debiana.", "czekaj, serwer nie działa"),
        ("记住：实验室的服务器装的是 Debian。", "等等，服务器挂了"),
    ],
)
def test_a_word_in_common_takes_nothing_back(doubts_of: DoubtsOf, said: str, then: str) -> None:
    """To hesitate and to name the same thing is not to deny what was said of it."""
    assert doubts_of(f"> {said}", "< Noted.", f"> {then}", "< OK.") == []


@table(
    "said",
    [
        "Remember: the hall opens at 9. Actually, can you look at the photos?",
        "Zapamiętaj: sala jest od 9. Czekaj, zobacz te zdjęcia.",
        "记住：礼堂九点开门。等等，先看看照片。",
    ],
)
def test_the_next_sentence_takes_nothing_back_either(candidates_of: CandidatesOf, said: str) -> None:
    """What holds for the next message holds within it."""
    assert [one.confidence >= 0.8 for one in candidates_of(f"> {said}", "< OK.")] == [True]


@table(
    "said",
    [
        "from now on always lock the barn. no wait, forget it, the neighbour has the key, just water the hens",
        "od teraz zawsze zamykaj stodołę. albo nie, cofam, sąsiad ma klucz, nakarm tylko kury",
        "以后一律锁仓库门。算了，钥匙在邻居那里，先喂鸡吧",
    ],
)
def test_a_sentence_that_begins_with_a_withdrawal_takes_back(doubts_of: DoubtsOf, said: str) -> None:
    """Whatever it goes on with."""
    assert doubts_of(f"> {said}", "< OK.") == [(1, WordsDoubt.TAKEN_BACK)]


@table(("said", "answer", "back", "then"), TAKEN_BACK)
def test_nothing_is_read_ahead_of_what_is_given(
    candidates_of: CandidatesOf, said: str, answer: str, back: str, then: str
) -> None:
    """Until it is taken back, a decision stands."""
    del back, then
    [decision] = candidates_of(f"> {said}", f"< {answer}")
    assert decision.quote_number == 1


@table(
    ("said", "answer", "instead", "then", "settled"),
    [
        (
            "Decision: we close at 18.",
            "Closing at 18.",
            "no wait, we decided to close at 19:30 after all",
            "Closing at 19:30.",
            "19:30",
        ),
        (
            "Ustalone: zamykamy o 18.",
            "Zapisane, 18.",
            "albo nie, zamykamy o 19:30, ustalone",
            "Zapisane, zamykamy o 19:30.",
            "19:30",
        ),
        ("决定六点关门，18:00。", "好的，18:00。", "不对，改成 19:30，就这么定", "好的，改成 19:30。", "19:30"),
    ],
)
def test_the_later_version_replaces_the_earlier(  # noqa: PLR0913, PLR0917 - four turns and what is expected of them
    candidates_of: CandidatesOf, said: str, answer: str, instead: str, then: str, settled: str
) -> None:
    """Of a decision and its correction only the correction is found."""
    [decision] = candidates_of(f"> {said}", f"< {answer}", f"> {instead}", f"< {then}")
    assert decision.quote_number == 3
    assert settled in decision.quote


def test_a_refusal_of_an_offer_leaves_the_decision(candidates_of: CandidatesOf) -> None:
    """`No` after the assistant offered something more is meant for the offer."""
    [decision] = candidates_of(
        "> We decided to paint the gate green.",
        "< Green gate, noted. Shall I order brushes as well?",
        "> no, I have some",
        "< OK.",
    )
    assert decision.quote_number == 1


def test_a_retraction_after_several_turns_counts_when_it_names_its_subject(candidates_of: CandidatesOf) -> None:
    """Later in the conversation a correction has to say what it corrects."""
    lines = [
        "> We decided on copper gutters for the stable.",
        "< Copper gutters for the stable, noted.",
        "> how was the weather in the mountains",
        "< Sunny.",
    ]
    named = candidates_of(*lines, "> forget it, no copper gutters for the stable", "< OK.")
    unnamed = candidates_of(*lines, "> forget it, too tired for the cinema", "< OK.")
    assert [one.quote_number for one in named if one.quote_number == 1] == []
    assert [one.quote_number for one in unnamed if one.quote_number == 1] == [1]


def test_earlier_messages_are_context_only(candidates_of: CandidatesOf) -> None:
    """What was confirmed before `first_new` is not asked for again."""
    lines = [
        "> From now on the gate stays closed at night.",
        "< Noted.",
        "> From now on the dog sleeps inside.",
        "< Noted.",
    ]
    assert [one.quote_number for one in candidates_of(*lines, first_new=3)] == [3]


@table(
    ("said", "back"),
    [
        ("Remember that the lab server is read-only on Fridays.", "forget what I told you about the lab server"),
        (
            "Remember that the lab server is read-only on Fridays.",
            "sorry, forget what I said about the lab server being read-only on Fridays, that was the old server",
        ),
        ("Zapamiętaj: umowa z Orlenem kończy się w maju.", "zapomnij, co mówiłam o umowie z Orlenem, pomyliłam daty"),
        ("记住：和顺丰的合同三月底到期", "忘掉我说的关于顺丰合同的事，我记错了"),
    ],
)
def test_a_request_to_forget_reaches_far_back(
    candidates_of: CandidatesOf, doubts_of: DoubtsOf, said: str, back: str
) -> None:
    """It names its subject, so the talk in between does not matter; what it does not name stands."""
    work = ["> tidy the sheets", "< Tidied."] * 6
    lines = [f"> {said}", "< Noted.", "> From now on the gate stays closed at night.", "< Noted.", *work, f"> {back}"]
    assert (1, WordsDoubt.TAKEN_BACK) in doubts_of(*lines)
    assert [] == [one for one in candidates_of(*lines) if one.quote_number == 1]
    stands = candidates_of(*lines[:2], *work, "> forget what I said about the roof", "< OK.")
    assert [1] == [one.quote_number for one in stands]


@table(
    ("said", "then"),
    [
        ("Remember: the honey is 42 zł per kilo.", "hmm no. 45 zł, not 42"),
        ("Remember: the call is at 7:30.", "make it 8:00 instead, 7:30 is too early"),
        ("Zapamiętaj: miód kosztuje 42 zł za kilo.", "zmień na 45 zł, 42 to za mało"),
        ("记住：蜂蜜每公斤 42 元", "改成 45 元，42 太低了"),
    ],
)
def test_another_number_in_place_of_the_old_takes_it_back(doubts_of: DoubtsOf, said: str, then: str) -> None:
    """Both are named, with a word of change; whatever else is said of them."""
    assert (1, WordsDoubt.TAKEN_BACK) in doubts_of(f"> {said}", "< Noted.", f"> {then}", "< OK.")


@table(
    ("said", "then"),
    [
        ("Remember: the honey is 42 zł per kilo.", "so 3 jars at 42 make 126, right"),
        ("Remember: the honey is 42 zł per kilo.", "use 42 in the list and 60 for the wax"),
        ("记住：蜂蜜每公斤 42 元", "三罐 42 元的，一共 126 元"),
    ],
)
def test_another_number_beside_the_old_takes_nothing_back(doubts_of: DoubtsOf, said: str, then: str) -> None:
    """Nothing says that it takes its place."""
    assert (1, WordsDoubt.TAKEN_BACK) not in doubts_of(f"> {said}", "< Noted.", f"> {then}", "< OK.")


PACKING = [
    (
        ["> we decided on 21 days for exchanging pots", "< 21 days for exchanging pots, noted."],
        ["> from now on we always label in green, never in red", "< Understood."],
        "no wait, scrap the 21 days, we stay with 10 days",
        "10 days.",
        "10 days",
    ),
    (
        ["> ustalone: 21 dni na wymianę doniczek", "< 21 dni na wymianę doniczek, zapisane."],
        ["> od teraz zawsze naklejamy zielone etykiety, nigdy czerwone", "< Rozumiem."],
        "nie, czekaj, odwołuję te 21 dni, zostajemy przy 10 dniach",
        "10 dni.",
        "10 dniach",
    ),
    (
        ["> 决定了，换货期 21 天。", "< 好的，21 天。"],
        ["> 以后一律贴绿色标签，不许贴红色。", "< 明白。"],
        "等等，21 天作废，还是 10 天",
        "好的，10 天。",
        "10 天",
    ),
    (
        ["> 決定了，換貨期 21 天。", "< 好的，21 天。"],
        ["> 以後一律貼綠色標籤，不許貼紅色。", "< 明白。"],
        "等等，21 天作廢，還是 10 天",
        "好的，10 天。",
        "10 天",
    ),
]


@table(("term", "rule", "back", "then", "settled"), PACKING)
def test_only_what_a_retraction_names_is_withdrawn(  # noqa: PLR0913, PLR0917 - the turns and what is expected of them
    candidates_of: CandidatesOf, term: list[str], rule: list[str], back: str, then: str, settled: str
) -> None:
    """A rule said in between stands, and so does the value put in place of the one that was withdrawn."""
    kept, new = candidates_of(*term, *rule, f"> {back}", f"< {then}")
    assert [kept.quote_number, new.quote_number] == [3, 5]
    assert settled in new.quote


@table(("term", "rule", "back", "then", "settled"), PACKING)
def test_a_named_retraction_spares_the_rule_without_any_answer(  # noqa: PLR0913, PLR0917 - as above
    candidates_of: CandidatesOf, term: list[str], rule: list[str], back: str, then: str, settled: str
) -> None:
    """What the owner only said, and nobody restated, is an object as well."""
    del then, settled
    assert [one.quote_number for one in candidates_of(term[0], rule[0], f"> {back}") if one.quote_number < 3] == [2]


@table(
    ("term", "rule", "back"),
    [
        (PACKING[0][0], PACKING[0][1], "actually, forget the 21 days thing"),
        (PACKING[0][0], PACKING[0][1], "forget the exchanges part"),
        (PACKING[0][0], PACKING[0][1], "no, scratch the 21 days"),
        (PACKING[0][0], PACKING[0][1], "I changed my mind about the exchanges"),
        (PACKING[1][0], PACKING[1][1], "zmieniłam zdanie co do wymiany"),
        (PACKING[1][0], PACKING[1][1], "nie, 21 dni odpada"),
        (PACKING[2][0], PACKING[2][1], "等等，换货期还是 10 天"),
        (PACKING[1][0], PACKING[1][1], "a jednak zapomnij o tych 21 dniach"),
        (PACKING[1][0], PACKING[1][1], "nie, cofam sprawę wymiany"),
        (PACKING[2][0], PACKING[2][1], "21 天那条收回"),
        (PACKING[2][0], PACKING[2][1], "换货期的规定取消"),
    ],
)
def test_a_retraction_by_a_number_or_a_word_spares_the_rest(
    candidates_of: CandidatesOf, term: list[str], rule: list[str], back: str
) -> None:
    """The object may be named by its number or by what it is about."""
    kept = [one.quote_number for one in candidates_of(*term, *rule, f"> {back}", "< OK.")]
    assert [number for number in kept if number < 5] == [3]


@table(
    ("term", "rule", "back"),
    [
        (PACKING[0][0], PACKING[0][1], "no wait, never mind"),
        (PACKING[0][0], PACKING[0][1], "forget what I said"),
        (PACKING[0][0], PACKING[0][1], "forget the whole idea"),
        (PACKING[1][0], PACKING[1][1], "albo nie, nieważne"),
        (PACKING[1][0], PACKING[1][1], "cofam ten pomysł"),
        (PACKING[2][0], PACKING[2][1], "算了，收回"),
        (PACKING[2][0], PACKING[2][1], "等等，刚才那条作废"),
    ],
)
def test_a_retraction_that_names_nothing_withdraws_the_latest(
    candidates_of: CandidatesOf, term: list[str], rule: list[str], back: str
) -> None:
    """`Never mind` is meant for what was settled last; what was settled before stands."""
    assert [one.quote_number for one in candidates_of(*term, *rule, f"> {back}", "< OK.")] == [1]


def test_of_two_unanswered_decisions_the_later_is_withdrawn(candidates_of: CandidatesOf) -> None:
    """The latest is one, even when two are as near."""
    kept = candidates_of(
        "> We decided on slate for the roof.", "> From now on nobody climbs it alone.", "> no wait, never mind"
    )
    assert [one.quote_number for one in kept] == [1]


def test_a_number_weighs_more_than_a_word_that_two_decisions_share(candidates_of: CandidatesOf) -> None:
    """The days of another decision are not the days that were withdrawn."""
    kept = candidates_of(
        "> We decided on 21 days for exchanges.",
        "< 21 days for exchanges, noted.",
        "> We decided that invoices are due in 8 days.",
        "< Invoices in 8 days, noted.",
        "> scrap the 21 days",
        "< OK.",
    )
    assert [one.quote_number for one in kept] == [3]


def test_the_words_of_an_accepted_proposal_name_the_acceptance(candidates_of: CandidatesOf) -> None:
    """Whoever says yes to something may take it back by its name."""
    kept = candidates_of(
        "< I'd suggest copper gutters for the stable.",
        "> yes, do that",
        "< Done.",
        "> From now on nobody leaves the paddock open.",
        "< Understood.",
        "> on second thought, scrap the copper",
        "< OK.",
    )
    assert [one.quote_number for one in kept] == [4]


def test_an_offer_turned_down_by_name_leaves_the_decision(candidates_of: CandidatesOf) -> None:
    """What the assistant brought up is an object too."""
    [decision] = candidates_of(
        "> We decided to paint the gate green.",
        "< Green gate, noted. Shall I order a ladder?",
        "> forget the ladder, no wait, I have one",
        "< OK.",
    )
    assert decision.quote_number == 1


@table(
    ("said", "answer", "instead"),
    [
        ("Decision: the till closes at 18.", "Closing at 18.", "no wait, we go with 19:30"),
        ("Ustalone: kasę zamykamy o 18.", "Zapisane, 18.", "albo nie, zamykamy o 19:30"),
        ("决定了，收银台 18:00 关。", "好的，18:00。", "不对，改成 19:30"),
    ],
)
def test_a_value_that_was_only_weighed_before_is_no_object(
    candidates_of: CandidatesOf, said: str, answer: str, instead: str
) -> None:
    """The new value was among what was deliberated; it is the settled one that it replaces."""
    kept = candidates_of("> 18 / 19:30", "< OK.", f"> {said}", f"< {answer}", f"> {instead}", "< 19:30.")
    assert 3 not in [one.quote_number for one in kept]


def test_a_retraction_after_something_else_in_a_message_leaves_that(candidates_of: CandidatesOf) -> None:
    """A later sentence may name what an earlier message settled."""
    term, rule = PACKING[0][0], PACKING[0][1]
    kept = candidates_of(
        *term, *rule, "> From now on the shop opens at 9. Actually, forget the 21 days thing.", "< Noted."
    )
    assert [one.quote_number for one in kept] == [3, 5]


@table(
    ("term", "rule", "reminder"),
    [
        (PACKING[0][0], PACKING[0][1], "don't forget to put the 21 days on the website"),
        (PACKING[1][0], PACKING[1][1], "nie zapomnij wpisać 21 dni na stronę"),
        (PACKING[2][0], PACKING[2][1], "别忘了把 21 天写到网站上"),
    ],
)
def test_a_reminder_withdraws_nothing(
    candidates_of: CandidatesOf, term: list[str], rule: list[str], reminder: str
) -> None:
    """`Don't forget` is the opposite of `forget`."""
    kept = [one.quote_number for one in candidates_of(*term, *rule, f"> {reminder}", "< OK.")]
    assert kept[:2] == [1, 3]
