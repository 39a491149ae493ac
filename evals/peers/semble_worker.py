"""semble, asked in semble's own environment: a line of JSON in, a line of JSON out.

    python -P semble_worker.py MODEL

Run by `evals.peers.semble` as a script. A request is ``{"root", "text", "count"}``, an answer
``{"chunks": […]}``, best first. MODEL is the folder in which the vectors of the package wordllama are laid
down as a model of the kind that semble loads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


def lay_down(folder: Path) -> None:
    """Make a static model of the vectors and the tokenizer that wordllama ships."""
    package = Path(str(import_module("wordllama").__file__)).parent
    tensors = import_module("safetensors.numpy").load_file(package / WEIGHTS)
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(package / TOKENIZER))
    vectors = tensors["embedding.weight"].astype("float32")
    model = import_module("model2vec").StaticModel(vectors, tokenizer, normalize=True)
    model.save_pretrained(str(folder))


def answers(requests: Iterable[str], model: Path) -> Iterator[dict[str, Any]]:
    """One answer a request."""
    index_class = import_module("semble.index").SembleIndex
    root, index = None, None
    for line in requests:
        request = json.loads(line)
        if index is None or request["root"] != root:
            root = request["root"]
            index = index_class.from_path(root, model_path=str(model))
        found = index.search(request["text"], top_k=request["count"], max_snippet_lines=0)
        yield {"chunks": [_row(result.chunk) for result in found]}


def _row(chunk: Any) -> dict[str, Any]:
    return {
        "file": chunk.file_path.replace("\\", "/"),
        "start": chunk.start_line,
        "end": chunk.end_line,
        "text": chunk.content,
    }


def main(arguments: Sequence[str]) -> None:
    """Answer until there is no more to answer."""
    out, sys.stdout = sys.stdout, sys.stderr
    model = Path(arguments[0])
    if not model.is_dir():
        lay_down(model)
    for answer in answers(sys.stdin, model):
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
