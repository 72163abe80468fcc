"""The page of settings, from the types that check them."""

from collections.abc import Iterator
from typing import Any

from schemas.settings import Settings

_MEANINGS = {
    "timezone": "The zone of the workspace: where its days begin, and which file an entry goes to.",
    "start": "The moment before which nothing is due. `memory init` writes the present one.",
    "log_level": "How much is logged.",
    "retention": "How long the service's logs, the model's answers and quotes of rejected candidates are kept; 0 is "
    "for ever.",
    "sources": "The folders of transcripts; one `[[sources]]` table each.",
    "sources[].kind": "Which agent wrote them.",
    "sources[].path": "The folder. `~` is the home folder; a relative path starts at the workspace.",
    "sources[].name": "How entries name this folder; the kind when it is empty. Keep it when the folder moves.",
    "sources[].agents": "Only these agents of OpenClaw; empty means all. Claude Code has none: use `projects`.",
    "sources[].projects": "Only these projects; empty means all.",
    "sources[].owner.ids": "Who you are in group chats. In a chat of two it is the other side of the assistant.",
    "sources[].timezone": "The zone that dates of this source are told in; the workspace's when it is missing.",
    "jobs": "What to change about a job; one `[jobs.NAME]` table each.",
    "jobs.NAME.schedule": "A crontab line in place of the job's own.",
    "jobs.NAME.timeout": "How long one window may take in place of the job's own time.",
    "jobs.NAME.catch_up": "Which windows that closed while nobody ran the job are run later.",
    "jobs.NAME.max_age": "Windows that closed longer ago are left to a back-fill; 0 leaves none to it.",
    "jobs.NAME.overlap": "What becomes of a tick while the job is still at work: nothing, or another look after it.",
    "jobs.NAME.retries": "How often the service tries again after a failure before it parks the job.",
    "jobs.NAME.retry_after": "How long it waits before the first retry; twice as long before each further one.",
    "model.base_url": "The address of a server that speaks the OpenAI API. With neither it nor a name, all is offline.",
    "model.name": "The model's name at that server.",
    "model.api_key": "The key. Better given as `MEMORY_MODEL__API_KEY` than written into a file.",
    "model.timeout": "How long one question may take.",
    "model.attempts": "How often a question is asked before the model counts as unavailable.",
    "model.parallel": "How many questions may be under way at once.",
    "model.give_up_after": "How long a window waits for a failing model before it is read the offline way.",
    "model.tokens_per_day": "The tokens that may be used on one local day; 0 is no limit.",
    "model.input_price": "What a million tokens sent to it cost, for the estimate before a back-fill; 0 tells none.",
    "model.output_price": "What a million tokens of its answers cost.",
    "model.currency": "The currency of both.",
    "index.url": "The address of a Qdrant server or cluster; empty keeps the index embedded, in `.memory/index/`.",
    "index.api_key": "The server's key. Better given as `MEMORY_INDEX__API_KEY` than written into a file.",
    "index.collection": "The name of the collection on the server; give each workspace its own.",
    "index.extra_paths": "Further folders and files to index; one `[[index.extra_paths]]` table each.",
    "index.extra_paths[].path": "The folder or file. `~` is the home folder; a relative path starts at the workspace.",
    "index.extra_paths[].name": "How hits name it: `NAME:path`.",
    "index.extra_paths[].patterns": "Which files of the folder; `**` goes through its sub-folders.",
    "index.extra_paths[].tier": "How near at hand its files are in a search.",
    "index.debounce": "How long files have to rest before `memory reindex --watch` takes them.",
    "index.sweep": "How often `memory reindex --watch` looks at all files, whatever it was told of changes.",
    "embedder.kind": "What makes vectors: `auto` takes the package that carries its weights if it is there, else none.",
    "embedder.model": "The model's name: of fastembed, or at the server.",
    "embedder.folder": "A folder that holds the model, for fastembed without a network.",
    "embedder.base_url": "The address of a server that speaks the OpenAI API, for `openai`.",
    "embedder.api_key": "Its key. Better given as `MEMORY_EMBEDDER__API_KEY` than written into a file.",
    "embedder.dimension": "The length of its vectors; 0 asks the model.",
    "embedder.timeout": "How long one request may take.",
    "embedder.attempts": "How often a request is made before the embedder counts as unavailable.",
    "embedder.batch": "How many texts go into one request.",
    "embedder.threads": "How many processor cores it may use.",
    "reranker.model": "The cross-encoder of fastembed that `--rerank` uses.",
    "reranker.folder": "A folder that holds it, for a machine without a network.",
    "service.http": "Where `memory serve` shows `/metrics` and `/health`, such as `127.0.0.1:9464`; empty nowhere.",
    "service.embedder_idle": "After how long without a question the service lets the embedder go.",
    "pings.url": "A check of healthchecks.io or alike that is told of each run; empty tells nobody.",
    "pings.timeout": "How long one ping may take; at most a minute.",
    "pings.log_bytes": "How much of the end of a run's log is sent along, without secrets; 0 sends none.",
}


def settings_page() -> Iterator[str]:
    """The lines of the page.

    Raises:
        ValueError: a setting has no meaning here, or a meaning no setting.
    """
    yield "`memory.toml` in the workspace; `config/memory.toml` is the commented sample. A variable of the environment"
    yield "goes before the file. A duration is a number of seconds, or ISO 8601 (`PT15M`, `P2D`)."
    yield ""
    schema = Settings.model_json_schema()
    rows = list(_rows(schema, schema, ""))
    if missing := {path for path, _ in rows}.symmetric_difference(_MEANINGS):
        message = f"settings and their meanings differ: {', '.join(sorted(missing))}"
        raise ValueError(message)
    yield "| setting | value | default | variable |"
    yield "|---|---|---|---|"
    for path, told in rows:
        default = "" if told.get("default") in (None, [], {}) else f"`{_plain(told['default'])}`"
        yield f"| `{path}` | {_kind(told, _choices(told, schema))} | {default} | {_variable(path)} |"
    yield "\n## What they mean\n"
    for path, _ in rows:
        yield f"- `{path}`: {_MEANINGS[path]}"


def _rows(schema: dict[str, Any], whole: dict[str, Any], before: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, told in schema["properties"].items():
        path, inner = f"{before}{name}", _inner(told, whole)
        if inner is None:
            yield path, told
            continue
        if told.get("type") in {"array", "object"}:
            yield path, told
        joint = {"array": "[].", "object": ".NAME."}.get(told.get("type", ""), ".")
        yield from _rows(inner, whole, f"{path}{joint}")


def _inner(told: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of the table that a setting holds, or holds many of."""
    holder = told.get("items") or told.get("additionalProperties") or told
    named = holder.get("$ref", "") if isinstance(holder, dict) else ""
    found: dict[str, Any] = whole["$defs"][named.rpartition("/")[2]] if named else {}
    return found if "properties" in found else None  # else it is a list of words to choose from


def _choices(told: dict[str, Any], whole: dict[str, Any]) -> list[str]:
    named = told.get("$ref", "").rpartition("/")[2]
    return [str(choice) for choice in (whole["$defs"][named] if named else told).get("enum", [])]


def _kind(told: dict[str, Any], choices: list[str]) -> str:
    if choices:
        return ", ".join(f"`{choice}`" for choice in choices)
    (told,) = [each for each in told.get("anyOf", [told]) if each.get("type") != "null"][:1]
    if "pattern" in told:
        choices = told["pattern"].strip("^$()").split("|")
        return ", ".join(f"`{choice}`" for choice in choices)
    if told["type"] == "array":
        return "a list of texts" if told["items"].get("type") == "string" else "tables"
    if told["type"] == "integer":
        least, most = told.get("minimum"), told.get("maximum")
        return f"a number, {least} to {most}" if most is not None else f"a number from {least}"
    formats = {"duration": "a duration", "date-time": "a time with its offset", "password": "a secret"}
    return formats.get(told.get("format", ""), {"object": "tables"}.get(told["type"], "text"))


def _plain(value: object) -> str:
    return str(value) if value != "" else '""'


def _variable(path: str) -> str:
    return "" if "[]" in path or path in {"sources", "jobs"} else f"`MEMORY_{path.upper().replace('.', '__')}`"
