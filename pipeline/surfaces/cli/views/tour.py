"""The whole tour of `memory demo --all`: written entries, their sources, the words left out, a search, and facts."""

import json
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import click

import pipeline.demo
from pipeline.app.agents import change_request, request_change
from pipeline.app.details.keep import KeepRequest, KeptText
from pipeline.app.details.opened import opened_details
from pipeline.app.index import open_index
from pipeline.app.new_workspace import make_workspace
from pipeline.app.opening import opened_copy
from pipeline.app.reminders import Prompt, ReminderSearch, shown_text
from pipeline.app.said_index import update_said_index
from pipeline.corrections.decide import accept
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.index.said.search import search_said
from pipeline.index.search.fresh_search import Answering
from pipeline.markdown.blocks import find_blocks, without_marks
from pipeline.process.context import ProcessContext
from pipeline.reports.agents import AgentFolder
from pipeline.reports.entities import show_entity
from pipeline.reports.entries import explain, list_entries
from pipeline.reports.facts import fact_book
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.surfaces.cli.commands.explain import show_story
from pipeline.surfaces.cli.terminal.format import count, head, printable
from pipeline.surfaces.cli.views.entities import print_fact
from schemas.detail import Detail, DetailPage, DetailScope, PageRequest, Placement
from schemas.entry import Status
from schemas.fact import FactKind
from schemas.memory_change import ChangeWord, Operation
from schemas.requests import SearchRequest
from schemas.suggestion import ProposedChange
from schemas.transcript import Session

AGENT = "main"
_ASKED, _CORRECTED = "The owner likes short answers", "The owner likes answers of one sentence"


def show_agent(engine: Engine) -> None:
    """Show the agent `main`, and what it may do."""
    folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, AGENT)
    head("What an agent knows when it wakes up")
    for part in folder.wake().parts:
        click.echo(f"{printable(part.name)}, {part.tokens} tokens:")
        for text in part.text.splitlines():
            click.echo(f"  {printable(text)}")
    with opened_copy(engine.workspace.root, ProcessContext({})) as copy:
        _show_changes(copy, AgentFolder(copy.settings.agents, copy.workspace, copy.ledger, AGENT))


def _show_changes(engine: Engine, folder: AgentFolder) -> None:
    head("What it may change, and who decides (tried in a copy)")
    asked = change_request(engine.settings, Operation.PREFERENCE, _ASKED, asked_by=AGENT, over="mcp")
    click.echo(f'It asks for "{_ASKED}". {request_change(engine, AGENT, asked).message}')
    line = folder.standings().saying(_ASKED)
    if line is None:  # somebody has declined it in this workspace
        return
    other = change_request(engine.settings, Operation.UPDATE, _CORRECTED, line=line.id, asked_by=AGENT, over="mcp")
    click.echo(f'It asks for "{_CORRECTED}" in its place. {request_change(engine, AGENT, other).message}')
    about = [(suggestion, suggestion.about) for suggestion in waiting(engine)]
    accept(
        engine,
        [suggestion for suggestion, change in about if isinstance(change, ProposedChange) and change.agent == AGENT],
    )
    newer = folder.standings().saying(_CORRECTED)
    click.echo("You accept that, at your terminal: " + (f"it stands, {newer.word.value}." if newer else "it waits."))
    if newer:
        gone = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal"}
        forget = change_request(engine.settings, Operation.DELETE, "", line=newer.id).model_copy(update=gone)
        request_change(engine, AGENT, forget)
        click.echo("You have it forgotten: it is gone, and its journal says who decided what.")


_COMMAND, _WANTED = "npm install", "ERESOLVE"
_DETAIL_LINES = 600
_SHOWN, _TOKENS = 8, 100


def show_stored(engine: Engine) -> None:
    """Store the output of a command that failed, and look into it."""
    head("What stays outside of the context")
    with opened_details(engine.workspace.root, ProcessContext({})) as details:
        # For all sessions: it does not expire, so a second tour changes nothing.
        place = Placement(scope=DetailScope.GLOBAL)
        kept = details.keep(KeepRequest(_output(), command=_COMMAND, exit_code=1, placement=place))
        if kept.detail:
            page = details.retrieve(kept.detail.key, PageRequest(query=_WANTED, tokens=_TOKENS))
            _show_detail(kept, kept.detail, page)


def _show_detail(kept: KeptText, detail: Detail, page: DetailPage) -> None:
    click.echo(
        f"`memory exec -- {_COMMAND}` prints {detail.lines} lines, {detail.tokens} tokens. The agent gets this:\n"
    )
    for line in kept.placeholder.splitlines()[:_SHOWN]:
        click.echo(f"  {printable(line)}")
    click.echo(f"\n  memory store show {detail.key} --query {_WANTED}\n")
    for line in page.text.splitlines()[:_SHOWN]:
        click.echo(f"  {printable(line)}")


def _output() -> str:
    lines = [f"npm http fetch GET 200 https://registry.example/package-{number} 4ms" for number in range(_DETAIL_LINES)]
    lines[_DETAIL_LINES // 2] = "npm error code ERESOLVE: could not resolve the peer react@18 of booking-calendar@4.2.0"
    return "\n".join(lines) + "\n"


def show_facts(engine: Engine) -> None:
    """Show what was said of somebody, and a belief before and after; nothing where nothing was replaced."""
    book = fact_book(engine)
    replaced = [standing for standing in book.standings.all if standing.replaced_by]
    named = (standing for standing in replaced if standing.fact.kind is FactKind.WORLD and standing.fact.entities)
    if moved := next(named, None):
        head("What is known of a person, and what is no more")
        shown = show_entity(engine, moved.fact.entities[0])
        click.echo(f"{shown.entity.path}:\n")
        for line in filter(str.strip, without_marks(shown.page).splitlines()):
            click.echo(f"  {printable(line)}")
    if belief := next((standing for standing in replaced if standing.fact.kind is FactKind.OPINION), None):
        head("A belief that was revised")
        click.echo(
            f'On {belief.until} the owner said "{printable(belief.replaced_by.quote if belief.replaced_by else "")}".'
        )
        click.echo(f"  memory show story {belief.fact.id}\n")
        print_fact(book.report(belief))


EXAMPLES = 3
_MANY_RUNS = 10_000
_REASONS = {
    "tool_output": "a tool printed it; nobody said it",
    "hypothetical": "it is only an if",
    "joke": "a joke",
    "third_party": "somebody else's decision, told in passing",
    "declined": "it was turned down",
    "one_off": "an errand of the day",
    "retracted": "it was taken back",
    "web_page": "it stood on a web page",
    "recalled_memory": "it came out of memory, so it is nothing new",
    "question": "a question",
}
"""The reasons for leaving words out, the most telling first. Secrets and machines' turns are left out too, but not
shown."""
QUESTIONS = (
    ("how much deposit do we ask for now?", "it was changed since, and what holds is found"),
    ("kiedy jest przegląd komina?", "in Polish; the answer has another form, typed without accents"),
    ("美姨的东西要寄到哪里", "in simplified Chinese; the answer is in traditional"),
)
"""Questions that the sample sessions answer, each with what is not plain about it."""
SPOKEN = "why does the availability api return phone numbers?"
"""A question that only the talk answers: nothing of it was settled."""
NOTED = ("how is the public api started?", "# booking\n\n- Start the public API with `make api`, after the database.\n")
"""A question that only the notes of an agent answer, and the notes."""
PROMPT = "write to the guests of cabin 2 that the septic truck comes on tuesday"

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
"""Words alone: the tour is the same everywhere, and does not wait for vectors."""

_LINES = 12
_WRAP_UPS = "second-brain/summaries/*-wrapup.md"
_PLANS = "memory/archive/weekly-*.md"
PAGE = "MEMORY.md"


def show_tour(engine: Engine) -> None:
    """Show what is in the demo's workspace."""
    places = list_entries(engine)
    _show_counts(engine, places)
    if places:
        _show_block(engine, next((place for place in places if place.entry.supersedes), places[0]))
    _show_left_out(engine, places)
    _show_days_and_weeks(engine, places)
    if AGENT in engine.settings.agents.by_name:  # not in a workspace of an earlier version
        show_agent(engine)
    _show_search(engine)
    _show_talk(engine)
    _show_notes()
    show_stored(engine)
    show_facts(engine)
    _show_next(engine, places)


def _show_counts(engine: Engine, places: list[PlacedEntry]) -> None:
    head("What was written")
    kinds = ", ".join(f"{number} {kind}" for kind, number in Counter(place.entry.kind for place in places).items())
    sessions = len({record.session for record in engine.catalog.listing()})
    click.echo(f"{count(len(places), 'entry', 'entries')} from {count(sessions, 'session')} ({kinds}), in:")
    for path, number in Counter(place.path for place in places).items():
        click.echo(f"  {engine.workspace.root / path}  {number}")


def _show_block(engine: Engine, place: PlacedEntry) -> None:
    click.echo(f"\nOne of them, as it stands in {place.path}:\n")
    block = next(block for block in find_blocks(engine.workspace.read(place.path) or b"") if block.line == place.line)
    click.echo((engine.workspace.read(place.path) or b"")[block.start : block.end].decode().rstrip())
    head("From which words")
    show_story(engine, explain(engine, place.entry.id))


def _show_left_out(engine: Engine, places: list[PlacedEntry]) -> None:
    head("What was left out, and why")
    outcomes = [record.outcome for record in engine.ledger.runs.latest(limit=_MANY_RUNS) if record.outcome]
    rejected = Counter(rejection.reason for outcome in outcomes for rejection in outcome.rejected)
    skipped = Counter[str]()
    for outcome in outcomes:
        skipped.update(outcome.skipped)
    ids = dict.fromkeys(record.session for record in engine.catalog.listing() if record.session)
    click.echo(_count_messages([session for name in ids if (session := engine.catalog.session(name))]))
    click.echo(f"Candidates that a check rejected: {_list_counts(rejected)}")
    click.echo(f"Seen again, and not written twice: {_list_counts(skipped)}")
    for quote, reason in left_out(places):
        click.echo(f"  not written: {json.dumps(quote, ensure_ascii=False)} ({_REASONS[reason]})")


def _count_messages(sessions: list[Session]) -> str:
    """The number of messages that were read, and of those that no person or assistant wrote."""
    spoken = sum(len(session.conversation) for session in sessions)
    other = Counter(
        message.origin for session in sessions for message in session.messages if not message.conversational
    )
    machines = sum(session.machine for session in sessions)
    return (
        f"{count(spoken, 'message')} of people and assistants were read; most say nothing that should last.\n"
        f"Nothing is taken from what nobody said: {_list_counts(Counter({key.value: n for key, n in other.items()}))}; "
        f"nor from {count(machines, 'session')} without a person."
    )


def left_out(places: list[PlacedEntry]) -> list[tuple[str, str]]:
    """Sample words that stand in no entry, each with why, of different sorts and sessions."""
    expected = json.loads(files(pipeline.demo).joinpath("expected.json").read_text(encoding="utf-8"))
    examples: dict[str, tuple[str, str]] = {}
    for session_id, session in expected["sessions"].items():
        for message in session["leave_out"]:
            new = message["reason"] not in {reason for _, reason in examples.values()}
            if (
                message["reason"] in _REASONS
                and new
                and session_id not in examples
                and _is_absent(message["quote"], places)
            ):
                examples[session_id] = (message["quote"], message["reason"])
    ranked = sorted(examples.values(), key=lambda example: list(_REASONS).index(example[1]))
    return ranked[:EXAMPLES]


def _is_absent(quote: str, places: list[PlacedEntry]) -> bool:
    words = " ".join(quote.split())
    return not any(words in text or text in words for place in places if (text := " ".join(place.entry.quote.split())))


def _list_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.most_common()) or "none"


def _show_days_and_weeks(engine: Engine, places: list[PlacedEntry]) -> None:
    """Show the longest wrap-up, the page for agents, and the story of a decision that does not hold any more."""
    days = {path: list(page_lines(engine, path)) for path in engine.workspace.select(_WRAP_UPS)}
    if days:
        longest = max(days, key=lambda path: len(days[path]))
        head("What every night makes of the day")
        click.echo(f"{count(len(days), 'wrap-up')}. The fullest, {longest}, says among other things:\n")
        _print_lines([line for line in days[longest] if line.startswith(("## ", "- "))])
    page = list(page_lines(engine, PAGE))
    if page:
        head("What every week makes of the weeks")
        plans = count(len(engine.workspace.select(_PLANS)), "plan")
        click.echo(
            f"{plans} in memory/archive/, with a reason for every verdict; and {PAGE}, for agents to read first:\n"
        )
        _print_lines([line for line in page if line.strip()])
    gone = next((place for place in places if place.status is Status.SUPERSEDED), None)
    if gone and page:
        head("A decision that came and went")
        show_story(engine, explain(engine, gone.entry.id))


def page_lines(engine: Engine, path: str) -> Iterator[str]:
    """A page as it looks when it is rendered: without our marks."""
    text = (engine.workspace.read(path) or b"").decode(errors="replace")
    yield from without_marks(text).splitlines()


def _print_lines(lines: list[str]) -> None:
    for line in lines[:_LINES]:
        click.echo(f"  {line}")
    if len(lines) > _LINES:
        click.echo(f"  ... and {count(len(lines) - _LINES, 'line')} more")


def _show_search(engine: Engine) -> None:
    """Ask the questions, and show where each first hit stands."""
    head("What is found, and where it stands")
    with open_index(engine.workspace.root, ProcessContext(WORDS_ALONE)) as opened:
        answering = Answering(opened.indexing, opened.searching)
        for text, meaning in QUESTIONS:
            click.echo(f'  memory search "{text}"  ({meaning})')
            for hit in answering(SearchRequest(query=text, k=1)).hits:
                click.echo(f"    {hit.path}#L{hit.start_line}-L{hit.end_line}  {hit.date}, {hit.kind}, {hit.status}")
                click.echo(f"    {printable(hit.snippet)}\n")


def _show_talk(engine: Engine) -> None:
    """Ask what was said, and show what an agent would get beside a prompt."""
    head("What was said, though nothing of it was written")
    with open_index(engine.workspace.root, ProcessContext(WORDS_ALONE)) as opened:
        update_said_index(opened)
        click.echo(f'  memory search "{SPOKEN}" --tier said')
        for hit in search_said(opened.said.searching, SearchRequest(query=SPOKEN, k=1)).hits:
            click.echo(f"    {hit.at}  {hit.time:%Y-%m-%d %H:%M}, {hit.project}")
            for line in hit.text.splitlines():
                click.echo(f"    {printable(line)}")
        reminders = ReminderSearch(opened.searching, opened.said.searching).reminders(Prompt(PROMPT, ""), bool)
    text, _ = shown_text(reminders)
    if text:
        head("What an agent gets beside a prompt that it answers")
        click.echo(f'  "{PROMPT}"\n')
        for line in text.splitlines():
            click.echo(f"    {printable(line)}")


def _show_notes() -> None:
    """Ask about a file of notes of an agent, beside a workspace made for that: no file of the demo is one."""
    question, notes = NOTED
    with TemporaryDirectory() as folder:
        root = Path(folder, "workspace")
        make_workspace(root, '[[sources]]\nkind = "notes"\npath = "../booking.md"\n')
        Path(folder, "booking.md").write_text(notes, encoding="utf-8")
        with open_index(root, ProcessContext(WORDS_ALONE)) as opened:
            hits = Answering(opened.indexing, opened.searching)(SearchRequest(query=question, k=1)).hits
    head("What an agent noted in a file of its own")
    click.echo(f'  memory search "{question}"')
    for hit in hits:
        click.echo(f"    {hit.path}#L{hit.start_line}  {hit.trust}")
        click.echo(f"    {printable(hit.snippet)}\n")


def _show_next(engine: Engine, places: list[PlacedEntry]) -> None:
    head("Where to go from here")
    where = engine.workspace.root
    commands = [(f"cd {where}", "every command finds the workspace from inside it")]
    commands += [
        ("memory show entries", "all that was written"),
        ("cat MEMORY.md", "the page that an agent reads first"),
    ]
    commands += [(f'memory search "{QUESTIONS[0][0]}"', "all hits, and the other places that say it")]
    commands += [(f"memory show story {places[-1].entry.id}", "the story of another entry")] if places else []
    commands += [("memory recall --entity Hania", "what holds of a person")]
    commands += [("memory show runs", "what was done when"), ("memory undo RUN", "take one back")]
    if engine.settings.service.http:  # not in a workspace of an earlier version
        commands += [("memory serve", "goes on until Ctrl+C; answers at once, and shows all of this as a page")]
        commands += [("memory open", "in another terminal: opens that page in the browser")]
    commands += [("memory init DIR", "a workspace of your own")]
    width = max(len(command) for command, _ in commands)
    for command, meaning in commands:
        click.echo(f"  {command:<{width}}  {meaning}")
