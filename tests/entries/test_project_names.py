"""The names of projects as people say them."""

from pipeline.entries.project_names import endings, goes_by, is_folder, short_names
from tests.support.tables import table


@table(
    ("project", "expected"),
    [
        ("~/code/shop", ("~/code/shop", "code/shop", "shop")),
        ("~/shop", ("~/shop", "shop")),
        ("/srv/shop", ("/srv/shop", "srv/shop", "shop")),
        ("D:/code/shop", ("D:/code/shop", "code/shop", "shop")),
        ("shop", ("shop",)),
        ("", ()),
    ],
)
def test_a_project_goes_by_the_ends_of_its_name(project: str, expected: tuple[str, ...]) -> None:
    """The whole name comes first."""
    assert expected == endings(project)
    assert all(goes_by(project, name) for name in (*expected, ""))


@table("name", ["op", "code", "~", "~/code", "Shop", "other/shop", "../shop", ".", "*"])
def test_no_other_name_fits(name: str) -> None:
    """No part of a folder's name does, and no pattern."""
    assert not goes_by("~/code/shop", name)


def test_a_short_name_tells_a_project_from_the_others() -> None:
    """Where a name is the end of another one, the whole name is shown."""
    assert {
        "~/code/shop": "code/shop",
        "~/lake/shop": "lake/shop",
        "~/blog": "blog",
        "lab": "lab",
        "~/x/lab": "x/lab",
    } == short_names(["~/code/shop", "~/lake/shop", "~/blog", "lab", "~/x/lab"])


@table(
    ("given", "expected"), [("/srv/shop", True), (r"C:\shop", True), ("d:/shop", True), ("~/shop", False), ("a", False)]
)
def test_a_folder_begins_at_the_root(given: str, expected: bool) -> None:  # noqa: FBT001 - a row of the table
    """A name begins elsewhere."""
    assert expected is is_folder(given)
