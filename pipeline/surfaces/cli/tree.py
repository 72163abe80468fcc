"""The tree of commands: the words that call each, and its place.

All that lists commands is made from these tables: `memory --help`, the completion of a shell, the reference and the man
pages. A command is imported when it is called.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Entrance:
    """The place of a command: its help in one line, its module in `commands`, and its name there.

    Without a module it is a group, which only says what its commands are; their names begin with its own.
    """

    help: str
    module: str = ""
    name: str = "command"


SECTIONS = {
    "Start": ("init", "demo", "open"),
    "Ask": ("search", "recall", "show"),
    "Decide": ("suggestions", "correct", "forget", "undo"),
    "Run": ("run", "backfill", "status", "serve"),
    "Agents": ("agents",),
    "Store": ("store",),
    "Machines": ("ship", "fleet"),
    "Look after": ("doctor", "config", "backup", "restore", "upgrade", "workspaces"),
}
"""The first words by the headings of `memory --help`; those that have no entrance yet are left out."""

COMMANDS = {
    "init": Entrance("Make a workspace, and propose what to read.", "init"),
    "demo": Entrance("Show what the product does, on sample sessions.", "demo"),
    "open": Entrance("Open the page of this workspace in the browser.", "open"),
    "search": Entrance("Find what is remembered, with where it stands.", "search"),
    "recall": Entrance("Tell what is known: facts and decisions that hold.", "recall"),
    "show": Entrance("Show an entry, lines, or a list of what there is.", "show"),
    "show entries": Entrance("List what is remembered, by day.", "entries"),
    "show story": Entrance("Tell the story of one entry, or of one fact.", "explain"),
    "show lines": Entrance("Show lines that a search names, or an entry by its id.", "search", "get_command"),
    "show entities": Entrance("List the entities that facts name, or show one.", "entities"),
    "show transcripts": Entrance("List the sessions.", "transcripts"),
    "show transcript": Entrance("Show one session's conversation.", "transcripts", "show_command"),
    "show runs": Entrance("List past runs.", "runs"),
    "show run": Entrance("Show one run: what it read, and what it wrote.", "runs", "show_command"),
    "show jobs": Entrance("List the jobs: when they run, what they read and write.", "jobs"),
    "show cost": Entrance("Show what the model cost, and what is due would cost.", "cost"),
    "suggestions": Entrance("List what waits for a person, or decide about it.", "suggestions"),
    "suggestions decide": Entrance(
        "Go through suggestions one by one, the best first.", "suggestions", "decide_command"
    ),
    "suggestions accept": Entrance("Write suggestions into the day of their words.", "suggestions", "accept_command"),
    "suggestions decline": Entrance("Turn suggestions down for good.", "suggestions", "decline_command"),
    "suggestions edit": Entrance("Accept a suggestion in words of your own.", "suggestions", "edit_command"),
    "suggestions review": Entrance("List what today's reading would not write.", "review"),
    "correct": Entrance("Give an entry other words, which hold everywhere.", "correct"),
    "correct unlink": Entrance("Take the link between two entries apart, for good.", "correct", "unlink_command"),
    "correct merge": Entrance("Make B, with all of its names, an alias of A.", "entities", "merge_command"),
    "correct split": Entrance("Take B out of the aliases of A.", "entities", "split_command"),
    "forget": Entrance("Remove an entry, a fact or a line, for good.", "forget"),
    "forget about": Entrance("Remove all that names TOPIC, for good.", "forget", "forget_about_command"),
    "undo": Entrance("Take back what a run wrote.", "undo"),
    "run": Entrance("Run what is due.", "run"),
    "run facts": Entrance("Run what is due of the jobs of facts.", "run", "facts_command"),
    "backfill": Entrance("Run jobs over past days.", "backfill"),
    "status": Entrance("Show what is done, what is due, what needs you.", "status"),
    "serve": Entrance("Run jobs at their times, and answer at once.", "serve"),
    "serve install": Entrance("Install the service for this workspace under systemd.", "install"),
    "agents": Entrance("List the agents with a memory of their own.", "agents"),
    "agents connect": Entrance("Connect an agent with the memory, or say how.", "integrate"),
    "agents add": Entrance("Give an agent a memory of its own.", "agents", "add_command"),
    "agents show": Entrance("Show an agent and its settings.", "agents", "show_command"),
    "agents wake": Entrance("Print what AGENT gets first, or what any agent does.", "wake"),
    "agents know": Entrance("List what AGENT knows, with whose word it rests on.", "wake", "know_command"),
    "agents remember": Entrance("Write TEXT into the memory of an agent.", "remember"),
    "agents pin": Entrance("Put LINE first in its section of a memory.", "remember", "pin_command"),
    "agents unpin": Entrance("Let the pinned LINE be a line like the others.", "remember", "unpin_command"),
    "agents mcp": Entrance("Serve the memory to an agent, as tools over stdio.", "mcp"),
    "store": Entrance("Keep a large text, outside of an agent's context.", "store"),
    "store exec": Entrance("Run COMMAND, and print a large output as a placeholder.", "exec"),
    "store list": Entrance("List what is stored, the newest first.", "store", "list_command"),
    "store show": Entrance("Show a stored text, or a part of it.", "store", "show_command"),
    "store pin": Entrance("Pin stored texts, so that they never expire.", "store", "pin_command"),
    "store unpin": Entrance("Let pinned texts expire as others do.", "store", "unpin_command"),
    "store prune": Entrance("Let the texts go that have expired.", "store", "prune_command"),
    "store export": Entrance("Write all that is stored into FOLDER.", "store", "export_command"),
    "store import": Entrance("Bring back what was exported into FOLDER.", "store", "import_command"),
    "ship": Entrance("Send this machine's transcripts to your server.", "ship"),
    "fleet": Entrance("Keep workspaces of many machines in a database."),
    "fleet init": Entrance("Make the tables of a fleet, or bring them up to date.", "fleet", "init_command"),
    "fleet add": Entrance("Add the workspace in DIR to the fleet.", "fleet", "add_command"),
    "fleet list": Entrance("List the workspaces of the fleet.", "fleet", "list_command"),
    "fleet show": Entrance("Show a workspace of the fleet.", "fleet", "show_command"),
    "fleet pull": Entrance("Get a workspace of the fleet into the folder DIR.", "fleet", "pull_command"),
    "fleet push": Entrance("Bring your changes in the folder DIR into the fleet.", "fleet", "push_command"),
    "fleet worker": Entrance("Work on the workspaces of the fleet.", "fleet", "worker_command"),
    "fleet serve": Entrance("Answer over HTTP for all workspaces of the fleet.", "fleet", "serve_command"),
    "fleet token": Entrance("Give owners, agents and the operator a token for the fronts."),
    "fleet token add": Entrance("Make a token and print it, this once.", "fleet_token", "add_command"),
    "fleet token list": Entrance("List the tokens, and whose they are.", "fleet_token", "list_command"),
    "fleet token revoke": Entrance("Take a token away.", "fleet_token", "revoke_command"),
    "fleet remove": Entrance("Take a workspace out of the fleet, for good.", "fleet", "remove_command"),
    "fleet resume": Entrance("Have a parked workspace and acts set aside tried again.", "fleet", "resume_command"),
    "fleet doctor": Entrance("Read every piece of the fleet, and tell what is wrong.", "fleet", "doctor_command"),
    "doctor": Entrance("Look for what is wrong, and say what to do.", "doctor"),
    "doctor search": Entrance("Check that searching finds and cites what is remembered.", "check"),
    "doctor reindex": Entrance("Bring the index up to date.", "reindex"),
    "doctor adopt": Entrance("Make room in MEMORY.md: move text of yours away.", "adopt"),
    "config": Entrance("Show or check the settings, tokens and models."),
    "config show": Entrance("Show the settings in force and where each comes from.", "config", "show"),
    "config check": Entrance("Check the settings, and tell all that is wrong.", "config", "check"),
    "config sample": Entrance("Print every setting with its meaning.", "config", "sample"),
    "config completion": Entrance("Print what lets a shell complete commands.", "completion"),
    "config model": Entrance("List the models that can answer on this machine.", "model"),
    "config model try": Entrance("Ask a model one tiny question.", "model", "try_command"),
    "config model use": Entrance("Write a model into memory.toml.", "model", "use_command"),
    "config model allow": Entrance("Let a program see the text of a SOURCE.", "model", "allow_command"),
    "config token": Entrance("Give persons and agents a token to call over HTTP."),
    "config token add": Entrance("Make a token and print it, this once.", "token", "add_command"),
    "config token list": Entrance("List the tokens, and whose they are.", "token", "list_command"),
    "config token revoke": Entrance("Take a token away.", "token", "revoke_command"),
    "backup": Entrance("Back up all that trust rests on, into a folder.", "backup"),
    "restore": Entrance("Bring a workspace back from a back-up.", "restore"),
    "upgrade": Entrance("Bring a workspace to the version that is installed.", "upgrade"),
    "workspaces": Entrance("List your workspaces, or change the list.", "workspaces"),
    "workspaces add": Entrance("Put the workspace in DIR on the list.", "workspaces", "add_command"),
    "workspaces rename": Entrance("Give a workspace another name.", "workspaces", "rename_command"),
    "workspaces default": Entrance(
        "Make NAME the workspace that is meant by default.", "workspaces", "default_command"
    ),
    "workspaces remove": Entrance("Take a workspace off the list.", "workspaces", "remove_command"),
    "workspaces uninstall": Entrance("Take out all that leads to a workspace, and leave its folder.", "uninstall"),
}
"""The entrances by the words that follow `memory`, in the order in which a person meets them."""

OF_AGENTS = {"exec": "store exec", "mcp": "agents mcp", "wake": "agents wake"}
"""The short names that stand in the configurations of agents, and that agents type: they stay for good."""

ALIASES = OF_AGENTS | {
    "adopt": "doctor adopt",
    "check": "doctor search",
    "cost": "show cost",
    "entities": "show entities",
    "entities merge": "correct merge",
    "entities show": "show entities",
    "entities split": "correct split",
    "entries": "show entries",
    "explain": "show story",
    "forget-about": "forget about",
    "get": "show lines",
    "install": "serve install",
    "integrate": "agents connect",
    "jobs": "show jobs",
    "know": "agents know",
    "model": "config model",
    "pin": "agents pin",
    "reflect": "run facts",
    "reindex": "doctor reindex",
    "remember": "agents remember",
    "review": "suggestions review",
    "runs": "show runs",
    "runs show": "show run",
    "token": "config token",
    "transcripts": "show transcripts",
    "transcripts show": "show transcript",
    "unlink": "correct unlink",
    "unpin": "agents unpin",
}
"""Earlier names of commands, which are called in silence until version 2.0, and what each is called now."""

_MOST_WORDS = max(name.count(" ") for name in (*COMMANDS, *ALIASES)) + 1


def find_command(words: Sequence[str]) -> tuple[str, list[str]]:
    """The longest name of a command with which words begin, new or old, and the words that are left for it."""
    old, left = _split(words, ALIASES)
    return _split([*ALIASES[old].split(), *left] if old else words, COMMANDS)


def _split(words: Sequence[str], names: Collection[str]) -> tuple[str, list[str]]:
    for number in range(min(len(words), _MOST_WORDS), 0, -1):
        if (name := " ".join(words[:number])) in names:
            return name, list(words[number:])
    return "", list(words)


def words_below(group: str) -> list[str]:
    """The words that may follow the name of a group, or `memory` for the empty name."""
    parted = (name.rpartition(" ") for name in COMMANDS)
    return [word for above, _, word in parted if above == group]


def closest_name(words: str, group: str) -> str:
    """The command of a group that words may have meant, by its new name; empty when no name is close to them."""
    from difflib import get_close_matches

    below = [name for name in COMMANDS if not group or name.startswith(f"{group} ")]
    known = {name.rpartition(" ")[2]: name for name in reversed(below)} | {name: name for name in below}
    if not group:
        known |= ALIASES
    close = get_close_matches(words, known, n=1)
    return known[close[0]] if close else ""
