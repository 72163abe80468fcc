"""The places of fastembed's models: on this machine by name, in a folder, or at the hub, which is asked once."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from pipeline.errors import EmbedderUnavailable

CACHE_VARIABLE = "FASTEMBED_CACHE_PATH"
_FILES = ("onnx/model.onnx", "model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx")
POOLING = "1_Pooling/config.json"
"""The file that names the output of a model that is the vector of the whole text."""

_TOKENIZER = ("tokenizer.json", "tokenizer_config.json")
_FETCHED = ("config.json", "special_tokens_map.json", "preprocessor_config.json", *_TOKENIZER)
_SAMPLE = 1 << 16  # bytes, of which three are read: fine-tuning changes weights everywhere
_PATIENCE = 5.0  # seconds for the hub to begin an answer; its client tries three times


T = TypeVar("T")
Register = Callable[[str, str], None]
"""Takes a name for a model, and the file of its weights inside of its folder."""


@dataclass(frozen=True, slots=True)
class WantedModel:
    """A model by its name, or one that lies in `folder`; with both, it is the named one and lies there.

    `setting` is the part of the settings that names it.
    """

    setting: str
    model: str
    folder: str = ""
    threads: int = 1

    @property
    def name(self) -> str:
        """Its identity: the model's name, and of a folder also a fingerprint of the weights in it."""
        if not self.folder:
            return f"fastembed:{self.model}"
        weights = weights_in(self.path)
        return f"fastembed:{self.model or self.path.name}:{fingerprint(self.path, weights) if weights else 'none'}"

    @property
    def path(self) -> Path:
        """The folder."""
        return Path(self.folder).expanduser()


def cache_folder() -> Path:
    """The folder of fetched models: that of fastembed's own variable, else `~/.cache/fastembed`.

    Its own default is a temporary folder, from which a model of gigabytes is gone after a restart.
    """
    return Path(os.environ.get(CACHE_VARIABLE) or Path.home() / ".cache" / "fastembed")


def is_fetched(described: Mapping[str, Any]) -> bool:
    """Whether a model, as fastembed describes it, has been fetched into the cache."""
    folder = cache_folder() / f"models--{described['sources']['hf'].replace('/', '--')}" / "snapshots"
    return any(folder.glob(f"*/{described['model_file']}"))


def weights_in(folder: Path) -> Path | None:
    """The ONNX file of a folder: one of the usual places, or the only one there is."""
    usual = next((folder / name for name in _FILES if (folder / name).is_file()), None)
    if usual:
        return usual
    models = sorted(folder.glob("**/*.onnx"))
    return models[0] if len(models) == 1 else None


def fingerprint(folder: Path, weights: Path) -> str:
    """A hash of the files that decide the vectors: the size and three samples of each are enough."""
    digest = sha256()
    for file in (weights, *(folder / name for name in (_TOKENIZER[0], POOLING))):
        if file.is_file():
            digest.update(_samples(file))
    return digest.hexdigest()[:12]


def _samples(file: Path) -> bytes:
    size = file.stat().st_size
    digest = sha256(str(size).encode())
    with file.open("rb") as opened:
        for start in (0, size // 2, max(0, size - _SAMPLE)):
            opened.seek(start)
            digest.update(opened.read(_SAMPLE))
    return digest.digest()


def problem_of(wanted: WantedModel) -> str:
    """The fault of a model's folder, or nothing. A model without a folder has no fault here."""
    if not wanted.folder:
        return ""
    if not wanted.path.is_dir():
        return f"{wanted.path} is no folder"
    weights = weights_in(wanted.path)
    missing = [name for name in _TOKENIZER if not (wanted.path / name).is_file()]
    if not weights:
        missing.append(f"ONNX file (as {_FILES[0]})")
    return f"{wanted.path} holds no {', no '.join(missing)}" if missing else ""


def open_model(wanted: WantedModel, kind: Callable[..., T], listed: list[dict[str, Any]], register: Register) -> T:
    """A model of fastembed, loaded. `listed` is what its `kind` knows; `register` makes one of a folder known to it."""
    from loguru import logger  # noqa: PLC0415 - it comes with fastembed

    logger.disable("fastembed")  # it writes to the standard error; our errors have the same text
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else it takes every core, whatever `threads` is
    known = {model["model"].lower(): model for model in listed}
    if wanted.folder:
        return _load(wanted, kind, _describe_folder(wanted, register, known))
    described = known.get(wanted.model.lower())
    if not described:
        why = f"fastembed knows no model of this name; one of your own goes into a folder, {wanted.setting}.folder"
        raise EmbedderUnavailable(wanted.name, why)
    place = {"model_name": wanted.model, "cache_dir": str(cache_folder())}
    try:
        return _load(wanted, kind, place)
    except EmbedderUnavailable as error:
        if not isinstance(error.__cause__, ValueError):  # the error of a model that is not in the cache
            raise
    _fetch(wanted, described)
    return _load(wanted, kind, place)


@contextmanager
def explain_errors(wanted: WantedModel, why: str) -> Iterator[None]:
    """Any error inside becomes one sentence: `why`, and the error's name."""
    try:
        yield
    except EmbedderUnavailable:
        raise
    except Exception as error:  # tokenizers raises Exception itself, and onnxruntime its direct children
        raise EmbedderUnavailable(wanted.name, f"{why} ({type(error).__name__})") from error


def _load(wanted: WantedModel, kind: Callable[..., T], place: Mapping[str, str]) -> T:
    where = wanted.folder or cache_folder()
    with explain_errors(wanted, f"its files in {where} cannot be loaded: damaged, incomplete or of another sort"):
        return kind(**place, threads=wanted.threads, local_files_only=True)


def _describe_folder(wanted: WantedModel, register: Register, known: Mapping[str, Any]) -> dict[str, str]:
    problem, weights = problem_of(wanted), weights_in(wanted.path)
    if problem or not weights:
        raise EmbedderUnavailable(wanted.name, problem)
    described = known.get(wanted.model.lower())
    if described and (wanted.path / described["model_file"]).is_file():
        return {"model_name": wanted.model, "specific_model_path": str(wanted.path)}
    name = f"folder{wanted.path.resolve()}:{fingerprint(wanted.path, weights)}"  # the library keeps the name
    if name.lower() not in known:
        register(name, weights.relative_to(wanted.path).as_posix())
    return {"model_name": name, "specific_model_path": str(wanted.path)}


def _fetch(wanted: WantedModel, described: Mapping[str, Any]) -> None:
    # One try, which ends soon where there is no network: fastembed itself would try for minutes.
    from huggingface_hub import model_info, snapshot_download  # noqa: PLC0415 - only a fetch needs it
    from huggingface_hub.utils import httpx  # noqa: PLC0415 - see above

    source, folder = described["sources"]["hf"], cache_folder()
    patterns = [*_FETCHED, described["model_file"], *described["additional_files"]]
    try:
        model_info(source, timeout=_PATIENCE)
        snapshot_download(source, cache_dir=folder, allow_patterns=patterns)
    except (OSError, ValueError, httpx.HTTPError) as error:
        raise EmbedderUnavailable(
            wanted.name,
            f"{source} is not in {folder} and cannot be fetched ({type(error).__name__}). Where there is a network, "
            f"`hf download {source} --local-dir MODEL` makes a folder to bring here, for {wanted.setting}.folder",
        ) from error


def json_object(file: Path) -> dict[str, Any]:
    """The JSON object in a file; empty when there is none."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
