"""What a link rests on, in a sentence for people: the owner's words, the subject and the slot, or a model's reason."""

import re
from collections.abc import Iterator

from jobs.resolution.relation import Relation, said, statement, verbatim, with_impact
from jobs.resolution.same_thing import features, quantities, replaces
from pipeline.language.chinese import han_runs, letter_runs
from pipeline.language.folding import flat
from schemas.entry import Entry
from schemas.links import LinkedRows

MODEL = "the model"
"""How the grounds begin when a model judged the pair."""

WORDS = 5
"""The most words of the subject in the grounds."""

REASON = 240
"""The most characters of a model's reason, or of the owner's words."""

_CLAUSE = re.compile(r"[.,](?!\d)|[;()\n\u2014\u3001\u3002\uff08\uff09\uff0c\uff1b]")


def by_code(later: Entry, earlier: Entry, kind: Relation) -> str:
    """The grounds of a link that code makes."""
    subject = ", ".join(_subject(later, earlier))
    if kind is Relation.REPEATS:
        same = "the same words" if "" != verbatim(later) == verbatim(earlier) else f"the same subject ({subject})"
        return f"{same}, and nothing that changes it"
    part = "a part of it: " if kind is Relation.REPLACES_PART else ""
    if clause := _announcing(later.quote):
        return f'{part}the owner says that it changes: "{clause}"'
    if slot := next(_slots(later, earlier), ""):
        return f"{part}the same subject ({subject}) with another value: {slot}"
    if clause := _announcing(with_impact(later)):
        return f'{part}it is put down as a change: "{clause}"'
    return f"{part}the same subject ({subject}), once with and once without a denial"


def by_model(name: str, judged: LinkedRows) -> str:
    """The grounds of a link that a model judged."""
    reason = " ".join(judged.reason.split())[:REASON]
    return f"{MODEL} {name} judged `{judged.verdict}`" + (f": {reason}" if reason else "")


def _announcing(text: str) -> str:
    """The first clause with words of replacement, else the whole text when it has them; else empty."""
    clauses = (" ".join(clause.split()) for clause in (*_CLAUSE.split(text), text))
    return next((clause[:REASON] for clause in clauses if replaces(clause)), "")


def _slots(later: Entry, earlier: Entry) -> Iterator[str]:
    """The units that both name, with their values before and now."""
    now, before = quantities(said(later)), quantities(said(earlier))
    for unit in sorted(now.keys() & before.keys()):
        if not now[unit] & before[unit]:
            name = f" {unit}" if unit == "%" or han_runs(unit) else ""  # else it is but the beginning of a word
            yield f"{'/'.join(sorted(before[unit]))}{name}, now {'/'.join(sorted(now[unit]))}{name}"


def _subject(later: Entry, earlier: Entry) -> list[str]:
    """The first words that both have in common, as the later entry has them."""
    shared = features(statement(later)) & features(statement(earlier))
    words = dict.fromkeys(word for word in letter_runs(flat(statement(later))) if features(word) & shared)
    pairs = sorted(feature for feature in shared if not letter_runs(feature))
    return [*words, *pairs][:WORDS]
