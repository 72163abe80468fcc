"""How these things are said in Polish, with or without its letters."""

import re

from jobs.facts.saying import Saying, SayingWords, sayings
from pipeline.language.detection import Language
from schemas.fact import FactKind

_KIN = (
    "zona|maz|partner|partnerka|dziewczyna|chlopak|narzeczona|narzeczony|siostra|brat|mama|matka|tata|ojciec|syn|corka"
    "|ciocia|ciotka|wujek|kuzyn|kuzynka|babcia|dziadek|szef|szefowa|kolega|kolezanka|przyjaciel|przyjaciolka|pies|kot"
    "|kotka|suczka|wspolnik|wspolniczka|promotor|promotorka|ksiegowa|ksiegowy|lekarz|lekarka|sasiad|sasiadka"
)
_TRADE = (
    "programist(?:a|ka)|lekarzem|lekarka|nauczyciel(?:em|ka)|piekarzem|kucharzem|studentem|studentka|inzynierem"
    "|doktorant(?:em|ka)|tlumacz(?:em|ka)|dziennikarzem|dziennikarka|muzykiem|fotografem|fizykiem|biologiem|ekologiem"
    "|prawnikiem|prawniczka|ksiegow(?:ym|a)|architektem|architektka|pielegniark(?:a|iem)|grafikiem|graficzka"
    "|stolarzem|rolnikiem|emeryt(?:em|ka)|freelancer(?:em|ka)|badacz(?:em|ka)"
)
_FRAGMENTS = {
    "kin": _KIN,
    "trade": _TRADE,
    "own": rf"(?:moj|moja|nasz|nasza) (?:{_KIN})(?: [a-z][\w'-]*)?",
    "name": r"[a-z][\w'-]*(?: [a-z][\w'-]*)?",
    "value": r"(?P<value>[^,;:.!?()]+(?:[.,]\d[^,;:.!?()]*)*)",
    "in": "(?:w|we|na|pod|kolo|przy|niedaleko|blisko|obok)",
    "now": "(?:teraz |obecnie |od [^,.]{2,20} )?",
    "very": "(?:bardzo |zdecydowanie |raczej |naprawde |najbardziej |generalnie |ogolnie )*",
}
_FRAGMENTS["who"] = rf"(?P<who>{_FRAGMENTS['own']}|{_FRAGMENTS['name']})"
_HABIT = (
    "u[zż]ywam|piję|jem|pracuję|piszę|biorę|je[zż]d[zż]ę|chodzę|kupuję|wstaję|p[lł]acę|czytam|gotuję|noszę|testuję"
    "|latam"
)

_SAYINGS: tuple[Saying, ...] = (
    *sayings(
        FactKind.WORLD,
        _FRAGMENTS,
        {
            "home": (
                "<now>(?:mieszkam|mieszkamy) <now><in> <value>",
                "(?:juz )?(?P<no>nie) mieszkam(?:y)? (?:juz )?<in> <value>",
                "przeprowadzil[ae]m sie (?:niedawno )?do <value>",
                "<who> mieszka <now><in> <value>",
            ),
            "origin": ("pochodze z <value>", "urodzil[ae]m sie w <value>", "jestem z <value>"),
            "name": ("nazywam sie <value>", "mam na imie <value>"),
            "work": (
                "pracuję <now>(?:w|we|dla|jako|na|u) <value>",
                r"jestem (?P<value>(?:[a-z-]+ )?(?:<trade>)\b[^,;:.!?()]*)",
                "<who> pracuje <now>(?:w|we|dla|jako|u) <value>",
                r"<who> jest (?P<value>(?:[a-z-]+ )?(?:<trade>)\b[^,;:.!?()]*)",
            ),
            "birthday": ("(?:mam urodziny|moje urodziny sa|urodziny mam) <value>", "<who> ma urodziny <value>"),
        },
        "single passing",
    ),
    *sayings(
        FactKind.WORLD,
        _FRAGMENTS,
        {
            "called": (
                (
                    "(?P<who>(?:moj|moja|nasz|nasza) (?:(?:starsz|mlodsz)[ya] )?(?:<kin>)) (?:nazywa sie"
                    "|ma na imie|to) <value>"
                ),
            ),
            "diet": (
                (
                    r"jestem (?P<value>(?:weganinem|weganka|wegetarianinem|wegetarianka|cukrzykiem"
                    r"|leworeczn[ya]|daltonista)\b)"
                ),
                "nie (?P<value>(?:jem|piję|palę)(?! (?:tego|juz|go|jej|teraz))[^,;:.!?()]*)",
            ),
            "allergy": (
                "(?:jestem uczulon[ya] na|mam (?:alergie|uczulenie) na) <value>",
                "<who> (?:jest uczulon[ya] na|ma (?:alergie|uczulenie) na) <value>",
            ),
            "has": (
                (
                    "(?:mam|mamy) (?P<value>(?:(?:dwa|dwie|dwoje|trzy|troje|jedno|jedna|jednego|starsz[aey]go"
                    "|mlodsz[aey]go|starsza|mlodsza) )?"
                    r"(?:psa|psy|kota|koty|dzieci|dziecko|corke|corki|syna|synow|brata|braci|siostre"
                    r"|siostry)\b(?! na punkcie)[^,;:.!?()]*)"
                ),
            ),
            "speaks": ("mowie po <value>", "<who> mowi po <value>"),
            "role": (
                (
                    r"<who> (?:to|jest) (?P<value>(?:moj|moja|moim|nasz|nasza|naszym) (?!ulubion|wybor|typ\b|faworyt)"
                    "[a-z][^,;:.!?()]*)"
                ),
                (
                    "<who> jest (?P<value>(?:wlascicielem|wlascicielka|szefem|szefowa|kierowni(?:kiem|czka)"
                    "|dyrektor(?:em|ka)?|autor(?:em|ka)) [^,;:.!?()]+)"
                ),
            ),
        },
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {
            "likes": (
                "<very>(?:lubie|uwielbiam|kocham) <value>",
                "<very>(?:juz )?(?P<no>nie) (?:lubie|znosze|cierpie|przepadam za) <value>",
                "<very>(?P<no>nienawidze) <value>",
            ),
            "prefers": ("<very>wole <value>", "<very>(?:juz )?(?P<no>nie) wole <value>", "<very>preferuję <value>"),
        },
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {"habit": (rf"(?:zawsze|nigdy nie|zazwyczaj|zwykle) (?P<value>(?:{_HABIT}) [^,;:.!?()]+)",)},
        "passing",
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {"favourite": ("(?:moj|moja|moje) ulubion[yae] (?P<what>[a-z]+) to <value>",)},
        "single",
    ),
)

POLISH = SayingWords(
    code=Language.POLISH,
    lead=re.compile(
        r"\W*(?:(?:no|a|i|wiec|to|ok|hej|czesc|aha|btw|swoja droga|dla jasnosci|tak w ogole|ogolnie"
        r"|generalnie|tak|ja|ze"
        r"|(?:prosze )?(?:zapamietaj|pamietaj|zapisz sobie|zanotuj)(?:,? (?:prosze|please|ze))*"
        r"|nie zapomnij,? ze)[,:.!]?\s+)*"
    ),
    sayings=_SAYINGS,
    relatives=re.compile(rf"(?:moj|moja|moje|nasz|nasza) (?:(?:starsz|mlodsz)[ya] )?(?:{_KIN})"),
    contextual=re.compile(
        r"(?:to|ten|ta|te|tego|tej|tych|tamt\w+|je|go|jej|ich|jak|co|kiedy|gdy|gdzie|kto|twoj\w*|cie|ciebie|oba|obie"
        r"|wszystko|nic|opcj\w+|wersj\w+|wariant\w*|zeby|pierwsz\w+|drug\w+|trzec\w+|(?:a|b|c|d)$)\b"
        r"|.*\b(?:opcj\w+|wersj\w+|wariant\w*|propozycj\w+|twoj\w*|zamiast tego|tutaj|tam|tym razem)\b"
        r"|.*\b(?:to|go|je|tego|tym)$|.*\b(?:toba|tobie|ciebie)\b|[a-z]+c (?:to|je|ich|go|ja|tego|tych)\b"
    ),
    goes_on=re.compile(
        r"(?:ale|nie|tylko|az|do|od|bo|poniewaz|i(?! (?:prosze|zrob))|oraz|lub|albo|a nie|niz|zwlaszcza|szczegolnie"
        r"|ktor\w+|z wyjatkiem)\b"
    ),
    done=(
        re.compile(r"(?:gotowe[.,:!]? )?(?:juz )?(?:naprawil[ae]m|rozwiazal[ae]m|usunal[e]?m|usunelam) (?P<value>.+)"),
        re.compile(r"(?:naprawione|naprawiony|naprawiona)[:,]? (?P<value>.+)"),
    ),
)
