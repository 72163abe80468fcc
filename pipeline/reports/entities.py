"""The entities of a workspace, as values."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from pipeline.engine.context import Engine
from pipeline.engine.inputs import all_facts, names_by_people, pages_by_people
from pipeline.errors import SeveralNames, UnknownSession
from pipeline.errors.corrections import UnknownEntity
from pipeline.facts.names import PAGES, Entity, EntityNames, PageNames, entities_of, key_of, likely_pairs, names_of
from pipeline.facts.sections import FAMILY
from pipeline.language.folding import fold
from pipeline.reports.facts import fact_book
from pipeline.workspace.families import Slots, concrete
from schemas.reports.entities import EntityReport, ShownEntity
from schemas.reports.graph import GraphNode
from schemas.transcript import id_in_file


def given_names(engine: Engine) -> list[PageNames]:
    """The names that people gave in their part of the pages of entities."""
    return [names_of(path, text) for path, text in pages_by_people(engine)]


def known_entities(engine: Engine) -> dict[str, Entity]:
    """The entities that people or facts name, by their keys."""
    return entities_of(all_facts(engine), names_by_people(engine))


def list_entities(engine: Engine) -> list[EntityReport]:
    """All entities, by name, each with those whose names are alike."""
    return _reports(engine, known_entities(engine))


def show_entity(engine: Engine, name: str) -> ShownEntity:
    """An entity with its facts and its page.

    Raises:
        UnknownEntity: nothing has this name.
    """
    known, names = known_entities(engine), names_by_people(engine)
    entity = entity_named(name, known, names)
    report = next(report for report in _reports(engine, known) if report.name == entity.name)
    book = fact_book(engine)
    mine = [
        standing
        for standing in book.standings.all
        if any(key_of(mention, names) == entity.key for mention in standing.fact.entities)
    ]
    page = (engine.workspace.read(report.path) or b"").decode(errors="replace")
    return ShownEntity(report, tuple(map(book.report, mine)), page)


def entity_named(name: str, known: dict[str, Entity], names: EntityNames) -> Entity:
    """The entity of a name or an alias.

    Raises:
        UnknownEntity: nothing has this name.
    """
    present = known.get(key_of(name, names))
    if present is None:
        raise UnknownEntity(name, get_close_matches(name, [entity.name for entity in known.values()]))
    return present


def page_path(engine: Engine, entity: Entity) -> str:
    """The path of an entity's page: one of the same name in any case, else the one that would be written."""
    return _path_among(_paths(engine), entity)


def _paths(engine: Engine) -> dict[str, str]:
    """The pages that there are, by their names whatever the case."""
    return {path.casefold(): path for path in reversed(engine.workspace.select(PAGES))}


def _path_among(paths: Mapping[str, str], entity: Entity) -> str:
    wanted = concrete(FAMILY, Slots(page=entity.page))
    return paths.get(wanted.casefold(), wanted)


def _reports(engine: Engine, known: dict[str, Entity]) -> list[EntityReport]:
    given = {key_of(page.name, EntityNames()): page for page in given_names(engine)}
    near = defaultdict[str, list[str]](list)
    for one, other in likely_pairs(list(known.values())):
        near[one.key].append(other.name)
        near[other.key].append(one.name)
    paths = _paths(engine)
    return [_report(paths, entity, given.get(entity.key), near[entity.key]) for entity in known.values()]


def _report(paths: Mapping[str, str], entity: Entity, given: PageNames | None, near: Sequence[str]) -> EntityReport:
    first, last = map(str, entity.days) if entity.days else (None, None)
    return EntityReport(
        name=entity.name,
        aliases=given.aliases if given and given.aliases else entity.aliases,
        kind=given.kind if given else "",
        facts=len(entity.facts),
        first=first,
        last=last,
        path=_path_among(paths, entity),
        alike=tuple(near),
    )


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
        beginning = [entity for entity in known.values() if _begins(entity, fold(given))]
        if len(beginning) > 1:
            raise SeveralNames(UnknownEntity.sort, given, {entity.name: "" for entity in beginning}) from None
        if not beginning:
            raise
        return beginning[0]


def _begins(entity: Entity, beginning: str) -> bool:
    return any(fold(name).startswith(beginning) for name in (entity.name, *entity.aliases))
