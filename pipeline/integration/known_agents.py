"""The agents whose configuration we know: their files, and what each of them is to hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.errors import PathRefused
from pipeline.errors.service import HomeMissing
from pipeline.integration.edits import FileEdit, Piece, Syntax, Uneditable
from pipeline.integration.json_syntax import parsed
from pipeline.integration.wording import (
    PLUGIN,
    instructions,
    notice_hook,
    prompt_plugin,
    shell_line,
    wake_hook,
)
from pipeline.workspace.regular_files import read_regular

SERVER = "memory"
"""The name of our server in every configuration."""
_OPENCLAW_TOOLS = f"{SERVER}__"
"""Before the names of our tools in OpenClaw, which has a `memory_search` of its own."""
_REPLACED = "Bash|PowerShell|Grep|WebFetch|mcp__.*"
"""The tools of Claude Code whose outputs our hook looks at."""


PROMPTS, PAGE = "prompts", "page"
PARTS = (PROMPTS, PAGE)
"""The parts that the owner may leave out: what answers a prompt, beside it, and `MEMORY.md` at the start."""


@dataclass(frozen=True)
class Connection:
    """What is to be connected: the command `program`, the `workspace`, and the `agent` whose memory it is, if any.

    `home` is the person's home folder; `variables` are those of the environment, which may name other folders.
    `left_out` are the parts that the owner does not want, of `PARTS`.
    """

    program: str
    workspace: str
    agent: str
    home: Path
    variables: Mapping[str, str]
    left_out: frozenset[str] = frozenset()

    @property
    def page(self) -> bool:
        """Whether a session begins with `MEMORY.md`."""
        return PAGE not in self.left_out

    @property
    def server(self) -> list[str]:
        """The words that start the MCP server."""
        return [self.program, "mcp", "--workspace", self.workspace, *(["--agent", self.agent] if self.agent else [])]

    @property
    def wake(self) -> list[str]:
        """The words that show the agent `MEMORY.md` and its memory; none where neither is to be shown."""
        if not (self.agent or self.page):
            return []
        own = [self.agent, *(["--with", "memory"] if self.page else [])] if self.agent else []
        return [self.program, "wake", *own, "--workspace", self.workspace]

    def hook(self, kind: str, configuration: Path) -> list[str]:
        """The words that replace large outputs of the tools of an agent, whose `configuration` names our server."""
        return [self._hook_program, kind, self.workspace, self.agent, str(configuration)]

    def prompt(self, kind: str, configuration: Path) -> list[str]:
        """The words that give the agent what answers a prompt; `configuration` names our server."""
        return [self._hook_program, "prompt", kind, self.workspace, self.agent, str(configuration)]

    @property
    def notice(self) -> list[str]:
        """The words that tell the service of new records, when a session ends or is about to be compacted."""
        return [self._hook_program, "notice", self.workspace]

    @property
    def _hook_program(self) -> str:
        return str(Path(self.program).with_name("memory-hook")) if "/" in self.program else "memory-hook"

    def folder(self, variable: str, *below: str) -> Path:
        """The folder that a variable names, or else the one below the home folder."""
        value = self.variables.get(variable, "")
        return Path(value).expanduser() if value else self.home.joinpath(*below)


@dataclass(frozen=True)
class KnownAgent:
    """An agent: its name for people, its folder, and its edits. `proven` tells that it was seen to read them.

    In its texts the agent replaces what begins with one of `replaced`, so our words must not hold it. `hook` are the
    words that replace large outputs of its tools; without it nobody has proven that the agent lets a program do that.
    """

    title: str
    folder: Callable[[Connection], Path]
    edits: Callable[[Connection], list[FileEdit]]
    proven: bool = False
    replaced: tuple[str, ...] = ()
    hook: Callable[[Connection], list[str]] | None = None

    def wanted(self, connection: Connection) -> list[FileEdit]:
        """The edits, the server first.

        Raises:
            PathRefused: a path holds what the agent would replace.
        """
        for word in (*connection.server, *connection.wake):
            if mark := next((mark for mark in self.replaced if mark in word), ""):
                raise PathRefused(word, f"has {mark} in it, which {self.title} replaces; use another folder or name")
        return self.edits(connection)


def home_of(variables: Mapping[str, str]) -> Path:
    """The person's home folder.

    Raises:
        HomeMissing: `HOME` is not set, or names no folder.
    """
    home = variables.get("HOME", "")
    if not Path(home).is_absolute() or not Path(home).is_dir():
        raise HomeMissing(home)
    return Path(home)


def _lines(file: Path, connection: Connection, *, hooked: bool = False, before_names: str = "") -> FileEdit:
    text = instructions(connection.agent, shown=bool(connection.wake), hooked=hooked, before_names=before_names)
    return FileEdit(file, Syntax.MARKDOWN, (Piece((), text),))


def _plain(words: Sequence[str]) -> dict[str, object]:
    return {"command": words[0], "args": list(words[1:])}


def _claude_folder(connection: Connection) -> Path:
    return connection.folder("CLAUDE_CONFIG_DIR", ".claude")


def _claude_servers(connection: Connection) -> Path:
    folder = _claude_folder(connection)
    return folder / ".claude.json" if connection.variables.get("CLAUDE_CONFIG_DIR") else folder.parent / ".claude.json"


def _claude_hook(connection: Connection) -> list[str]:
    return connection.hook("claude-code", _claude_servers(connection))


def _claude_code(connection: Connection) -> list[FileEdit]:
    folder = _claude_folder(connection)
    server = Piece(("mcpServers", SERVER), {"type": "stdio", **_plain(connection.server)})
    hook = {"type": "command", "command": shell_line(_claude_hook(connection)), "timeout": 5}
    pieces = [Piece(("hooks", "PostToolUse"), {"matcher": _REPLACED, "hooks": [hook]}, listed=True)]
    if connection.wake:
        hook = {"type": "command", "command": shell_line(connection.wake), "timeout": 10}
        start = {"matcher": "startup|resume|clear|compact", "hooks": [hook]}
        pieces.append(Piece(("hooks", "SessionStart"), start, listed=True))
    if PROMPTS not in connection.left_out:
        prompt = shell_line(connection.prompt("claude-code", _claude_servers(connection)))
        before = {"hooks": [{"type": "command", "command": prompt, "timeout": 5}]}
        pieces.append(Piece(("hooks", "UserPromptSubmit"), before, listed=True))
    notice = {"hooks": [{"type": "command", "command": shell_line(connection.notice), "timeout": 5}]}
    pieces += [Piece(("hooks", event), notice, listed=True) for event in ("SessionEnd", "PreCompact")]
    return [
        FileEdit(_claude_servers(connection), Syntax.JSON, (server,)),
        FileEdit(folder / "settings.json", Syntax.JSON, tuple(pieces)),
        _lines(folder / "CLAUDE.md", connection, hooked=True),
    ]


def _openclaw_folder(connection: Connection) -> Path:
    return connection.folder("OPENCLAW_STATE_DIR", ".openclaw")


def _openclaw(connection: Connection) -> list[FileEdit]:
    folder = _openclaw_folder(connection)
    settings = connection.folder("OPENCLAW_CONFIG_PATH", str(folder / "openclaw.json"))
    read = _mapping(_read(settings))
    workspace = _openclaw_workspace(read, folder, connection)
    internal = ("hooks", "internal")
    switched_off = _mapping(_mapping(read.get("hooks")).get("internal")).get("enabled") is False
    shows_itself = workspace.resolve() == Path(connection.workspace).resolve()  # a MEMORY.md of its own workspace
    if shows_itself or (switched_off and not connection.agent):
        connection = replace(connection, left_out=connection.left_out | {PAGE})
    hooks = [wake_hook(connection.wake, connection.agent)] if connection.wake else []
    hooks += [notice_hook(connection.notice)] if connection.agent else []
    pieces = [Piece(("mcp", "servers", SERVER), _plain(connection.server))]
    if hooks:
        pieces.append(Piece((*internal, "enabled"), True, shared=True))  # noqa: FBT003 - the setting's value
        pieces += [Piece((*internal, "entries", hook.name), {"enabled": True}) for hook in hooks]
    pages = dict[Path, str]()
    if PROMPTS not in connection.left_out:
        plugin = prompt_plugin(connection.prompt("openclaw", settings), connection.agent)
        allowed = {"enabled": True, "hooks": {"allowConversationAccess": True}}
        pieces.append(Piece(("plugins", "entries", PLUGIN), allowed))
        pages = {folder / "extensions" / PLUGIN / name: text for name, text in plugin.items()}
    for hook in hooks:
        pages |= {folder / "hooks" / hook.name / "HOOK.md": hook.page}
        pages |= {folder / "hooks" / hook.name / "handler.js": hook.handler}
    files = [FileEdit(page, Syntax.WHOLE, (Piece((), text),)) for page, text in pages.items()]
    lines = _lines(workspace / "AGENTS.md", connection, hooked=True, before_names=_OPENCLAW_TOOLS)
    return [FileEdit(settings, Syntax.JSON5, tuple(pieces)), *files, lines]


def _read(settings: Path) -> object:
    """The configuration; nothing where it cannot be read: its edit will say so."""
    try:
        return parsed(read_regular(settings).decode()).value
    except (OSError, UnicodeDecodeError, Uneditable):
        return None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _openclaw_workspace(settings: Mapping[str, object], folder: Path, connection: Connection) -> Path:
    """The agent's workspace, as the configuration names it."""
    agents = _mapping(settings.get("agents"))
    listed = agents.get("list")
    named = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    own = [one.get("workspace") for one in named if connection.agent and one.get("id") == connection.agent]
    shared = _mapping(agents.get("defaults")).get("workspace")
    path = next((one for one in [*own, shared] if isinstance(one, str) and one), str(folder / "workspace"))
    return connection.home / path.removeprefix("~/") if path.startswith("~/") else Path(path)


def _codex(connection: Connection) -> list[FileEdit]:
    folder = connection.folder("CODEX_HOME", ".codex")
    server = Piece(("mcp_servers", SERVER), _plain(connection.server))
    return [FileEdit(folder / "config.toml", Syntax.TOML, (server,)), _lines(folder / "AGENTS.md", connection)]


def _gemini(connection: Connection) -> list[FileEdit]:
    folder = connection.home / ".gemini"
    server = Piece(("mcpServers", SERVER), _plain(connection.server))
    notice = {"hooks": [{"type": "command", "command": shell_line(connection.notice), "timeout": 5_000}]}
    ends = [Piece(("hooks", event), notice, listed=True) for event in ("SessionEnd", "PreCompress")]
    file = folder / "settings.json"
    if PROMPTS not in connection.left_out:
        prompt = shell_line(connection.prompt("gemini-cli", file))
        before = {"hooks": [{"type": "command", "command": prompt, "timeout": 5_000}]}
        ends.append(Piece(("hooks", "BeforeAgent"), before, listed=True))
    settings = FileEdit(file, Syntax.JSON5, (server, *ends))
    return [settings, _lines(folder / "GEMINI.md", connection)]


def _opencode_folder(connection: Connection) -> Path:
    return connection.folder("XDG_CONFIG_HOME", ".config") / "opencode"


def _opencode(connection: Connection) -> list[FileEdit]:
    folder = _opencode_folder(connection)
    commented = (folder / "opencode.jsonc").exists() and not (folder / "opencode.json").exists()
    server = Piece(("mcp", SERVER), {"type": "local", "command": connection.server, "enabled": True})
    file = folder / ("opencode.jsonc" if commented else "opencode.json")
    return [FileEdit(file, Syntax.JSON5, (server,)), _lines(folder / "AGENTS.md", connection)]


def _cursor(connection: Connection) -> list[FileEdit]:
    server = Piece(("mcpServers", SERVER), _plain(connection.server))
    return [FileEdit(connection.home / ".cursor" / "mcp.json", Syntax.JSON, (server,))]


AGENTS = {
    "claude-code": KnownAgent(
        "Claude Code", _claude_folder, _claude_code, proven=True, replaced=("${",), hook=_claude_hook
    ),
    "openclaw": KnownAgent("OpenClaw", _openclaw_folder, _openclaw, proven=True, replaced=("${",)),
    "codex": KnownAgent("Codex", lambda at: at.folder("CODEX_HOME", ".codex"), _codex, proven=True),
    "gemini-cli": KnownAgent("Gemini CLI", lambda at: at.home / ".gemini", _gemini, proven=True, replaced=("$",)),
    "opencode": KnownAgent("OpenCode", _opencode_folder, _opencode, proven=True, replaced=("{env:", "{file:")),
    "cursor": KnownAgent("Cursor", lambda at: at.home / ".cursor", _cursor, replaced=("${",)),
}
"""By the name that the command takes."""
