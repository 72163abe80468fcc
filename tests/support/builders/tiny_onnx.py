"""Models as small as can be, in the files of real ones: a folder with a tokenizer and an ONNX graph, for fastembed.

Making them needs `onnx` and `tokenizers`. They know the words of a few sentences, and no meaning: texts that share
words are near.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import GraphProto, TensorProto, ValueInfoProto, helper, numpy_helper, save_model
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from tests.support.ports.hashing_embedder import HashingEmbedder

DIMENSION = 32
TOKENS = 64
"""The longest text that the models read; of a longer one they read the beginning."""

_PAD, _UNKNOWN, _BEGIN, _END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
_KEPT = 0.05  # the weight of what stands in every text, beside the 1 of a word
_IR, _OPSET = 10, 17
_BATCH = ["batch", "length"]


def tiny_embedder(folder: Path, sentences: Sequence[str], file: str = "model.onnx") -> Path:
    """Write an embedder into `folder`: a vector of `DIMENSION` numbers for each token, to be averaged."""
    vocabulary = _write_tokenizer(folder, sentences)
    vectors = [_input("input_ids"), _input("attention_mask")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*_BATCH, DIMENSION])
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    return _write(folder / file, helper.make_graph(nodes, "embedder", vectors, [output], [_table(vocabulary)]))


def tiny_reranker(folder: Path, sentences: Sequence[str], file: str = "model.onnx") -> Path:
    """Write a cross-encoder into `folder`: scores are products of the question's and the text's sums."""
    vocabulary = _write_tokenizer(folder, sentences)
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    last, summed = numpy_helper.from_array(np.array([-1]), "last"), numpy_helper.from_array(np.array([1]), "summed")
    one = numpy_helper.from_array(np.array(1, dtype=np.float32), "one")
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Cast", ["token_type_ids"], ["typed"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["typed", "last"], ["of_text"]),
        helper.make_node("Sub", ["one", "of_text"], ["of_question"]),
        helper.make_node("Mul", ["words", "of_text"], ["text"]),
        helper.make_node("Mul", ["words", "of_question"], ["question"]),
        helper.make_node("ReduceSum", ["text", "summed"], ["text_sum"], keepdims=0),
        helper.make_node("ReduceSum", ["question", "summed"], ["question_sum"], keepdims=0),
        helper.make_node("Mul", ["text_sum", "question_sum"], ["products"]),
        helper.make_node("ReduceSum", ["products", "last"], ["logits"], keepdims=1),
    ]
    constants = [_table(vocabulary), last, summed, one]
    inputs = [_input("input_ids"), _input("token_type_ids")]
    return _write(folder / file, helper.make_graph(nodes, "reranker", inputs, [output], constants))


def _input(name: str) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.INT64, _BATCH)


def _table(vocabulary: Sequence[str]) -> TensorProto:
    rows = np.array(HashingEmbedder(DIMENSION).passages(vocabulary), dtype=np.float32)
    rows[0] = 0  # padding
    rows[1:4] *= _KEPT
    return numpy_helper.from_array(rows, "table")


def _write(file: Path, graph: GraphProto) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    save_model(helper.make_model(graph, ir_version=_IR, opset_imports=[helper.make_opsetid("", _OPSET)]), file)
    return file


def _write_tokenizer(folder: Path, sentences: Sequence[str]) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    lower, words = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    known = {word for text in sentences for word, _ in words.pre_tokenize_str(lower.normalize_str(text))}
    vocabulary = [_PAD, _UNKNOWN, _BEGIN, _END, *sorted(known)]
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(vocabulary)}, unk_token=_UNKNOWN))
    tokenizer.normalizer, tokenizer.pre_tokenizer = lower, words
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{_BEGIN} $A",
        pair=f"{_BEGIN} $A {_END} $B:1",
        special_tokens=[(mark, vocabulary.index(mark)) for mark in (_BEGIN, _END)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    fields = {"model_max_length": TOKENS, "pad_token": _PAD}
    (folder / "tokenizer_config.json").write_text(json.dumps(fields), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}), encoding="utf-8")
    return vocabulary
