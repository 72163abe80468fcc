"""The three questions of `memory init` at a terminal: which transcripts, which model, and whether to read now."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from pipeline.app.first_look import Proposal
from pipeline.app.model import model_offers, shown_to, use_model
from pipeline.errors.service import NoPersonThere
from pipeline.process.foreign import become
from pipeline.surfaces.cli.commands.model import readers_in_words
from pipeline.surfaces.cli.terminal.format import count, printable
from pipeline.surfaces.cli.terminal.person import answer, require_person

_READS_OWN = {"claude": "claude_code", "codex": "codex"}
"""The kind of the transcripts that the provider of a program has seen already."""
_ALL, _NONE = "all", "none"


def at_terminal() -> bool:
    """Whether a person can be asked: both streams are terminals, and no agent runs us."""
    try:
        require_person()
    except NoPersonThere:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


def choose_sources(proposed: Sequence[Proposal]) -> list[Proposal]:
    """The stores and the notes that the owner lets be read."""
    click.echo("Agents have left transcripts on this machine, and some have noted things:\n")
    for number, proposal in enumerate(proposed, 1):
        source = proposal.source
        name = source.name if source.holds_notes else source.kind
        click.echo(f"  {number}  {name:<14} {printable(source.path)}, {size_of_store(proposal)}")
    question = f"\nWhich may be read? {_ALL}, {_NONE}, or numbers such as 1 2 [{_ALL}]: "
    return [proposed[place] for place in _places(question, len(proposed), _ALL)]


def choose_model(root: Path, kinds: Sequence[str]) -> None:
    """Let the owner choose a model that is ready, and write it into the settings; text of those kinds would go to it.

    By itself it is a program whose own provider has seen all of these transcripts, and that pays by a login.
    """
    offers = [offer for offer in model_offers(root, dict(os.environ)) if offer.ready]
    if not offers:
        click.echo("No model is here, so rules read them, and find less. See `memory model`.\n")
        return
    click.echo("A model finds more than rules do. Here are:\n")
    for number, offer in enumerate(offers, 1):
        click.echo(f"  {number}  {printable(offer.standing)}\n     text of what is read goes to {offer.text_goes_to}")
    at_home = (
        str(place)
        for place, offer in enumerate(offers, 1)
        if {_READS_OWN.get(offer.name)} == set(kinds) and not offer.pays_by_token
    )
    own = next(at_home, _NONE)
    for place in _places(f"\nWhich may answer? A number, or {_NONE} [{own}]: ", len(offers), own)[:1]:
        offer = offers[place]
        key = "base_url" if offer.models else "program"
        use_model(root, {key: offer.name, **({"name": offer.models[0]} if offer.models else {})})
        click.echo(f"\n{readers_in_words(shown_to(root, dict(os.environ)))}")
    click.echo("")


def read_now(root: Path) -> None:
    """Become the back-fill of all that there is, which says what it takes, and asks.

    Raises:
        OSError: it cannot be run.
    """
    command = ("backfill", "--all", "--workspace", str(root))
    click.echo("To read all of it. It can be stopped at any time, and goes on with the same command:")
    click.echo(f"  memory {' '.join(command)}\n")
    become([sys.executable, "-P", "-m", "pipeline.surfaces.cli.main", *command])


def size_of_store(proposal: Proposal) -> str:
    """The number of sessions in a store, or of notes, and their days, as far as its listing tells."""
    extent = proposal.extent
    if extent is None:
        return "could not be listed in a moment; `memory transcripts` takes its time"
    if not extent.files:
        return "no session yet"
    days = sorted({f"{moment:%Y-%m-%d}" for moment in (extent.first, extent.last) if moment})
    changed = f", changed {' to '.join(days)}" if days else ""
    if proposal.source.holds_notes:
        return f"{count(extent.files, 'note')}{changed}; found by search, never believed"
    return f"about {count(extent.files, 'session')}{changed}"


def _places(question: str, most: int, usual: str) -> list[int]:
    """The places that a person chooses, from 0; asked again until they are some. The end of the input chooses none."""
    while True:
        words = (answer(question, at_end=_NONE) or usual).replace(",", " ").split()
        if words == [_ALL]:
            return list(range(most))
        if words == [_NONE]:
            return []
        if words and all(word.isdecimal() and 1 <= int(word) <= most for word in words):
            return sorted({int(word) - 1 for word in words})
        click.echo(f"Type {_ALL}, {_NONE}, or numbers from 1 to {most}.")
