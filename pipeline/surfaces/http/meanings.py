"""The meanings of the fields of requests, by their names, for the description of the interface.

A field whose model describes it keeps that. Where one name means several things, its model or route stands before it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

BEARER = "A token that `memory config token add NAME` made, of a person, or of an agent (`--agent`)."
MEANINGS: Mapping[str, str] = {
    # in a path
    "entry_id": "The id of an entry or of a fact, or a beginning that only one has.",
    "name": "A name of an entity, whichever of its names.",
    "run_id": "The id of a run, or a beginning that only one has.",
    "suggestion_id": "The id of a suggestion.",
    "memory_key": "The key of a detail, as its placeholder has it.",
    "session_id": "The session of a conversation: letters, digits and `. : @ + - _`.",
    "/wake/{agent}.agent": "The agent.",
    # what is looked for
    "query": "The words that are looked for.",
    "k": "How many are given at most.",
    "tier": "Where: `auto` is warm first, then all; `warm`, `cold`, `all`; `detail` is stored texts alone.",
    "since": "Only what was said or written on this day or later; also the first of a period, such as `2026-02`, "
    "`2026-W10`, `30d`, `yesterday` or `last month`.",
    "until": "Only what was said or written on this day or earlier; also the last of a period.",
    "kind": "Only of this kind; may be repeated.",
    "status": "Only of this status.",
    "trust": "Only of this trust: whose word an entry rests on.",
    "/entries.words": "Only entries with this in the title, the conclusion or the quote.",
    "agent": "Only what belongs to this agent; may be repeated.",
    "entity": "Only what names this entity, by any of its names; may be repeated.",
    "project": "Only what was said in this project: its name, the end of it, or a folder of the machine.",
    "/wake.project": "The project of the session: its name, or a folder of the machine.",
    "/wake/{agent}.project": "With it also what MEMORY.md says for a session in this project, by name or folder.",
    "/wake.budget": "The tokens it may take.",
    "as_of": "As things were at the end of this day.",
    "rerank": "Whether the best are ranked again by the cross-encoder of the settings.",
    "thread_id": "The session of stored texts; in a search with `tier=detail` alone.",
    "reader": "A person may look as this agent: of stored texts its own and nobody's. An agent always looks as itself.",
    "client": "The kind of its sessions (`claude_code`), by which a reader without a name is known for what was said.",
    "folder": "The folder in which the reader works: of what was said, that of its project is shown.",
    "min_confidence": "Only what is at least so sure, from 0 to 1.",
    "words": "Only those with this in their description or synopsis.",
    "limit": "How many are given at most.",
    "skip": "How many are left out before the first.",
    "job": "Only runs of this job.",
    "days": "How many days.",
    "to": "The last of the days; without it today.",
    "/wake/{agent}.budget": "The tokens it may take.",
    # a part of the graph
    "focus": "A node, by its id or name, of which the near ones are given.",
    "depth": "How many edges away a node may be.",
    "session": "Only what is of this session, with the names in it.",
    "user_id": "The user it is about; empty is the owner under a person's token, and nobody under an agent's.",
    "/graph.user_id": "Only what is this user's, with the names in it.",
    "/graph.entity": "An entity, by any of its names, of which the near nodes are given.",
    "/graph.pinned": "Only what is pinned.",
    # a page of a detail
    "lines": "Only these lines: `100-180`, `7` or `500-`.",
    "/memories/{memory_key}.query": "Only lines with these words, and what is around them.",
    "page": "A page of the text, or of what `lines` and `query` choose, counted from 1.",
    "tokens": "The tokens of a page, about.",
    # bodies
    "operation": "The section to which a line is added, or `UPDATE` or `DELETE` of the line that `line` names.",
    "MemoryRequest.text": "The new line, in plain words.",
    "line": "The id of the line that is replaced or removed.",
    "MemoryRequest.kind": "Of what the owner settled: `decision`, `rule`, `architecture` or `remember`. It is "
    "proposed as an entry too.",
    "MemoryRequest.quote": "With `kind`: the owner's own words, exactly as typed.",
    "MemoryRequest.agent": "Whose memory; without it the caller's own, or that of the only agent there is.",
    "decision": "What becomes of the suggestion.",
    "DecisionRequest.text": "Your own words in place of the suggested ones; of what is accepted.",
    "ForgetRequest.id": "The id of the entry.",
    "CorrectionOfEntry.id": "The id of the entry, or a beginning that only one has.",
    "CorrectionOfEntry.words": "The new words, as one line.",
    "title": "The new title; without it, it is made of the words.",
    "content": "The text itself. Its secrets are masked before it is stored.",
    "description": "What the text is, in a few words.",
    "type": "What sort of text it is; without it, it is recognized.",
    "command": "The command that printed the text.",
    "exit_code": "How that command ended.",
    "NewDetail.thread_id": "The session that the text belongs to.",
    "NewDetail.user_id": "The user that the text belongs to.",
    "scope": "Who it is for: its session, all sessions of its user, or all.",
    "PinRequest.pinned": "`true`: it never expires.",
    "SessionRequest.session_id": "Letters, digits and `. : @ + - _`, at most 200. Without it one is made.",
    "preferred_language": "The language that the user wants, in the user's words.",
    "tone": "The tone that the user wants, in the user's words.",
    "style_notes": "What else the user wants of answers, in the user's words.",
    "preference_scope": "Where these hold: in this session, or in all sessions of the user.",
    "store_knowledge": "`false`: no job reads the conversation, and nothing of it is remembered.",
    "summary": "Who writes the summaries: a model, or code where none answers; code alone; nobody.",
    "Shipment.messages": "Some of its messages, in any order, at most 500: role, time, text, and the record with "
    "its ids. One that came before is replaced.",
    "head": "The session that the messages are of.",
    "whole": "The keys of all records that the session has now, one behind the other; what is there of any other "
    "record goes.",
    "machine": "The name of the machine on which it was read.",
    "TranscriptHead.kind": "The kind of source that it was read by.",
    "TranscriptHead.session_id": "Its id in its files.",
    "source": "The name of the source, as entries have it.",
    "path": "The path of its file below the source.",
    "TranscriptHead.agent": "The agent with which the owner talks.",
    "TranscriptHead.project": "The name of the project.",
    "remotes": "The addresses of the repositories of its projects, by their names.",
    "zone": "The zone in which its local dates are told.",
    "parent": "The session that it was begun by.",
    "archived": "Whether the agent has put its file aside.",
    "other_sources": "Other sources that hold files of it too.",
    "role": "Who speaks.",
    "text": "What is said. Its secrets are masked before it is stored.",
    "extra_context": "What came along with the message, and is nobody's word.",
    "files": "Contents of files.",
    "links": "Addresses.",
    "paths": "Paths of files.",
    "notes": "Notes of the program.",
    "question": "What the model is asked; it stands last.",
    "system": "What the model is told first.",
    "budget": "The tokens of all messages of a context together, at most; a summary is due at 70 % of them. Without "
    "one in a request for a context that of the conversation counts.",
    "clear_command": "Whether a message of the user that is `/clear` resets the conversation; it is not kept itself.",
    "layout": "The order: `cache` keeps a provider's prompt cache; `seed` has the memory before the history.",
    "history": "How many messages are given word for word, at most.",
    "recall": "How many passages of the memory join at most, each of which answers the question; 0 is none.",
    "floor": "Passages with less than this share of the best score are left out.",
    "form": "`jsonl` is to import again, `md` to read.",
    "force": "Delete what is pinned too.",
}


def describe(description: dict[str, Any], prefix: str) -> None:
    """Write the meanings into an OpenAPI description; `prefix` is what the paths of routes begin with."""
    for path, operations in description["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                place = f"{path.removeprefix(prefix)}.{parameter['name']}"
                _give(parameter, place, parameter["name"])
    schemas = description["components"]["schemas"]
    for model in _in_bodies(description, schemas):
        for name, field in schemas[model].get("properties", {}).items():
            _give(field, f"{model}.{name}", name)


def _give(field: dict[str, Any], *names: str) -> None:
    """Give a field the meaning of the first of its names that has one."""
    meaning = next((MEANINGS[name] for name in names if name in MEANINGS), "")
    if meaning and not field.get("description"):
        field["description"] = meaning


def _in_bodies(description: Mapping[str, Any], schemas: Mapping[str, Any]) -> set[str]:
    """The models of bodies, and those of their fields."""
    operations = (operation for path in description["paths"].values() for operation in path.values())
    models = set[str]()
    waiting = {name for operation in operations for name in _models(operation.get("requestBody", {}))}
    while waiting:
        models |= waiting
        waiting = {name for model in waiting for name in _models(schemas[model])} - models
    return models


def _models(part: object) -> Iterator[str]:
    """The models to which a part of a description refers."""
    if isinstance(part, Mapping):
        if isinstance(reference := part.get("$ref"), str):
            yield reference.rpartition("/")[2]
        for value in part.values():
            yield from _models(value)
    elif isinstance(part, list):
        for value in part:
            yield from _models(value)
