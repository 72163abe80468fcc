"""The tools whose calls are evidence: one row a harness and tool, with the fields that say what was done.

A server's tool has another name than the program's own: with the server's before it, or in a namespace. What a tool
printed is never read. Where a program does not record whether a command succeeded, as Gemini CLI and Qwen Code do not,
its commands are no evidence.
"""

from collections.abc import Mapping

from pipeline.adapters.sources.evidence.readings import (
    Reading,
    either,
    noted,
    one_task,
    patched,
    planned,
    shell,
    whole_list,
    written,
)

_OPENCLAW: Mapping[str, Reading] = {
    "update_plan": whole_list("plan", "step"),
    "exec": shell("command"),
    "bash": shell("command"),
    "write": either(written("path", "content"), written("file_path", "content")),
    "edit": either(written("path", "newText", "oldText"), written("file_path", "new_string", "old_string")),
}

TOOLS: Mapping[str, Mapping[str, Reading]] = {
    "claude_code": {
        "ExitPlanMode": planned,
        "exit_plan_mode": planned,
        "TodoWrite": whole_list("todos", "content"),
        "TaskCreate": one_task,
        "TaskUpdate": one_task,
        "Bash": shell("command"),
        "Write": written("file_path", "content"),
        "Edit": written("file_path", "new_string", "old_string"),
        "MultiEdit": written("file_path", "new_string", "old_string"),
        "NotebookEdit": written("notebook_path"),
    },
    "codex": {
        "update_plan": whole_list("plan", "step"),
        "shell": shell("command"),
        "shell_command": shell("command"),
        "exec_command": shell("cmd"),
        "apply_patch": patched,
    },
    "gemini_cli": {
        "write_todos": whole_list("todos", "description"),
        "save_memory": noted("fact"),
        "write_file": written("file_path", "content"),
        "replace": written("file_path", "new_string", "old_string"),
    },
    "qwen": {
        "todo_write": whole_list("todos", "content"),
        "save_memory": noted("fact"),
        "write_file": written("file_path", "content"),
        "edit": written("file_path", "new_string", "old_string"),
    },
    "openclaw": _OPENCLAW,
    "opencode": {
        "todowrite": whole_list("todos", "content"),
        "bash": shell("command"),
        "write": written("filePath", "content"),
        "edit": written("filePath", "newString", "oldString"),
    },
    "kimi": {
        "TodoList": whole_list("todos", "title"),
        "Bash": shell("command"),
        "Write": written("path", "content"),
        "Edit": written("path", "new_string", "old_string"),
    },
    "copilot_cli": {
        "bash": shell("command"),
        "create": written("path", "file_text"),
        "edit": written("path", "new_str", "old_str"),
    },
}
