"""Polish, written without diacritics because text is folded before it is compared."""

from jobs.summary.lexicon import Lexicon
from pipeline.language.calendar_names import MONTH
from pipeline.language.cues import cues
from pipeline.language.detection import Language

POLISH = Lexicon(
    code=Language.POLISH,
    bounded=True,
    owner="Właściciel",
    assistant="Asystent",
    promise=cues(
        "(?<!nie )(?:zrobie|wysle|napisze|przypomne|dodam|sprawdze|ustawie|przygotuje|zamowie|zadzwonie|kupie|odpisze)",
        "wpisze; poprawie; dam znac; zaktualizuje; przeniose; usune; zmienie; policze; zarezerwuje; dopisze; wstawie",
        "umowie; opisze; puszcze; wrzuce; zglosze; odezwe sie; zajme sie; przepisze; wygeneruje; zbuduje; przesune",
        "bede (?!mial|miec|pamietac|wiedz)[a-z]{3,}; zaplanuje; podmienie; popilnuje; poszukam; zapytam; spytam",
    ),
    looks=cues("(?:najpierw )?(?:sprawdze|zajrze|przejrze|poszukam|przeczytam|zobacze|popatrze); sprawdzam"),
    begun=cues(
        "(?:i )?(?!mam|sam|tam|znam|polecam|proponuje|zapisuje|zapamiet|notuje|kosztuje|brakuje|wymaga|gratul|sugeruj)"
        "[a-z]{3,}(?:am|uje)(?= )",
    ),
    done=cues(
        r"(?:^|(?<=[,;:.] ))(?:\w+ ){0,2}(?!zapisan|zapamiet|zanotowan|odnotowan|kochan|pewn)"
        "[a-z]{3,}(?:[aowiy]n[eay]|[iy]ony|[lwczjd]on[ea]|et[eay]|yt[eay])(?!\\w)",
        "gotowe; zrobione; dodane; wyslane; wpisane; poszlo; dziala; juz (?:jest|sa|dziala|stoi)",
        "(?!mial|byl|wiedzi|mysl|chcial|pyta)[a-z]{3,}(?:al|il|yl)[ae]m",
    ),
    noted=cues(
        r"zapisan\w*; zapamietan\w*; zanotowan\w*; rozumiem; jasne; dobrze; odnotowan\w*; notuje; zapisuje; pamietam",
        "zgoda; w porzadku",
    ),
    duty=cues(
        "musze; mam (?:zrobic|wyslac|napisac|kupic|zadzwonic); powinn?am; powinienem; trzeba; przypomnij mi",
        "(?<!nie )(?:zadzwonie|wysle|napisze|zrobie|kupie|pojade|zawioze|odbiore|przywioze|zaplace|zamowie|pojde)",
        "(?<!nie )(?:oddam|przyjade|zabiore|poprawie|ide (?:do|na|po)|jade (?:do|na|po)|wpadne|dokoncze|zalatwie)",
    ),
    wanted=cues(
        "prosze; mozesz; moglbys|moglabys; zrob; napisz; wyslij; dodaj; ustaw; zmien; wpisz; przypomnij; dopisz; wrzuc",
        "wytnij; usun; przenies; przepisz; przygotuj; zamow; zarezerwuj; umow; sprawdz; wylacz; wlacz; popraw; policz",
        "trzeba (?:wpisac|zrobic|dodac|zmienic|ustawic|wyslac|napisac); commituj; zacommituj; wypchnij",
    ),
    near=cues(
        r"jutro; jutrzejsz\w+; pojutrze; rano; z rana; nastepn\w+ (?:krok\w*|dzien|dnia|razem); w przyszlym tygodniu",
        r"od jutra; (?:w|od) nastepn\w+ tygodni\w*; za tydzien; najpierw rano",
    ),
    dated=cues(
        "(?:w|do|na|od|we|przed) (?:poniedzial(?:ek|ku)|wtor(?:ek|ku)|srod[ey]|czwart(?:ek|ku)|piat(?:ek|ku))",
        "(?:w|do|na|od|przed) (?:sobote|soboty|niedziele|niedzieli|swieta|swietach); dzis wieczorem; termin; do konca",
        r"(?:do|od|na|przed|po|w dniu) \d{1,2}",
        rf"\d{{1,2}} (?:{MONTH})",
        "po (?:swietach|wielkanocy|feriach|wakacjach|weekendzie); \\d{1,2}[.:]\\d{2}",
    ),
    postponed=cues(
        "na razie; poki co",
        "(?<!pol godziny )pozniej; zobaczymy; zobacze; pomysle",
        r"pomyslimy; przemysl\w+; przespac; zastanowie sie; kiedys$",
        r"zapytam; spytam; dopytam; ustale z; innym razem; kiedy indziej; nie teraz; wroc(?:imy|e) do; odloz\w*",
        "musze (?:pomyslec|sprawdzic|zapytac|spytac|sie z tym|sie przespac); dam znac; sie okaze; na spokojnie",
        "do ustalenia; poczekajmy; poczekam; jak (?:wroce|wroci|bedzie czas)",
        "za rok; po (?:feriach|swietach)",
        "nastepnym razem; kiedys sie",
    ),
    undecided=cues(
        "(?:jeszcze )?nie wiem; nie mam pojecia; waham sie",
        "nie zdecydowal\\w*; nie jestem pewn\\w+; niejasne; nie wiadomo",
        "trudno powiedziec; otwarte; nie ustalil\\w*; kto wie; pojecia nie mam",
    ),
    undone=cues(
        r"do (?:zrobienia|sprawdzenia|wyjasnienia|ustalenia|potwierdzenia); czekam\w* na; czeka na; nie odpisal\w*",
        r"(?:trzeba|musze|musimy|powinn?am|powinienem|warto) (?:bedzie )?(?:s|za|do)?(?:pytac|powiedziec|wyjasnic)",
        r"(?:trzeba|musze|musimy) (?:jeszcze )?(?:sprawdzic|potwierdzic|dowiedziec|zadzwonic); jeszcze nie \w+",
        r"nie (?:sprawdzal[ae]m|sprawdzil[ae]m|ruszal[ae]m|jest jeszcze|ma jeszcze); brakuje; niepotwierdz\w*",
    ),
    yours=cues(
        "prosze (?:o )?(?!bardzo|uprzejmie)[a-z]+(?:c|nie)(?= ); musi (?:pani|pan); musisz; powinien(?:es| pan)",
        "powinnas; ktos musi",
    ),
    depends=cues("to zalezy; zalezy; trudno powiedziec; warto (?:za)?pytac; nie wiadomo; do ustalenia"),
    left=cues(
        r"zostawiam\w*; odkladam\w*; do (?:pani|pana|twojej) decyzji; zostaje otwarte; wracamy; czekam; odlozone"
    ),
    dropped=cues(
        "nie trzeba; niewazne; daj spokoj; odpusc; bez (?:tego|planow); nie,? dzieki; za duzo roboty; za pozno"
    ),
    fault=cues(
        r"bled\w*|blad; awari\w*; nie dzial\w*; padl\w*; pada; zawiesi\w*; wywal\w+ sie; brak\w*; zepsu\w*; popsu\w*",
        r"falszyw\w*; zgubi\w*; strat\w*; reklamacj\w*; uszkodz\w*; problem\w*; od nowa; niezgodn\w*; konflikt\w*",
        r"nie przechodzi\w*; odrzuc\w*; spozni\w*; przestar\w*; wyciek\w*; ostrzez\w*",
    ),
    cause=cues(
        "bo; poniewaz; dlatego; przez to; z powodu; okazalo sie; okazuje sie; przyczyn\\w*; wina; stad; zeby; wynika",
        "wychodzi; lekcja; nauczka; wniosek; skutek; rozwiazani\\w*",
    ),
    finding=cues(
        "dw(?:a|ie|och|oma|iema); trzy|trzech; cztery|czterech; piec|pieciu; szesc|szesciu; siedem; osiem; dziewiec",
        "dziesiec; tuzin; pol|polow[aey]; czwart(?:a|ej) (?:czesc|\\w+); trzeci(?:a|ej) czesc; procent\\w*; razy",
        "mediana",
        r"kosztuj\w+; wynosi; zajmuje; trwa; zostal\w*; zostaje; jest; sa; ma; bylo|byl|byla|byly; mamy; sprzedan\w*",
        r"srednio; lacznie; razem; okolo; ponad; ponizej; powyzej; wiecej; mniej; obowiazuj\w*; wymaga; dziala",
        r"podaje; zamowion\w*; obejmie; zbieznosc; spada; rosnie; minimum; maksimum; format\w*; liczba; wersj\w*",
    ),
    hollow=cues(
        "(?:w czym|jak) (?:moge|moglbym|moglabym) (?:ci |pani |panu )?pomoc; co (?:slychac|u ciebie|nowego)",
        "jak sie masz",
        "(?:czy )?(?:cos|w czyms) jeszcze; jak leci",
        "do (?:zobaczenia|jutra(?=$|[.!,])|uslyszenia); pozwol; zaczne od; pomoge (?:ci|pani|panu|wam)",
        "dobranoc; dzien dobry; dobry wieczor; powodzenia; milego",
        "dobrej nocy; gratul\\w*; nie ma za co; heartbeat_ok; no_reply",
        "trzymam kciuki; przykro mi; przepraszam; smacznego; dziek\\w*",
        "polecen\\w* dla asystent\\w*; zignorowal\\w*; pominel\\w*",
        "nie (?:zapisuje|zapisalam|zapisalem|powtarzam)\\w*; nigdzie nie",
    ),
    letter=cues("temat; szanown\\w+; dzien dobry; pozdrawiam; z powazaniem; witam; czesc"),
    recalled=cues(
        r"ostatnio (?:mowil|ustal|chcial)\w*; wczesniej (?:mowil|ustal)\w*; jak (?:ustalilismy|mowil\w*); pamietam"
    ),
    pointing=cues("to; tego; temu; tym; go; ja; je; ich; im; tam; tamto; oba; obie; jej"),
    interjection=cues(
        "ok(?:ej)?; no i; no(?=[, ]); a(?= ); aha; o(?=,); oj; ech+",
        "kurde; i(?= ); ale(?= ); dobra(?=[, ]); wiec; hm+; ha(?:ha)+",
        "tak(?=[,.!]); nie(?=[,.!]); jasne(?=[,.!]); dobrze(?=[,.!])",
        "czyli(?= ); super(?=[,.!]); to(?= ); ej; uf+; btw",
    ),
)
