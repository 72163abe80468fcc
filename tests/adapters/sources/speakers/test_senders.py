"""The names of senders in the form that is compared."""

from pipeline.adapters.sources.speakers.headers import names, sender_in_label, sender_name, user_names
from tests.support.tables import table


@table(
    ("given", "compared"),
    [
        ("411", "411"),
        ("telegram:411", "411"),
        ("Telegram:user:411", "411"),
        ("@Tom_B", "tom_b"),
        (" signal:+4811 ", "+4811"),
        ("@tom:matrix.example.org", "tom:matrix.example.org"),
        ("matrix:@tom:matrix.example.org", "tom:matrix.example.org"),
        ("@telegram:411", "telegram:411"),
        ("eve!u@h:6667", "eve!u@h:6667"),
        ("Kelvin", "kelvin"),
    ],
)
def test_only_a_channels_name_is_cut_from_an_id(given: str, compared: str) -> None:
    """What else stands before a colon is the person."""
    assert compared == sender_name(given)


def test_letters_that_look_alike_stay_apart() -> None:
    """Two names do not become one by being made small."""
    assert sender_name("\u212aim") != sender_name("Kim")
    assert sender_name("toma\u017f") != sender_name("tomas")


def test_a_chosen_name_that_looks_like_a_number_is_none() -> None:
    """It could be somebody's id in another channel."""
    assert names(411, None, "", 0, "@tom") == ("411", "tom")
    assert user_names("@tom", "411", "+4811") == ("tom",)


def test_a_label_tells_senders_apart() -> None:
    """By what stands in its brackets, or else by the name."""
    assert [sender_in_label("Ann (555)"), sender_in_label("Ann")] == [("555",), ("name Ann",)]
