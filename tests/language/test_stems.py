"""Which words have one stem and which have not: the same rules for English and Polish."""

from pipeline.language.analysis import terms
from tests.support.tables import table

POLISH = """
koszt/koszty koszt/kosztów koszty/kosztach decyzja/decyzję decyzja/decyzji decyzje/decyzjami decyzjach/decyzją
Postgres/Postgresa Postgresem/Postgresie Redis/Redisa Docker/Dockera Dockerze/Docker Kubernetes/Kubernetesa
serwer/serwera serwerze/serwerów ścieżka/ścieżki ścieżka/ścieżce ścieżkę/ścieżkami łączenie/łączenia bułka/bułki
bułka/bułek bułkami/bułce chleb/chleba chlebem/chlebów cena/ceny cenę/cenami cenach/ceną faktura/faktury
fakturę/fakturami klient/klienta klientów/klientami dostawa/dostawy dostawie/dostawą zamówienie/zamówienia
zamówień/zamówieniem projekt/projektu projekty/projektami umowa/umowy umowę/umowie spotkanie/spotkania
piekarnia/piekarni piekarnię/piekarnia tabele/tabelach kolejka/kolejki kolejce/kolejek kopia/kopii termin/terminy
terminów/terminach hasło/hasła plik/pliku plików/plikami baza/bazy bazie/bazach dane/danych model/modelu
modele/modelami kamera/kamery kamerze/kamer godzina/godziny godzinie/godzin otwarcie/otwarcia wersja/wersji
wersję/wersjach reguła/reguły regule/regułami zakwas/zakwasu mąka/mąki mąki/mące książka/książki książce/książek
robić/robimy wybrać/wybraliśmy wybrałem/wybrał pisać/pisał używać/używamy nowy/nowego nowej/nowych ważna/ważne
ważnych/ważną polski/polskiego wdrożenie/wdrożenia sklep/sklepu sklepie/sklepach produkt/produktów oferta/oferty
rozmowa/rozmowie człowiek/człowieka pracownika/pracownikom zmiana/zmiany zmianie/zmian log/logi logów/logach
autor/autora cyfra/cyfry
"""
POLISH_APART = """
piekarnia/piekarz koszt/kosz cena/cent baza/bazar dom/domena kot/kod plik/plus sklep/skład stół/stal praca/prawo
faktura/fakt klient/klimat decyzja/decyl umowa/umysł projekt/projektor lista/listonosz serwer/serwis wersja/wers
model/modem godzina/godny tabela/tablica reguła/regał nowy/nowela ważny/waga chleb/chlew bułka/buk kolejka/kolor
termin/termos hasło/has dane/dama kopia/kopalnia zmiana/zima sobota/robota wtorek/worek środa/zgoda marzec/marzenie
poniedziałek/niedziela książka/książę autor/autobus oferta/ofiara produkt/prodziekan rok/rak dzień/dziennik
zamówienie/zamek log/logika wiosna/wieś okno/oko data/dotacja
"""
ENGLISH = """
running/runs decision/decisions decide/decided deploy/deployed deploys/deploying policy/policies cost/costs
query/queries test/tested tests/testing invoice/invoices reminder/reminders table/tables update/updated
updates/updating family/families customer/customers customer/customer's replace/replaced replaces/replacing
schema/schemas index/indexes price/priced launch/launched launches/launching choose/chooses city/cities use/used
store/stored box/boxes class/classes
"""
ENGLISH_APART = """
policy/polish cost/coast test/text price/prize invoice/voice table/tablet launch/lunch run/ruin index/indicate
query/quarry server/serve port/report deploy/employ index/inbox user/use cache/cash later/latter desert/dessert
model/modem branch/brand commit/comment merge/merger release/relative project/protect state/station session/section
token/taken
"""


@table("pair", (POLISH + ENGLISH).split())
def test_forms_of_a_word_meet(pair: str) -> None:
    """Cases, numbers, persons and tenses."""
    one, other = pair.split("/")
    assert terms(one) == terms(other)


@table("pair", (POLISH_APART + ENGLISH_APART).split())
def test_other_words_do_not_meet(pair: str) -> None:
    """Also when they begin alike; a trade and its shop are two words (piekarz, piekarnia)."""
    one, other = pair.split("/")
    assert set(terms(one)).isdisjoint(terms(other))


@table("pair", ["mak/mąka", "custom/customer", "contain/container"])
def test_some_words_meet_that_should_not(pair: str) -> None:
    """The price of one rule for two languages, held here so that a change of it is seen."""
    one, other = pair.split("/")
    assert terms(one) == terms(other)


@table("pair", ["tydzień/tygodnia", "pracownik/pracownicy", "koszt/koszcie"])
def test_some_forms_do_not_meet(pair: str) -> None:
    """Where the stem itself changes; held here so that a change of it is seen."""
    one, other = pair.split("/")
    assert terms(one) != terms(other)


def test_one_word_is_one_term() -> None:
    """Two for some words would weigh them twice."""
    text = "the deployment of reminders was postponed jutro piszemy fakturę dla klientów"
    assert len(text.split()) == len(terms(text))
