"""The questions of `memory init`. An option answers one, --yes all that are left, and else a person at a terminal."""

import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import click

from pipeline.app.first_look import FIRST_DAYS, FirstReading, Proposal, first_reading
from pipeline.app.model import model_offers
from pipeline.errors import PipelineError
from pipeline.errors.service import NoPersonThere
from pipeline.settings.load import load_settings
from pipeline.settings.workspaces import own_list
from pipeline.surfaces.cli.terminal.environment import environment
from pipeline.surfaces.cli.terminal.format import count, printable, rough_time
from pipeline.surfaces.cli.terminal.person import answer, require_person
from schemas.reports.models import ModelOffer
from schemas.settings import Settings

_READS_OWN = {"claude": "claude_code", "codex": "codex"}
"""The kind of the transcripts that the provider of a program has seen already."""
ALL, NONE = "all", "none"
_PORT, _PORTS = 9464, 20


@dataclass(frozen=True)
class GivenAnswers:
    """The answers of the options; `None` is a question, and so is a source where none is named."""

    source: tuple[str, ...] = ()
    timezone: str | None = None
    model: str | None = None
    page: bool | None = None
    service: bool | None = None
    embedder: str | None = None
    read: bool | None = None
    yes: bool = False


@dataclass(frozen=True)
class ChosenSources:
    """The stores and notes that may be read, those that may not, and those that nobody said anything about."""

    read: Sequence[Proposal] = ()
    declined: Sequence[Proposal] = ()
    undecided: Sequence[Proposal] = ()


def at_terminal() -> bool:
    """Whether a person can be asked: both streams are terminals, and no agent runs us."""
    try:
        require_person()
    except NoPersonThere:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


@dataclass(frozen=True)
class FirstQuestions:
    """The questions for a workspace that is still to be made; only with `asks` a person is asked."""

    root: Path
    given: GivenAnswers
    asks: bool

    def sources(self, proposed: Sequence[Proposal]) -> ChosenSources:
        """The stores and the notes that the owner lets be read.

        Raises:
            UsageError: an option names a source that is not here.
        """
        if named := [name.replace("-", "_") for name in self.given.source]:
            return _named_sources(named, proposed)
        if self.given.yes:
            return ChosenSources(read=proposed)
        if not self.asks or not proposed:
            return ChosenSources(undecided=proposed)
        click.echo("Agents have left transcripts on this machine, and some have noted things:\n")
        for number, proposal in enumerate(proposed, 1):
            click.echo(f"  {number}  {_name_of(proposal):<14} {printable(proposal.source.path)}")
            click.echo(f"     {size_of_store(proposal)}")
        question = f"\nWhich may be read? {ALL}, {NONE}, or numbers such as 1 2 [{ALL}]: "
        places = _places(question, len(proposed), ALL)
        if places is None:
            return ChosenSources(undecided=proposed)
        return _chosen([proposed[place] for place in places], proposed)

    def refuse_loss(self) -> None:
        """Refuse options that would be lost, because nothing said which transcripts are read.

        Raises:
            UsageError: an option asks for something.
        """
        given = self.given
        wanted = (
            given.page or given.service or given.read or given.embedder == "package" or given.model not in {None, NONE}
        )
        if wanted and not (self.asks or given.source or given.yes):
            message = "--page, --model, --service, --embedder and --read need --source or --yes."
            raise click.UsageError(message)

    def timezone(self, here: str) -> str:
        """The zone of the workspace; by itself that of this machine."""
        if self.given.timezone or not self.asks:
            return self.given.timezone or here
        while True:
            words = answer(f"\nThe time zone in which your days begin [{here}]: ")
            try:
                return Settings(timezone=words or here).timezone
            except ValueError:
                click.echo("That is no IANA time zone. Type one such as Europe/Warsaw, or Enter.")

    def model(self, kinds: Sequence[str]) -> dict[str, str]:
        """The values of a model that is ready; without any, rules read. Text of those kinds would go to it.

        By itself it is a program whose own provider has seen all of these transcripts, and that pays by a login.

        Raises:
            UsageError: an option names a model that is not ready here.
        """
        if not (self.asks or self.given.yes or self.given.model) or self.given.model == NONE:
            return {}
        every = model_offers(self.root, dict(os.environ), Settings())
        offers = [offer for offer in every if offer.ready]
        if self.given.model:
            named = next((offer for offer in offers if offer.name == self.given.model), None)
            if named is None:
                ready = ", ".join(offer.name for offer in offers) or "no model"
                message = f"--model: {self.given.model} cannot answer here; ready is {ready}."
                raise click.UsageError(message)
            return _values(named)
        at_home = (
            place
            for place, offer in enumerate(offers)
            if {_READS_OWN.get(offer.name)} == set(kinds) and not offer.pays_by_token
        )
        own = next(at_home, None)
        if self.given.yes:
            return {} if own is None else _values(offers[own])
        if not offers:
            click.echo("\nNo model is here, so rules read them, and find less. `memory config model` tells more.")
            return {}
        click.echo("\nA model finds more than rules do. Here are:\n")
        for number, offer in enumerate(offers, 1):
            click.echo(f"  {number}  {printable(offer.standing)}")
            click.echo(f"     text of what is read goes to {offer.text_goes_to}")
        usual = NONE if own is None else str(own + 1)
        places = _places(f"\nWhich may answer? A number, or {NONE} [{usual}]: ", len(offers), usual) or []
        return _values(offers[places[0]]) if places else {}

    def page(self) -> str:
        """The address of the page on this machine; empty for no page."""
        address = f"127.0.0.1:{_free_port()}"
        question = f"\nShow it in the browser too, at http://{address}? Only this machine reaches it."
        return address if self._decide(question, given=self.given.page) else ""

    def service(self, *, offered: bool) -> bool:
        """Whether systemd is to keep it going; it is asked only where systemd is here."""
        question = "\nLet systemd run it by itself, as a service of your user, so that new sessions are read?"
        return (offered or bool(self.given.service)) and self._decide(question, given=self.given.service)

    def embedder(self, command: str, seconds: float) -> bool | None:
        """Whether the package with the embedder is to be installed by this command; `None` leaves it open.

        It takes so many seconds for the notes that are read.
        """
        if self.given.embedder:
            return self.given.embedder == "package"
        if not command or not self.asks:
            return None
        notes = f"about {rough_time(seconds)} for the notes, and " if seconds > 1 else ""
        click.echo("\nSearch compares words. An embedder also compares meaning, and finds the same in other")
        click.echo(f"words or another language. It is a download of 91 MB, and takes {notes}a moment")
        click.echo("for each day that is written. Nothing leaves the machine. Yes runs:")
        click.echo(f"  {command}")
        return self._decide("Install it? No is kept, and nothing asks again.")

    def read(self, chosen: Sequence[Proposal], *, with_model: bool) -> FirstReading | None:
        """The reading to begin with; `None` for another time."""
        reading = first_reading(chosen)
        length = f"about {rough_time(max(reading.seconds, 1))}"
        if reading.first:
            extent = f"the {FIRST_DAYS} days up to the newest session first (all of it takes {length})"
        else:
            extent = "all of it" if with_model else f"all of it, in {length}"
        return reading if self._decide(f"\nRead {extent} now?", given=self.given.read, usual=True) else None

    def _decide(self, question: str, *, given: bool | None = None, usual: bool = False) -> bool:
        """The answer to a question of yes or no; the end of the input is a no."""
        if given is not None:
            return given
        if not self.asks:
            return usual and self.given.yes
        while True:
            word = answer(f"{question} {'[Y/n]' if usual else '[y/N]'} ", at_end="n").lower()
            if word in {"", "y", "yes", "n", "no"}:
                return usual if not word else word.startswith("y")
            click.echo("Type y or n.")


def size_of_store(proposal: Proposal) -> str:
    """The number of sessions in a store, or of notes, and their days, as far as its listing tells."""
    extent = proposal.extent
    if extent is None:
        return "could not be listed in a moment; `memory show transcripts` takes its time"
    if not extent.files:
        return "no session yet"
    days = sorted({f"{moment:%Y-%m-%d}" for moment in (extent.first, extent.last) if moment})
    changed = f", changed {' to '.join(days)}" if days else ""
    if proposal.source.holds_notes:
        return f"{count(extent.files, 'note')}{changed}; found by search, never believed"
    return f"about {count(extent.files, 'session')}{changed}"


def _named_sources(named: Sequence[str], proposed: Sequence[Proposal]) -> ChosenSources:
    """The sources that options name; of several words, `all` and `none` stand alone."""
    words = {ALL, NONE, *(_name_of(one).replace("-", "_") for one in proposed), *(one.source.kind for one in proposed)}
    if unknown := [name for name in named if name not in words]:
        here = ", ".join(dict.fromkeys(map(_name_of, proposed))) or "nothing"
        message = f"--source: there is no {unknown[0]} on this machine; found: {here}. {ALL} and {NONE} are words too."
        raise click.UsageError(message)
    if len(named) > 1 and {ALL, NONE} & {*named}:
        message = f"--source: {ALL} and {NONE} stand alone."
        raise click.UsageError(message)
    wanted = [
        proposal
        for proposal in proposed
        if named == [ALL] or {_name_of(proposal).replace("-", "_"), proposal.source.kind} & {*named}
    ]
    return _chosen(wanted, proposed)


def _chosen(chosen: Sequence[Proposal], proposed: Sequence[Proposal]) -> ChosenSources:
    return ChosenSources(chosen, [proposal for proposal in proposed if proposal not in chosen])


def _name_of(proposal: Proposal) -> str:
    source = proposal.source
    return source.name if source.holds_notes else source.kind


def _values(offer: ModelOffer) -> dict[str, str]:
    """The settings of a model that is offered."""
    if offer.models:
        return {"base_url": offer.name, "name": offer.models[0]}
    return {"program": offer.name}


def _free_port() -> int:
    """The first free port from the usual one on that no listed workspace names; the usual one where all are taken."""
    named = set(_named_addresses())
    for port in range(_PORT, _PORT + _PORTS):
        with closing(socket.socket()) as probe:
            if f"127.0.0.1:{port}" not in named and probe.connect_ex(("127.0.0.1", port)):
                return port
    return _PORT


def _named_addresses() -> Iterator[str]:
    """The addresses that the settings of the person's workspaces name for their pages, as far as they can be read."""
    with suppress(PipelineError):
        for folder in own_list(environment()).read().folders.values():
            with suppress(PipelineError):
                yield load_settings(Path(folder), {}).service.http


def _places(question: str, most: int, usual: str) -> list[int] | None:
    """The places that a person chooses, from 0; asked again until they are some. `None` at the end of the input."""
    end = "\4"
    while True:
        words = (answer(question, at_end=end) or usual).replace(",", " ").split()
        if words == [end]:
            return None
        if words == [ALL]:
            return list(range(most))
        if words == [NONE]:
            return []
        if words and all(word.isdecimal() and 1 <= int(word) <= most for word in words):
            return sorted({int(word) - 1 for word in words})
        click.echo(f"Type {ALL}, {NONE}, or numbers from 1 to {most}.")
