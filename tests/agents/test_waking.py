"""What finds room in a wake-up: the identity always, then what it always knows."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.agents.brain import BY_OTHERS, CURRENT, PageLine, Waking, fit_waking, page_lines
from pipeline.language.tokens import count_tokens
from pipeline.markdown.blocks import digest, find_blocks, seal_item

BRAIN = (
    PageLine("# jaskier", "title"),
    PageLine("## User", "section-user"),
    PageLine("- Kuba runs a bakery", "j-1"),
    PageLine("## Current", CURRENT),
    PageLine("- The oven is being repaired", "j-2"),
    PageLine("- The flour comes on Monday", "j-3"),
)
WHOLE = Waking("I am Jaskier.", BRAIN, ("- They talked about the oven.", "- It is open who pays."))


@given(st.integers(1, 120))
def test_a_wake_up_keeps_to_its_budget(budget: int) -> None:
    """Unless the identity alone is more: that is always given."""
    kept, left_out = fit_waking(WHOLE, budget, count_tokens)
    identity = Waking(WHOLE.identity)
    assert WHOLE.identity == kept.identity
    assert count_tokens(kept.text) <= max(budget, count_tokens(identity.text))
    assert bool(left_out) == (kept != WHOLE)


def test_what_is_worked_on_now_goes_first() -> None:
    """Then the context from its end; of the brain the last line goes last, with no heading over nothing."""
    steps = [fit_waking(WHOLE, budget, count_tokens)[0].text for budget in range(count_tokens(WHOLE.text), 0, -1)]
    gone = {words: next(place for place, text in enumerate(steps) if words not in text)
            for words in ("flour", "The oven", "who pays", "talked about", "bakery")}  # fmt: skip
    assert sorted(gone, key=lambda words: gone[words]) == list(gone)
    assert "## Current" not in steps[gone["The oven"]]
    assert "I am Jaskier." == steps[-1]


def test_lines_of_other_hands_are_marked() -> None:
    """Also one with a mark that fits, when we did not write it; comments are not shown."""
    ours, forged = seal_item("j-11111111", "- ours"), seal_item("j-22222222", "- forged")
    data = f"# jaskier\n\n{ours}{forged}- by hand <!-- a comment -->\n<!-- open\nhidden".encode()
    known = {(block.name, block.digest) for block in find_blocks(data) if block.name == "j-11111111"}
    texts = [line.text for line in page_lines(data, known)]
    assert ["# jaskier", "- ours", f"- forged ({BY_OTHERS})", f"- by hand ({BY_OTHERS})"] == texts
    assert digest("- ours") in {item for _, item in known}
