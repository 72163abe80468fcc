"""The phrases in English, over folded text."""

from pipeline.entries.voice.sentence_patterns import any_of, command, sequence

_LEAD = (
    r"(?:(?:please|pls|plz|ok(?:ay)?|and|but|so|now|then|hey|hi|oh|ah|well|actually|also|btw|by the way|sorry|wait|no"
    r"|hm+|thanks|look|listen|just)[,.\s]+)*"
)
_ASKING = (
    r"(?:(?:you (?:can|should|may|could|must|have to|need to)|(?:can|could|would|will) (?:you|u)"
    r"|(?:i want|i need|i'?d like|i would like) (?:you|u) to)(?: (?:please|pls|just|now|also|kindly))* )?"
)
_POLITE = r"(?:[,\s]+(?:please|pls|plz|ok(?:ay)?|thanks|thx|thank you|now|alright|will you|would you))*[.!?]*"
_REASON = rf"(?:,.*|[\s]+(?:because|since)\b.*|{_POLITE})"
"""What may stand behind what cannot be meant in another way."""

_WHAT = r"(?P<content>[^,;:?]+?)"
_MINE = r"(?=(?:i|i'?m|i'?ve|im|my|we|we'?re|our)\b)"
_MY = r"(?=(?:my|our) (?!last|latest|previous))"
_NAMED = r"(?!(?:it|this|that|these|those|them|him|her|me|us|all|everything|anything|whatever|what)\b)"
_MEMORY = r"(?:from|out of) (?:your |the )?(?:memory|memories|notes|brain|mind)"
_DELETE = r"(?:delete|remove|erase|wipe|drop|scrub)(?: please)?"
_SAID = r"what(?:ever)? (?:i|we) (?:\w+ )?(?:said|told you|wrote|mentioned|shared)(?: to you| earlier| before)? about"
_NO = r"(?:do not|don'?t|dont|no need to|you (?:do not|don'?t|dont) (?:need|have) to)"

FORGET = (
    *command(
        _LEAD + _ASKING,
        _REASON,
        rf"forget (?:please )?(?:about )?(?:the fact )?that {_MINE}{_WHAT}",
        rf"{_DELETE} (?:the fact )?that {_MINE}{_WHAT} {_MEMORY}",
        rf"{_DELETE} {_MEMORY} (?:the fact )?that {_MINE}{_WHAT}",
        rf"{_DELETE} {_MY}{_WHAT} {_MEMORY}",
        rf"{_NO} (?:remember|keep) (?:that )?{_MINE}{_WHAT} any ?(?:more|longer)",
        rf"(?:stop|quit) remembering (?:that )?{_MINE}{_WHAT}",
    ),
    *command(
        _LEAD + _ASKING,
        _POLITE,
        rf"(?:forget(?: please)?(?: about)?|{_DELETE}) {_SAID} {_WHAT}",
        rf"forget (?:about )?{_MY}{_WHAT}",
        rf"forget about {_NAMED}{_WHAT}",
    ),
)

_CLEAR = r"(?:clear|delete|remove|erase|wipe|drop|scrub)(?: please)?"
_ALL_OF_IT = "(?:all|everything|anything|whatever|what)(?: that)?"
_YOU_KNOW = "you(?:'ve| have)? (?:know|remember|have|learned|stored)"
_MEMORIES = r"(?:all )?(?:of )?(?:your|the) (?:memory|memories|notes)"

CLEAR = tuple(
    command(
        _LEAD + _ASKING,
        _POLITE,
        rf"forget {_ALL_OF_IT}(?: {_YOU_KNOW})? (?:about|of|on) {_WHAT}",
        rf"{_CLEAR} {_ALL_OF_IT} {_YOU_KNOW} (?:about|of|on) {_WHAT}",
        rf"{_CLEAR} {_MEMORIES} (?:about|of|on) {_WHAT}",
    )
)

_THIS = (
    r"(?:(?:any of |all of )?(?:this|that|it|these|those)(?: (?:last |whole )?(?:one|message|part|bit|thing|sentence))?"
    r"|(?:what|anything|everything) (?:that )?i(?:'ve| have)? (?:just )?(?:said|wrote|told you|typed|sent|shared)"
    r"(?: just now| now| here)?"
    r"|(?:my|the|that) (?:last|previous) (?:one|message|part|bit|thing|sentence))"
)
_ALL = r"(?P<all>(?:(?:any|all) of )?(?:this|that|the|our) (?:whole |entire )?(?:conversation|chat|talk|session))"
_NOT = rf"(?:{_NO}|never|you (?:should not|shouldn'?t|must not))"
_MEMORY_OF_IT = r"(?:in|to|into) (?:your |the )?(?:memory|notes|journal)"
_KEEP = r"(?:keep|remember|memori[sz]e|save|store|record|note|write down)"
_NOT_KEPT = (
    rf"{_NOT} (?:{_KEEP} (?:{_THIS}|{_ALL})(?: down)?(?: {_MEMORY_OF_IT})?(?: anywhere)?"
    rf"|(?:put|write) {_THIS} {_MEMORY_OF_IT}|write {_THIS} down)"
)
_IDLE = r"(?:me )?(?:thinking (?:out loud|aloud)|venting|ranting|rambling|complaining|kidding|joking|musing)"
_OFF = r"(?:(?:this|that|what i said) (?:is|stays|remains) |keep (?:this|that|it) )?(?:strictly )?off the record"
_BETWEEN_US = r"(?:(?:this|that|it)(?:'?s| is| stays) )?(?:just |strictly )?between (?:you and me|the two of us|us)"
_NEVER_MIND = r"never ?mind(?: (?:that|this|it))?"
_ASIDE = any_of(
    _NEVER_MIND,
    rf"(?:(?:that|it|this|i)(?: was|'?s|'?m| am| is)? )?(?:just |only )+{_IDLE}",
    r"(?:it|that|this)(?:'?s| is| was|'?s all)? (?:not|un)(?: that| so| really)? ?important",
    r"(?:it|that|this) (?:does not|doesn'?t|doesnt) matter",
    r"(?:ignore|disregard|scratch|strike|skip) (?:that|this|it)",
    _BETWEEN_US,
)

OFF_RECORD = (
    *command(
        _LEAD + _ASKING,
        _POLITE,
        sequence(any_of(_NOT_KEPT, _OFF), _ASIDE),
        r"(?:this is |strictly )?off the record ?[:,-].+",
        rf"{_BETWEEN_US}\b.*[,;-] ?(?:so |but |and )?(?:please )?{_NOT_KEPT}",
        rf".+[,;-] ?(?:so |but |and )?(?:please )?{_NOT} (?:remember|memori[sz]e) (?:any of )?this",
    ),
)

NEVER_MIND = tuple(command(_LEAD, _POLITE, sequence(_NEVER_MIND, _ASIDE)))
BESIDE = tuple(command(_LEAD, _POLITE, _ASIDE, r"(?:many )?(?:thanks|thank you|thx|ok(?:ay)?|sorry)"))
OF_FILES = r"(?:save|store|keep|write|put)\b(?!.*\b(?:memory|mind)\b)"
REMINDING = r"(?:please[,\s]+)?(?:do not|don'?t|dont) forget (?:that )?"
