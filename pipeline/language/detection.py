"""Which language a message is in: its script, then its closed-class words.

Only English, Polish and Chinese are known. What is in another language is read, and labelled, as English is.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from pipeline.language.chinese import HAN
from pipeline.language.folding import fold
from pipeline.language.lexicon import cues


class Language(StrEnum):
    """A language that is known, by its ISO 639-1 code."""

    ENGLISH = "en"
    POLISH = "pl"
    CHINESE = "zh"


_HAN = re.compile(f"[{HAN}]")
_HIRAGANA = re.compile(r"[\u3041-\u309f]")
_HIRAGANA_SHARE = 5  # Chinese characters to one of Japanese grammar, at most, in Japanese
_OTHER_SCRIPT = re.compile(rf"[^\W\d_A-Za-z\u00aa-\u024f\u1e00-\u1eff{HAN}]")
_LATIN_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_LATIN = re.compile(r"[^\W\d_]{2,}")
_POLISH_SOUND = re.compile("cz|sz|rz|dz|uje|owa(?=[^r]|$)|emy$|amy$|ego$|ych$")
_POLISH_LETTER = re.compile("[ąćęłńśźżĄĆĘŁŃŚŹŻ]")
_NAME = re.compile(r"(?<!\w)(?<!^)(?<![.!?]\s)[A-ZĄĆĘŁŃÓŚŹŻ]\w*|(?<!\w)zł(?!\w)")
"""Names and the currency: `cc Małgorzata, it was 40 zł` is no Polish."""
_POLISH_WORDS = frozenset(
    cues(
        "nie; sie; na; ze; jest; tak; jak; ale; co; czy; dla; od; po; za; juz; tylko; bo; przy; tez; jeszcze",
        "moze; mam; ma; mi; ja; ty; wiec; bez; albo; zeby; kiedy; teraz; dobra; dobrze; bedzie; beda; jestem",
        "mamy; byl; byla; bylo; sa; te; ta; tego; tej; tym; czyli; oraz; pod; nad; przez; tyle; ile; nas; nam; ich",
        "jej; jego; kto; gdzie; tutaj; tam; dzis; dzisiaj; jutro; zawsze; nigdy; wszystko",
    )
)
_ENGLISH_WORDS = frozenset(
    cues(
        "the; an; is; are; was; be; of; and; in; that; it; for; with; as; at; this; not; but; or; we; you; he",
        "she; our; your; its; from; have; has; does; will; would; can; yes; so; if; then; what; all; only; just",
        "let; use; keep; never; always",
    )
)
# Words of English that no other language below has, beside those above: they outweigh a foreign name or phrase.
_ENGLISH_TALK = _ENGLISH_WORDS | frozenset(
    cues(
        "my; how; about; there; which; when; who; should; could; please; need; want; been; were; their; they; more",
        "than; into; out; get; make; add; now; any; some; don; doesn; isn; because; where; why; been; after; before",
        "yes; yeah; okay; thanks; good; new; file; code; check; run; fix; change; instead; every; first; then; them",
    )
)
_OTHER_WORD = re.compile(rf"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff{HAN}]{{2,}}")
_PLAIN = re.compile(r"(?<![\w./\\@])[^\W\d_]{2,}(?![_/\\@\d]|\.\w)")
_SENTENCE = 7  # letters of a word in another script, which by itself may be a sentence
_TWO = 2  # words: one is a name, or a quotation
_OTHER_LETTER = re.compile("[ßäöüàâçèêëîïôùûœæáéíúñ¿¡ãõìòřěůčšžýťďňåøőűğışțăşÄÖÜÀÂÇÈÊÉÁÍÚÑŘĚČŠŽÅØ]")
# Of Czech, Danish, Dutch, French, German, Hungarian, Italian, Portuguese, Romanian, Spanish, Swedish and Turkish. A few
# are Polish as well: alone they are no evidence.
_OTHER_WORDS = frozenset(
    cues(
        "ma; mi; sa; te; de; del; la; las; le; les; lo; los; el; un; una; une; uno; que; qui; en; et; es; est; por",
        "para; con; per; pero; como; mas; muy; este; esta; esto; eso; hay; porque; cuando; cuanto; luego; nos; ya",
        "su; sus; desde; hasta; tambien; siempre; nunca; vamos; tenemos; usamos; usar; hacer; entonces; bien; quiero",
        "tengo; puede; puedes; algo; aqui; ahora; hoy; manana; gracias; dans; avec; sur; nous; vous; ils; elle; ce",
        "cette; ces; mais; donc; aux; au; du; des; ne; pas; leur; faire; toujours; jamais; alors; aussi; merci; sont",
        "der; die; das; den; dem; und; oder; nicht; ist; sind; ich; wir; sie; ihr; mit; auf; fur; ein; eine; einen",
        "einer; zu; zum; zur; von; vom; auch; aber; wenn; weil; dass; bei; noch; nur; wie; wird; werden; haben; hat",
        "kann; muss; soll; sollen; bitte; jetzt; immer; mehr; kein; keine; nach; uber; dann; schon; hier; uns; sich",
        "il; gli; di; della; dei; delle; che; non; sono; anche; questo; questa; ho; abbiamo; quando; perche; sempre",
        "mai; nel; nella; alla; dal; essere; grazie; piu; um; uma; dos; das; em; com; nao; mais; muito; isso; tem",
        "temos; tambem; nosso; pelo; pela; ate; depois; agora; voce; obrigado; jsem; jsme; jsou; neni; protoze; ktery",
        "ktera; ktere; pri; uz; jeste; bude; byt; nebo; takze; kdyz; pokud; mame; musime; aby; pro; jako; het; een",
        "van; niet; voor; zijn; wij; maar; ook; als; naar; wel; deze; och; att; det; som; inte; ikke; og; jeg; jag",
        "ab; sofort; wieder; mein; meine; mia; mio; suo; poi; usiamo; dat; mijn; altijd; vanaf; nu; heb; minha; meu",
        "sua; seu",
        "av; til; ett; sonra; zaman; gibi; daha; ve; bir; bu; icin; ile; cok; ama; degil; este; sunt; pentru; care",
        "az; egy; nem; hogy; csak",
    )
)


@lru_cache(maxsize=1024)
def detect(text: str) -> Language | None:
    """The language of `text`, English when it is an unknown one, or `None` without any evidence."""
    han, other = len(_HAN.findall(text)), len(_OTHER_SCRIPT.findall(text))
    if han * 2 >= max(1, len(_LATIN.findall(text))):
        japanese = len(_HIRAGANA.findall(text)) * _HIRAGANA_SHARE >= han
        return Language.ENGLISH if japanese or other > han else Language.CHINESE
    if other > len(_LATIN_LETTER.findall(text)):
        return Language.ENGLISH
    words, plain = _LATIN.findall(fold(text)), _NAME.sub(" ", text)
    polish = sum(word in _POLISH_WORDS for word in words) + 2 * len(_POLISH_LETTER.findall(plain))
    polish += sum(_POLISH_SOUND.search(word) is not None for word in _LATIN.findall(fold(plain)))
    others = sum(word in _OTHER_WORDS for word in words) + len(_OTHER_LETTER.findall(text))
    not_polish = max(others, sum(word in _ENGLISH_WORDS for word in words))
    if polish == not_polish == 0 and _POLISH_LETTER.search(text):
        return Language.POLISH
    if polish == not_polish:
        return None
    return Language.POLISH if polish > not_polish else Language.ENGLISH


def unknown(text: str) -> bool:
    """Whether a text is in none of the languages that are known; code and names in it do not count.

    A script that none of them uses tells, if its words outweigh theirs. In Latin letters it takes two small words or
    letters of another language, and more of them than of English and of Polish.
    """
    han, strange_words = len(_HAN.findall(text)), _OTHER_WORD.findall(text)
    if han and len(_HIRAGANA.findall(text)) * _HIRAGANA_SHARE >= han:
        return True
    words = _PLAIN.findall(fold(text))
    english = sum(word in _ENGLISH_TALK for word in words)
    polish = sum(word in _POLISH_WORDS for word in words) + 2 * len(_POLISH_LETTER.findall(text))
    strange = sum(map(len, strange_words))
    if len(strange_words) >= _TWO or strange > _SENTENCE:
        return strange > han and len(strange_words) > english + polish
    if han * 2 >= len(words):
        return False
    other = sum(word in _OTHER_WORDS for word in words) + len(_OTHER_LETTER.findall(text))
    return other >= _TWO and other > max(english, polish)


def languages(texts: Iterable[str]) -> list[Language]:
    """The language of each message; one without evidence takes that of the nearest before it, else of the next."""
    detected = [detect(text) for text in texts]
    nearest, languages_of_texts = next(filter(None, detected), Language.ENGLISH), list[Language]()
    for language in detected:
        nearest = language or nearest
        languages_of_texts.append(nearest)
    return languages_of_texts
