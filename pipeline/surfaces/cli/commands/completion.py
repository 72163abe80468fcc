"""`memory config completion`."""

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
VARIABLE = "_MEMORY_COMPLETE"
"""The variable by which a shell asks; click reads it before it calls a command."""


@click.command("completion")
@click.argument("shell", type=click.Choice(list(SHELLS)))
def command(shell: str) -> None:
    r"""Print what lets a shell complete commands.

    It completes the words of commands, options, and the names of jobs, agents, sources and entries. Let your shell read
    it as it starts:

    \b
    bash  eval "$(memory config completion bash)"   in ~/.bashrc
    zsh   eval "$(memory config completion zsh)"    in ~/.zshrc
    fish  memory config completion fish | source    in ~/.config/fish/config.fish
    """
    completion = SHELLS[shell](click.Command("memory"), {}, "memory", VARIABLE)
    click.echo(ShellComplete.source(completion))  # that of bash would start one, to ask for its version
