"""A reranker that takes as long as a real one: the smallest there is, with matrices to multiply beside it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.support.builders.tiny_onnx import tiny_reranker

SIZE = 1024
PRODUCTS = 12
"""Of two matrices of that size, 2.1 GFLOP each, for a batch of 16 texts: 26 GFLOP, about what a cross-encoder of 20
million parameters takes for as many texts of 40 tokens (2 for a parameter and token). A question has two batches."""


def slow_reranker(folder: Path, sentences: Sequence[str], products: int = PRODUCTS) -> None:
    """Write a cross-encoder into `folder`; its scores are those of `tiny_reranker`."""
    file = tiny_reranker(folder, sentences)
    model = onnx.load(file)
    graph = model.graph
    for node in graph.node:
        if node.output[0] == "logits":
            node.output[0] = "scores"
    random = np.random.default_rng(1)
    matrix = random.normal(0, 0.5 / SIZE**0.5, (SIZE, SIZE)).astype(np.float32)  # its products stay finite
    graph.initializer.extend(
        [numpy_helper.from_array(matrix, "matrix"), numpy_helper.from_array(np.array(0, np.float32), "nothing")]
    )
    graph.node.extend(
        [
            helper.make_node("Cast", ["input_ids"], ["ids"], to=TensorProto.FLOAT),
            helper.make_node("ReduceMean", ["ids"], ["mean"], keepdims=0),
            helper.make_node("Mul", ["matrix", "mean"], ["product0"]),  # of the input, or it would be reckoned once
            *(helper.make_node("MatMul", [f"product{n}", "matrix"], [f"product{n + 1}"]) for n in range(products)),
            helper.make_node("ReduceMean", [f"product{products}"], ["end"], keepdims=0),
            helper.make_node("Mul", ["end", "nothing"], ["no_score"]),
            helper.make_node("Add", ["scores", "no_score"], ["logits"]),
        ]
    )
    onnx.save_model(model, file)
