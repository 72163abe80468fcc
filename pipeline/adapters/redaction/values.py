"""The forms of secrets that people choose or get, and of values that merely resemble one."""

import re

from pipeline.adapters.redaction.cues import WORDS

_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_SYMBOL_INSIDE = re.compile(r"[^\W_][!@#$%^&*+=?~]+[^\W_]|[^\W_]\d*[!@#$%^&*]+$")
_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]+)+")
_SEGMENT = re.compile(r"[-_./:@+]")
_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]*|\d{1,4}")

_HARMLESS = re.compile(
    r"""
    \d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T_ ]\d[\d:.,+Z-]*)?       # a date, a time stamp
    | \d{1,2}[-/.]\d{1,2}[-/.]\d{2,4} | \d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?
    | v?\d+(?:\.\d+)+(?:[-+.]?(?:rc|alpha|beta|dev|post|a|b|SNAPSHOT)[\d.]*)?   # a version
    | v\d+ | (?i:1password) | (?i:sha|md|base|utf-?|oauth|bcrypt|argon|pbkdf|python|postgres|http/?
        |tls|ssl|aes-?|[rhep]s|ipv|ed|x|win|node)\d+\w{0,2}
    | [A-Z]{2,10}-\d{1,6}                                           # a ticket
    | [$€£¥]?\d[\d.,]*\s?[%$€£¥]?(?:[a-zA-Z/]{1,3})?                # an amount, with its unit
    | \d+[-_]?(?i:bit|byte|char|chars|digit|factor|step|day|days|hour|hours|minute|minutes|cyfr|znak)\w{0,4}(?:[-_]\w+)?
    | [^\s@]+@[^\s@]+\.[a-z]{2,}                                    # an address
    | urn:\S+ | [a-z][a-z0-9+.-]*://\S*                                     # a URL
    | (?:~|\.{1,2})?/\S+ | [A-Za-z]:\\\S+                           # a path
    | (?:[\w.-]+/)+[\w.-]+\.[A-Za-z]\w{0,4}
    | [\w.-]+\.(?:md|txt|py|[jt]sx?|json|ya?ml|toml|csv|pdf|png|jpe?g|zip|log|sql|sh|html?|xlsx?|docx?|env|ini|cfg|conf
        |go|rs|java|rb|php|c|h|cpp|lock|db|svg|mp[34])
    | \#\w{1,12} | @\w+ | --?[a-z][\w-]*                            # a channel, a handle, an option
    """,
    re.VERBOSE | re.ASCII,
)

_RESEMBLING = re.compile(
    r"""
    [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}    # a UUID
    | [0-9a-f]{7,64}                                                # a commit, a digest
    | [A-Za-z]+[-_]?\d{1,3}[a-z]?                                   # KeePass2, user12
    | (?:gpt|claude|gemini|llama|qwen|deepseek|mistral|text|o\d)-[-.\w]+            # a model
    | (?:toolu|call|msg|req|run|chatcmpl|resp|thread|asst|file|session|sess|cmpl)[-_][\w-]+   # an id of a chat API
    """,
    re.VERBOSE | re.ASCII,
)

_STAND_IN = re.compile(
    r"""[<{\[(%].*[>}\])%] | \$\{?\w.* | \{\{.* | [xX*.\-_#…•:]+ | (?i:x{3,}[\w-]*)
    | (?i:(?:your|my|some|the|twoj|twój|moj|insert|change|replace|example|dummy|sample)[-_ ]?\w*(?:[-_]\w+)*)
    | (?i:changeme|redacted|placeholder|todo|tbd|n/?a)""",
    re.VERBOSE,
)

_REFERENCE = re.compile(
    r"""(?:self|this|os|process|config|settings|env|request|req|user|args|props|ctx|secrets|import|Deno|event|data)
        (?:\.\w+)+.* | [\w.]+[\[(].* | _*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+ | [A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+
        | _*[a-z]+\d{0,4}(?:_(?:[a-z]+\d{0,4}|\d{1,4})){2,} | _*[a-z]+(?:_[a-z]+)*\d?""",
    re.VERBOSE,
)

PLAIN_WORDS = frozenset(WORDS.fragments("plain"))
"""Text behind `password:` that is none: in a form, in code, in a sentence."""


def is_harmless(value: str) -> bool:
    """Whether `value` is a date, a version, a path, an amount, a stand-in or the like, whatever word precedes it."""
    return bool(_HARMLESS.fullmatch(value) or _STAND_IN.fullmatch(value))


def is_doubtful(value: str) -> bool:
    """Whether `value` is a secret only after a cue: a commit, a UUID, the name of a model or a user."""
    return bool(_RESEMBLING.fullmatch(value))


def is_digest(value: str) -> bool:
    """Whether `value` is a UUID or a digest: an identifier, unless the text calls it a key."""
    return len(value) >= _SHORTEST_DIGEST and is_mixed(value) and set(value.lower()) <= set("0123456789abcdef-")


def is_stand_in(value: str) -> bool:
    """Whether `value` holds the place of a secret: `<token>`, `${TOKEN}`, `xxxx`, `your-key-here`."""
    return bool(_STAND_IN.fullmatch(value))


def is_reference(value: str) -> bool:
    """Whether `value` is code that names where a secret is: `os.environ["KEY"]`, `settings.api_key`."""
    return bool(_REFERENCE.fullmatch(value))


def is_mixed(value: str) -> bool:
    """Whether letters and digits both occur."""
    return bool(_DIGIT.search(value) and _LETTER.search(value))


def is_chosen(value: str) -> bool:
    """Whether `value` looks like a password: 5 characters or more, and more than a word or a name in code."""
    if len(value) < _SHORTEST_CHOSEN or is_stand_in(value):
        return False
    if is_mixed(value) or _SYMBOL_INSIDE.search(value):
        return True
    return value.isalpha() and not (value.islower() or value.isupper() or value.istitle() or _CAMEL.fullmatch(value))


def is_wordy(value: str) -> bool:
    """Whether `value` is words and short numbers with marks between, such as `release-notes-2026`."""
    return all(_WORD.fullmatch(part) for part in _SEGMENT.split(value))


def is_passphrase(value: str) -> bool:
    """Whether `value` is several words with no sentence around them, such as four words drawn from a list."""
    words = value.lower().split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or not all(len(word) > 1 and word.isalpha() for word in words):
        return False
    return not any(word in _SENTENCE_WORDS or word.endswith(("ing", "ed", "ly")) for word in words)


def is_plain_word(value: str) -> bool:
    """Whether `value` describes a password, and so is none itself; or is no single word."""
    word = value.lower()
    return not word.isalpha() or word in PLAIN_WORDS or word in _SENTENCE_WORDS or bool(_ADJECTIVE.search(word))


def looks_random(value: str) -> bool:
    """Whether only a generator writes so: both cases and digits, mixed all through, and hardly a word in it.

    A name in code has words in it, and a digest, a commit or a UUID one case.
    """
    for part in _PARTS.findall(value):
        kinds = [sum(map(test, part)) for test in (str.islower, str.isupper, str.isdigit)]
        words = sum(map(len, _RUN.findall(part)))
        if (
            min(kinds) >= _FEWEST_OF_A_KIND
            and words < len(part) * _MOST_IN_WORDS
            and len(_TURN.findall(part)) >= _FEWEST_TURNS
        ):
            return True
    return False


def is_issued(value: str) -> bool:
    """Whether `value` looks like a key that a machine made: 8 characters or more, mixed, and not merely words."""
    if len(value) < _SHORTEST_ISSUED or not is_mixed(value):
        return False
    return not (is_wordy(value) or is_harmless(value) or is_doubtful(value) or is_reference(value))


_SHORTEST_CHOSEN = 5
_SHORTEST_ISSUED = 8
_SHORTEST_DIGEST = 16
_FEWEST_WORDS, _MOST_WORDS = 3, 8
_FEWEST_OF_A_KIND = 2
_FEWEST_TURNS = 5
_MOST_IN_WORDS = 0.45
_PARTS = re.compile(r"[A-Za-z0-9]{16,}")
_RUN = re.compile(r"[a-z]{3,}")
_TURN = re.compile(r"[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]")
_ADJECTIVE = re.compile(
    r"(?:ed|ing|able|ible|ful|less|ous|ive|ly|ier|est|wn"
    r"|ałe|one|ane|owe|iwe|[bcdfghjklłmnprstwzżśćź]ne|[sr]te|łe|kie|gie)$"
)
_SENTENCE_WORDS = frozenset(WORDS.fragments("sentence_word"))
