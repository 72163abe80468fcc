"""Polish verbs of the assistant's words in the third person: the ending tells who is meant, and mostly the new form.

The second person ends in `-sz`, and without it the verb is in the third. Of the first person only some endings tell the
form (`-am`, `-uję`); `-ę` may be either (`piszę`, `proszę`), and in the middle of a clause also a noun.
"""

import re

_CLAUSE = re.compile(r"[^,;:.!?]+|[,;:.!?]+")
_WORD = re.compile(r"[^\W\d_]+")
_ASSISTANT, _OWNER = "asystent", "właściciel"
_SUBJECTS = {"ja": _ASSISTANT, "ty": _OWNER}
_NO_VERB = re.compile(
    "nasz|wasz|kasz|nisz|klisz|poddasz|mysz|klawisz|afisz|towarzysz|gulasz|tomasz|łukasz|eliasz|jonasz"  # nouns, names
    r"|\w*(?:pisz|słysz|ciesz|spiesz|czesz|kołysz)|(?:za|wy)wiesz"  # imperatives
    r"|tam|sam|razem|potem|zatem|wieczorem|latem|adam|islam|reklam|\w*gram"
)
_SECOND = re.compile(r"[^\W\d_]*[aeiy]sz")
_FIRST = re.compile(r"[^\W\d_]+(?:ę|am)|wiem|umiem|rozumiem|jestem")
_CERTAIN = re.compile(r"[^\W\d_]+uję")  # the only ending in -ę that no noun has
_IRREGULAR = {
    "jestem": "jest",
    "jesteś": "jest",
    "mogę": "może",
    "będę": "będzie",
    "chcę": "chce",
    "biorę": "bierze",
    "wezmę": "weźmie",
}
_ENDINGS = (("piszę", "pisze"), ("ślę", "śle"), ("oję", "oi"), ("ję", "je"), ("am", "a"), ("em", "e"))
_LEFT_IN_POLISH = re.compile(
    r"\b(?:ja|ty|mi|mnie|mną|m(?:ój|o[ij]\w*)|ciebie|cię|tobie|tobą|tw(?:ój|o[ij]\w*)|\w+ł[ea][mś]|\w+ła?by[mś]|(?:że|a)by[mś])\b",
    re.IGNORECASE,
)
_OPENS = frozenset({"i", "a", "ale", "to", "nie", "potem", "wtedy", "więc", "tylko", "też", "zawsze", "nigdy"})


def polish_proposal(text: str) -> str | None:
    """The words with their verbs in the third person and named subjects; `None` where an ending does not tell."""
    resolved = [_polish_clause(part) for part in _CLAUSE.findall(text)]
    whole = "".join(part or "" for part in resolved)
    return None if None in resolved or _LEFT_IN_POLISH.search(whole) else whole


def _polish_clause(text: str) -> str | None:
    """One clause, of one person; `None` where it has two, or a form that cannot be told."""
    words = list(_WORD.finditer(text))
    verbs = [
        word
        for place, word in enumerate(words)
        if (place == 0 or word.group().islower()) and _is_verb(word.group().lower(), opens=_opens_clause(words[:place]))
    ]
    people = {_person(verb.group().lower()) for verb in verbs}
    forms = {verb.start(): _third_form(verb.group().lower()) for verb in verbs}
    if len(people) > 1 or None in forms.values():
        return None
    named = any(word.group().lower() in _SUBJECTS for word in words)
    subject = "" if named or not verbs else f"{people.pop()} "
    first = verbs[0].start() if verbs else -1

    def put(word: re.Match[str]) -> str:
        if form := forms.get(word.start()):
            return (subject if word.start() == first else "") + form
        return _SUBJECTS.get(word.group().lower(), word.group())

    return _WORD.sub(put, text)


def _opens_clause(before: list[re.Match[str]]) -> bool:
    """Whether only small words stand before a place, so that a verb is expected there."""
    return all(word.group().lower() in _OPENS or word.group().lower() in _SUBJECTS for word in before)


def _is_verb(word: str, *, opens: bool) -> bool:
    """Whether it is a verb in the first or second person."""
    if _NO_VERB.fullmatch(word):
        return False
    if _SECOND.fullmatch(word) or word in _IRREGULAR or _CERTAIN.fullmatch(word):
        return True
    return opens and _FIRST.fullmatch(word) is not None


def _person(verb: str) -> str:
    return _OWNER if verb.endswith(("sz", "ś")) else _ASSISTANT


def _third_form(verb: str) -> str | None:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("sz"):
        return verb.removesuffix("sz")
    return next((verb.removesuffix(old) + new for old, new in _ENDINGS if verb.endswith(old)), None)
