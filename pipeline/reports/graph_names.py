"""What of a graph a request names by the beginning of a name: a session by its id, an entity by any of its names."""

from collections.abc import Iterable, Mapping

from pipeline.errors import SeveralNames, UnknownSession
from pipeline.errors.corrections import UnknownEntity
from pipeline.facts.entities import Entity
from pipeline.facts.names import EntityNames
from pipeline.language.folding import fold
from pipeline.reports.entities import entity_named
from schemas.reports.graph import GraphNode
from schemas.transcript import id_in_file


def session_meant(given: str, nodes: Iterable[GraphNode]) -> str:
    """The session with this id, or the only one of the nodes whose id begins so; else what was given.

    Raises:
        SeveralNames: several begin so.
    """
    sessions = {node.session for node in nodes if node.session}
    if not given or given in sessions:
        return given
    beginning = sorted(name for name in sessions if name.startswith(given) or id_in_file(name).startswith(given))
    if len(beginning) > 1:
        raise SeveralNames(UnknownSession.sort, given, dict.fromkeys(beginning, ""))
    return beginning[0] if beginning else given


def entity_meant(given: str, known: Mapping[str, Entity], names: EntityNames) -> Entity:
    """The entity of a name or an alias, or the only one of which a name begins so, whatever the case.

    Raises:
        NameRefused: several begin so; none does.
    """
    try:
        return entity_named(given, dict(known), names)
    except UnknownEntity:
        beginning = [one for one in known.values() if _begins(one, fold(given))]
        if len(beginning) > 1:
            raise SeveralNames(UnknownEntity.sort, given, {one.name: "" for one in beginning}) from None
        if not beginning:
            raise
        return beginning[0]


def _begins(entity: Entity, beginning: str) -> bool:
    return any(fold(name).startswith(beginning) for name in (entity.name, *entity.aliases))
