"""`memory config model`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from pipeline.app.model import PROVIDERS, allow_sources, model_offers, shown_to, try_model, use_model
from pipeline.job import OFFLINE
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from schemas.checkup import Health
from schemas.reports.models import ChosenModel, ModelOffer, SourceReader
from schemas.reports.workspace import CheckReport

_MODEL = click.option("--model", "model_name", metavar="MODEL", default="", help="Another model than its own choice.")
_NONE = "none"


@click.command("model")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool) -> None:
    """List the models that can answer on this machine.

    They are the programs of agents that you are signed in to, and servers of models on their usual ports (Ollama, LM
    Studio, llama.cpp, vLLM). None is asked a question. Any other server that speaks the OpenAI API can be set in
    memory.toml.
    """
    offers = list(model_offers(root_of(workspace), environment()))
    if as_json:
        for offer in offers:
            print_json(offer)
        return
    states = [("ready" if offer.ready else "not ready") + (", in use" if offer.in_use else "") for offer in offers]
    rows = [(offer.name, state, printable(offer.standing)) for offer, state in zip(offers, states, strict=True)]
    print_columns(rows, ("MODEL", "", ""))
    for offer in offers:
        if offer.models:
            click.echo(f"\nModels of {offer.name}: {printable(', '.join(offer.models))}")
    if sentences := readers_in_words(shown_to(root_of(workspace), environment())):
        click.echo(f"\n{sentences}")
    click.echo(
        "\n`memory config model try NAME` asks one a tiny question, `memory config model use NAME` writes it into "
        "memory.toml."
    )


@click.command("try")
@click.argument("name", required=False)
@_MODEL
@options.as_json
@options.workspace
def try_command(name: str | None, workspace: str | None, *, model_name: str, as_json: bool) -> int:
    """Ask a model one tiny question.

    NAME is a program or the address of a server; without it the model of memory.toml is asked.
    """
    failed = False
    for check in try_model(root_of(workspace), environment(), _values(name, model_name) if name else {}):
        failed = failed or check.health is not Health.OK
        if as_json:
            print_json(CheckReport.of(check))
        else:
            click.echo(" ".join(printable(part) for part in (check.message, check.advice) if part))
    return int(failed)


@click.command("use")
@click.argument("name")
@_MODEL
@options.as_json
@options.workspace
def use_command(name: str, workspace: str | None, *, model_name: str, as_json: bool) -> None:
    """Write a model into memory.toml.

    NAME is a program, the address of a server with its --model, or none. A program gets the conversations that it is
    asked about, with its login; it pays as that does. From then on the jobs ask it, one question at a time. It sees the
    sessions of its own agent alone; `memory config model allow` adds sources. With none, every job works offline.
    """
    root, values = root_of(workspace), _values(name, model_name)
    offer = next((candidate for candidate in model_offers(root, environment()) if candidate.name == name), None)
    use_model(root, values)
    if as_json:
        ready, standing, goes_to = (offer.ready, offer.standing, offer.text_goes_to) if offer else (None, "", "")
        print_json(ChosenModel(name, ready, standing, goes_to, _readers(root)))
        return
    if name == _NONE:
        click.echo("Every job works offline now.")
        return
    click.echo(f"{name} answers from now on.{_consequence(offer)}")
    if sentences := readers_in_words(shown_to(root, environment())):
        click.echo(sentences)


@click.command("allow")
@click.argument("name", type=options.SpelledName([*PROVIDERS, OFFLINE]))
@click.argument("sources", metavar="[SOURCE]...", nargs=-1, shell_complete=options.names_of("sources"))
@click.option("--mixed", is_flag=True, help="Also text of sources that several programs see each a part of.")
@options.as_json
@options.workspace
def allow_command(name: str, sources: tuple[str, ...], workspace: str | None, *, mixed: bool, as_json: bool) -> None:
    """Let a program see the text of a SOURCE.

    It is text that its own agent did not write; offline: no model sees it. By itself a program sees the sessions of its
    own agent alone: claude those of claude_code, and codex those of codex. What no model may see is read without one.
    """
    if not sources and not mixed:
        message = "Name a source, or say --mixed."
        raise click.UsageError(message)
    root = root_of(workspace)
    allow_sources(root, name, sources, mixed=mixed)
    if as_json:
        for reader in _readers(root):
            print_json(reader)
        return
    click.echo(readers_in_words(shown_to(root, environment())))


def _readers(root: Path) -> tuple[SourceReader, ...]:
    shown = shown_to(root, environment())
    return tuple(SourceReader(name, tuple(sources)) for name, sources in shown.items())


def readers_in_words(shown: Mapping[str, Sequence[str]]) -> str:
    """The models that see text of sources, a sentence for each; empty without a model, or without a source."""
    seen = [f"{name} sees the text of {', '.join(sources)}." for name, sources in shown.items() if name != OFFLINE]
    unseen = ", ".join(shown.get(OFFLINE, ()))
    none = [f"No model sees that of {unseen}: `memory config model allow` lets one."] if unseen else []
    return printable(" ".join([*seen, *none]))


def _consequence(offer: ModelOffer | None) -> str:
    """The place to which text goes now, and the reason why a model cannot answer yet."""
    if offer is None:
        return ""
    missing = "" if offer.ready else f"\nIt cannot yet: {printable(offer.standing)}."
    return f" Text of conversations goes to {offer.text_goes_to}.{missing}"


def _values(name: str, model_name: str) -> dict[str, str]:
    """The settings that a choice sets."""
    if name == _NONE:
        return {}
    return {"base_url" if "://" in name else "program": name, **({"name": model_name} if model_name else {})}
