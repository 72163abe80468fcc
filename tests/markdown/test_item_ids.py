"""The ids of list items."""

from pipeline.markdown.item_names import item_id


def test_an_id_is_made_of_the_identity() -> None:
    """Eight digits behind the letter; twelve where another item has these, and they begin with the eight."""
    first = item_id("f", "a", ())
    assert (first, len("f-") + 8) == (item_id("f", "a", {"f-other"}), len(first))
    longer = item_id("f", "a", {first})
    assert (True, len("f-") + 12) == (longer.startswith(first), len(longer))
    assert first.removeprefix("f") == item_id("j", "a", ()).removeprefix("j")
