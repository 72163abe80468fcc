"""Options: the alternatives that an assistant's turn shows, and the option that an answer picks.

They are in a list, behind marks on one line (`Option A: ... Option B: ...`), or beside `or` in a question.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence

from jobs.extraction.profile import Profile
from pipeline.language.folding import fold
from pipeline.language.text import Span, sentences

_LIST_ITEM = re.compile(
    r"^[ \t]*(?:(?P<bullet>[-*•–])"
    r"|[(（]?(?P<label>\d{1,2}|[A-Ha-h]|[一二三四五甲乙丙丁]|[①-⑨])(?:[.)）、:：]|(?<=[①-⑨])))\s*",
    re.MULTILINE,
)
_INLINE = re.compile(  # `Option A: ...` and `A: ...` at the beginning of a sentence, `(A) ...` and `1. ...` anywhere
    r"(?:(?:^|(?<=[.,;:!?。，；：！？]))\s*(?:[^\W\d_]{2,8} |[一-鿿]{2,4} ?)?"
    r"(?P<label>[A-Ha-h1-9一二三四五])[.)）:：、]"
    r"|[(（](?P<enclosed>[A-Ha-h1-9一二三四五])[)）]|(?<!\S)(?P<number>[1-9])[.)])\s*(?=\S)"
)
_LABELS = ("abcdefgh", "123456789", "一二三四五")
_SEVERAL = 2
_EDGES = " \t\r\n,;.，；。"
_MARK = re.compile(r"\W*([①-⑨]|[甲乙丙丁一二三四五]|[a-h]\b|\d{1,2}(?![\w.:]))")
_ORDINALS = ("first|1st|former|pierw|jedyn|第一|前者", "second|2nd|drug|dwoj|第二|后者", "third|3rd|trze|troj|第三")
_OR = re.compile(r"\s(?:or|czy|albo|lub)\s|还是|或者?")
_ASKS = re.compile(
    r"^(?:(?:and|also|i|a|oraz) )?(?:(?:do you )?want me to|(?:should|shall|do|would|can|could) (?:i|we|you|the \w+)"
    r"|czy(?: mam(?:y)?)?|mam(?:y)?|[那请要])\s*"
)
_PARTICLE = re.compile(r"吗?[?？]+$")
_TOKEN = re.compile(r"[^\W_]+(?:[-'.][^\W_]+)*")


def options_of(text: str) -> tuple[tuple[str, str], ...]:
    """The options with the marks that open them, folded: `("b", "the other way")`; a single option is none."""
    listed = list(_LIST_ITEM.finditer(text))
    if len(listed) > 1:
        line_end = text.find("\n", listed[-1].end())
        ends = [mark.start() for mark in listed[1:]] + [line_end if line_end >= 0 else len(text)]
        items = zip(listed, ends, strict=True)
        return tuple((fold(mark["bullet"] or mark["label"]), text[mark.end() : end].strip()) for mark, end in items)
    return _options_on_line(text)


def last_list(text: str) -> tuple[str, ...]:
    """The items of the last list in the text, each as its first sentence without marks of emphasis."""
    options = options_of(text)
    first = max((place for place, (label, _) in enumerate(options) if label == options[0][0]), default=0)
    items = options if options and not options[0][0].isalnum() else options[first:]
    plain = (next(iter(sentences(words.replace("**", ""))), None) for _, words in items)
    return tuple(item.text for item in plain if item)


def picked_option(span: Span, options: Sequence[tuple[str, str]], profile: Profile) -> str | None:
    """The option that the beginning of a sentence picks, by its mark or by its place: `b`, `2.`, `the second one`."""
    known, label = dict(options), _MARK.match(span.folded)
    if label and label.group(1) in known:
        return known[label.group(1)]
    ordinal = profile.first("ordinal", span.folded)
    if ordinal is None:
        return None
    places = [place for place, words in enumerate(_ORDINALS) if re.search(words, ordinal.group())]
    if places:
        return options[places[0]][1] if places[0] < len(options) else None
    return known.get(ordinal.group().strip()[-1:])


def answer_question(question: str, words: str) -> str | None:
    """The question with the answer in place of its two alternatives; `None` where they are not clear.

    `Should the assistant use REST or GraphQL?` and `REST` give `use REST`.
    """
    folded, chosen = fold(question).rstrip("?？ "), fold(words).strip(_EDGES + "!！")
    either = list(_OR.finditer(folded))
    if len(either) != 1 or not chosen:
        return None
    before, after = folded[: either[0].start()], folded[either[0].end() :]
    start = _alternative_start(before, after, chosen)
    if start is None:
        return None
    asked = _ASKS.match(folded)
    lead = question[asked.end() if asked else 0 : start].rstrip(" ,，")
    if not lead:
        return None
    space = " " if words[:1].isascii() or lead[-1:].isascii() else ""
    colon = "" if asked or not lead[-1:].isascii() else ":"
    return f"{lead}{colon}{space}{words.strip()}"


def agreed_words(question: str) -> str:
    """The words that a yes to a question agrees to: `Should I delete them daily?` gives `delete them daily`."""
    question = question.replace("要不要", "要")
    asked = _ASKS.match(fold(question))
    words = question[asked.end() if asked else 0 :].strip()
    return _PARTICLE.sub("", words) if asked or _PARTICLE.search(words) else words


def offers_two(question: str) -> bool:
    """Whether a question asks for one of two things."""
    return question.rstrip().endswith(("?", "？")) and _OR.search(fold(question)) is not None


def _alternative_start(before: str, after: str, chosen: str) -> int | None:
    """The start of the first alternative, when the chosen words end the text before `or`, or are all after it."""
    size = len(_TOKEN.findall(after))
    if before.endswith(chosen) and size == len(_TOKEN.findall(chosen)):
        return len(before) - len(chosen)
    tokens = list(_TOKEN.finditer(before))
    if after.strip() != chosen or size >= len(tokens):
        return None
    return tokens[-size].start()


def _options_on_line(text: str) -> tuple[tuple[str, str], ...]:
    marks = list(_INLINE.finditer(text))
    labels = [fold(next(filter(None, mark.groups()))) for mark in marks]
    if len(labels) < _SEVERAL or not any(row.startswith("".join(labels)) for row in _LABELS):
        return ()
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    bodies = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    items = [next(iter(sentences(body)), None) for body in bodies]
    return tuple((label, item.text.strip(_EDGES)) for label, item in zip(labels, items, strict=True) if item)
