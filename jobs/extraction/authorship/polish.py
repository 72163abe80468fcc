"""Polish; the cues carry no diacritics, because text is folded before it is compared."""

from jobs.extraction.authorship.cues import Foreign
from jobs.extraction.cues import cues

POLISH = Foreign(
    bounded=True,
    forward=cues(r"pd; przekazuje(?: dalej)?; przekazan[aey]; przekazal\w*; podaje dalej; dalej ?:; przesylam(?: dalej)?"),
    sender=cues("od; nadawca"),
    header=cues("do; dw; udw; wyslano; data; temat; odp; adresat"),
    wrote=cues(
        r"w dniu .{4,90}(?:napisal|pisze); (?:pon|wt|sr|czw|pt|sob|niedz|nd)\w*\.?,? .{4,80}napisal(?:a|\(a\)|o)?",
        r"dnia .{4,90}(?:napisal|pisze); .{2,60} napisal(?:a|\(a\)|o)?(?: w \w+| dnia [^.:]{2,20})?; uzytkownik .{2,60} napisal\w*",
    ),
    salutation=cues(
        r"szanown\w+ [^.!?]{1,60}; drog(?:i|a|ie|ia) [^.!?]{1,40}; kochan[aiy]\w* [^.!?]{1,30}; panie i panowie",
    ),
    greeting=cues(r"(?:czesc|hej|witam|witaj|siema|dzien dobry|dobry wieczor)(?: [^\W\d]+){0,4}"),
    farewell=cues(
        "pozdrawia\\w+; pozdrowienia; z powazaniem; z wyrazami szacunku; serdecznosci; sciskam; caluje; do uslyszenia",
        "dziekuje; buziaki; usciski; (?:twoj|twoja|wasz|wasza) \\w+",
    ),
    notice=cues(
        "ogloszenie; komunikat(?: dla [^.:]{2,40})?; zawiadomienie; obwieszczenie; zarzadzenie; uwaga (?:mieszkancy|lokatorzy|klienci|pracownicy)",
        "drodzy (?:mieszkancy|lokatorzy|klienci|pracownicy|rodzice); do wszystkich (?:pracownikow|mieszkancow|klientow)",
    ),
    role=cues(
        "uzytkownik; asystent(?:ka)?; czlowiek; ja; szef(?:owa)?; kierownik; kierowniczka; klient(?:ka)?; prezes(?:ka)?; mama",
        "tata; zona; maz; babcia; dziadek; ksiegowa; ksiegowy; lekarz; lekarka; nauczyciel(?:ka)?; wlasciciel(?:ka)?; dyrektor(?:ka)?",
        "promotor(?:ka)?; sprzedawca; kupujacy; kolega; kolezanka; siostra; brat; sasiad(?:ka)?; kapitan; krol; narrator; admin",
        "pan(?:i)? \\w+; obsluga klienta; rekruter(?:ka)?",
    ),
    name=cues(
        "marek; ania; anka; tomek; kasia; katarzyna; piotr; piotrek; pawel; krzysiek; krzysztof; magda; magdalena; gosia",
        "malgorzata; ola; aleksandra; asia; joanna; ewa; beata; agnieszka; aga; monika; marta; maciek; maciej; michal; jan",
        "janek; andrzej; adam; wojtek; wojciech; lukasz; kuba; jakub; bartek; bartosz; mateusz; dominik; dorota; danuta; basia",
        "barbara; zosia; zofia; hania; hanna; jacek; grzesiek; grzegorz; rafal; robert; slawek; slawomir; tadeusz; zbyszek",
        "zbigniew; iwona; justyna; karolina; kinga; natalia; patrycja; paulina; sylwia; weronika; wiktor; wiktoria; darek",
        "dariusz; jarek; jaroslaw; mirek; miroslaw; przemek; przemyslaw; radek; radoslaw; szymon; stefan; staszek; stanislaw",
        "halina; helena; irena; jadwiga; krystyna; lidia; renata; teresa; urszula; ula; julka; julia; maja; filip; kamil; kamila",
        "konrad; leszek; marcin; norbert; oskar; igor; hubert; henryk; franek; franciszek; edyta; celina; bogdan; arek; artur",
    ),
    me=cues("ja; ty"),
    bot=cues(r"czat ?gpt; chata gpt; chat(?:em|u|owi)? gpt; (?:inny|drugi|tamten) (?:asystent|bot|model|czat); bot; asystent z \w+"),
    says=cues(
        r"mowi(?:a)?; powiedzial\w*; pisz[ea]; napisal\w*; napisane; twierdz\w+; radz[ia]\w*; poradzil\w*; doradz\w*; sugeruj\w*",
        r"zasugerowal\w*; proponuj[ea]; zaproponowal\w*; poleca\w*; polecil\w*; zaleca\w*; odpisal\w*; odpowiedzial\w*; odpowiada",
        r"oglosil\w*; oglasza; przekazal\w*; krzyczy; krzyknal; wola; pyta; zapytal\w*; kazal\w*; kaze; uwaza\w*; stwierdzil\w*; brzmi",
        r"wedlug; zdaniem; wg; jak podaje; stoi; odparl\w*; rzekl\w*; dodal\w*; wyjasnil\w*; zdecydowal(?:a|o|y|i)?; orzekl\w*",
    ),
    hands=cues(
        r"wkleil\w*; wklejam; przeklej\w*; przeklei\w*; skopiowal\w*; kopiuj\w*; cytuj\w*; zacytow\w*; przyslal\w*; wyslal[ai]?(?!my)",
        r"dostal(?:am|em)\b; otrzymal(?:am|em); znalazl(?:am|em) (?:to|cos|takie|taki|taka); przeczytal(?:am|em); nastepujac\w+; ponizej",
        r"(?:oto )?co (?:\w+ ){1,4}(?:napisal\w*|wyslal\w*|przyslal\w*|mowi|pisze); zobacz; patrz; spojrz; cytat",
    ),
    source=cues(
        r"mail\w*; e-?mail\w*; wiadomosc\w*; ogloszeni\w*; komunikat\w*; artykul\w*; wpis\w*; stron(?:a|y|ie|e)(?: www)?; dokument\w*",
        r"instrukcj\w*; regulamin\w*; podrecznik\w*; czat\w*; rozmow\w*; watk\w*; komentarz\w*; recenzj\w*; umow(?:a|y|ie|e); log(?:i|ow|ach)?",
        r"fragment\w*; tekst\w*; tresc\w*; sms\w*; powiesc\w*; ksiazk\w*; opowiadani\w*; scen(?:a|y|ie|e); wiersz\w*; piosenk\w*; prompt\w*",
        r"list (?:od|z); (?:ten|taki|jego|jej|ich|moj) list; pism(?:o|a|ie); blog\w*; notatk\w+ od; ulotk\w*; plakat\w*; akapit\w*; plik\w*",
        r"odpowiedz (?:od|z) \w+; ustaw(?:a|y|ie); wytyczn\w+; dialog\w*; przemowieni\w*; raport\w*",
    ),
    own_saying=cues(
        r"\w+l(?:am|em|ismy|ysmy); mowie (?:ci|wam)?; powtarzam; jak mowi\w+; mowiac krotko; to znaczy; chce powiedziec",
    ),
    label=cues(
        r"zasad\w*; regul(?:a|y|ami|e); decyzj\w*; ustaleni\w*; ustalmy; ustalam\w*; zapamietaj\w*; pamietaj\w*; zapisz\w*; zanotuj\w*",
        r"notuj; wazne; od teraz; od dzis(?:iaj)?; na przyszlosc; postanowi\w*; postanawiam\w*; preferencj\w*; architektur\w*; konwencj\w*",
        r"umawiamy sie; zapis; notatka; fakt\w*; pryncypi\w*; polityka",
    ),
    keep=cues("zapamietaj\\w*; pamietaj; zapisz; zanotuj; notuj; dopisz"),
    origin_of_label=cues(
        r"(?:z|ze|w|od|wg|wedlug) (?:\w+ ){0,2}<source>; jego; jej; ich",
    ),
    returning=cues(
        r"(?:(?:nie|tak|ok|okej|no|dobra|wiec|ale|a)[,.:! ]{1,3})?(?:(?:moja|nasza|ostateczna) )?decyzja; (?:moja|nasza) zasada",
        r"(?:(?:nie|tak|ok|okej|no|dobra|wiec|ale|a)[,.:! ]{1,3})?(?:(?:z|po)?decydowal|postanowil)(?:am|em|ismy|ysmy)",
        r"(?:nie|tak|ok|okej)[.,!] (?:nowa )?zasada",
    ),
    topic=cues("ps; termin\\w*; budzet; adres; plan; cel; pytanie; pomysl; backend; baza; testy; jezyk; format; jedzenie; dieta"),
    polite=cues(
        r"prosze(?: cie| o)?; ok(?:ej)?; i; a; no; to; wiec; teraz; hej; czesc; szybko; jeszcze; najpierw; tez; moglbys; moglabys; mozesz",
        r"czy (?:mozesz|moglbys|moglabys); chce,? zebys; potrzebuje,? zebys; pomoz mi; dasz rade; zrob(?: mi)?",
    ),
    rework=cues(
        r"przetlumacz\w*; tlumacz(?:enie|\b); przeloz\w*; stresc\w*; streszczeni\w*; podsumuj\w*; podsumowani\w* tego; skroc\w*; przeredaguj\w*",
        r"zredaguj\w*; sparafrazuj\w*; parafraz\w*; przeformuluj\w*; uprosc\w*; korekt\w*; popraw (?:to|tekst|bledy|literowki|ten|te|gramatyke|pisownie|styl|go|ja|mi)",
        r"sprawdz (?:bledy|pisownie|literowki|gramatyke|ortografie|interpunkcje)",
    ),
    inspect=cues(
        r"sprawdz\w*; wyjasnij\w*; przeanalizuj\w*; ocen\w*; zrecenzuj\w*; przeczytaj\w*; zobacz; spojrz na; rzuc okiem; przejrzyj; skomentuj",
        r"popraw; wytlumacz\w*; zinterpretuj; porownaj; wyciagnij; sformatuj; przerob; odpowiedz na; odpisz na",
    ),
    draft=cues(
        r"napisz(?! (?:to |sobie )?w (?:notatk|pamiec)); odpisz; odpowiedz; powiedz; wyslij; opublikuj; wrzuc; przekaz; wstaw; dodaj (?:to|taki|tekst)",
        "powtorz; wyobraz sobie",
    ),
    object=cues(
        r"to; tego; ten; ta; te; tym; tej; ponizs\w+; powyzs\w+; ponizej; powyzej; go; ja; mu; jej; im; <source>; nastepujac\w+",
    ),
    about=cues(
        r"co (?:on|ona|oni|to|ten|ta|autor|tu|tutaj|szef|mi)(?: \w+){0,3} (?:znaczy|oznacza|mysli|chodzi|chce|pisze|mowi); co to (?:znaczy|jest|za \w+)",
        r"o co (?:\w+ ){0,3}chodzi; co (?:ja )?(?:(?:mam|mamy|mu|jej|im|na to|mu na to) ){0,3}(?:odpisac|odpowiedziec|napisac|powiedziec)(?: \w+){0,3}",
        r"jak (?:(?:mam|mu|jej|im|na to|to|mamy|mi) ){0,3}(?:odpisac|odpowiedziec|zareagowac|rozumiec)(?: \w+){0,3}",
        r"czy (?:to|on|ona|ten \w+|ta \w+|te \w+)(?: \w+){0,4} (?:ok|okej|dobrze|dobre|dobry|poprawn\w+|sens|prawda|zrozumial\w+|jasne|oszustwo|legalne|normalne|powaznie)",
        r"(?:sa|widzisz) (?:tu |tam |jakies )*(?:bledy|literowki); co (?:tu |z tym )?(?:jest )?(?:nie tak|zle)(?: \w+){0,4}; kto ma racje",
        r"co (?:o tym|o nim|o niej|na to) (?:sadzisz|myslisz|powiesz); co (?:sadzisz|myslisz) o (?:tym|nim|niej|\w+); dlaczego (?:to|on|ona) (?:\w+ ?){1,6}",
    ),
    opinion=cues("co sadzisz; co myslisz; co ty na to; zgadzasz sie; i co teraz; jak ci sie podoba; opinia"),
    persona=cues(
        r"jestes (?:teraz )?(?:\w+(?:ym|im|a) ){0,2}(?:\w+(?:kiem|iem|tem|rem|lem|nem|dem|cem|zem|sem|wem|istka|arka|orka|entka|erka|owca))",
        r"twoja (?:rola|misja) (?:to|jest); twoim (?:zadaniem|celem) jest; twoje (?:zadanie|imie) to; dzialasz jako; # rola; rola ?:; rola$; instrukcja systemowa",
        r"prompt systemowy; zachowuj sie jak; instrukcje ?:",
    ),
    play=cues(
        r"wcielasz sie; wciel sie; udawaj; udajesz; zagraj; zagrajmy; odgrywaj; odegraj; badz (?:teraz )?\w+(?:em|iem|a),? ktor\w+; w (?:mojej|moim|tej|tym) (?:powiesci|ksiazce|opowiadaniu|scenie|grze|filmie|wierszu)",
        r"napisz (?:mi )?(?:\w+ )?(?:scene|opowiadanie|wiersz|dialog|zart|piosenke|przemowienie|bajke|scenariusz); dawno,? dawno temu; na niby",
    ),
    begin=cues("poczatek; start; cytat; tresc; dokument; tekst; wiadomosc"),
    end=cues("koniec(?: cytatu| maila| wiadomosci| tekstu| dokumentu)?; stop"),
)
