"""The settings of the index, of the embedder, and of the reranker."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from schemas.addresses import HeaderSecret, HttpAddress, PathText
from schemas.base import Duration, Timeout, Value
from schemas.tier import Tier

DERIVED = ".memory"
"""The folder of derived files."""


def _inside(pattern: str) -> str:
    parts = pattern.split("/")
    if parts[0].startswith("~") or not {"", ".", ".."}.isdisjoint(parts) or "\0" in pattern:
        message = f"{pattern!r} is no pattern of files inside the workspace; name others with [[index.extra_paths]]"
        raise ValueError(message)
    if parts[0] == DERIVED:
        message = f"{pattern!r} lies in {DERIVED}, which holds the index itself"
        raise ValueError(message)
    return pattern


IncludePattern = Annotated[str, AfterValidator(_inside)]
"""A pattern of the workspace's texts: `*` and `?` stay within one folder, `**` does not."""


FileTier = Literal[Tier.HOT, Tier.WARM, Tier.COLD, Tier.RESEARCH, Tier.ARCHIVE]
"""A tier that files can have."""


class ExtraPath(Value):
    """A folder or a file outside the workspace's own tree that is indexed too."""

    path: PathText
    name: str
    patterns: tuple[str, ...] = ("**/*.md",)
    tier: FileTier = Tier.RESEARCH


NOTE_PATTERNS = ("**/*.md", "**/*.mdc", "**/*.markdown")
"""The files of a folder of agents' notes."""


class NotePath(ExtraPath):
    """A folder or a file in which agents, or people for them, noted something: it is searched, and never believed."""

    patterns: tuple[str, ...] = NOTE_PATTERNS
    tier: FileTier = Tier.COLD


class IndexSettings(Value):
    """The index, in `.memory/index/`. With `url` its vectors are on a server; the words never are."""

    url: HttpAddress = ""
    api_key: HeaderSecret = SecretStr("")
    collection: str = "memory"
    include: tuple[IncludePattern, ...] = ()
    extra_paths: tuple[ExtraPath, ...] = ()
    debounce: Duration = timedelta(seconds=15)
    sweep: Duration = timedelta(minutes=5)

    def extra_of(self, path: str) -> ExtraPath | None:
        """The extra path of a path of the index, `NAME:path`; `None` for a path of the workspace."""
        name, colon, _ = path.partition(":")
        return next((extra for extra in self.extra_paths if colon and extra.name == name), None)

    def is_note(self, path: str) -> bool:
        """Whether a path of the index is that of a note."""
        return isinstance(self.extra_of(path), NotePath)


class SearchSettings(Value):
    """A question. `timeout` is how long it waits for the embedder; words alone answer then.

    With `before_prompts` a connected agent gets what answers a prompt beside it. With `said` what was said in
    transcripts is found too. `may_read_said` names whose talk an agent without a memory of its own may be shown besides
    its own: other agents, or projects; `*` is all. For so long as `keep_said` the workspace keeps what
    was said, so that it is found when its transcript is gone; 0 keeps nothing.
    """

    timeout: Timeout = timedelta(seconds=4)
    before_prompts: bool = True
    said: bool = True
    keep_said: Duration = timedelta(0)
    may_read_said: tuple[str, ...] = ()


class EmbedderSettings(Value):
    """The embedder. `auto` takes the package that carries its weights if it is installed, else none."""

    kind: Literal["auto", "package", "fastembed", "openai", "none"] = "auto"
    model: str = ""
    folder: PathText = ""
    base_url: HttpAddress = ""
    api_key: HeaderSecret = SecretStr("")
    dimension: int = Field(default=0, ge=0)
    timeout: Timeout = timedelta(seconds=30)
    attempts: int = Field(default=3, ge=1, le=10)
    batch: int = Field(default=64, ge=1, le=2048)
    threads: int = Field(default=1, ge=1, le=64)


class RerankerSettings(Value):
    """A cross-encoder that `--rerank` uses: a model of fastembed by name, or a folder that holds it."""

    model: str = ""
    folder: PathText = ""
