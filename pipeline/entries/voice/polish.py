"""The phrases in Polish, over folded text."""

from pipeline.entries.voice.sentence_patterns import any_of, command, sequence

_LEAD = (
    r"(?:(?:bardzo prosze|prosze(?: cie)?|ok(?:ej)?|dobra|dobrze|a|i|to|no|wiec|teraz|hej|aha|ach|oj|och|czekaj"
    r"|sluchaj|wlasciwie|w sumie|btw|przepraszam|sorry|tylko)[,.\s]+)*"
)
_MEANWHILE = r"(?:[,\s]+(?:juz|prosze|teraz|tez|sobie))*"
_CAN = r"(?:czy )?(?:mozesz|moglbys|moglabys|musisz|powinienes|powinnas|prosze(?: cie)?)"
_WISH = r"(?:chce|chcial(?:bym|abym)|wolal(?:bym|abym)|prosze(?: cie)?),? zebys"
_POLITE = r"(?:[,\s]+(?:prosze(?: cie)?|ok|okej|dobrze|dobra|dzieki|dziekuje|juz))*[.!?]*"
_REASON = rf"(?:,.*|\s+(?:bo|poniewaz)\b.*|{_POLITE})"
"""What may stand behind what cannot be meant in another way."""


def _verb(imperative: str, infinitive: str, past: str) -> str:
    """A request by the forms of its verb: `usun`, `mozesz usunac`, `chce, zebys usunela`."""
    forms = any_of(imperative, rf"{_CAN}{_MEANWHILE} (?:{infinitive})", rf"{_WISH}{_MEANWHILE} (?:{past})")
    return forms + _MEANWHILE


_FORGET = _verb("zapomnij", "zapomniec", r"zapomni(?:al|ala)")
_DELETE = _verb(
    "usun|skasuj|wymaz|wykasuj|wykresl",
    "usunac|skasowac|wymazac|wykasowac|wykreslic",
    "(?:usun[ae]l|skasowal|wymazal|wykasowal|wykreslil)a?",
)
_WHAT = r"(?P<content>[^,;:?]+?)"
_THAT = r"(?:,? (?:o tym|to|informacje|fakt))?,? (?:ze|iz)"
_MY = r"(?=(?:mo(?:im|jej|ich|ja|je|j|jego)|nasz(?:ym|ej|ych|a|e|ego)?) (?!ostatni|poprzedni))"
_NAMED = r"(?!(?:t[yey]m|tamt\w+|tej|nim|niej|nich|mnie|nas|sobie|czyms|niczym)\b)"
_I_SAID = r"co (?:ci |wam )?(?:mowil|powiedzial|pisal|napisal|wspomnial|wspominal)[ae]m(?: ci)?(?: wczesniej)?"
_MEMORY = r"z (?:swojej |twojej )?(?:pamieci|notatek|glowy)"

FORGET = (
    *command(
        _LEAD,
        _REASON,
        rf"{_FORGET}{_THAT} {_WHAT}",
        rf"{_DELETE} {_MEMORY}{_MEANWHILE}{_THAT} {_WHAT}",
        rf"{_DELETE}{_THAT} {_WHAT},? {_MEMORY}",
        rf"{_DELETE} {_MY}{_WHAT} {_MEMORY}",
        rf"{_DELETE} {_MEMORY} {_MY}{_WHAT}",
        rf"(?:nie pamietaj juz|przestan pamietac|nie musisz juz pamietac){_THAT} {_WHAT}",
    ),
    *command(
        _LEAD,
        _POLITE,
        rf"(?:{_FORGET}|{_DELETE})(?:,? o tym)?,? {_I_SAID} (?:o|na temat) {_WHAT}",
        rf"{_FORGET}(?: o)? {_MY}{_WHAT}",
        rf"{_FORGET} o (?!wszystkim\b){_NAMED}{_WHAT}",
    ),
)

_CLEAR = _verb(
    "wyczysc|usun|skasuj|wymaz|wykasuj",
    "wyczyscic|usunac|skasowac|wymazac|wykasowac",
    "(?:wyczyscil|usun[ae]l|skasowal|wymazal|wykasowal)a?",
)
_KNOWN = r"wszystk(?:o|im),? co (?:(?:o mnie|juz) )*(?:wiesz|pamietasz|masz|zapisal[ae]s) (?:o|na temat)"

CLEAR = tuple(
    command(
        _LEAD,
        _POLITE,
        rf"{_FORGET}(?: o)? {_KNOWN} {_WHAT}",
        rf"{_CLEAR},? {_KNOWN} {_WHAT}",
        rf"{_CLEAR} (?:(?:swoja|twoja|cala) )*(?:pamiec|wspomnienia|notatki) (?:o|na temat) {_WHAT}",
    )
)

_THIS = (
    r"(?:tego|tych (?:slow|rzeczy)|tej (?:wiadomosci|czesci)|(?:mojej |mojego )?ostatni(?:ej|ego) (?:wiadomosci|zdania)"
    r"|(?:niczego )?(?:z )?(?:tego,? )?co (?:teraz |przed chwila |wlasnie |ci )*"
    r"(?:powiedzial|napisal|mowil|pisal)[ae]m(?: ci| teraz| przed chwila)*)"
)
_ALL = r"(?P<all>(?:calej )?(?:tej|naszej) (?:calej )?(?:rozmowy|konwersacji|sesji))"
_NOT_KEPT = (
    r"nie (?:(?:za)?pamietuj|pamietaj|zapisuj|notuj|zachowuj|przechowuj)"
    r"|nie (?:musisz|trzeba|ma potrzeby)(?: tego)? (?:(?:za)?pamietac|zapamietywac|zapisywac|notowac|zachowywac)"
)
_PLACE = r"(?: (?:sobie|nigdzie|w pamieci|do pamieci|prosze))*"
_NOT_KEPT_THIS = rf"(?:{_THIS} )?(?:{_NOT_KEPT}){_PLACE}(?: (?:{_THIS}|{_ALL}))?{_PLACE}"
_NEVER_MIND = r"(?:(?:to|juz) )*(?:jest )?niewazne(?: juz)?"
_BETWEEN_US = r"(?:(?:to|niech to) )?(?:zostaje |zostanie )?(?:tylko |scisle )?miedzy nami"
_IDLE = r"(?:gadani|gadal|gadam|marudz|narzeka|zart|glosn\w+ mysl|mysl\w+ na glos)\w*"
_ASIDE = any_of(
    _NEVER_MIND,
    rf"(?:(?:to|bylo|tylko|tak|takie|tam|sobie|ja) )*(?:tylko|takie|tak) (?:(?:takie|sobie|tam|tak) )*{_IDLE}",
    r"(?:to )?(?:nic (?:waznego|takiego)|nieistotne|nie jest wazne|nie ma znaczenia)",
    r"(?:zignoruj|pomin) to",
    _BETWEEN_US,
)

OFF_RECORD = (
    *command(
        _LEAD,
        _POLITE,
        sequence(_NOT_KEPT_THIS, _ASIDE),
        rf"{_BETWEEN_US}\b.*[,;-] ?(?:wiec |ale |i )?(?:prosze )?{_NOT_KEPT_THIS}",
        rf".+[,;-] ?(?:wiec |ale |i )?(?:prosze )?nie zapamietuj (?:tego|{_THIS})",
    ),
)

NEVER_MIND = tuple(command(_LEAD, _POLITE, sequence(_NEVER_MIND, _ASIDE)))
BESIDE = tuple(command(_LEAD, _POLITE, _ASIDE, "(?:dzieki|dziekuje|ok|okej|dobra|przepraszam|sorry)"))
OF_FILES = r"(?:zapis|zachow|przechow)(?!.*pamie)"
REMINDING = r"(?:prosze[,\s]+)?nie zapomnij,? (?:ze )?"
