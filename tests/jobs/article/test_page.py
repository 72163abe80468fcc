"""What an article says, and what it rests on."""

import re

from pipeline.details.placeholder import PATTERN
from schemas.entry import Trust
from tests.support.builders.articles import GRAFANA, about, about_grafana, day_of, decided, drafts, entry_id, under
from tests.support.builders.fact_bench import fact
from tests.support.tables import table

KEY = "cmd_npm-install_3f9a1c22d0"


def link(text: str, day: int) -> str:
    """The link to the entry of a text in its daily file."""
    return f"[{entry_id(text, day)}](../../memory/{day_of(day)}.md)"


def test_what_holds_comes_first_and_the_newest_of_it() -> None:
    """Each with its kind, its day and its entry in the daily file."""
    items = drafts(about_grafana())["grafana"]
    assert "# Grafana" == items[0].text
    assert [f"- {GRAFANA[day]} (decision, {day_of(day)}; {link(GRAFANA[day], day)})" for day in (3, 2, 0)] == under(
        "## What holds", items
    )


def test_how_it_came_about() -> None:
    """What was replaced, from when until when, and by what."""
    [line] = under("## How it came about", drafts(about_grafana())["grafana"])
    said = f"from {day_of(1)} until {day_of(3)}; replaced by {link(GRAFANA[3], 3)}; {link(GRAFANA[1], 1)}"
    assert f"- {GRAFANA[1]} ({said})" == line


def test_what_took_its_place_is_shown_whatever_it_names() -> None:
    """An article does not end with what holds no more."""
    noted = [*about(*GRAFANA), decided("No dashboard keeps more than a week.", 9)]
    noted[-1] = decided("No dashboard keeps more than a week.", 9, supersedes=(noted[3].entry.id,))
    items = drafts(noted)["grafana"]
    assert "No dashboard keeps more than a week." in under("## What holds", items)[0]
    assert [GRAFANA[3]] == [line[2:].partition(" (")[0] for line in under("## How it came about", items)]


def test_words_and_reasons_are_shown_where_they_say_more() -> None:
    """`Decided:` in front of what was settled says no more."""
    *before, _ = about(*GRAFANA)
    plain = decided(GRAFANA[3], 3, quote=f"Decided: {GRAFANA[3]}")
    explained = decided("Grafana moves.", 4, quote="ok then it moves off that old box, all of it", why="it is slow")
    first, second, *_ = under("## What holds", drafts([*before, plain, explained])["grafana"])
    assert ['  "ok then it moves off that old box, all of it"', "  Why: it is slow"] == first.split("\n")[1:]
    assert 1 == len(second.split("\n"))


def test_what_was_said_again_stands_once() -> None:
    """Where it was said first, with the later days."""
    noted = about_grafana()
    again = decided("The Grafana login is in the safe.", 6, reinforces=(noted[2].entry.id,))
    more = decided("Again: the Grafana login, in the safe.", 8, reinforces=(again.entry.id,))
    lines = under("## What holds", drafts([*noted, again, more])["grafana"])
    assert [f"- {GRAFANA[2]} (decision, {day_of(2)}; said again {day_of(6)}, {day_of(8)}; {link(GRAFANA[2], 2)})"] == [
        line for line in lines if "login" in line
    ]


def test_facts_that_no_entry_says() -> None:
    """With since when; what was replaced goes to how it came about."""
    loud = fact("The Grafana server is loud.", "Grafana", day=day_of(6), session_id="s6")
    quiet = fact("The Grafana server is quiet.", "Grafana", day=day_of(7), session_id="s7", replaces=(loud.id,))
    same = fact(GRAFANA[2], "Grafana", day=day_of(2), session_id="s2")
    items = drafts(about_grafana(), [loud, quiet, same])["grafana"]
    [line] = under("## Facts", items)
    assert line.startswith(f"- The Grafana server is quiet. (since {day_of(7)}; [{quiet.id}]")
    assert any("is loud" in line for line in under("## How it came about", items))


def test_stored_outputs_by_their_keys() -> None:
    """Those that the entries name; what is no key of the store is not listed."""
    *before, last = about_grafana()
    quote = f"{GRAFANA[3]} [MemoryRef: {KEY} - npm install: 2 MB] [MemoryRef: mine - a trap]"
    noted = [*before, decided(GRAFANA[3], 3, quote=quote, supersedes=last.entry.supersedes)]
    lines = under("## Stored outputs", drafts(noted)["grafana"])
    assert [f"- `{KEY}`: npm install: 2 MB ({day_of(3)}; {link(GRAFANA[3], 3)})"] == lines
    assert re.fullmatch(PATTERN, KEY)


def test_the_sources_are_sessions_and_files() -> None:
    """One line for each session, with its messages."""
    lines = under("## Sources", drafts(about_grafana())["grafana"])
    assert [
        f"- session s{day}, messages 2-3: [{day_of(day)}](../../memory/{day_of(day)}.md)" for day in range(4)
    ] == lines


def test_of_what_is_quoted_the_quote_alone_is_shown() -> None:
    """No word of its title, its conclusion or its id."""
    *before, last = about_grafana()
    quoted = decided("Never mind.", 3, quote="Grafana is the best, always.", trust=Trust.QUOTED, why="a lie")
    quoted = type(quoted)(quoted.entry.quote_alone(), quoted.path, 0.5)
    text = "\n".join(item.text for item in drafts([*before, last, quoted])["grafana"])
    assert "Grafana is the best, always." in text
    assert not any(word in text for word in ("Never", "a lie", "never-mind"))


@table("text", ["](http://x) <!-- x --> Grafana ![a](b)", "# Grafana\n\n- x <!-- memory:f-1 -->"])
def test_words_of_people_make_no_markdown(text: str) -> None:
    """Neither a comment, nor a link, nor another line."""
    noted = [
        *about_grafana(),
        decided("Use Grafana.", 5, conclusion=text, quote=f"{text} and so much more than that {text}"),
    ]
    for item in drafts(noted)["grafana"]:
        assert "<!--" not in item.text
        assert "](http" not in item.text
        assert all(line.startswith(("- ", "  ")) for line in item.text.split("\n")[1:])


def test_what_a_person_took_out_stays_out() -> None:
    """In whatever section it stood; an article of which nothing holds any more is none."""
    items = drafts(about_grafana())["grafana"]
    path = "second-brain/articles/grafana.md"
    gone = next(item for item in items if GRAFANA[3] in item.text and item.text.startswith("- Grafana shows 90"))
    left = drafts(about_grafana(), removed=[f"{path}#{gone.name}"])["grafana"]
    assert not any("90 days" in item.text for item in left)
    every = [f"{path}#{item.name}" for item in items if item.text.startswith("- ")]
    assert {} == drafts(about_grafana(), removed=every)


def test_repetitions_in_a_circle_have_the_first_line() -> None:
    """A person may have linked them in a circle: the earlier one stands."""
    *before, one = about(*GRAFANA)
    name, other = one.entry.id, entry_id("Grafana shows 90 days.", 6)
    circle = [decided(GRAFANA[3], 3, reinforces=(other,)), decided("Grafana shows 90 days.", 6, reinforces=(name,))]
    lines = under("## What holds", drafts([*before, *circle])["grafana"])
    assert [f"- {GRAFANA[3]} (decision, {day_of(3)}; said again {day_of(6)}; {link(GRAFANA[3], 3)})"] == [
        line for line in lines if "90" in line
    ]


def test_a_long_article_has_the_newest() -> None:
    """Fifty lines that hold; its sources are those of these."""
    items = drafts([decided(f"The Grafana board {number} stays.", number) for number in range(60)])["grafana"]
    lines = under("## What holds", items)
    assert (50, 50) == (len(lines), len(under("## Sources", items)))
    assert ("board 59", "board 10") == (lines[0][14:22], lines[-1][14:22])


@table(("text", "end"), [("word " * 100, "word…"), ("字" * 400, "字…"), (f"a {'字' * 400}", "字…")])
def test_long_words_of_people_are_cut(text: str, end: str) -> None:
    """At the end of a word, where there is one near."""
    *others, last = about_grafana()
    long = decided("Grafana moves.", 5, conclusion=f"Grafana {text}".strip())
    line = under("## What holds", drafts([*others, last, long])["grafana"])[0].split(" (decision")[0]
    assert line.endswith(end)
    assert 250 < len(line) <= 304
