"""Polish, written without diacritics because text is folded before it is compared."""

from jobs.extraction.profile import Profile
from pipeline.language.cues import cues
from pipeline.language.detection import Language

POLISH = Profile(
    code=Language.POLISH,
    bounded=True,
    parts={
        "speech": cues(
            r"mowi\w*; powiedzial\w*; zdecydowal\w*; postanowil\w*; oglosil\w*; twierdz\w*; uwaza\w*; napisal\w*",
            r"pisze; pisza; chce; chca; wola; woli; radzi\w*; poleca\w*; upiera\w*; ustalil\w*; wybral\w*",
            r"przeszl\w*; przechodza; uzywaja; zgodzil\w*; przyjel\w*; uchwalil\w*; zatwierdzil\w*; wybrali",
        ),
        "days": cues(
            "dnia; dzis; dzisiaj; jutra; teraz; poniedzialku; wtorku; srody; czwartku; piatku; soboty; niedzieli",
            "stycznia; lutego; marca; kwietnia; maja; czerwca; lipca; sierpnia; wrzesnia; pazdziernika; listopada",
            "grudnia; przyszlego; nastepnego; nowego; tego",
        ),
        "lead": cues(
            "a; i; no; ale; ok; dobra; dobrze; to; teraz; potem; jeszcze; prosze; mozesz(?: mi)?; tak; nie; super",
            "pozniej; hm+",
        ),
        "wh": cues(
            "czy; co; kto; kogo; komu; kiedy; gdzie; jak(?:i|a|ie|iego|im|ich)?; dlaczego; czemu; ile; ilu; po co",
            r"skad; dokad; ktor[yaei]\w*; (?:do|na|od) kiedy",
        ),
        "ours": (r"^\W*(?:<lead>,? )*(?:ja )?",),
        "yes": cues("tak; dobra; ok; no; o; jasne"),
        "work": cues(
            "pokaz; sprawdz; znajdz; prosze(?! (?:zapamiet|zapis|pamiet|zawsze|nigdy)); zerknij; obejrzyj",
            "przeanalizuj; zbadaj; dokoncz; kontynuuj; zdebuguj; przetestuj; zweryfikuj; upewnij; oblicz; szukaj",
            "puszczaj; napraw; przetlumacz; podeslij; przeslij; zaloguj; zobacz; rzuc okiem; wrzuc; wstaw; wyslij",
            "napisz; daj; powiedz; przeczytaj; popraw; uruchom; odpal; (?:za)?commituj; zrob commita; przypomnij",
            "policz; porownaj; wypisz; wydrukuj; opisz; wyjasnij; wytlumacz; pomoz; stresc; poszukaj; otworz",
            "dodaj; usun; skasuj; wytnij; zmien; wyczysc; pobierz; sciagnij; zamow; kup; zadzwon; umow",
            "zarezerwuj; przygotuj; szykuj; dopisz; wpisz; posprawdzaj; przelicz; zacznij; skopiuj; zaktualizuj",
            "przejrzyj; wygeneruj; narysuj; spakuj; ogarnij; dorzuc; zostaw; poczekaj; spojrz",
            r"przepisz (?:mi|ten|ta|to); zrob (?:mi|to|z|kopi\w+|list\w+|wykres\w*|backup\w*)",
        ),
        "clause": (r"(?:^\W*|(?<=[^\w ] )|(?<=\b(?:i|a) )|(?<=prosze )|(?<=sobie )|(?<=ok )|(?<=dobra ))",),
        "store": (r"zapisz(?=(?: \w+){0,3} <saved>)",),
        "ban": cues(
            "rob; pisz; wysylaj; zmieniaj; ruszaj; dotykaj; uzywaj; dawaj; bierz; odpisuj; zapisuj; kasuj; usuwaj",
            "pytaj; dodawaj; wrzucaj; publikuj; odpowiadaj",
        ),
        "other": cues(
            r"(?!(?:ja|my|ty|nie|i|a|ale|to|juz|ze|sie|co|tez|no|wiec|bo|tylko|jak|gdy|kiedy|tak|mi|go|jej|im|nam)\b)[a-z]+",
        ),
        "saved": cues(
            r"plik\w*; jako; folder\w*; katalog\w*; csv; json; pdf; zmian\w*; raport\w*; wynik\w*; kopi\w+; dysku"
        ),
        "doing": (r"(?: \w+)? \w+c\b",),
        "asked": (r",? zebys(?: sobie)? <kept>",),
        "kept": cues("(?:zapamietal|zapisal|zanotowal|pamietal)a?"),
        "beg": cues("mozesz; moglbys; moglabys; prosze; zeby; chce"),
        # The form that bids; `pytasz` and `robisz` tell.
        "bid": (r"(?!wiecej|\w*(?:asz|esz|ysz|[^p]isz)\b)[a-z]{2,}(?:[aeiuy]j|b|w|c|z|n|cie|my)\b",),
        "nouns": cues(
            "mail; detal; final; styl; material; kanal; lokal; portal; terminal; szpital; skandal",
        ),
        "state": cues(
            "mamy; wiemy; znamy; mozemy; chcemy; musimy; widzimy; zobaczymy; pomyslimy; myslimy; boimy; lubimy",
        ),
        "wedo": cues(
            "(?!<state>)[a-z]{2,}(?:[aei]my|ymy)(?! sie (?:nad|czy))",
        ),
    },
    accept=cues(
        "tak; no tak; ok; okej; okay; dobra; dobrze; jasne; pewnie; dokladnie; zgoda; zgadza sie; swietnie; super",
        "idealnie; niech bedzie; moze byc; pasuje; zrob(?:my)? (?:tak|to); robimy(?: tak)?; rob(?: tak)?; dawaj",
        "wchodze; biore; o,? tak; wlasnie tak; git; spoko; lecimy; dzialaj; podoba mi sie; to ma sens",
        r"brzmi (?:dobrze|swietnie|sensownie); przekonal\w* mnie; kupuje; jestem za; akceptuje; potwierdzam",
        "i to jest to; no dobra; o,? to; bierz; smialo; wdrazaj; wchodzimy; (?:super|dobry|swietny|niezly) pomysl",
        "bomba; niech tak bedzie; no i (?:dobrze|git|super|tak); ma sens; oczywiscie; pewno; zgadzam sie",
        "jak najbardziej; poprosze",
    ),
    approve=cues(
        "<yes>?[,. ]*(?:zrob(?:my)? (?:tak|to)|rob(?:imy)? tak|dokladnie(?: tak)?|wlasnie tak|niech (?:tak )?bedzie)",
        "<yes>?[,. ]*(?:bierz|dawaj|dzialaj|wdrazaj|wchodze|wchodzimy|lecimy|smialo|moze byc|tak ma byc)",
        r"zgoda; kupuje; jestem za; akceptuje; potwierdzam; przekonal\w*; i to jest to; jak najbardziej",
        "no i (?:git|super|tak); o,? to",
    ),
    refuse=cues(
        "nie; nie,? dzieki; nie teraz; nie trzeba; bez; zostaw; daj spokoj; odpusc; odpada; pomin",
    ),
    remember=cues(
        r"(?<!nie )zapamietaj(?:cie|my)?; <clause>zapisz(?:cie)?(?!(?: \w+){0,3} <saved>)",
        r"(?:dodaj|dopisz|wpisz|zapisz)(?: \w+)? do (?:(?:swojej|twojej) )?(?:pamieci|notatek)",
        r"mie[cj](?: \w+)? w pamieci",
        r"nie zapomnij(?:cie)?(?!<doing>)",
        "(?:za|od)notuj(?:cie)?; (?<!nie )notuj(?:cie)?; (?<!nie )pamietaj(?:cie)?(?! jak); dla pamieci",
        "do zapamietania; wbij sobie",
        r"mie[cj](?: \w+)? na uwadze; <beg>(?: \w+)? (?:zapamietac|zapisac|zanotowac|pamietac)",
        r"zebys(?: sobie)? <kept>; (?<!nie )musisz (?:za)?pamietac",
        r"niech zostanie zapisane",
        "warto (?:pamietac|zapamietac|zapisac)",
    ),
    request=cues(
        "(?:<lead>,? )*(?:czy )?(?:mozesz|moglbys|moglabys)",
    ),
    universal=cues(
        r"nigdy; zawsze; bez wyjatk\w*; zadn\w+; koniec z\w*; nie wolno; zakaz\w*; zabronion\w*; zasada\w*",
        r"regula\w*; za kazdym razem; kazdorazowo; bezwzglednie; obowiazkow\w*; musi(?:my|sz|cie)?; musza; nikt",
        r"ani (?:metra|grama|sztuki|jedn\w+|razu); wylacznie; pod zadnym pozorem; bez dyskusji; i kropka; kropka",
        r"wszedzie; nigdzie; jedynie; ma byc; maja byc; nie ma (?:prawa|mowy|opcji); niedopuszczaln\w*; domyslnie",
        r"wymagan\w*; obowiazuj\w*",
    ),
    scope=cues(
        r"tylko; kazd\w+; wszystk\w+; caly|cala|cale|calosc; nic; maksymalnie; max; minimum; minimalnie",
        r"co najmniej; najwyzej; co najwyzej; limit\w*; do \d+; ponizej; powyzej; trzeba; nalezy; poza; oprocz",
        "ani",
    ),
    order=cues(
        # Always and never, said to somebody.
        r"(?:nigdy(?: wiecej)?|zawsze) (?:\w+ )??(?:nie |)<bid>; nie <bid>(?: \w+)? nigdy; <ban> zawsze",
        r"nie wolno; pod zadnym pozorem; koniec z \w+; zakaz \w+",
        r"(?:nikt|nic) nie (?:\w+ ){1,4}bez",
        # Every time, with something to be done.
        r"(?:za kazdym razem|ilekroc|zawsze),? (?:(?:gdy|kiedy|jak|kiedy) )?[^,.]{3,60}, (?:to |tez |nie |)<bid>",
        r"(?:na koniec|po|przed|w|przy) kazd\w+ [^,.]{2,30}(?:,|) <bid>",
        # What is not to be done at all, and what is refused beyond a limit.
        r"^\W*zadn(?:ego|ej) (?!(?:zad|zd|pyt|zapyt|spotk|mieszk|sniad|ubr)ania)\w{3,}ania\b(?![^.]*\bnie\b)",
        r"(?:ponizej|powyzej|mniej niz|wiecej niz) \d[^,.]{0,20},? "
        r"nie (?:bior|bierz|przyjm|rob|sprzed|wysyl|podpis|jad|jezdz)\w+",
        # A rule by its name.
        "bez wyjatk(?:ow|u); bez dyskusji; i kropka; z zasady",
        r"^\W*(?:\w+ ){0,2}(?:zasada|regula)(?: \w+){0,2}(?=:)",
    ),
    lasting=cues(
        r"od <days>(?: \w+)?; od \d+; odtad; na stale; na zawsze; na przyszlosc; w przyszlosci",
        "juz (?:nigdy|zawsze|nie bedzie|zostaje); do (?:konca|odwolania|grudnia|stycznia|czerwca)",
        "(?:w|we) (?:kazd[yae] )?(?:poniedzialki|wtorki|srody|czwartki|piatki|soboty|niedziele); codziennie",
        "co (?:tydzien|miesiac|rok|dzien|noc|kwartal|poniedzialek|wtorek|srode|czwartek|piatek|sobote|niedziele)",
        "w (?:nocy|weekendy); raz w (?:tygodniu|miesiacu|roku); docelowo; standardowo; wiecej nie; juz nie",
        r"ostatecznie; kazdego (?:dnia|tygodnia|miesiaca|roku); po \d+; trwale",
        "(?:i )?tak (?:juz )?(?:zostaje|zostanie|ma zostac); niech tak zostanie",
    ),
    standing=cues(
        "od (?:teraz|dzis|dzisiaj|jutra|tej pory); odtad; na przyszlosc; do odwolania",
    ),
    decide=cues(
        r"ustalmy(?=:|,? ze\b)",
        r"ustalamy; ustalone; postanowione; postanowil(?:am|em|ismy|ysmy); postanawiam\w*; zdecydowane",
        r"zdecydowal(?:am|em|ismy|ysmy); ustalil(?:am|em|ismy|ysmy); decyduje(?:my|cie)(?! czy); <ours>decyduje sie na",
        r"decyzja(?! nalezy); stanelo na; stanie na; dogadane",
        r"umowa stoi; umowil(?:am|em|ismy) sie; klepniete; zaklepane; przyklepane; wybieram\w*",
        r"wybral(?:am|em|ismy); stawiam\w* na; ostatecznie; ostateczna; ostateczny; zapadlo; klamka zapadla",
        r"przesadzone; zatwierdzam\w*; rozstrzygniete; uzgodnione; uzgodnil(?:am|em|ismy)",
        r"(?:zmienil|rozmyslil)(?:am|em|ismy|ysmy) (?:zdanie|sie)(?=\s*[:,;-]\s*\w)",
    ),
    settle=cues(
        r"bierzemy; biore|bierzmy; idziemy (?:w|z|na); ide w; idzmy; zostaj\w+ (?:przy|na|z|po|jak|tak)",
        r"zostaje(?:my)?; przechodz(?:e|imy) na; przechodzimy; robimy; rezygnuj\w+; odpuszczam\w*; wylatuj\w+",
        r"wywal(?:amy|am); wyrzucam\w*; niech (?:bedzie|zostanie); no to; to robimy; w takim razie; a wiec",
        r"uzywamy; stosujemy; trzymamy; piszemy; liczymy; przedluzam\w*; przenosimy; przesuwamy; zmieniamy",
        r"ustawiamy; dajemy; wdrazamy; kupujemy; koniec; ostateczn\w+; finaln\w+; zamykamy; otwieramy; wprowadzamy",
        "rozdzielamy; laczymy; jedziemy; startujemy; ruszamy; konczymy; skracamy; podnosimy; obnizamy",
        "likwidujemy; usuwamy; zatrudniamy; przyjmujemy; sprzedajemy; zamawiamy; wysylamy; publikujemy; trzymajmy",
        "zrobmy; wezmy; uzyjmy; zostanmy; przejdzmy; dajmy",
        r"nie (?:publikuj\w+|wysylam\w*|sprzedaj\w+|przyjmuj\w+|robi(?:e|my)|uzywam\w*|biore|zmieniam\w*|tykam)",
        r"nie (?:schodz\w+|jad\w+|<wedo>); <wedo>",
    ),
    adopt=cues(
        "zamiast; zostaje; leci do kosza; idzie; ida; do kosza; wylatuje; wchodzi; odpada; znika; ma zniknac; to",
        "albo; bez; nie; wtedy; i tyle; starcza; wystarczy; startuje; przepisz; zmien; ustaw; oba; obie; zadne",
        "podziel",
    ),
    dismiss=cues(
        r"odpada\w*; za drogo; drogo; bez sensu; przesada; nie ma sensu; szkoda (?:czasu|pieniedzy); nie chce",
        "nie oddam",
    ),
    ordinal=cues(
        r"pierwsz\w+; drug\w+; trzeci\w*; czwart\w+; ostatni\w*; jedynk\w*; dwojk\w*; trojk\w*",
        r"(?:opcja|wariant|numer|punkt) (?:\w|\d); (?:to |ta |te |ten )?(?:pierwsza|druga|trzecia)",
        r"oba|obie|zadn\w+",
    ),
    directive=cues(
        "nie <ban>; nie (?:moze|mozna|mozesz|chce|bede|bedzie|bedziemy|ma|ida|idzie); tak (?:nie moze byc|ma byc)",
        "ma (?:byc|isc|zostac)",
        "(?!wiesz|chcesz|mozesz|masz|myslisz|widzisz|czujesz)[a-z]{3,}(?:ujesz|asz|isz|ysz|esz)",
    ),
    interrogative=cues(
        r"^\W*(?:<lead>,? )*<wh>; prawda$; ciekawe czy; zastanawiam sie; a moze; a gdyby; a jakby",
    ),
    counterfactual=cues(
        r"gdyby\w*; jakby\w*; \w+(?:bym|bysmy|lbym|labym)(?!<asked>); (?:ja|to|my|wtedy) by; bym; bysmy; w teorii",
        r"teoretycznie; hipotetycznie; wyobraz\w*; zalozmy; kiedys; w idealnym swiecie; marz\w+",
        "powinnam|powinienem; mozna by; przydaloby sie; fajnie by(?:loby)?",
    ),
    condition=cues(
        r"jesli; jezeli; jak bed\w+; jak (?:to |mi )?jeszcze raz; jeszcze (?:jed[a-z]+|raz) [^,.]{2,40} i; o ile",
        r"chyba ze; pod warunkiem; zalezy; w razie; w przypadku; dopoki",
    ),
    hedge=cues(
        r"moze; chyba; byc moze; pewnie; prawdopodobnie; raczej; nie wiem; niepewn\w+; mysle (?:o|nad|zeby|czy)",
        r"mysle,? ze; zastanawiam\w*; waham\w*; kusi mnie; rozwazam\w*; ewentualnie; powiedzmy; podobno",
        r"wydaje mi sie; mam wrazenie; nie jestem (?:pewn\w+|przekonan\w+); ciekawe; byloby; mogl\w*; moglibysmy",
        r"sklaniam sie; jeszcze nie (?:wiem|zdecydowal\w*); korci",
    ),
    defer=cues(
        r"(?<!nigdy )pozniej; potem; zobaczymy; zobacze; pomysle; pomyslimy; przemysl\w+; przespac; zastanowie sie",
        r"zapytam\w*; spytam; dopytam; ustale z; innym razem; kiedy indziej; nie teraz; jeszcze nie",
        r"wroc(?:imy|e) do; odloz\w*; kiedys; musze (?:pomyslec|sprawdzic|zapytac|spytac|sie); dam znac; sie okaze",
        r"na spokojnie; jutro (?:zdecyduj\w+|pomysl\w+|ustal\w+); do ustalenia; poczekajmy",
    ),
    momentary=cues(
        r"(?<!od )dzis(?:iaj)?; dzisiejsz\w+; jutro; jutrzejsz\w+; (?<!od )teraz; na razie; narazie; poki co",
        "tym razem; ten (?:jeden )?raz; ten jeden; te jedna",
        r"tylko (?:ten|ta|te|tego|tej|tych|tym|to|dzis|jutro|teraz); jednorazow\w*; raz; najpierw; chwilowo",
        "tymczasowo; na chwile; wieczorem; rano; szybko; w tym (?:mailu|tygodniu|pliku|rozdziale|commicie|poscie)",
        "ta (?:wiadomosc|wersja); do (?:jutra|wieczora|poludnia|swiat|wielkanocy|poniedzialku|piatku)",
        "ten (?:mail|commit|plik|post|wpis|rozdzial|wykres); tego (?:maila|posta|pliku|commita); zanim; za chwile",
        "przed tym; obecnie",
    ),
    reported=cues(
        r"<other>(?: (?:juz|tez|sie|tam|nam|mi|teraz))? <speech>(?! mi sie); (?:oni|on|ona|one)(?: \w+)? <speech>",
        r"podobno; wedlug; w (?:dokumentacji|regulaminie|instrukcji|umowie|mailu) (?:pisz\w+|jest|stoi|maja)",
        r"slyszal\w+; czytal\w+; postanowili; zdecydowali; ustalili; zdecydowalo; postanowilo; mowi(?:a|,)? ze",
        r"kaza\w*; (?:u nich|u niego|u niej)(?: \w+)?",
    ),
    others=cues(
        r"oni; on; ona; one; (?:jego|jej|ich) (?:firma|biuro|zespol|szef\w*|decyzja); ktos; ludzie",
    ),
    past=cues(
        r"(?:rok|miesiac|tydzien|dwa lata) temu; wczoraj; ostatnio; kiedys; poprzedni\w*; zeszl\w+; dawniej",
        "przedtem",
        r"(?!\w*(?:sylam|dzialam|zwalam|silam|chylam)\b|zmieni|rozmysl|zdecyd|postanow|wybra|uzgod|umow|ustal|<nouns>)[a-z]{2,}(?:[aiy]l[ae]m|szl[ae]m|gl[ae]m|l[iy]smy)",
        "bylo|byl|byla|byly|byli; wtedy (?:bylo|byl); jak (?:mowilam|mowilem|ustalilismy); pamietasz",
    ),
    task=cues(
        "(?:<lead>[,.:]? )*(?:<work>|<store>)",
    ),
    imperative=cues(
        r"(?:<lead>[,.:]? )*(?:uzyj|przelacz|ustaw|zrob|wez|przenies|wylacz|wlacz|zamien|podmien|podbij\w*|zwieksz)",
        r"(?:<lead>[,.:]? )*(?:zmniejsz|zostaw|podziel|przepisz|usun|zmien|wstaw)",
    ),
    mood=cues(
        r"haha\w*; hihi; hehe\w*; xd+; lol; zart\w*; zartuj\w*; kurde; kurcze; cholera; masakra; mam dosc",
        r"mam ochote; nienawidz\w+; zwariuj\w+; umieram\w*; jestem (?:padniet\w+|wykonczon\w+|zmeczon\w+); o zesz",
        r"ech+; uf+; rzuc\w+ to wszystko; spac; dobranoc; padam; nie zyje; boje sie; mam nadzieje; dramat",
        r"wyprowadz\w+ sie w; :\)",
    ),
    feeling=cues(
        r"dziek\w*; wdzieczn\w+; czuje\w*; lubie; kocham; ciesz\w+ sie; boje sie; martwi\w+; mam nadzieje; szkoda",
        r"smutn\w+; szczesliw\w+; zmeczon\w+; ciekaw\w+; fajn\w+; swietnie; super,? dzieki; pieknie; do zobaczenia",
        r"do widzenia; na razie; dobranoc; pozdr\w*; milo",
    ),
    attempt=cues(
        r"sprobuj\w+; postaram\w*; rozwaz\w+; poszukam; zajrze; popatrze; chcial(?:bym|abym)",
        "musze (?:sie|jeszcze); poczytam; pocwicze",
    ),
    retract=cues(
        r"albo nie; nie,? czekaj; cofam; niewazne; (?<!nie )zapomnij; wycofuj\w+; pomylil\w+; rozmyslil\w+",
        r"nie,? zle; zmienil\w+ zdanie; zmieniam zdanie; nie bylo tematu; odwoluj\w+; skasuj to; anuluj\w*; a nie",
        "cofnij; glupi pomysl; zly pomysl; po namysle; oj nie; odpusc(?:my)? to",
    ),
    hesitate=cues(
        r"jednak; czekaj\w*; stop; zle; racja; to nie; moment; chwila; bez sensu; przywroc\w*; wracamy do",
        "wroc(?:my)? do; ups",
    ),
    withdraw=cues(
        r"cofam\w*; cofnij\w*; odwoluj\w+; anuluj\w*; wycofuj\w+; (?<!nie )zapomnij\w*; skreslam\w*; (?<!nie )skresl",
        r"(?<!nie )uniewazni\w+; nie obowiazuj\w+",
    ),
    propose=cues(
        r"proponuj\w+; propozycj\w+; sugeruj\w+; sugesti\w+; polecam; polecal\w+; rekomend\w+; najlepiej; lepiej",
        r"moze; mozna; mozemy; warto; alternatyw\w*; opcj\w+; wariant\w*; radz\w+; byl(?:by|aby|oby)",
        r"[a-z]+(?:bym|alabym|albym); zamiast; pomysl; bezpieczn\w+; najprosc\w+; najprosts\w+; sensown\w+",
        "rozwiazanie",
    ),
    proposing=cues(
        r"(?:proponuj|sugeruj|rekomenduj|radz)e; polecam; (?:a )?moze(?: by)?; (?:za)?proponowal(?:bym|abym)",
        "sugerowal(?:bym|abym); (?:moja |jedna )?(?:propozycja|sugestia|rada)(?: jest taka)?(?=:)",
    ),
    offer=cues(
        r"moge; mam \w+c; czy mam; chcesz; czy chcesz; chce pani?; dodac; zrobic; mogl(?:bym|abym); jesli chcesz",
        "czy (?:dodac|zapisac|zrobic|ustawic|przygotowac|wyslac); potrzebujesz",
    ),
    either=cues(
        r"czy; albo; lub; opcj\w+; wariant\w*; mozliwosci; wyjscia; sposob\w*; modele?; drogi; vs; alternatyw\w*",
        r"co wybier\w+; ktor\w+",
    ),
    summing=cues(
        r"czyli; rozumiem; to znaczy; zatem; wiec; a wiec; podsumowujac; dla pewnosci; potwierdz\w*; mam rozumiec",
    ),
    acknowledge=cues(
        r"zapisan\w*; zapisuj\w*; zapisal\w*; zapamietan\w*; zapamietuj\w*; zanotowan\w*; notuj\w*; jasne",
        r"rozumiem; dobrze; dobra; ok; okej; zrobion\w*; zrobil\w*; ustawi\w*; ustawion\w*; dopisuj\w*; dopisal\w*",
        r"wpisan\w*; wpisuj\w*; zmieniam; zmienion\w*; wylaczam; wlaczam; usuwam; przesuwam; przenosz\w*; zglaszam",
        r"przepisz\w*; zasada; regula; oczywiscie; swietnie; super; tak; jasna sprawa; przyjet\w*; potwierdzam",
        r"zgoda; robi sie; zostaje; zostawiam; dodaj\w*; dodan\w*; od \w+; w takim razie; czyli; gotowe",
        r"przyjalem|przyjelam; zanotowal\w*; bede",
    ),
    noted=cues(
        r"zapisan\w*; zapisuj\w*; zapisalem|zapisalam; zapamiet\w*; zanotow\w*; notuj\w*; zasad\w*; regul\w*",
        r"bede pamiet\w*; rozumiem; jasne; dopis\w*; w notat\w+; odnotow\w*; przyjalem|przyjelam|przyjete; wiem",
    ),
    looking=cues(
        r"(?:juz |zaraz |od razu )?(?:zajrze|sprawdze|sprawdzam|popatrze|patrze|zobacze|zbadam|zerkne|poszukam)",
    ),
    objection=cues(
        "ale; jednak; uwaga; tylko ze; jedna rzecz; na pewno; zanim; ostroznie; hm+; to (?:koliduje|kloci|gryzie)",
        "niestety; moment; czekaj; pytanie; pamietaj",
    ),
    structure=cues(
        r"architektur\w+; modul\w*; baz(?:a|y|e|ie); tabel\w*; serwer\w*; uslug\w*; mikrouslug\w*; kolejk\w*",
        r"proces\w*; warstw\w*; repozytori\w*; schemat\w*; api; skrypt\w*; katalog\w*; pipeline\w*; cache",
        r"indeks\w*; bram\w*; protokol\w*; json; csv; sql\w*; postgres\w*; widok\w*; strumien\w*; kontener\w*",
        r"odczyt\w*; zapis; format\w*",
    ),
    reason=cues(
        "bo; poniewaz; gdyz; dlatego ze; zeby; inaczej; z powodu; skoro",
    ),
    light=cues(
        r"pomysl\w*; zasad\w*; regul\w*; decyzj\w*; spraw\w*; rzecz\w*; ustaleni\w*; zawsze; wlasnie; dokladnie",
        r"robi(?:my|c|e)?; zrobimy; tamt\w+; poprzedni\w*; ostatni\w*; wczesniej\w*; przedtem; mowil\w*",
        r"powiedzial\w*; wlasciwie; cal[aey]\w*; czesc; wszyst\w+; takie\w*; takim; odtad; jasne; oczywiscie; zgoda",
        r"swietnie; super; pewnie; tamto; punkt\w*; oboje; tych; zamiast",
    ),
    pointing=cues(
        r"to; tak; ten; ta; te; tego; tej; tym; tamt\w+; taki\w*; go; ja; je; jego; jej; ich; tam; tu",
    ),
    opening=cues(
        r"(?:a|i|ale|ok|okej|dobra|aha|hm+|wiec|czyli|no to|oj|ech|btw|jeszcze|(?:bardzo )?prosze)(?=\W)",
        r"(?:no|tak|nie|dobrze|jasne|super|swietnie|zgoda|dokladnie)\s*[,.:;!-]",
        r"(?:dzieki|sluchaj|poza tym|przy okazji|a propos)\s*[,.:;!-]",
        r"(?:powtarzam|przypominam|jeszcze raz|jak (?:juz )?mowil(?:am|em))\s*[,.:;!-]",
        r"(?:jeszcze )?(?:jedn[oa]|cos)(?: (?:rzecz|sprawa|zasada))?\s*[:,.-]",
        r"(?:(?:chce|chcial(?:bym|abym))<asked>|musisz (?:za)?pamietac)(?:[\s,]+ze)?(?=[\s,:])",
        r"(?:zapamietaj|zapisz|zanotuj|pamietaj)(?: (?:prosze|sobie|mi|gdzies|tez))*(?:[\s,]+ze)?(?=[\s,:])",
    ),
    announcing=cues(
        "zasada; regula; decyzja; lekcja; bo; skoro; poniewaz; zostaje",
    ),
)
