"""Speech of others: exported chats, lines with a speaker, and announced speech."""

import re
from collections.abc import Iterator, Sequence

from pipeline.entries.authorship.cues import GENRES, WORDS
from pipeline.entries.authorship.lines import MessageLine
from pipeline.language.folding import fold
from pipeline.language.text import weight

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)


_FILE = r"(?:claude|agents|memory|gemini|user)\.md"
_HERE = r"(?=\W*$|\W*[:：,]|\s+[-–—]\s|\W+(?:that|ze|for|na)\b)"
_TARGET = re.compile(
    rf"\b(?:in|into|to) (?:(?:your|the|my|our) )?(?:long[- ]term )?(?:memory|notes|{_FILE}){_HERE}"
    rf"|\b(?:save|store|keep) (?:this|that|it){_HERE}"
    rf"|\b(?:do|w) (?:(?:swojej|twojej|naszej|swoich|twoich) )?(?:pamieci|notatek|notatkach|{_FILE}){_HERE}"
    rf"|(?:到|进|入|在)[^，。：,]{{0,4}}(?:记忆|笔记|备忘录|{_FILE})(?:里|中|去)?|把.{{1,6}}(?:记下来?|存下来?|记住)"
)
_SHORTCUT = re.compile(r"#[ \t]*[^\W\d][^\n#]{3,240}\s*")


def to_memory(folded: str) -> re.Match[str] | None:
    """The words of a folded sentence that name the memory as the place for something."""
    return _TARGET.search(folded)


def is_dictation(text: str) -> bool:
    """Whether a whole message is dictated, in one line that begins with `#` or names the memory before a colon."""
    if "\n" in text.strip():
        return False
    target = to_memory(fold(text))
    return shortcut(text) or (target is not None and text[target.end() :].lstrip().startswith((":", "：")))


def shortcut(text: str) -> bool:
    """Whether a message is one line behind `#`, as some agents have a thing to remember begin."""
    return _SHORTCUT.fullmatch(text) is not None


_CLOCK = r"\d{1,2}[:.：]\d{2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?"
_DAY = (
    r"(?:\d{1,4}[-./年]\d{1,2}[-./月]\d{1,4}日?|[^\W\d]{2,9}\.? \d{1,2}(?:, \d{4})?"
    r"|\d{1,2} [^\W\d]{2,12}\.?(?: \d{4})?)"
)
_WHO = r"\S.{0,60}?(?:[:>]\s|：)"
_STAMPED = re.compile(
    rf"\s*(?:[\[(<]?{_DAY}[,， T]{{1,3}}{_CLOCK}[\])>]?\s*[-–|]?\s*{_WHO}|[\[(<]{_CLOCK}[\])>]\s*{_WHO}"
    rf"|[^\W\d_][^\W_]{{0,20}},? {_CLOCK}[:：]\s|{_CLOCK}\s*[-–|<]\s*{_WHO}|{_CLOCK} +[^\W\d]\w{{0,20}}[:：]\s)",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"\s*(?=[^\n]{1,80}$)(?P<who>\S.{0,50}?)(?P<gap>[\s,，|·—\[(-]+)"
    rf"(?:(?:at|o|today|yesterday|dzisiaj|dziś|wczoraj|今天|昨天|{_DAY}),? ){{0,3}}{_CLOCK}[\]):\s]*",
    re.IGNORECASE,
)
_PERSON_AFTER = r"[^\W\d_]\S{0,20}(?:,? [^\W\d_]\S{0,20}){0,2}"
_TIMED = re.compile(rf"\s*[\[(<]?(?:{_DAY}[,， T]{{1,3}})?{_CLOCK}[\])>]?\s*[-–|]?\s*{_PERSON_AFTER}\s*", re.IGNORECASE)
_CLOCK_ALONE = re.compile(rf"\s*(?:{_DAY}[, ]+)?{_CLOCK}\s*", re.IGNORECASE)
_HANDLE = re.compile(
    r"\s*(?:<[@+~]?[\w.-]{1,30}>\s|[^\W\d][\w.-]{0,20}>\s|@[\w.-]{1,30}[:：]\s"
    r"|\*\*[^*\n]{1,40}\*\* ?(?:\([^()\n]{1,30}\))? ?[:：])"
)
_LABELLED = re.compile(
    r"\s*[*_]{0,2}(?P<who>[^\W\d][\w.'’ -]{0,30})(?: \([^()\n]{1,30}\))?[*_]{0,2} ?[:：][*_]{0,2}\s*(?=\S)"
)
_PERSON = WORDS.pattern("role", r"\s*[*_]{0,2}{}(?: \([^()\n]{1,30}\))?[*_]{0,2} ?[:：]\s*(?=\S)")
_NAMED = WORDS.pattern("name", r"\s*[*_]{0,2}{}(?: [^\W\d]\S{0,20})?(?: \([^()\n]{1,30}\))?[*_]{0,2} ?[:：]\s*(?=\S)")
_TOPIC = WORDS.pattern("topic", r"\s*{}")
_LABEL = WORDS.pattern("label", r"\W*{}")
_VOCATIVE = WORDS.pattern("bot", r"^\W*(?:\w{2,5} )?(?:(?<=@){}(?= )|{}[,，])")  # `Claude, remember: ...`
_WORDS_OF_NAME = 3
_ENDED = re.compile(r"[.!?。！？;；:：]\s*")
_TEXT_SAYS = re.compile(WORDS.pattern("source").pattern + r"\W{0,3}(?:\w{1,12} ){0,4}" + WORDS.pattern("says").pattern)
# A relayed question of one sentence, and a word of an answer behind it: `Tom asks: can we ship? No, never.`
_ASKED = re.compile(
    r"(?:\b(?:asks|asked|wants? to know|(?:za)?pyta)|问)[^:：?？.!。！]{0,30}[:：][^?？.!。！\n]+[?？]\s*"
    r"(?:(?:no|nope|yes|yeah|yep|never|always|sure|nie|tak|nigdy|zawsze|jasne)\b|[不是行对好能]|可以|绝不|从不|没)"
)
_NAME = 40  # characters
_NEAR = 30  # characters
_SHORT = 100  # in Latin letters
_REST = 20  # in Latin letters: behind a verb of saying, when and to whom, and nothing that is said


def opens_speech(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether the line is one of an exported chat, or has another's name or role before a colon."""
    line = lines[place]
    if (
        _STAMPED.match(line.text)
        or WORDS.finds("disowned", line.folded)
        or (_HANDLE.match(line.text) and not _LABEL.match(line.folded))
    ):
        return True
    following = lines[place + 1] if place + 1 < len(lines) else None
    if following and not following.blank and _is_head(line, following):
        return True
    if _LABEL.match(line.folded) or _TOPIC.match(line.folded):
        return False
    return bool(_PERSON.match(line.folded) or _NAMED.match(line.folded)) or _full_name(line) or _dialogue(lines, place)


def answers_question(line: MessageLine) -> bool:
    """Whether the owner relays a question and answers it: a question settles nothing, and the answer is the owner's."""
    return _ASKED.search(WORDS.pattern("own_saying").sub(" ", line.folded)) is not None


def one_liner(line: MessageLine) -> bool:
    """Whether a name or role opens the line, as in a person's note of one remark; exported chats have times."""
    return bool(_PERSON.match(line.folded) or _NAMED.match(line.folded)) and not _STAMPED.match(line.text)


def _is_head(line: MessageLine, following: MessageLine) -> bool:
    """Whether it is the head of a message in a copied chat: a name and a time, on one line or on two."""
    if _TIMED.fullmatch(line.text):
        return True
    head = _HEADED.fullmatch(line.text)
    if head is None:
        return len(line.text) <= _NAME and _CLOCK_ALONE.fullmatch(following.text) is not None
    capital = all(not word[:1].islower() for word in head["who"].split())
    return capital or head["gap"] != " "


def _full_name(line: MessageLine) -> bool:
    """Whether two or three capitalised words stand before a colon."""
    match = _LABELLED.match(line.text)
    words = match["who"].split() if match and not WORDS.finds("label", fold(match["who"])) else []
    return 1 < len(words) <= _WORDS_OF_NAME and all(word[:1].isupper() and word[1:].islower() for word in words)


def _dialogue(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether the line and one below it have speakers: one is the person who pastes, or both may be names."""
    if _LABELLED.match(lines[place].text) is None:
        return False
    if all(_unknown(line) for line in lines[place : place + 2]) and place + 1 < len(lines):
        return True
    me = WORDS.pattern("me", r"\s*{} ?[:：]\s*\S")
    return any(me.match(line.folded) for line in lines[place : place + 12])


def hands_over(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether a short line without a colon announces that the text below was sent or copied, or is its title."""
    line = lines[place]
    followed = any(not below.blank for below in lines[place + 1 :])
    if not followed or line.weight > _SHORT or dictates(line.folded):
        return False
    if WORDS.finds("hands", line.folded) or (place == 0 and _titles(line)):
        return True
    alone = (place == 0 or lines[place - 1].blank) and lines[place + 1].blank
    return alone and not any(line.leads) and _credits(line)


def _credits(line: MessageLine) -> bool:
    """Whether the line names the speaker or the place of words, and not the words: `my boss wrote yesterday`."""
    others = GENRES.pattern("errand").sub(" ", WORDS.pattern("own_saying").sub(" ", line.folded))
    says = list(WORDS.pattern("says").finditer(others))
    if says and weight(others[says[-1].end() :]) <= _REST:
        return True
    origin = WORDS.pattern("origin_of_label").search(others)
    ends = line.text.rstrip()[-1:] in ".!?。！？"
    sourced = origin is not None and WORDS.finds("source", origin.group())
    return sourced and not ends and line.weight <= _NAME and not GENRES.opens("busy", line.folded)


def _titles(line: MessageLine) -> bool:
    """Whether the line names a text as a title does: no sentence, and no speaker."""
    ends = line.text.rstrip()[-1:] in ".!?。！？"
    speaks = WORDS.finds("speaking", line.folded) or GENRES.opens("busy", line.folded)
    return not ends and WORDS.finds("source", line.folded) and not speaks


def _unknown(line: MessageLine) -> bool:
    """Whether a single capitalised word that heads nothing of the owner's stands before a colon."""
    match = _LABELLED.match(line.text)
    word = match["who"] if match else ""
    return word.isalpha() and word.istitle() and not _LABEL.match(line.folded) and not _TOPIC.match(line.folded)


def announcement_place(line: MessageLine) -> int | None:
    """The place of the words that announce another's speech before a colon; or of a bot's name beside such a verb."""
    places = [place - len(lead) - 1 for lead, place in line.leads if leads_foreign(lead)]
    return min([*places, *_whole_sentences(line)], default=None)


def _whole_sentences(line: MessageLine) -> Iterator[int]:
    """The beginnings of the sentences that name a bot or a text as the speaker, but for what is to be remembered.

    A sentence is another's as a whole: the words before the name alone would say something else.
    """
    for place in _of_bot(line):
        before = line.folded[: place - line.start]
        start = max((mark.end() for mark in _ENDED.finditer(before)), default=0)
        if not WORDS.finds("keep", before[start:]):
            yield line.start + start


def leads_foreign(lead: str) -> bool:
    """Whether the words before a colon announce another's text: its speaker, its sender or its place."""
    others = _VOCATIVE.sub(" ", WORDS.pattern("own_saying").sub(" ", lead))
    if WORDS.opens("regarding", others):
        return WORDS.finds("says", others) or WORDS.finds("bot", others)
    kept, says = WORDS.pattern("keep").search(others), WORDS.pattern("says").search(others)
    if says and not (kept and kept.start() < says.start()):
        return True
    if WORDS.finds("bot", others):
        return True
    from_elsewhere = WORDS.finds("hands", others) or WORDS.finds("source", WORDS.pattern("compound").sub(" ", others))
    return from_elsewhere and not dictates(others)


def dictates(lead: str) -> bool:
    """Whether words head what the owner dictates, and name nobody else for it: `my rule`, and not `Bob's rule`."""
    return WORDS.finds("label", lead) and not WORDS.finds("origin_of_label", lead)


def _of_bot(line: MessageLine) -> Iterator[int]:
    """The place of the name of a bot, or of a text, as the subject of a verb of saying: `Gemini suggests that ...`."""
    bot = WORDS.pattern("bot").search(line.folded)
    if bot:
        near = line.folded[max(0, bot.start() - _NEAR) : bot.end() + _NEAR]
        if WORDS.finds("says", WORDS.pattern("own_saying").sub(" ", near)):
            yield line.start + bot.start()
    accord = WORDS.pattern("accord").search(line.folded)
    if accord:
        yield line.start + accord.start()
    yield from (line.start + text.start() for text in _TEXT_SAYS.finditer(line.folded))
