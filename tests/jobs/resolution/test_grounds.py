"""What a link rests on, in words for people."""

from jobs.resolution.judging import code_grounds, model_grounds
from jobs.resolution.relation import Relation
from schemas.links import LinkedRows, LinkVerdict
from tests.support.builders.linked_entries import said_on
from tests.support.tables import table


@table(
    ("later", "earlier", "kind", "expected"),
    [
        (
            "loki keeps logs for 14 days",
            "loki keeps logs for 30 days",
            Relation.REPLACES,
            "the same subject (loki, logs) with another value: 30, now 14",
        ),
        (
            "we switch the kiosk to postgres, says the vendor",
            "the kiosk runs on sqlite",
            Relation.REPLACES,
            'the owner says that it changes: "we switch the kiosk to postgres"',
        ),
        ("no mail to Anna", "no mail to Anna", Relation.REPEATS, "the same words, and nothing that changes it"),
    ],
)
def test_code_names_the_subject_and_the_slot_or_the_owners_words(
    later: str, earlier: str, kind: Relation, expected: str
) -> None:
    """As they stand in the later entry."""
    assert expected == code_grounds(said_on(1, later), said_on(0, earlier), kind)


def test_a_models_reason_stands_on_one_line_and_is_short() -> None:
    """Whatever it says; without a reason the verdict stands alone."""
    judged = LinkedRows(later="n1", earlier="k1", verdict=LinkVerdict.SAME, reason="a\n b " + "long " * 70)
    grounds = model_grounds("m", judged)

    assert grounds.startswith("the model m judged `same`: a b long")
    assert ("\n" in grounds, len(grounds) < 300) == (False, True)
    assert model_grounds("m", judged.model_copy(update={"reason": ""})) == "the model m judged `same`"
