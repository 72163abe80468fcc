"""A summary of summaries as a page."""

from dataclasses import dataclass
from itertools import zip_longest

from jobs.session_summary.pages import NAME, WORDS, front_matter, list_lines, paragraphs, title, units
from pipeline.drafts import ItemDraft
from pipeline.job import Document, Run
from pipeline.markdown.blocks import FRONT_MATTER
from pipeline.markdown.front_matter import front_fields
from pipeline.markdown.item_names import text_name

_MOST = 3  # paragraphs


@dataclass(frozen=True)
class FirstLayer:
    """A summary of sessions by its page: its paragraphs, and its decisions as they stand there."""

    name: str
    start: str
    end: str
    text: tuple[str, ...]
    decisions: tuple[ItemDraft, ...]


def page(run: Run) -> list[ItemDraft]:
    """The items of the page; none when no member can be read any more."""
    read = filter(None, (_member(run, document) for document in run.inputs.documents))
    members = sorted(read, key=lambda member: member.start)
    if not members:
        return []
    words = WORDS[run.agent.settings.language]
    texts = ["\n".join([f"{member.start[:10]} - {member.end[:10]}", *member.text]) for member in members]
    sources = {source.partition(":")[0] for source in run.agent.settings.sources} or run.models.sources_of("")
    lines = paragraphs(run, texts, lambda: [units(text) for member in members for text in member.text], _MOST, sources)
    # The first decision of every member, then the second ones, and so on.
    ranks = zip_longest(*(member.decisions for member in members))
    decisions = list({item.name: item for rank in ranks for item in rank if item}.values())
    return [
        ItemDraft(
            FRONT_MATTER,
            front_matter(
                run,
                {"l1_summaries": [member.name for member in members]},
                (members[0].start, members[-1].end),
                members[-1].end[:10],
                lines,
            ),
        ),
        ItemDraft("title", title(members[0].start[:10], members[-1].end[:10])),
        *(ItemDraft(text_name("paragraph", line), line) for line in dict.fromkeys(lines)),
        *list_lines(decisions, words.decisions, words.more),
        ItemDraft("summaries", f"## {words.summaries}"),
        *(
            ItemDraft(f"link-{name.lower().replace('_', '-')}", f"- [{name}](../L1/{name}.md)")
            for name in (member.name for member in members)
        ),
    ]


def _member(run: Run, document: Document) -> FirstLayer | None:
    fields = front_fields(document.text.encode())
    items = [item for item in run.inputs.items if item.path == document.path]
    text = tuple(item.text.strip() for item in items if item.name.startswith("paragraph-"))
    if not fields.keys() >= {"start", "end"} or not text:
        return None
    decisions = tuple(ItemDraft(item.name, item.text) for item in items if item.name.startswith(NAME))
    name = document.path.rpartition("/")[2].removesuffix(".md")
    return FirstLayer(name, fields["start"], fields["end"], text, decisions)
