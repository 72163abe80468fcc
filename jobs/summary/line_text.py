"""The line of a point: the speakers' own words, trimmed and joined."""

import re

from jobs.extraction.candidate_text import shortened
from jobs.summary.observed import Remark
from jobs.summary.sentence import Sentence
from pipeline.language.folding import fold

LIMIT = 200
_LEAST = 70  # characters that a side keeps when both are cut
ARROW = " → "
"""What stands between a matter and its outcome."""
_MARKS = re.compile(r"\*\*|__|<!-*|(?<!-)-++>|^\s*(?:[-*–#>]+|\(?\d{1,2}[.)])\s+")  # noqa: RUF001 - as written
_LOOSE = " ,;，；"  # noqa: RUF001 - the marks of Chinese
_WIDE = ("。", "！", "？", "；", "：")  # noqa: RUF001 - the marks of Chinese
_ENDS = (".", "!", "?", "…", ":", ";", *_WIDE)
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]")


def plain(sentence: Sentence) -> str:
    """A sentence on one line, without markup, emoji and the interjections it opens with."""
    text = " ".join(_EMOJI.sub("", _MARKS.sub("", sentence.span.text)).split())
    return sentence.lexicon.trimmed(text, fold(text)).strip(_LOOSE)


def run_on(remark: Remark, first: int, last: int) -> str:
    """The sentences of a message from rank `first` to `last`, both inside, as one line."""
    sentences = remark.sentences[first : last + 1]
    text = "".join(_ended(one) for one in sentences[:-1]) + plain(sentences[-1])
    return shortened(text, LIMIT)


def joined(earlier: str, later: str) -> str:
    """A matter and its outcome, as one line within the limit."""
    if not earlier:
        return shortened(later, LIMIT)
    room = LIMIT - len(ARROW)
    kept = shortened(earlier, max(_LEAST, room - len(later)))
    return kept + ARROW + shortened(later, room - len(kept))


def named(sentence: Sentence, text: str) -> str:
    """The text with its speaker before it."""
    who = sentence.lexicon.owner if sentence.turn.owner else sentence.lexicon.assistant
    return shortened(f"{who}: {text}", LIMIT)


def _ended(sentence: Sentence) -> str:
    """The sentence with a mark at its end, and a space where its script has them."""
    text, mark = plain(sentence), sentence.span.text[-1:]
    if not text.endswith(_ENDS):
        text += mark if mark in _ENDS else "."
    return text if text.endswith(_WIDE) else text + " "
