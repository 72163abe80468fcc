"""How these things are said in English."""

import re

from jobs.facts.saying import Saying, SayingWords, sayings
from pipeline.language.detection import Language
from schemas.fact import FactKind

_KIN = (
    "wife|husband|partner|girlfriend|boyfriend|fiance|fiancee|sister|brother|mother|mom|mum|father|dad|son|daughter"
    "|aunt|uncle|cousin|nephew|niece|grandmother|grandma|grandfather|grandpa|roommate|flatmate|boss|manager|coworker"
    "|colleague|friend|best friend|dog|cat|landlord|landlady|accountant|doctor|dentist|business partner"
)
_TRADE = (
    "developer|programmer|engineer|designer|teacher|nurse|doctor|dentist|lawyer|translator|interpreter|writer|editor"
    "|journalist|freelancer|student|baker|cook|chef|farmer|carpenter|plumber|electrician|accountant|architect|musician"
    "|photographer|researcher|scientist|biologist|ecologist|physicist|chemist|mathematician|consultant|librarian"
    "|pharmacist|therapist|psychologist|pilot|driver|gardener|contractor|postdoc|professor|lecturer|pensioner"
)
_FRAGMENTS = {
    "kin": _KIN,
    "trade": _TRADE,
    "own": rf"(?:my|our) (?:{_KIN})(?: [a-z][\w'-]*)?",
    "name": r"[a-z][\w'-]*(?: [a-z][\w'-]*)?",
    "value": r"(?P<value>[^,;:.!?()]+(?:[.,]\d[^,;:.!?()]*)*)",
    "am": r"i(?:'m| am)",
    "often": r"(?:really |strongly |much |generally |usually |always |absolutely |also |personally )*",
    "now": r"(?:now |currently |still )?",
}
_FRAGMENTS["who"] = rf"(?P<who>{_FRAGMENTS['own']}|{_FRAGMENTS['name']})"
_HABIT = (
    "use|drink|eat|wear|work|write|take|ride|drive|cook|buy|read|book|pay|sleep|wake up|get up|start|test|travel|fly"
)

_SAYINGS: tuple[Saying, ...] = (
    *sayings(
        FactKind.WORLD,
        _FRAGMENTS,
        {
            "home": (
                "(?:i|we) <now>live (?:in|near|at|on|outside(?: of)?|with) <value>",
                "<am> based in <value>",
                "i (?P<no>don't|do not|no longer) live (?:in|near|at) <value>",
                "<who> lives (?:in|near|at|outside(?: of)?|with) <value>",
            ),
            "origin": ("<am> (?:originally )?from <value>", "i (?:was born|grew up) in <value>"),
            "name": ("my name is <value>", "<am> called <value>"),
            "work": (
                "i <now>work (?:at|for|as) <value>",
                r"<am> an? (?P<value>(?:[a-z-]+ ){0,2}(?:<trade>)\b[^,;:.!?()]*)",
                "<who> (?:works|is working) (?:at|for|as) <value>",
                r"<who> is an? (?P<value>(?:[a-z-]+ ){0,2}(?:<trade>)\b[^,;:.!?()]*)",
            ),
            "birthday": ("my birthday is (?:on )?<value>", "<who>'s birthday is (?:on )?<value>"),
        },
        "single passing",
    ),
    *sayings(
        FactKind.WORLD,
        _FRAGMENTS,
        {
            "called": (
                (
                    "(?P<who>(?:my|our) (?:(?:older|younger|little|big) )?(?:<kin>))(?:'s name is| is called"
                    "| is named) <value>"
                ),
            ),
            "diet": (
                r"<am> (?P<value>(?:a )?(?:vegetarian|vegan|lactose intolerant|diabetic|colou?r-?blind|left-handed)\b)",
                "i (?:don't|do not|never) (?P<value>(?:eat|drink|smoke)(?! (?:it|that|this|them))[^,;:.!?()]*)",
            ),
            "allergy": ("<am> allergic to <value>", "<who> is allergic to <value>"),
            "has": (
                (
                    "(?:i|we) have (?P<value>(?:an?|one|two|three|four|[1-9]) (?:[a-z-]+ )?"
                    r"(?:dogs?|cats?|kids?|child|children|sons?|daughters?|brothers?|sisters?)\b[^,;:.!?()]*)"
                ),
            ),
            "speaks": ("i speak <value>", "<who> speaks <value>"),
            "role": (
                (
                    r"<who> is (?P<value>(?:my|our) (?!favou?rite|[a-z ]*\b(?:pick|choice|option|preference)\b)"
                    "[a-z][^,;:.!?()]*)"
                ),
                (
                    r"<who> is (?P<value>(?:the|an?) (?:owner|head|lead|manager|director|ceo|cto|founder|author"
                    r"|maintainer) (?:of|at|for|in) [^,;:.!?()]+)"
                ),
                r"<who> (?P<value>(?:runs|owns|manages|leads|teaches) (?:an?|his|her|their) [^,;:.!?()]+)",
            ),
        },
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {
            "likes": (
                "i <often>(?:do )?(?:like|love|enjoy|adore) <value>",
                "i <often>(?P<no>don't|do not|never) (?:really |particularly |much )?(?:like|love|enjoy) <value>",
                "i <often>(?P<no>hate|dislike|detest|despise|can't stand|cannot stand) <value>",
            ),
            "prefers": ("i <often>prefer <value>", "i (?P<no>don't|do not|no longer) <often>prefer <value>"),
        },
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {"habit": (rf"i (?:always|never|usually|normally|typically) (?P<value>(?:{_HABIT}) [^,;:.!?()]+)",)},
        "passing",
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {"favourite": (r"my (?:all-time )?favou?rite (?P<what>[a-z]+(?: [a-z]+)?) is <value>",)},
        "single",
    ),
)

ENGLISH = SayingWords(
    code=Language.ENGLISH,
    lead=re.compile(
        r"\W*(?:(?:so|well|and|but|ok(?:ay)?|oh|hey|hi|hello|btw|by the way|also|just so you know|fyi|for the record"
        r"|actually|yes|yeah|no|right|in general|for context|context|about me|personally"
        r"|(?:please )?(?:note|remember|keep in mind|don't forget)(?: that)?|you should know(?: that)?)[,:.!]?\s+)*"
    ),
    sayings=_SAYINGS,
    relatives=re.compile(rf"(?:my|our) (?:(?:older|younger|little|big) )?(?:{_KIN})"),
    contextual=re.compile(
        r"(?:hope|fear|it|its|that|this|these|those|them|him|her|how|what|where|when|who|your|you"
        r"|the|one|both|either|neither"
        r"|all|everything|nothing|option|version|variant|to (?:see|know|hear|think|say|have|get)"
        r"|seeing|hearing|(?:a|b|c|d)$)\b"
        r"|.*\b(?:option|version|variant|draft|first one|second one|latter|former|your|instead|here|there)\b"
        r"|.*\b(?:it|that|this|them|these|those)$"
        r"|.*\b(?:with|to|from|about|by|for|of|at) you\b|\w+ing (?:it|this|that|him|her|them|these|those)\b"
    ),
    goes_on=re.compile(
        r"(?:but|not|only|until|till|since|because|and(?! (?:i|please|can|could|then)\b)|or|than"
        r"|except|unless|even|at least|especially|so that)\b"
    ),
    done=(
        re.compile(
            r"(?:done[.,:!]? )?i(?:'ve| have)?(?: just| now| also| already)? (?:fixed|resolved|solved"
            r"|repaired|patched|migrated)"
            r" (?P<value>.+)"
        ),
        re.compile(r"(?:fixed|resolved|solved|repaired|patched|migrated) (?P<value>.+ by [a-z]+ing .+)"),
    ),
)
