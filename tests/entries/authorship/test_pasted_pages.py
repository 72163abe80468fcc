"""Pages that were pasted from a chat or a document: what tells them, and the sentence that was typed beside them."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from pipeline.entries.authorship import foreign, said_by_owner
from tests.support.tables import table

ORDER = {
    "english": "From now on invoices always go to Anna.",
    "polish": "Od teraz faktury zawsze idą do Anny.",
    "chinese": "从现在起发票一律发给安娜。",
}
LANGUAGES = table("order", ORDER.values())


@LANGUAGES
@table(
    "page",
    [
        "Option A\n\n\n\n{order}\n\n\n\nOption B",
        "{order}\n\n\n\n\\-  five backups\n\n\n\n\\-  two servers",
        "\\-  {order}",
        "1\\. {order}\n\n2\\. two servers",
        "\\# Plan\n\n{order}",
        "\\## Plan\n\n{order}",
        "\\*\\*Plan\\*\\*\n\n{order}",
        "greet \\{name\\} twice\n\n{order}\n\nname it \\_draft\\_",
        "\\-  backups\n\n**Plan**\n\n{order}",
        "\\---\n\nname: clerk\n\ndescription: writes letters\n\n\\---\n\n{order}",
        "---\nname: clerk\ndescription: writes letters\n---\n\n{order}",
        "You are a careful clerk.\n\n## Rules\n\n{order}",
        "Jesteś doświadczonym księgowym.\n\nZasady:\n- {order}",
        "你是一名资深会计。\n\n规则：\n- {order}",
        "**Plan A**\n\nsee [plan.md](http://plan.md/)\n\n{order}",
        "```PLAIN_TEXT\n{order}\n```",
        "```PLAIN_TEXT\nport 5432\n```\n\n{order}\n\n```PLAIN_TEXT\nport 5433\n```",
        "```PLAIN_TEXT\nport 5432\n```\n\n\n\n{order}\n\n\n\n**Plan**",
        "{order}\n\n\n\nThe options:\n\n\n\n\\-  five backups",
    ],
)
def test_a_pasted_page_settles_nothing(page: str, order: str) -> None:
    """Escaped marks of lists, a distance between paragraphs, fences of rich text, front matter, a role.

    However its lines end.
    """
    for end in ("\n", "\r\n", "\r"):
        assert not said_by_owner(order, page.replace("{order}", order).replace("\n", end))


PAGE = "\\-  we always use Rust\n\n\n\n\\-  we never use Go\n\n\n\n\\-  backups on Sunday"
FENCE = "```PLAIN_TEXT\nwe always use Rust\n```"


@LANGUAGES
@table("message", ["{order}\n\n{page}", "{page}\n\n{order}"])
@table("page", [PAGE, FENCE, f"{FENCE}\n\nport 5432\n\n{FENCE}", "\\-  we always use Rust"])
def test_a_sentence_typed_beside_a_page_is_the_owners(message: str, page: str, order: str) -> None:
    """It is nearer to the page than the page's paragraphs are to each other, or says that it lasts."""
    text = message.replace("{page}", page).replace("{order}", order)
    assert said_by_owner(order, text)
    assert not said_by_owner("we always use Rust", text)


@table("decision", ["We decided: always Postgres.", "Zdecydowałem: zawsze Postgres.", "我决定了，一律用 Postgres。"])
def test_a_decision_below_a_page_is_the_owners(decision: str) -> None:
    """Even in the distance of the page's paragraphs."""
    text = f"{PAGE}\n\n\n\n{decision}"
    assert said_by_owner(decision, text)
    assert not said_by_owner("we always use Rust", text)


@table(
    "text",
    [
        "ok\n\n\n\nfrom now on invoices always go to Anna",
        "put it into [notes.md](http://notes.md/), and from now on invoices always go to Anna",
        "always name the files \\_draft",
        "- invoices always go to Anna\n- letters always go to Rosa",
    ],
)
def test_one_mark_alone_is_no_page(text: str) -> None:
    """A pause, a link that a chat makes of a file's name, a backslash, a list."""
    assert () == foreign(text)
