"""Which subjects have an article: when in doubt none."""

from pipeline.facts.names import front_of
from pipeline.job import Document, Noted
from schemas.entry import Status, Trust
from schemas.fact import FactKind, FactWord
from tests.support.builders.articles import GRAFANA, about, about_grafana, day_of, decided, drafts
from tests.support.builders.fact_bench import fact
from tests.support.tables import table

SUBJECTS = (
    ("grafana", GRAFANA),
    (
        "deploy-yml",
        (
            "deploy.yml runs the tests first.",
            "Only I edit deploy.yml.",
            "deploy.yml needs a token.",
            "deploy.yml caches pip.",
        ),
    ),
    (
        "clickhouse",
        ("看板统一连 clickhouse。", "clickhouse 集群周四变更。", "clickhouse 保留 60 天。", "不许直接写 clickhouse。"),
    ),
    (
        "firebase",
        (
            "Używamy Firebase tylko do powiadomień.",
            "Od maja projekt Firebase jest na koncie firmowym.",
            "Hasła do Firebase są w sejfie.",
            "Za Firebase płacimy 40 zł.",
        ),
    ),
)
NO_SUBJECTS = (
    (
        "a person",
        ("Ask Bartek about the roof.", "The key is with Bartek.", "The Bartek invoice goes out.", "Bartek pays."),
    ),
    (
        "a place",
        ("We rent desks in Warsaw.", "Nobody drives to Warsaw.", "The office in Warsaw closes.", "In Warsaw we eat."),
    ),
    (
        "a person in Polish",
        ("Klucz ma pan Lucjan.", "Drewno od Lucjan.", "Piszemy przez Lucjan.", "Korzysta z Lucjan."),
    ),
    ("a person in Chinese", ("小王说不行。", "小王负责。", "用小王的车。", "接小王。")),
    ("ordinary words", ("The deposit is 30.", "The deposit stays.", "A deposit is due.", "No deposit back.")),
)


def reasoned(*texts: str) -> list[Noted]:
    """Entries of days in a row, each with a reason."""
    return [decided(text, day, why="it is cheaper") for day, text in enumerate(texts)]


def page_of_kind(name: str, kind: str) -> Document:
    """The page of an entity with its kind."""
    return Document(f"bank/entities/{name}.md", f"---\nname: {name}\nkind: {kind}\n---\n")


@table(("page", "texts"), SUBJECTS)
def test_what_comes_back_has_an_article(page: str, texts: tuple[str, ...]) -> None:
    """A thing by its name, in three languages."""
    assert [page] == list(drafts(about(*texts)))


@table("texts", [texts for _, texts in NO_SUBJECTS])
def test_who_is_no_thing_has_none(texts: tuple[str, ...]) -> None:
    """People and places have pages of entities; a word that is no name is no subject."""
    assert {} == drafts(about(*texts))


def test_three_items_or_two_days_are_too_few() -> None:
    """Four entries and facts on three days."""
    noted = about_grafana()
    assert {} == drafts(noted[:3])
    assert {} == drafts([decided(text, day // 2) for day, text in enumerate(GRAFANA)])
    spoken = fact("The Grafana server is loud.", "Grafana", day=day_of(6), session_id="s6")
    assert ["grafana"] == list(drafts([*noted[1:3], *about_grafana()[3:], noted[0]][:4], [spoken]))
    assert [] == list(drafts(noted[:2], [spoken]))


def test_what_holds_no_more_makes_none() -> None:
    """One entry that names it has to hold."""
    gone = [decided(text, day, status=Status.SUPERSEDED) for day, text in enumerate(GRAFANA)]
    assert {} == drafts(gone)


@table("fields", [{"trust": Trust.UNVERIFIED}, {"status": Status.ARCHIVED}])
def test_what_is_not_believed_does_not_count(fields: dict[str, object]) -> None:
    """Nor what a person put away."""
    *others, last = GRAFANA
    assert {} == drafts([*about(*others), decided(last, 3, **fields)])


def test_a_fact_of_other_hands_does_not_count() -> None:
    """And one that says what an entry says is one item with it."""
    noted = about_grafana()[:3]
    other = fact("The Grafana server is loud.", "Grafana", day=day_of(6), word=FactWord.UNVERIFIED)
    assert {} == drafts(noted, [other])
    same = fact(GRAFANA[2], "Grafana", day=day_of(2), session_id="s2")
    assert {} == drafts(noted, [same])


def test_a_person_says_what_it_is() -> None:
    """The kind in the front matter of the entity's page counts more than the words around the name."""
    vague = reasoned("Nightjar is late.", "We pause, Nightjar waits.", "So Nightjar ends.", "Then Nightjar begins.")
    assert {} == drafts(vague)
    assert ["nightjar"] == list(drafts(vague, by_people=[page_of_kind("Nightjar", "project")]))
    assert {} == drafts(vague, by_people=[page_of_kind("Nightjar", "person")])
    assert {} == drafts(reasoned(*GRAFANA), by_people=[page_of_kind("Grafana", "person")])


def test_aliases_are_one_subject() -> None:
    """As people have named them."""
    noted = reasoned("We use Postgres.", "PGX needs 4 GB.", "The Postgres port is open.", "PGX moves to the new box.")
    named = Document("bank/entities/Postgres.md", front_of("Postgres", ["PGX"]))
    assert {} == drafts(noted)
    assert ["postgres"] == list(drafts(noted, by_people=[named]))


def test_a_longer_name_of_the_same_has_none_of_its_own() -> None:
    """An article says all that one of the longer name would say."""
    texts = [text.replace("Grafana", "the Grafana Cloud") for text in GRAFANA]
    assert 1 == len(drafts(about(*texts)))


def test_an_entity_page_that_says_as_much_is_enough() -> None:
    """An article has to have a reason, words, or a change besides."""
    plain = about(*GRAFANA)
    loud = fact("The Grafana server is loud.", "Grafana", day=day_of(6), session_id="s6", kind=FactKind.WORLD)
    assert {} == drafts(plain, [loud])
    assert ["grafana"] == list(drafts(about_grafana(), [loud]))
    reason = decided("Grafana stays.", 5, why="the licence is free")
    assert ["grafana"] == list(drafts([*plain, reason], [loud]))
