"""Words that are perhaps reported: nothing is set apart as foreign, and yet somebody else seems to speak.

A reading without a model cannot tell; a person decides. The owner's own voice is unframed: nothing but the owner's
subject, or a topic, leads to it. So no list tells what may frame the words of others: a frame is what describes more
than a topic does.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from itertools import dropwhile

from pipeline.entries.authorship.cues import WORDS, PastedText
from pipeline.entries.authorship.lines import lines_of
from pipeline.entries.authorship.requests import About, asks_about, asks_to_inspect
from pipeline.entries.authorship.speech import dictates, to_memory
from pipeline.language.chinese import han_runs
from pipeline.language.folding import fold
from pipeline.language.stopwords import FREQUENT
from pipeline.language.text import Span, sentences, terms, weight

_AT_END = re.compile(r"\s[-–—]{1,2}\s?(?P<who>[^\n.!?;:。！？；：–—-]{2,40})[.。]?\s*$")
_HEAD = re.compile(r"\s*(?:\w{1,4}\. ?)?[^\n.!?;:。！？；：]{2,40}\s*")
_LEAD = re.compile(r"[^\n:：]{2,70}?(?:[:：](?!\d)| [-–—]{1,2}(?=\s))")
_ENDS = (".", "!", "?", "…", ";", "。", "！", "？", "；")
_DETERMINER = r"(?:(?:the|my|our|moj\w*|nasz\w*) |我们?的?)?"
_PERSON = WORDS.pattern("role", rf"\W*{_DETERMINER}(?!我|(?:ja|me)\b){{}}"), WORDS.pattern("name", r"\W*{}(?!\w)")
_MINE = re.compile(r"\b(?:i|me|we|my|our|ja|my|nasz\w*|moj\w*)\b|[我咱]")
_SPEAKS = re.compile(r"\b(?:i|i'\w+|we|we'\w+|let'?s|ja|my|\w{2,}(?:lem|lam|my|ujemy|amy|imy))\b|[我咱]")
_CAPITALS = re.compile(
    r"(?:\w{1,4}\. ?[A-ZŁŚŻŹĆ]|@(?=\w)|[A-ZŁŚŻŹĆ][^\W\d_]+,? [A-ZŁŚŻŹĆ])[^\W_]+(?:,? [A-ZŁŚŻŹĆ]\w+)*"
)
_SAYS = re.compile(
    r"(?!(?:i|we|ja)\b)(?:\w+ ){1,3}(?:already |always |just |juz |zawsze )?"
    r"(?:says?|said|reckons|insists|insisted|mowi|mowil\w*|powiedzial\w*|twierdzi|kaze|kazal\w*|uwaza)\b"
    r"|[^我咱你，。,：:]{1,8}(?:说|讲|交代|吩咐|表示|要求|嘱咐|叮嘱)(?:了|过)?[，,：:]"
    r"|[小老阿][^\W\d]决定"
)
# A person, a verb, and a clause with a subject of its own: `my dad reckons we ...`, `dyrektor chce, zeby ...`.
_CLAUSE = re.compile(
    r"(?!.{0,12}\b(?:and|i|or) (?:i|me|ja)\b)"
    r"(?:(?:'s)?(?: [^\s,，:]+){1,4}? (?:that|us|we|you|everyone|everybody|nobody)\b"
    r"|(?:,? [^\s,，:]+){1,3}?,? (?:ze|zeby|aby|by|nam|nas)\b"
    r"|[^我，。,：:]{0,3}(?:说|讲|让|叫|希望|要求|意思|觉得|决定))"
)
_OF_NOUN = re.compile(r"\b(?:in|of|to|with|for|all|your|our|my)\s*$")  # `in replies` is no verb
_THAT = re.compile(r"\b(?:that|ze|zeby|aby)\W*$")
_SUNG = re.compile(r"[♩-♬\U0001f3a4\U0001f3b5\U0001f3b6]|\b(?!no)([^\W\d]{1,3}[ao]h?)(?:[ ,-]+\1){2,}\b|啦{3}")
# The fields of the records that agents, testers and programs write, and the name of an agent in brackets, such as
# `planner`, `tester 2` or `校对员`.
_FIELD = re.compile(
    r"\W*(?:observation|thought|finding|result|output|status|error|warning|obserwacja|mysl|wniosek|wynik|blad"
    r"|观察|思考|发现|结果|输出|状态|错误)(?: ?\d+)?\W{0,2}[:：\]]"
)
_BRACKETED = re.compile(r"\s*[\[【](?P<who>[^\W\d][\w ]{1,20})[\]】]")
_AGENT = re.compile(r"(?:[eo]r|bot|agent|assistant|arz|nik|ista|[者员手])(?: ?\d+)?$")
_NUMBERED = re.compile(r"\W*(?:[^\W\d]+ \d{1,2}|第[一二三四五六七八九十\d]{1,2}.|[^\W\d]{2}[一二三四五六七八九十])\W*")
_COUNT = re.compile(r"\W*[^\W\d][^\d:：]{1,30}[:：] ?\d+(?:[.,]\d+)?\W?(?: ?[^\W\d]+)?\W*")
_DEMONSTRATIVE = re.compile(r"\b(?:this|to)\b|这")
_POINTS = re.compile(r"\b(?:this|these|to|tego)\W*$|这[个段句]?\W*$")
_AUXILIARIES = frozenset(
    ("is", "are", "was", "were", "do", "does", "did", "can", "could", "you", "i", "we", "it", "what")
)
_WORD = re.compile(r"[^\W\d_]+")
_CONTINUES = re.compile(r"\b(?:but|ale)\b|但")
_STATES = re.compile(r"^(?:we\b|[我咱])|了[:：]")  # the owner's sentence; in Chinese, one that is complete
_REASONS = re.compile(r"(?:and |so |a |i )?(?:since|because|bo|poniewaz|skoro)\b|(?:而且)?(?:因为|既然|自从)")
_DESCRIBES = re.compile(r"[着在里]|的[:：]")
_OWN_LEADS: tuple[PastedText, ...] = ("label", "topic", "own_saying", "greeting", "lasting")
_FRAGMENT = re.compile(r"\s*(?!1\D)\d{1,2}[.)、][^\n]+\n+\s*\d{1,2}[.)、]")  # items of a list without its first
_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)、])")
_TOPIC = 18  # in Latin letters, of a topic in Chinese with its colon
_NAMES = 2
_QUESTION = 28  # in Latin letters: so short a question about `this` is about the words beside it
_FEW = 3  # words: a question to nobody is about the words beside it as well


def perhaps_reported(text: str, quote: str) -> bool:
    """Whether somebody else may speak in the words of a message that hold the quote.

    It is so where the sentence begins with a person and a clause of that person's, with the field of a record, or with
    a lead that describes what follows; where the message asks for work on a text before it, counts like a report, ends
    with a name behind a dash, or is sung; and where such a lead, or a name, stands in the line above.
    """
    start = text.find(quote)
    if start < 0:
        return False
    begins = max(map(text[:start].rfind, ".!?\n。！？")) + 1  # of its sentence
    if any(_is_framed(text[place:].lstrip()) for place in (start, begins)):
        return True
    end = _AT_END.search(text)
    if end is not None and end.start() >= start and _is_name(end["who"]):
        return True
    beside = [sentence for sentence in sentences(text) if not sentence.start <= start < sentence.end]
    if _SUNG.search(text) or _FRAGMENT.match(text) or any(_counts(sentence) for sentence in beside):
        return True
    before = (sentence for sentence in beside if sentence.end <= start)
    headed = _LEAD.match(text, begins)
    labelled = headed is not None and WORDS.finds("label", fold(headed.group()))
    return any(_works_on_text(sentence, text[sentence.end :]) for sentence in before) or _is_headed(
        text[:start], labelled=labelled
    )


def _is_framed(said: str) -> bool:
    """Whether a sentence begins with another speaker, the field of a record or a description of what follows."""
    folded = fold(said)
    own = WORDS.pattern("own_saying").sub(" ", folded)
    person = next(filter(None, (pattern.match(own) for pattern in _PERSON)), None)
    if _SAYS.match(own) or (person and _CLAUSE.match(own, person.end())):
        return True
    if _FIELD.match(folded) or _is_bracketed(said):
        return True
    lead = _LEAD.match(folded)
    return _is_lead(lead.group()) if lead else _has_subject(own)


def _is_bracketed(said: str) -> bool:
    """Whether a sentence begins with a person or an agent in brackets; `[urgent]` is a mark of the owner's."""
    bracketed = _BRACKETED.match(said)
    if bracketed is None or WORDS.finds("label", fold(bracketed["who"])):
        return False
    return _is_name(bracketed["who"]) or _AGENT.search(fold(bracketed["who"])) is not None


def _has_subject(own: str) -> bool:
    """Whether a sentence is said, or thought, by what stands before `from now on`."""
    lasting = WORDS.pattern("lasting").search(own)
    before = own[: lasting.start()].rstrip(" ,，") if lasting else ""
    if _SPEAKS.search(before) or dictates(before):
        return False
    return _ends_with_verb(before) or _THAT.search(before) is not None


def _ends_with_verb(words: str) -> bool:
    """Whether the words end with a verb of saying, which is not the owner's."""
    verb = next((match for match in WORDS.pattern("says").finditer(words) if match.end() == len(words)), None)
    return verb is not None and not _OF_NOUN.search(words[: verb.start()])


def _is_lead(lead: str) -> bool:
    """Whether words describe what follows: they say more than a topic does, and are no lead of the owner's."""
    if (
        _STATES.search(lead)
        or _REASONS.match(lead)
        or _CONTINUES.search(lead)
        or to_memory(lead)
        or any(WORDS.finds(name, lead) for name in _OWN_LEADS)
    ):
        return False
    if _NUMBERED.fullmatch(lead.rstrip(" :：-–—")) or _POINTS.search(lead):
        return True
    if han_runs(lead):
        return weight(lead) > _TOPIC or _DESCRIBES.search(lead) is not None
    words = list(dropwhile(FREQUENT.__contains__, _WORD.findall(lead)))
    names = [word for word in words if word not in FREQUENT]
    return _NAMES <= len(names) < len(words)


def _is_headed(above: str, *, labelled: bool) -> bool:
    """Whether the last line above the quote's, but for items, is a name alone, or leads to the words of others.

    A line with `I` or `we` in it is the owner's, and so is a sentence to its end. What has a label of its own
    (`labelled`) is led to only by a speaker.
    """
    lines = [line for line in lines_of(above)[:-1] if not line.blank and not _ITEM.match(line.text)]
    if not lines:
        return False
    last = lines[-1].text.strip()
    if _HEAD.fullmatch(last) and _is_name(last):
        return True
    folded = fold(last)
    if last.endswith(_ENDS) or _SPEAKS.search(folded):
        return False
    return _ends_with_verb(folded) or (not labelled and _is_lead(folded))


def _counts(sentence: Span) -> bool:
    """Whether a sentence is a field of a report, with nothing but a number, as in `Files changed: 4`."""
    return _COUNT.fullmatch(sentence.text) is not None and not any(
        WORDS.finds(name, sentence.folded) for name in _OWN_LEADS
    )


def _works_on_text(sentence: Span, below: str) -> bool:
    """Whether a sentence asks for work on a text, how `this` is, or in a few words what nobody is asked."""
    if sentence.asks and weight(sentence.text) <= _QUESTION:
        words = _WORD.findall(sentence.folded)
        to_nobody = len(words) <= _FEW and not any(_addresses(word) for word in words)
        apart = to_nobody and not terms(sentence.text) & terms(below)
        return apart or _DEMONSTRATIVE.search(sentence.folded) is not None
    return asks_about(sentence) is About.REWORK or asks_to_inspect(sentence)


def _addresses(word: str) -> bool:
    """Whether a word of a question is a verb's auxiliary, or a person's: someone is asked."""
    return word in _AUXILIARIES or word.endswith("sz") or any(sign in word for sign in "你我您")


def _is_name(words: str) -> bool:
    """Whether the words name a person, or a person's role, and are none of the owner's."""
    folded = fold(words).strip()
    if any(WORDS.finds(name, folded) for name in ("label", "topic", "greeting", "bot")):
        return False
    role, name = (pattern.match(folded) for pattern in _PERSON)
    if role and role.end() == len(folded):
        return True
    return not _MINE.search(folded) and bool(role or name or _CAPITALS.match(words.strip()))
