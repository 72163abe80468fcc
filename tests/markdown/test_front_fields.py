"""The fields of a page's front matter, which anybody can write into a file."""

from pipeline.markdown.blocks import FRONT_MATTER, seal_item
from pipeline.markdown.front_matter import front_fields
from tests.support.tables import table


@table(
    ("value", "fields"),
    [('"2026-03-01"', {"day": "2026-03-01"}), ("[1, 2]", {"day": [1, 2]}), ("no JSON", {}), ("[" * 200_000, {})],
)
def test_a_value_that_is_no_json_gives_no_field(value: str, fields: dict[str, object]) -> None:
    """The page is then one without fields."""
    page = seal_item(FRONT_MATTER, f"day: {value}").encode() + b"# Page\n"
    assert fields == front_fields(page)
