"""Polish; the cues carry no diacritics, because text is folded before it is compared."""

from pipeline.entries.authorship.genres.cues import Genres
from pipeline.language.cues import cues

_TIME = (
    r"(?!teraz|dzis|jutr|wczoraj|zaraz|nowego|poniedzial|wtork|srod|czwart|piat|sobot|niedziel|razu|dawna|lat|mnie"
    r"|nas\b"
    r"|\d|poczatku|przyszl|tego|tej|tygodni|miesiac|rana|rok|stycz|lut|marc|kwie|maj|czerw|lip|sierp|wrzes|pazdz"
    r"|listop"
    r"|grud)"
)
_CARRIER = (
    r"(?:kartk\w*|karteczk\w*|kart[aey]|tabliczk\w*|tablic\w*|ogloszeni\w*|plakat\w*|naklejk\w*|ulotk\w*|list|liscik"
    r"|pismo"
    r"|notk\w*|notatk\w*|informacj\w*|zawiadomieni\w*|komunikat\w*|wywieszk\w*|napis|swistek|karteluszek)"
)
_PUT = (
    r"(?:wisi\w*|powiesil\w*|wywiesil\w*|zawiesil\w*|przykleil\w*|nakleil\w*|przypial\w*|lez[ay]\w*|lezal\w*"
    r"|zostawil\w*|stoi|stal[ao]?"
    r"|wywieszon\w*|przyklejon\w*|przypiet\w*|pojawil\w* sie|jest|byl[ao]?|wetkn\w*|wlozyl\w*|dali|przyczepil\w*"
    r"|znalazl\w*)"
)
_MINUTES = (
    r"(?:protokol\w*|porzadek (?:obrad|zebrania|spotkania|narady|dzienny)|agend\w*|plan (?:\w+ )?(?:zebrania"
    r"|spotkania|narady|obrad)"
    r"|zapis (?:\w+ )?(?:zebrania|spotkania"
    r"|narady))"
)
_PLAN = (
    r"(?:notatk\w*|grafik\w*|prosba|skarga|propozycja|program|harmonogram\w*|plan\w*|lista|raport\w*|sprawozdani\w*"
    r"|podsumowani\w*|okolnik\w*|dyzury)"
)

POLISH = Genres(
    bounded=True,
    field=cues(
        "status; stan; priorytet; waznosc; etykiety; komponent; srodowisko; wersja; rozwiazanie; sprint; opis",
        "kategoria",
        "kroki(?: do odtworzenia)?; oczekiwan\\w+(?: wynik)?; wynik; typ; rodzaj; zgloszenie; utworzono",
        "zaktualizowano; otwarto",
        "zamknieto; przyczyna; obejscie; skutek; lokalizacja; dzial; kolejka; komentarz; numer zgloszenia; miejsce",
        "kworum",
        "nieobecni; przewodniczy; punkty",
    ),
    person=cues(
        r"zglaszajac\w+; zglosil\w*; przypisan\w+(?: do)?; utworzyl\w*; utworzone przez; zgloszone przez",
        r"otwarte przez; autor(?:ka)?",
        r"wlasciciel(?:ka)?; odpowiedzialn\w+; wykonawca; opiekun(?:ka)?; dodane przez; dodal\w*; zlecajac\w+",
        r"kontakt; prowadzac\w+",
        r"obecn[iey]; obecnych; uczestnicy; protokolant(?:ka)?; protokolowal\w*; sporzadzil\w*; spisal\w*",
        r"przydzielono; przydzial",
    ),
    minutes=cues(
        "^(?:notatki|notatka|protokol|agenda|podsumowanie),",
        r"(?:zapis|notatki|notatka|protokol|ustalenia) (?:z )?(?:\w+ )?(?:zebrania|narady|spotkania|rady|posiedzenia"
        r"|walnego)",
        rf"{_MINUTES} (?:od|z|ze|przez) {_TIME}\w+; {_PLAN} (?:\w+ )?(?:od|autorstwa|przez) {_TIME}\w+",
        r"(?:protokol|porzadek (?:obrad|zebrania|spotkania|narady)) (?!zawsze|nigdy|od|do|na|jest|idzie"
        r"|ma)\w+",
        r"(?:notatki|notatka|grafik|harmonogram|sprawozdanie|podsumowanie|dyzury) (?:\w+ )?(?:ze|z) (?:spotkania"
        r"|zebrania|narady|rozmowy"
        r"|rady|walnego|posiedzenia)",
    ),
    title=cues(
        r"^\w{3,}(?:anie|enie) \w{4,}$; wypisow\w+; jak \w+c; informacje dla",
        "witamy w; witaj w",
        r"przepis na \w+; skladniki; zaleceni\w*; wypis; po (?:zabiegu|operacji|szczepieniu|porodzie)",
        r"przed (?:zabiegiem|badaniem)",
        r"oferta pracy; stanowisko; (?:pol|caly|pelny) etat\w*; dawkowanie; wynagrodzenie; zatrudni\w*",
        r"poszukiwan\w*; zasady pobytu",
    ),
    sentence=cues(
        r"ja|mi|mnie|moj\w*|my|nam|nas|nasz\w*|ty|ci|cie",
        "^(?:dzien dobry|witam|siema|pytanie|jedno|jedna|dwie|swietnie|super|jasne|zgoda|racja|dobrze|fajnie|spoko"
        "|opcja"
        "|wariant|plan|numer|oba|obie|zadne|tez|a|i|ale|potem|rano|wieczorem)",
        r"jest|sa|byl[aoiy]?|bedzie|beda|ma|mam|maja|mamy|masz",
        r"moze|moga|mozesz|musi|musze|chce|prosze|dzieki|czesc|hej|ok|dobra|tak|nie|no|zawsze|nigdy|teraz|wiec",
        r"\w+l(?:am|em|ismy)",
        r"\w+(?:uje|emy|imy|amy|ymy); od teraz|zapamietaj|pamietaj|trzeba",
    ),
    handles=cues(
        # The endings of an infinitive or an imperative, at the beginning of a sentence, with what the owner asks of an
        # assistant left out.
        r"(?:nie )?(?!pamietaj|zapamietaj|notuj|zanotuj|podsumuj|zaktualizuj|sprobuj|pokazuj|informuj|tutaj|dzisiaj"
        r"|wczoraj"
        r"|przypominaj|odpowiadaj|uzywaj|generuj|wiec|niech|czyli|dodaj|daj|planuj|zaplanuj|ustalaj|przygotuj|raz"
        r"|teraz)"
        r"\w{2,}(?:uj|aj|ij|yj|ej)",
        r"(?:nie )?(?!pamietac|byc|miec|wiec|chociac|czesc|dosc|niec|piec|szesc|obiec)\w{2,}(?:ac|ic|yc|uc|sc|zc)",
        "wysusz; wytrzyj; ubij; zalej; wlej; wsyp; przesiej; upiecz; usmaz; ugotuj; pokroj; posiekaj; odstaw",
        "odcedz; wyparz; umyj",
        "wymyj; oplucz; posol; dopraw; rozpusc; namocz; odpocznij; poloz; wez; zazyj; polknij; pij; jedz; uloz",
        "wyjdz; zejdz; idz",
        "wcisnij; odlacz; podlacz; wloz; wyjmij; zakrec; odkrec; przykrec; nasmaruj; podlej; posadz; zabierz",
        "podnies; przetrzyj",
    ),
    bids=cues(
        r"trzymaj; zostaw; bierz; unikaj; nie (?:wolno|nalezy|dotykaj|zostawiaj); nalezy; prosimy",
        r"prosze(?: \w+)? \w+c; uzyj; przynies",
        r"zamknij; otworz; \w+ \w+ trzymac; zadzwon; poczekaj; przestrzegaj; cisza; zakaz; mozna; \w+ trzymac \w+",
        r"zwroc",
    ),
    offers=cues(
        r"oferujemy; szukamy; poszukujemy; oczekujemy; zapewniamy; bedziesz \w+c; twoje (?:zadania|obowiazki)",
        r"wymagania; obowiazki",
        r"mile widzian\w+; aplikuj; dolacz; goscie (?:musza|powinni|proszeni); pacjent\w*; kandydat\w*; lokatorzy",
    ),
    measure=cues(
        r"(?:\d[\d.,/]*|½|¼|¾|pol|jeden|jedna|dwa|dwie|trzy|cztery) ?(?:kg|dag|dkg|g|mg|l|ml|szt)\.?(?=\s)",
        r"(?:\d[\d.,/]*|½|¼|¾|pol|jeden|jedna|dwa|dwie|trzy|cztery)? ?(?:lyzk\w+|lyzeczk\w+|szklan\w+|szczypt\w+"
        r"|zab\w+|garsc\w*|kostk\w+)"
        r"(?=\s)",
        r"(?:\d[\d.,/]*|½|¼|¾|pol) (?:litr\w*|kilo|gram\w*|pecz\w+|puszk\w+|kropl\w+|tablet\w+|plast\w+"
        r"|listk\w+)(?=\s)",
        r"\d{1,3} (?:(?!dni|tygodni|godzin|osob|lat)[^\W\d]{3,}\s*){1,2}$; (?:sol|pieprz)(?: i \w+)?$",
    ),
    myself=cues(r"ja; mnie; mi; moj\w*; mam; chce; musze; \w{3,}l(?:am|em)"),
    posted=cues(
        rf"\w+ (?!\w*l[ae]m\b)\w+l[aoiy]? (?:mi |nam )?(?:\w+ )?{_CARRIER}(?=\W*$)",
        rf"na {_CARRIER} (?:na)?drukowan\w+|na \w+ (?:nadrukowan|napisan|wydrukowan)\w*",
        rf"(?!\w*l[ae]m)\w+l[aoiy]? (?:mi |nam )?(?:\w+ )?{_CARRIER} (?:pod|na|w|do|przy|za|obok|nad|u|od)",
        rf"{_PUT} (?:\w+ ){{0,5}}{_CARRIER}",
        rf"{_CARRIER} (?:\w+ ){{0,4}}(?:wisi\w*|lezal\w*|lezy|wywieszon\w*|przyklejon\w*|pojawil\w* sie|przypiet\w*)",
        r"(?:wywiesil|przykleil|powiesil)\w* cos",
    ),
    placed=cues(
        r"(?:powiesil|wywiesil|zawiesil|przykleil|nakleil|przypial|przypiel|zostawil|polozyl|przyczepil|wetkn[ae]l"
        r"|wlozyl|napisal)(?:am|em|ismy|ysmy)",
    ),
    carrier=cues(
        _CARRIER,
        r"aplikacj\w+; biuletyn\w*; gazetk\w+; pudelk\w+; ekran\w*; opakowani\w+; sloik\w*; butel\w+; portal\w*",
        r"paragon\w*; faktur\w+",
        r"scian\w+; drzwi\w*; lodow\w+; windzie",
    ),
    where=cues(r"(?:na|w|we|z|ze|ze) (?!mnie|nas|razu|poczatku|koncu|zasadzie)\w+"),
    asked=cues(
        r"(?:za|s)?pyta(?:l\w*|n[yaei]\w*); (?:po)?pytam; skonsultowal\w*; wrzucil\w* (?:to )?(?:w|do); spytac",
    ),
    thus=cues(
        r"co (?!ja |my |ty )(?:\w+ ){1,3}(?:ustalil|uzgodnil|zdecydowal|postanowil|uchwalil)[aoiy]?",
        r"(?:tak|oto jak|oto co|w ten sposob) (?:to |mi |nam |on |ona ){0,2}(?:widzi|uja[lc]\w*|ujela|opisal\w*"
        r"|przedstawil\w*|tlumaczy\w*|brzmi"
        r"|odpis\w+|podpowiad\w+|podpowiedzial\w*|twierdzi|radzi)",
        r"(?:jego|jej|ich) (?:odpowiedz|zdanie|slowa|wersja)(?: to| brzmi| ponizej)?$",
        r"(?:uja[lc]\w*|ujela|widzi|opisal\w*) to tak",
    ),
    sent_by=cues(rf"(?:od|przez|wg|wedlug) {_TIME}\w+"),
    channel=cues(
        r"teams\w*; slack\w*; whatsapp\w*; signal\w*; messenger\w*; sms\w*; mail\w*; e-?mail\w*; telegram\w*",
        r"discord\w*; telefon\w*; grup\w+",
        r"facebook\w*; insta\w*; domofon\w*; czat\w*; radio; skype\w*; komunikator\w*",
    ),
    acted=cues(
        r"prosi o; poprosil\w*; pisze; napisal\w*; skomentowal\w*; komentuje; odpisal\w*; odpowiedzial\w*",
        r"zatwierdzil\w*; zglosil\w*",
        r"przypial\w*; udostepnil\w*; dodal\w*; otworzyl\w*; zamknal\w*; zazadal\w*; zostawil\w*",
    ),
    acclaimed=cues(
        r"(?:najlepsza|zaakceptowana|wyrozniona|przypieta|najwyzej oceniana|najwyzej oceniony|przypiety"
        r"|top) (?:\w+ )?(?:odpowiedz|komentarz"
        r"|post|opinia|rada|wpis)",
    ),
    votes=cues(r"ocena:? ?-?\d+; \d+ (?:glos\w*|polubien\w*|lajk\w*|punkt\w*|plus\w*)"),
    group=cues(
        # The second person plural of an imperative at the beginning of a sentence: `Pamiętajcie`, `nie zostawiajcie`.
        r"(?:^|(?<=[.!?:,] ))(?:nie |prosze |i )?(?!\w*(?:iscie|yscie|eszcie)\b)\w{2,}[bcdfghjklmnprstwz]cie",
        r"(?:drodzy|kochani|moi drodzy|koledzy|kolezanki|sasiedzi|rodzice|lokatorzy|mieszkancy|panstwo|ludzie|ekipo"
        r"|zespole)(?:,|!|:)",
        r"(?:wszyscy|wszystkich) (?:pamietaj\w*|prosze|prosimy|maja pamietac)",
        r"(?:prosze|uprasza sie) (?:wszystkich|panstwa|o pamietanie)",
        "prosimy(?: \\w+)? (?:o |wszystkich|panstwa|pamietac)",
        "(?:czesc|hej|witam|witajcie),? (?:wszystkim|wszyscy|ekipo|zespol)",
    ),
    busy=cues(
        r"(?:(?:dzis|dzisiaj|teraz|wlasnie|akurat|jutro|nadal) )?(?!\w*l[ae]m\b|czytam|wklejam|cytuje|kopiuje"
        r"|przesylam|przekazuje|podaje|widze|mam)\w{3,}(?:uje|am)",
        r"(?:(?:dzis|dzisiaj|teraz|wlasnie|akurat|jutro|nadal) )?(?:chce|chcialbym|chcialabym|wole|musze|pracuje"
        r"|siedze|zaczynam|potrzebuje|planuje|poprawiam|robie|koncze"
        r"|bede|zamierzam|grzebie)",
        "(?:chcemy|pracujemy|musimy|zaczynamy|siedzimy|planujemy|bedziemy)",
    ),
    errand=cues(
        r"(?:kazal|polecil|pozwolil|kaze)\w* (?:mi|nam) (?!przekaz|przesl|wklei|zapamiet)\w{2,}c(?: \w+)*",
        r"(?:prosil\w*|poprosil\w*|kazal\w*|chce|chcial\w*|mowil\w*|powiedzial\w*)(?: mi| mnie| nam"
        r"| nas)?,? (?:zebym|zebysmy|bym)"
        r"(?! (?:to|wam|ci|przekaz|przesl|wklei|zapamiet))(?: \w+)+",
    ),
    task=cues(
        r"(?:czy )?(?:mozesz|moglbys|moglabys|dasz rade) (?:to |mi |prosze |ten |tez |jeszcze ){0,3}(?:ustawic"
        r"|wpisac|dodac|zaktualizowac"
        r"|zapisac|zmienic|utworzyc|zrobic|zaplanowac|wdrozyc|zastosowac|przypomn\w*|wlaczyc|przygotowac|wydrukowac"
        r"|zarezerwowac|zanotowac"
        r"|skonfigurowac|zalatwic|pilnowac)",
        # The second person of a verb that opens a question; what is asked about a text or a view is left out.
        r"(?:czy )?(?!wyjasni|przeczyta|sprawdzi|oceni|rozumie|widzi|sadzi|mysli|uwaza|wie|zna|pomoze|powie|napisze"
        r"|odpi|odpowie|skoment"
        r"|podsum|stresci|przetlum|popraw|zredag|skroci|przejrz|zobacz|zgadz|wierz|czuj|mozesz|masz|chcesz"
        r"|jestes)\w{3,}sz",
    ),
)
