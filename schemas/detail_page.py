"""A page of a detail: what is asked for, and what is given."""

from pydantic import Field

from schemas.base import Value

PAGE_TOKENS = 2_000
"""Tokens of a page, about: those of a text in another language or script may be a few more."""


class PageRequest(Value):
    """The part of a text that is wanted: some `lines` (`100-180`, `7`, `500-`), those with a `query`, or a page.

    With both, the query is looked for in these lines alone. `page` is the page of what they give. All are counted from
    1.
    """

    lines: str = ""
    query: str = ""
    page: int = Field(default=1, ge=1)
    tokens: int = Field(default=PAGE_TOKENS, ge=100, le=50_000)


class DetailPage(Value):
    """Lines of a detail. `content` are the exact bytes; `text` shows them, with numbers where a query chose them.

    `matches` is how many lines, or parts of long lines, have the words of the query. `pages` is 0 where nobody has
    counted them. `more` says how to go on; empty at the end. `go_on` is the request that does.
    """

    key: str
    text: str
    first_line: int
    last_line: int
    lines: int
    page: int
    pages: int
    matches: int | None = None
    more: str = ""
    content: bytes = Field(default=b"", exclude=True, repr=False)
    go_on: PageRequest | None = Field(default=None, exclude=True, repr=False)

    @property
    def heading(self) -> str:
        """One line about what is shown."""
        if self.matches == 0:
            looked_at = f"lines {self.first_line}-{self.last_line} of {self.lines}"
            return f"no match in {looked_at if self.first_line else f'its {self.lines} lines'}"
        paged = f", page {self.page} of {self.pages}" if self.pages > 1 else ""
        what = f"lines {self.first_line}-{self.last_line} of {self.lines}{paged}"
        return what if self.matches is None else f"{self.matches} match{'es' if self.matches > 1 else ''}, {what}"

    @property
    def shown(self) -> str:
        """The page as an agent reads it: heading, text, and how to go on."""
        return "\n".join(filter(None, (f"{self.key}: {self.heading}", self.text.rstrip("\n"), self.more)))
