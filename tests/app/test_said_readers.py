"""Who may be shown what was said."""

from pipeline.app.said_readers import SaidReader, access_of
from pipeline.index.said.request import ALL, NOTHING, SaidAccess
from schemas.agent_settings import AgentsSettings
from schemas.index_settings import SearchSettings
from schemas.settings import Settings, SourceSettings
from tests.support.tables import table

SHOP, BLOG = "~/code/shop", "~/code/blog"
OWNED = ("openclaw:coder", "openclaw:writer")
SETTINGS = Settings(
    sources=(
        SourceSettings(kind="openclaw", path="a"),
        SourceSettings(kind="claude_code", path="b"),
        SourceSettings(kind="codex", path="c"),
    ),
    agents=AgentsSettings.model_validate(
        {
            "coder": {"sources": ["openclaw:coder"]},
            "writer": {"sources": ["openclaw:writer"], "may_read_said": ["coder"]},
        }
    ),
)


@table(
    ("reader", "access"),
    [
        (SaidReader(None), ALL),
        (SaidReader("coder", project=SHOP), SaidAccess(("openclaw:coder",), ("openclaw:writer",), (SHOP,))),
        (SaidReader("writer", project=SHOP), SaidAccess(("openclaw:writer", "openclaw:coder"), (), (SHOP,))),
        (
            SaidReader("", "claude_code", SHOP),
            SaidAccess(("claude_code",), OWNED, (SHOP,)),
        ),
        (SaidReader("", "openclaw", SHOP), SaidAccess(("openclaw",), OWNED, (SHOP,))),
        (SaidReader("coder"), NOTHING),
        (SaidReader("", "claude_code"), NOTHING),
        (SaidReader("", project=SHOP), NOTHING),
        (SaidReader("stranger", "claude_code", SHOP), NOTHING),
    ],
)
def test_an_agent_is_shown_its_own_in_its_project(reader: SaidReader, access: SaidAccess) -> None:
    """A person is shown all; where the agent or its project is not known, nothing is shown."""
    assert access == access_of(SETTINGS, reader)


@table(
    ("named", "access"),
    [
        ("*", ALL),
        ("codex", SaidAccess(("claude_code", "codex"), OWNED, (SHOP,))),
        (BLOG, SaidAccess(("claude_code",), OWNED, (SHOP, BLOG))),
    ],
)
def test_the_settings_name_others(named: str, access: SaidAccess) -> None:
    """Other agents, other projects, or all."""
    settings = SETTINGS.model_copy(update={"search": SearchSettings(may_read_said=(named,))})
    assert access == access_of(settings, SaidReader("", "claude_code", SHOP))
