"""`memory doctor adopt`."""

import re
import shlex
from collections.abc import Sequence

import click

from pipeline.corrections.adopt import (
    Adopted,
    Move,
    PersonsBlock,
    PersonsPart,
    adopt,
    move_diff,
    move_done,
    move_planned,
    own_blocks,
    part_after,
    plan,
    read_part,
)
from pipeline.engine.partitioning.changes import take_over_folds
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import count, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from schemas.hot_page import CHARACTERS, LINES, PATH

_WIDTH = 72  # characters of a block that are shown


class _Numbers(click.ParamType[range]):
    """A number or a range of numbers, both ends inside."""

    name = "numbers"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """The numbers; a range that runs backwards has none, so it is refused."""
        if isinstance(value, range):
            return value
        match = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", str(value))
        numbers = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        if not numbers:
            self.fail(f"{value!r} is neither a number nor a range of numbers such as 5-7.", param, ctx)
        return numbers


@click.command("adopt")
@click.argument("numbers", nargs=-1, type=_Numbers(), metavar="[NUMBERS]...")
@click.option("--yes", is_flag=True, help="Do it; without, the diff is shown and nothing is moved.")
@click.option("--seen", metavar="HEX", default="", help="Move only if MEMORY.md is still as it was when HEX was shown.")
@options.as_json
@options.workspace
def command(numbers: tuple[range, ...], workspace: str | None, seen: str, *, yes: bool, as_json: bool) -> None:
    """Make room in MEMORY.md: move text of yours away.

    It goes to memory/archive. Without NUMBERS, your blocks are listed: each heading with the text right under it. With
    NUMBERS, such as 2 5-7, the diff is shown. What the jobs wrote, and you have not changed, stays where it is. `memory
    undo` takes it back.
    """
    if yes and not numbers:
        message = "Say which blocks to move; `memory doctor adopt` lists them."
        raise click.UsageError(message)
    wanted = sorted({number for numbers_of_range in numbers for number in numbers_of_range})
    with open_for_reading(workspace, looking=yes) as engine:
        if yes:
            rebuild_if_lost(engine)  # before the ledger knows of a run, and so does not look lost any more
            take_over_folds(engine)
        if not numbers:
            listing = read_part(engine)
            print_json(own_blocks(listing)) if as_json else _print_blocks(listing)
        elif not yes:
            shown = plan(engine, wanted, seen)
            print_json(move_planned(shown)) if as_json else _print_plan(shown, workspace)
        else:
            done = adopt(engine, wanted, seen)
            print_json(move_done(done)) if as_json else _print_done(done)


def _print_blocks(listing: PersonsPart) -> None:
    click.echo(f"Yours in {PATH}: {count(listing.lines, 'line')}, {count(listing.characters, 'character')}.")
    _print_room(listing)
    click.echo()
    rows = [(str(block.number), str(block.line), str(block.lines), str(block.characters), _describe_block(block))
            for block in listing.blocks]  # fmt: skip
    print_columns(rows, ("NO", "FROM LINE", "LINES", "CHARACTERS", "BLOCK"))
    click.echo("\nA block ends at the next heading; a range such as 5-7 takes a heading with those under it.")
    click.echo("`memory doctor adopt 2 5-7` shows what moving those would change, and moves nothing yet.")


def _print_plan(move: Move, workspace: str | None) -> None:
    for line in move_diff(move):
        click.echo(printable(line))
    click.echo(f"\nThis would move {_describe_amount(move)} to {move.archive}.")
    _print_room(part_after(move), " then")
    numbers = _number_ranges([block.number for block in move.blocks])
    place = ["--workspace", workspace] if workspace else []
    again = shlex.join(["memory", "doctor", "adopt", *numbers, "--seen", move.page_mark, "--yes", *place])
    click.echo(f"Nothing was moved. To do it: {again}")


def _print_done(done: Adopted) -> None:
    click.echo(f"Moved {_describe_amount(done.move)} to {done.move.archive}.")
    _print_room(part_after(done.move))
    if done.due:
        click.echo("`memory run` puts what waits into the room.")
    click.echo(f"To take it back: memory undo {done.run_id}")


def _print_room(measured: PersonsPart, when: str = "") -> None:
    lines = f"{measured.room_lines} of {LINES} lines"
    characters = f"{measured.room_characters} of {CHARACTERS} characters"
    click.echo(f"Room for what the jobs put there{when}: {lines}, {characters}.")


def _describe_amount(move: Move) -> str:
    lines, characters = sum(block.lines for block in move.blocks), sum(block.characters for block in move.blocks)
    return f"{count(len(move.blocks), 'block')} ({count(lines, 'line')}, {count(characters, 'character')})"


def _describe_block(block: PersonsBlock) -> str:
    """The heading of a block, as deep as its level, and the first words under it."""
    head = f"{'  ' * (block.level - 1)}{'#' * block.level} {block.title}".rstrip()
    if not block.headed:
        head = f"(under {head.strip()})" if block.level else "(no heading)"
    text = printable(f"{head}  {block.begins}").rstrip()
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


def _number_ranges(numbers: Sequence[int]) -> list[str]:
    """The numbers of blocks as a person types them, neighbours as a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
