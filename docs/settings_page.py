"""The page of settings, from the types that check them."""

from collections.abc import Iterator
from typing import Any

from schemas.settings import Settings

_MEANINGS = {
    "timezone": "The zone of the workspace. It decides where days begin, and which file an entry goes to.",
    "start": "The moment before which nothing is due. `memory init` writes the current time.",
    "log_level": "How much is logged.",
    "retention": "The time to keep the service's logs, the model's answers, suggestions and quotes of rejected "
    "candidates; 0 is for ever.",
    "sources_ignored": "Folders of transcripts that are not read, and that no hint names.",
    "sources": "The folders of transcripts, and those of notes; one `[[sources]]` table each.",
    "sources[].kind": "Which agent wrote them, or `notes`: what agents noted, in files that are never believed.",
    "sources[].path": "The folder. `~` is the home folder; a relative path starts at the workspace.",
    "sources[].name": "The name of this folder in entries; by default the kind. Keep it when the folder moves.",
    "sources[].agents": "Only these agents of OpenClaw; empty means all. Claude Code has none: use `projects`.",
    "sources[].projects": "Only these projects; empty means all.",
    "sources[].include": "Only sessions that one of these rules fits; empty means all. `*` and `?` are wild.",
    "sources[].include[].session": "A pattern for the beginning of the session's id.",
    "sources[].include[].path": "A pattern for the path below the folder.",
    "sources[].include[].agent": "A pattern for the agent's name.",
    "sources[].include[].project": "A working folder, one above it, the name of one, or a pattern.",
    "sources[].include[].first_words": "A pattern for the beginning of the first message.",
    "sources[].exclude": "Not the sessions that one of these rules fits. A rule fits when all its patterns do.",
    "sources[].exclude[].session": "The same, as all below.",
    "sources[].exclude[].path": "The same.",
    "sources[].exclude[].agent": "The same.",
    "sources[].exclude[].project": "The same.",
    "sources[].exclude[].first_words": "The same.",
    "sources[].owner.ids": "Your ids in group chats. In a chat of two, the assistant's partner is the owner.",
    "sources[].patterns": "Of notes alone: the files in the folder; empty means Markdown (`.md`, `.mdc`, `.markdown`).",
    "sources[].headless": "Whether prompts of scripts (`claude -p`, `codex exec`) are the owner's too.",
    "sources[].search": "Whether a search finds what was said there; without it no index holds it.",
    "sources[].timezone": "The zone of dates from this source; by default the workspace's.",
    "jobs": "Settings of a job; one `[jobs.NAME]` table each.",
    "jobs.NAME.schedule": "A crontab line in place of the job's own.",
    "jobs.NAME.timeout": "The maximum time of one window, in place of the job's own.",
    "jobs.NAME.catch_up": "The missed windows of the job that run later.",
    "jobs.NAME.max_age": "Windows that closed longer ago are left to a back-fill; 0 leaves none to it.",
    "jobs.NAME.overlap": "The effect of a tick while the job is still running: none, or another look after it.",
    "jobs.NAME.retries": "The number of retries after a failure before the service parks the job.",
    "jobs.NAME.retry_after": "The wait before the first retry; it doubles before each further one.",
    "agents": "The agents with a memory of their own; one `[agents.NAME]` table each.",
    "agents.root": "The folder that holds the folder of each agent, relative to the workspace; it may be hidden. After "
    "a change of it, move their folders there.",
    "agents.l1_after": "How many sessions of an agent are summed up together, and how many such summaries again.",
    "agents.idle": "The silence between two messages after which a session of an agent is over.",
    "agents.NAME.autonomy": "How far the agent may change its memory by itself: 0 it reads, 1 it suggests, 2 additions "
    "are written, 3 all is.",
    "agents.NAME.sources": "The sessions that are its own: `openclaw:main` are those of one agent of a source, "
    "`claude_code` all of a source that no other agent has.",
    "agents.NAME.may_read": "The other agents of which it may read what they always know; `*` is every one.",
    "agents.NAME.may_write": "The other agents whose memory it may ask to change; `*` is every one.",
    "agents.NAME.may_read_said": "Whose talk it may be shown besides its own: agents or projects; `*` is all.",
    "agents.NAME.language": "The language of headings, and of what is written without a model.",
    "agents.NAME.brain_tokens": "The most that it always knows, in tokens of the vocabulary o200k_base.",
    "model.program": "`claude` or `codex`: the program of an agent that answers with your login, in place of a server.",
    "model.per_source": "Whether a program sees the sessions of its own agent alone; `false`: all text of all sources.",
    "model.sources": "The program that may see the text of a source, by the source's name; `offline`: none.",
    "model.mixed": "The program that may see text of sources with several programs; empty: each sees its own part.",
    "model.environment": "Variables that the program gets beside `HOME`, `PATH`, proxies and the like.",
    "model.base_url": "The address of a server that speaks the OpenAI API. Without it and a name, jobs work offline.",
    "model.name": "The model's name at that server; of a program another one than its own choice.",
    "model.api_key": "The key. Better given as `MEMORY_MODEL__API_KEY` than written into a file.",
    "model.timeout": "The maximum time of one question; a program has three minutes where it is not set.",
    "model.attempts": "The number of attempts before the model counts as unavailable.",
    "model.parallel": "The number of parallel questions to a server; a program is asked one at a time.",
    "model.batch": "Whether back-fills send their questions in batches: answered within a day, at half the price.",
    "model.give_up_after": "The time a window waits for a failing model before it is read the offline way.",
    "model.background": "A cheaper model of the same server for what sums up and judges; empty: `model.name` does it.",
    "model.tokens_per_run": "The tokens that one run may use; 0 is no limit.",
    "model.tokens_per_day": "The tokens that may be used on one local day; 0 is no limit.",
    "model.backfill_tokens_per_day": "The tokens that back-fills may use on one local day; 0 is no limit.",
    "model.tokens_in_total": "The tokens that this workspace may use in all its time; 0 is no limit.",
    "model.input_price": "The price of a million input tokens; 0 here and below: the published one, if there is one.",
    "model.output_price": "The price of a million output tokens.",
    "model.background_input_price": "The price of a million input tokens of `model.background`; 0 in both: as above.",
    "model.background_output_price": "The price of a million output tokens of `model.background`.",
    "model.currency": "The currency of both.",
    "index.url": "The address of a Qdrant server or cluster for the vectors; empty keeps them in `.memory/index/`. The "
    "words are always there.",
    "index.api_key": "The server's key. Better given as `MEMORY_INDEX__API_KEY` than written into a file.",
    "index.collection": "The name of the vectors on the server; give each copy of a workspace its own.",
    "index.extra_paths": "Further folders and files to index; one `[[index.extra_paths]]` table each.",
    "index.extra_paths[].path": "The folder or file. `~` is the home folder; a relative path starts at the workspace.",
    "index.extra_paths[].name": "The name in hits: `NAME:path`.",
    "index.extra_paths[].patterns": "The patterns of files in the folder; `**` includes subfolders.",
    "index.extra_paths[].tier": "The search tier of its files.",
    "index.debounce": "The time without changes after which `memory doctor reindex --watch` indexes a file.",
    "index.include": "Patterns, relative to the workspace, of further Markdown and `.txt` files to search. `*` and `?` "
    "stay within one folder, `**` does not; hidden folders are searched only where a pattern names them.",
    "index.sweep": "The interval at which `memory doctor reindex --watch` checks all files, besides notifications.",
    "search.timeout": "The longest time that a search waits for the embedder; then words alone answer, and it is said.",
    "search.said": "Whether what was said in transcripts is found too.",
    "search.keep_said": "How long what was said is kept in the workspace, to be found when its transcript is gone; "
    "0 keeps nothing, and removes what was kept.",
    "search.may_read_said": "The same for agents without a memory of their own.",
    "search.before_prompts": "Whether a connected agent gets what the memory says about a prompt, beside it.",
    "embedder.kind": "The source of vectors: `auto` uses the package with its own weights if installed, else none.",
    "embedder.model": "The model's name: of fastembed, or at the server.",
    "embedder.folder": "A folder that holds the model, for fastembed without a network.",
    "embedder.base_url": "The address of a server that speaks the OpenAI API, for `openai`.",
    "embedder.api_key": "Its key. Better given as `MEMORY_EMBEDDER__API_KEY` than written into a file.",
    "embedder.dimension": "The length of its vectors; 0 asks the model.",
    "embedder.timeout": "The maximum time of one request.",
    "embedder.attempts": "The number of attempts before the embedder counts as unavailable.",
    "embedder.batch": "The number of texts in one request.",
    "embedder.threads": "The number of processor cores.",
    "reranker.model": "The cross-encoder of fastembed that `--rerank` uses.",
    "reranker.folder": "A folder that holds it, for a machine without a network.",
    "service.http": "The address where `memory serve` has the page, the API for programs, `/mcp`, `/metrics` and "
    "`/health`, such as `127.0.0.1:9464`; empty: nowhere.",
    "service.hosts": "The host names of that address where other machines reach it; without one, the API stays closed "
    "there.",
    "service.embedder_idle": "The time without a question after which the service unloads the embedder.",
    "service.metrics_file": "A file, named `*.prom`, to which `memory run` and `memory doctor reindex` write the "
    "metrics at their end, for node_exporter; empty for none.",
    "store.url": "A PostgreSQL server for large outputs and conversations, `postgresql://USER@HOST/DATABASE`; empty "
    "for the file `store/memory.db` in the workspace.",
    "store.workspace": "The name of this workspace on that server, which several may share; required with `store.url`.",
    "store.summary": "Who writes the summaries of a conversation that does not say so.",
    "store.threshold": "The most tokens of a text that stays in the context; a longer one is stored as a detail.",
    "store.retention": "The time for which a detail of one session is kept, unless it is pinned or cited.",
    "store.conversation_retention": "The time for which a conversation is kept after its last message, and longer "
    "where a job has still to read it; `P7D` or more, or 0 for ever.",
    "ship.url": "The server of yours to which `memory ship` sends transcripts; empty for none. Without https only "
    "this machine.",
    "ship.token": "The token of a laptop there. Better set in the environment.",
    "ship.machine": "The name of this machine there; by default an id that is made once. What was sent keeps its name.",
    "ship.timeout": "The maximum time of one request.",
    "pings.url": "A check of healthchecks.io or a similar service that gets a ping for each run; empty for none.",
    "pings.timeout": "The maximum time of one ping; at most a minute.",
    "pings.log_bytes": "The size of the end of a run's log in a ping, without secrets; 0 sends none.",
}


def settings_page() -> Iterator[str]:
    """The lines of the page.

    Raises:
        ValueError: a setting has no meaning here, or a meaning no setting.
    """
    yield "`memory.toml` in the workspace; `config/memory.toml` is the commented sample. A variable of the environment"
    yield "overrides the file. A duration is a number of seconds, or ISO 8601 (`PT15M`, `P2D`)."
    yield ""
    schema = Settings.model_json_schema()
    rows = list(_rows(schema, schema, ""))
    if missing := {path for path, _ in rows}.symmetric_difference(_MEANINGS):
        message = f"settings and their meanings differ: {', '.join(sorted(missing))}"
        raise ValueError(message)
    yield "| setting | value | default | variable |"
    yield "|---|---|---|---|"
    for path, field_schema in rows:
        default = "" if field_schema.get("default") in (None, [], {}) else f"`{_plain(field_schema['default'])}`"
        yield f"| `{path}` | {_kind(field_schema, _choices(field_schema, schema))} | {default} | {_variable(path)} |"
    yield "\n## What they mean\n"
    for path, _ in rows:
        yield f"- `{path}`: {_MEANINGS[path]}"


def _rows(schema: dict[str, Any], whole: dict[str, Any], before: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field_schema in schema["properties"].items():
        path, inner = f"{before}{name}", _inner(field_schema, whole)
        if inner is None:
            yield path, field_schema
            continue
        if field_schema.get("type") in {"array", "object"}:
            yield path, field_schema
        joint = {"array": "[].", "object": ".NAME."}.get(field_schema.get("type", ""), ".")
        if tables := _tables(inner, whole):
            yield path, {"type": "object"}
            yield from _rows(inner, whole, f"{path}.")
            inner, joint = tables, ".NAME."
        yield from _rows(inner, whole, f"{path}{joint}")


def _tables(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of the tables that a table holds under names of their own, besides its settings."""
    holder = schema.get("additionalProperties")
    return _inner(holder, whole) if isinstance(holder, dict) else None


def _inner(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of the table that a setting holds, or holds many of."""
    holder = schema.get("items") or schema.get("additionalProperties") or schema
    named = holder.get("$ref", "") if isinstance(holder, dict) else ""
    definition: dict[str, Any] = whole["$defs"][named.rpartition("/")[2]] if named else {}
    return definition if "properties" in definition else None  # else it is a list of words to choose from


def _choices(schema: dict[str, Any], whole: dict[str, Any]) -> list[str]:
    named = schema.get("$ref", "").rpartition("/")[2]
    return [str(choice) for choice in (whole["$defs"][named] if named else schema).get("enum", [])]


def _kind(schema: dict[str, Any], choices: list[str]) -> str:
    if choices:
        return ", ".join(f"`{choice}`" for choice in choices)
    (schema,) = [item for item in schema.get("anyOf", [schema]) if item.get("type") != "null"][:1]
    if "pattern" in schema:
        choices = schema["pattern"].strip("^$()").split("|")
        return ", ".join(f"`{choice}`" for choice in choices)
    if schema["type"] == "array":
        return "a list of texts" if schema["items"].get("type") == "string" else "tables"
    if schema["type"] == "integer":
        least, most = schema.get("minimum"), schema.get("maximum")
        return f"a number, {least} to {most}" if most is not None else f"a number from {least}"
    formats = {"duration": "a duration", "date-time": "a time with its offset", "password": "a secret"}
    return formats.get(schema.get("format", ""), {"object": "tables"}.get(schema["type"], "text"))


def _plain(value: object) -> str:
    return str(value) if value != "" else '""'


def _variable(path: str) -> str:
    return (
        "" if "[]" in path or path in {"sources", "jobs", "agents"} else f"`MEMORY_{path.upper().replace('.', '__')}`"
    )
