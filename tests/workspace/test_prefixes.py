"""The beginning of a name in place of the name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import SeveralNames, UnknownEntry
from pipeline.workspace.layout import short_names, whole_name

NAMES = st.text(st.sampled_from("ab-"), min_size=1, max_size=4)


@given(st.sets(NAMES), st.text(st.sampled_from("ab-"), max_size=4))
def test_a_name_is_itself_or_the_only_one_that_begins_so(known: set[str], typed: str) -> None:
    """Nothing names nothing, and of several none is chosen."""
    titles = dict.fromkeys(known, "t")
    begins = {name for name in known if typed and name.startswith(typed)}
    if typed in known:
        assert typed == whole_name(typed, titles, UnknownEntry)
    elif len(begins) == 1:
        assert begins == {whole_name(typed, titles, UnknownEntry)}
    else:
        with pytest.raises(SeveralNames if begins else UnknownEntry):
            whole_name(typed, titles, UnknownEntry)


def test_what_begins_so_is_listed_with_titles() -> None:
    """Ten of them, and that there are others."""
    titles = {f"RULE-{number:02}": f"Title {number}" for number in range(11)}
    with pytest.raises(SeveralNames) as caught:
        whole_name("RULE", titles, UnknownEntry)
    lines = str(caught.value).splitlines()
    assert ["More than one entry begins with 'RULE'; name one of them:", "  RULE-00  Title 0"] == lines[:2]
    assert (12, "  and others") == (len(lines), lines[-1])


def test_nothing_is_offered_where_there_is_nothing() -> None:
    """The sentence says where to look instead, also behind names that are offered."""
    lists = r"`memory show entries` lists the entries\.$"
    with pytest.raises(UnknownEntry, match=rf"^There is no entry 'x'\. {lists}"):
        whole_name("x", {}, UnknownEntry)
    with pytest.raises(UnknownEntry, match=rf"^There is no entry 'x'\. Did you mean one of these: a, b\. {lists}"):
        whole_name("x", {}, UnknownEntry, ["a", "b"])


def test_short_names_mean_one_thing() -> None:
    """Each is the beginning of its name alone, unless that is another name's beginning itself."""
    assert {"abcd-1": "abcd-1", "abcd-10": "abcd-10", "b": "b", "xyz": "xy"} == short_names(
        ["xyz", "abcd-1", "abcd-10", "b"], 2
    )
    assert {} == short_names([], 2)
