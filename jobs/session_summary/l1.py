"""A summary of sessions as a page."""

from collections.abc import Sequence

from jobs.session_summary.pages import (
    WORDS,
    ArchivedSession,
    SummaryWords,
    archived_sessions,
    decided_lines,
    front_matter,
    lines,
    list_lines,
    paragraphs,
    title,
)
from pipeline.drafts import ItemDraft
from pipeline.job import Run
from pipeline.markdown.blocks import FRONT_MATTER
from pipeline.markdown.item_names import text_name

_MOST = 5  # paragraphs


def page(run: Run) -> list[ItemDraft]:
    """The items of the page; none when no member can be read any more."""
    members = archived_sessions(run)
    if not members:
        return []
    words = WORDS[run.agent.settings.language]
    sources = frozenset().union(*(run.models.sources_of(member.session.session_id) for member in members))
    texts = paragraphs(
        run, list(map(_text, members)), lambda: [_with_date(member, words) for member in members], _MOST, sources
    )
    return [
        ItemDraft(
            FRONT_MATTER,
            front_matter(
                run,
                {"sessions": [member.name for member in members]},
                (members[0].window.start.isoformat(), members[-1].window.end.isoformat()),
                members[-1].day,
                texts,
            ),
        ),
        ItemDraft("title", title(members[0].day, members[-1].day)),
        *(ItemDraft(text_name("paragraph", line), line) for line in dict.fromkeys(texts)),
        *list_lines(decided_lines(run, members), words.decisions, words.more),
        ItemDraft("sessions", f"## {words.sessions}"),
        *(
            ItemDraft(
                f"link-{member.name.replace('_', '-')}",
                f"- [{member.day}, {words.session} {member.number}](../../sessions/{member.name}.md)",
            )
            for member in members
        ),
    ]


def _text(member: ArchivedSession) -> str:
    return "\n".join([member.day, *(f"{message.origin}: {message.text}" for message in member.session.messages)])


def _with_date(member: ArchivedSession, words: SummaryWords) -> Sequence[str]:
    first, *more = lines(member, words) or [""]
    return [f"{member.day}: {first}", *more] if first else []
