"""The validation of a candidate: every word of it is checked against the session, whatever its source."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from zoneinfo import ZoneInfo

from jobs.extraction.candidate_text import TITLE_LIMIT, title_of
from jobs.extraction.profile import PROFILES
from pipeline.drafts import Skip
from pipeline.entries.authorship import said_by_owner
from pipeline.entries.authorship.scale import is_out_of_scale
from pipeline.entries.project_names import is_bound
from pipeline.entries.provenance import Span, identity, locate
from pipeline.entries.values.check import ValuesSaid, values_of
from pipeline.language.folding import fold
from pipeline.language.text import weight
from schemas.entry import NOT_STATED, Kind
from schemas.extraction import Candidate, DoubtedCandidate, NotedCandidate, WordsDoubt
from schemas.outcome import Rejection
from schemas.transcript import MASK, Message, Origin, Session
from schemas.window import Window

# ruff: noqa: RUF001 - Chinese is written with full-width marks

_NAMES = re.compile(
    r"\b(?:pass(?:word|code|phrase)s?|pins?|puk|codes?|combination|secrets?|credentials|tokens?|keys?"
    r"|hasl\w{1,3}|kod(?:u|em|y|ow)?|szyfr\w{0,2}|sekret\w{0,2}|klucz\w{0,3})\b|密码|口令|验证码|密钥|暗号|门禁"
)
_VALUE = re.compile(r"\d{3}|\d[-# ]\d|[一二三四五六七八九零]{3}")
_REFUSES_SECRETS = re.compile(
    r"\bi(?:'d|'ll| will| would| can)? ?(?:rather )?(?:don't|do not|won't|will not|never|can't|cannot|not)\b"
    r"[^.!?\n]{0,30}\b(?:stor|sav|keep|remember|record|writ|not(?:e|ing)|memori|retain)\w*\b[^.!?\n]{0,40}"
    r"\b(?:pass(?:word|code|phrase)|pin|code|secret|credential|token|key)s?\b"
    r"|\bnie (?:zapis(?:uje|ze)|zapamiet(?:uje|am)|przechow(?:uje|am)|(?:za)?notuje|zachow(?:uje|am)|trzymam)\b"
    r"[^.!?\n]{0,40}\b(?:hasl|kod|pin|sekret|klucz|danych logowania)\w*"
    r"|我不(?:会|能|想)?[^。！？\n]{0,6}[存记][^。！？\n]{0,14}(?:密码|口令|验证码|密钥|敏感|码)"
)


def is_refused_secret(quote: str, answers: Iterable[str], *, to_remember: bool) -> bool:
    """Whether words give a code, and the assistant answers that it keeps no passwords, codes and the like.

    Words that are `to_remember` need not name the kind of secret.
    """
    words = fold(quote)
    if not _VALUE.search(words) or not (to_remember or _NAMES.search(words)):
        return False
    return any(_REFUSES_SECRETS.search(fold(answer)) for answer in answers)


DETAIL = 80
"""Characters of a quote that a rejection shows."""

BRIEF = 40
"""Latin letters, or as much in Chinese, up to which the rest of a sentence with a secret may be only its name."""

# Not as `language.text` has it: no ellipsis parts a name from its secret, and a mask alone is a sentence.
_SENTENCE = re.compile(r"(?:[^.!?;\n。！？；]|[.!?](?=[^\s.!?;]))+[.!?;。！？；]*")
_RULES = ("universal", "order", "lasting", "standing", "scope")
_REMEMBER = "remember"


class Reason(StrEnum):
    """The reason for which a candidate is rejected."""

    MISSING_FIELD = "missing_field"
    OUTSIDE_SESSION = "outside_session"
    NOT_OWNER = "not_owner"
    FOREIGN_TEXT = "foreign_text"
    WRONG_MESSAGE = "wrong_message"
    QUOTE_NOT_FOUND = "quote_not_found"
    UNTRUSTED_SUPPORT = "untrusted_support"
    NOT_ACCEPTED = "not_accepted"
    SECRET = "secret"  # noqa: S105 - the name of a reason, no secret


class Reservation(StrEnum):
    """The reason for which a claim that passes all checks waits as a suggestion."""

    ROUTINE = "routine"
    BELOW_THE_LINE = "below_the_line"
    UNSAID_VALUE = "unsaid_value"
    WHICH_PROJECT = "which_project"
    TAKEN_BACK = WordsDoubt.TAKEN_BACK.value
    OF_OTHERS = WordsDoubt.OF_OTHERS.value
    NOT_UNDERSTOOD = WordsDoubt.NOT_UNDERSTOOD.value


@dataclass(frozen=True)
class Claim:
    """A candidate with its place: its quote stands at `span` of `message` and rests on `supports` as well."""

    candidate: Candidate
    session: Session
    message: Message
    span: Span
    supports: tuple[Message, ...] = ()

    @property
    def identity(self) -> str:
        """The identity of the entry."""
        return identity(self.session.session_id, self.message.entry_ids, self.span)

    @property
    def quote(self) -> str:
        """The owner's words."""
        return self.message.text[slice(*self.span)]

    @property
    def until(self) -> date | None:
        """The last day on which it holds, if its messages, or what they answer, say so."""
        day = self.candidate.until
        if day is None or day < self.message.time.astimezone(ZoneInfo(self.session.zone)).date():
            return None
        return day if self.values.has_end(day) else None

    @cached_property
    def values(self) -> ValuesSaid:
        """The values of its messages, and of what they answer."""
        return values_of(self.session, (self.message, *self.supports), self.quote)


def check(candidate: Candidate, session: Session, window: Window) -> Claim | Rejection | Skip:
    """Check a candidate: a claim, a rejection, or a skip.

    A candidate outside the window is skipped, not rejected: it is context, and belongs to another window. An agent's
    note may be later than the words in it.
    """
    messages = {message.number: message for message in session.messages}
    message = messages.get(candidate.quote_number)
    if message is None:
        return rejection(Reason.OUTSIDE_SESSION, candidate.quote, session.session_id, candidate.quote_number)
    noted = isinstance(candidate, NotedCandidate) and message.time < window.end
    if message.time not in window and not noted:
        return Skip("outside_window")
    supports = tuple(messages[number] for number in sorted(set(candidate.support_numbers)) if number in messages)
    span = place_of(candidate.quote.strip(), message)
    claim = Claim(candidate, session, message, span or (0, 0), supports)
    reason = objection(claim)
    if reason is None:
        return claim
    return rejection(reason, candidate.quote, session.session_id, candidate.quote_number)


def reservation(claim: Claim, line: float) -> Reservation | None:
    """The reason for which a person decides about a claim; `None` when its confidence, 0 to 1, reaches the line.

    A thing to remember is sure enough whatever its confidence. A routine session settles nothing new as a rule. Words
    such as "in this repo" need a known project.
    """
    if claim.session.routine:
        return Reservation.ROUTINE
    if isinstance(claim.candidate, DoubtedCandidate):
        return Reservation(claim.candidate.doubt.value)
    if is_bound(f"{claim.quote}\n{claim.candidate.conclusion}") and not claim.session.project_of(claim.message):
        return Reservation.WHICH_PROJECT
    sure = claim.candidate.confidence >= line or is_to_be_remembered(claim)
    return None if sure else Reservation.BELOW_THE_LINE


def unsaid_value(claim: Claim) -> str | None:
    """The first value of its wording that its messages, and what they answer, do not have; `None` when they have all.

    A value is a number, a day, a time, a name or a code. Candidates read without a model have the words of messages.
    """
    lines = [text for text in _texts_of(claim.candidate)[1:] if text.strip() not in {"", NOT_STATED}]
    return claim.values.unsaid(lines)


def with_said_title(claim: Claim) -> Claim:
    """The claim; where a value of its title alone was not said, its conclusion makes the title.

    A title only names what the conclusion says.
    """
    title, conclusion = claim.candidate.title, claim.candidate.conclusion
    if claim.values.unsaid([title]) is None or claim.values.unsaid([conclusion]) is not None:
        return claim
    named = {"title": title_of(conclusion) or conclusion[:TITLE_LIMIT]}
    return replace(claim, candidate=claim.candidate.model_copy(update=named))


def is_to_be_remembered(claim: Claim) -> bool:
    """Whether the owner asks to remember it, in the quote or in its sentences: a quote may leave out their begin.

    An agent's note is not: the owner's message itself is read with its own window.
    """
    if claim.candidate.kind is not Kind.REMEMBER or isinstance(claim.candidate, NotedCandidate):
        return False
    text = " ".join((*_sentences_around(claim), claim.quote))
    return any(profile.finds(_REMEMBER, fold(text)) for profile in PROFILES.values())


def _sentences_around(claim: Claim) -> list[str]:
    """The sentences with the quote."""
    start, end = claim.span
    sentences = _SENTENCE.finditer(claim.message.text)
    return [sentence[0] for sentence in sentences if sentence.start() < end and start < sentence.end()]


def place_of(quote: str, message: Message) -> Span | None:
    """The span of the quote in the message: the first in the owner's own words, else the first."""
    return said_by_owner(quote, message.text) or locate(quote, message)


def objection(claim: Claim) -> Reason | None:
    """The reason for which a claim is rejected, whatever its reader; `None` when it is right."""
    candidate = claim.candidate
    given = all(text.strip() for text in (candidate.title, candidate.quote, candidate.conclusion))
    if not given or not claim.message.entry_ids:
        return Reason.MISSING_FIELD
    if claim.message.origin is not Origin.OWNER:
        return Reason.NOT_OWNER
    quote = candidate.quote.strip()
    if claim.quote != quote:
        said = any(message.origin is Origin.OWNER and locate(quote, message) for message in claim.session.messages)
        return Reason.WRONG_MESSAGE if said else Reason.QUOTE_NOT_FOUND
    return _text_objection(claim) or _support_objection(claim)


def _text_objection(claim: Claim) -> Reason | None:
    """The reason for which the words of the quote settle nothing, for any speaker."""
    if not said_by_owner(claim.quote, claim.message.text) or is_out_of_scale(claim.message, claim.session):
        return Reason.FOREIGN_TEXT
    if any(MASK * 2 in text for text in _texts_of(claim.candidate)) or _is_rest_of_secret(claim):
        return Reason.SECRET
    if is_refused_secret(claim.quote, _following_answers(claim), to_remember=claim.candidate.kind is Kind.REMEMBER):
        return Reason.SECRET
    return None


def _following_answers(claim: Claim) -> Iterator[str]:
    """The texts of the assistant after the quoted message, up to the owner's next message."""
    behind = (message for message in claim.session.conversation if message.number > claim.message.number)
    return (message.text for message in takewhile(lambda message: message.origin is not Origin.OWNER, behind))


def _texts_of(candidate: Candidate) -> tuple[str, ...]:
    # One mask character alone is a typed bullet; no secret is a single character long.
    return (
        candidate.quote,
        candidate.title,
        candidate.conclusion,
        candidate.why,
        candidate.finding,
        candidate.impact,
    )


def _is_rest_of_secret(claim: Claim) -> bool:
    """Whether the quote stands beside a secret and is nearly empty without it: `remember the gate code`."""
    sentences = _SENTENCE.finditer(claim.message.text)
    behind = next((sentence[0] for sentence in sentences if sentence.start() >= claim.span[1]), "")
    if MASK * 2 not in "".join(_sentences_around(claim)) and not (behind and set(behind.strip()) == {MASK}):
        return False
    rules = any(profile.finds_any(_RULES, fold(claim.quote)) for profile in PROFILES.values())
    return claim.quote.endswith((":", "：")) or (weight(claim.quote) < BRIEF and not rules)


def _support_objection(claim: Claim) -> Reason | None:
    candidate, supports = claim.candidate, claim.supports
    if len(supports) != len(set(candidate.support_numbers)):
        return Reason.OUTSIDE_SESSION
    if not all(message.conversational for message in supports):
        return Reason.UNTRUSTED_SUPPORT
    proposed = any(message.origin is Origin.ASSISTANT and message.number < claim.message.number for message in supports)
    return Reason.NOT_ACCEPTED if candidate.confirmation == "accepted" and not proposed else None


def rejection(reason: Reason, quote: str, session_id: str, number: int = 0) -> Rejection:
    """The rejection of a quote of a session, in the message with this number, if it is known."""
    quote = "" if reason is Reason.SECRET else " ".join(quote.split())
    shown = quote if len(quote) <= DETAIL else quote[: DETAIL - 1] + "…"
    return Rejection(reason=reason.value, session_id=session_id, number=number, detail=shown)
