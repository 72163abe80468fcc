"""Which model may see which text: a program reads what its own agent wrote, and all else only where the owner says so.

Text has been at one provider before it comes here. It goes to another one only after the owner said so, by source.
"""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Self

from pipeline.job import OFFLINE
from pipeline.ports.engine import LanguageModel

_ONLY = "model"


@dataclass(frozen=True)
class Readers:
    """The models of a workspace by name, and the name of the one that may see text of a source.

    Any of these names may be `offline`. `main` is the model of text that is from no source, `rest` that of sources
    which `by_source` does not name, and `mixed` the one that may see text of sources with several models.
    """

    models: Mapping[str, LanguageModel]
    main: str
    rest: str
    by_source: Mapping[str, str] = field(default_factory=dict)
    mixed: str = OFFLINE

    @classmethod
    def only(cls, model: LanguageModel) -> Self:
        """One model, which may see everything."""
        return cls({_ONLY: model}, _ONLY, _ONLY)

    def wrapped(self, wrap: Callable[[LanguageModel], LanguageModel]) -> Self:
        """The same, each model behind another one."""
        return replace(self, models={name: wrap(model) for name, model in self.models.items()})

    def name_of(self, sources: AbstractSet[str]) -> str:
        """The name of the model that may see text of all these sources together; `offline` where none may."""
        names = {self.by_source.get(source, self.rest) for source in sources} or {self.main}
        if len(names) == 1:
            return names.pop()
        return OFFLINE if OFFLINE in names else self.mixed

    def of(self, sources: AbstractSet[str]) -> LanguageModel | None:
        """The model that may see text of all these sources together; `None` where none may."""
        return self.models.get(self.name_of(sources))

    def undecided(self, sources: Iterable[str]) -> set[str]:
        """Those of the sources that no model may see, and of which the owner has said nothing."""
        return {source for source in sources if self.rest == OFFLINE and source not in self.by_source}
