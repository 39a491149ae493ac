"""A tiny bench: a repository, tasks with known answers, a referee and a script that lays commits out."""

import json
from pathlib import Path

import pytest
from git_repository import GitRepository

# A stand-in for the bench's referee, with the same functions and the same command line.
SCORE = """\
import collections, json, sys

def hit(result, gold):
    return result.get("file") == gold["file"] and result.get("name") == gold["name"]

def one(gold_files, gold_functions, results, files=None):
    if files is None:
        files = list(dict.fromkeys(result["file"] for result in results))
    measures = {f"file_acc@{k}": float(set(gold_files) <= set(files[:k])) for k in (1, 5)}
    if gold_functions:
        found = [next((i for i, r in enumerate(results) if hit(r, g)), 10**9) for g in gold_functions]
        for k in (5, 10):
            measures[f"fn_acc@{k}"] = float(all(rank < k for rank in found))
            measures[f"fn_any@{k}"] = float(any(rank < k for rank in found))
        measures["fn_mrr"] = 1 / (min(found) + 1) if min(found) < 10**9 else 0.0
    return measures

def gold_of(row):
    return row["gold_files"], row["gold_functions"]

def agg(rows):
    values = collections.defaultdict(list)
    for row in rows:
        for key, value in row.items():
            values[key].append(value)
    return {k: round(100 * sum(v) / len(v), 1) for k, v in values.items()} | {"n": len(rows)}

if __name__ == "__main__":
    predicted = {row["instance_id"]: row for row in map(json.loads, open(sys.argv[2]))}
    nothing = {"results": []}
    rows = [json.loads(line) for line in open(sys.argv[1])]
    print(json.dumps(agg([
        one(*gold_of(row), p["results"], p.get("files"))
        for row in rows for p in [predicted.get(row["instance_id"], nothing)]
    ])))
"""
CHECKOUT_AT = """\
import pathlib, subprocess, sys
git_dir, commit, root, *options = sys.argv[1:]
if options not in ([], ["--no-history"]):
    sys.exit("unknown options")
pathlib.Path(root).mkdir(parents=True, exist_ok=True)
with open(pathlib.Path(root).with_suffix(".log"), "a") as log:
    log.write(commit + "\\n")
archive = subprocess.run(["git", "-C", git_dir, "archive", commit], stdout=subprocess.PIPE, check=False)
if archive.returncode:
    sys.exit("no such commit")
subprocess.run(["tar", "-x", "-C", root], input=archive.stdout, check=True)
if not options:
    subprocess.run(["git", "init", "-q", root], check=True)
"""
BEFORE = {
    "src/stream.py": 'def close_stream():\n    """Wake the readers."""\n    return 1\n',
    "src/pool.py": 'def take_connection():\n    """Take one from the pool."""\n    return 2\n',
    "src/retry.py": 'def backoff(seconds):\n    """Wait before another attempt."""\n    return 3\n',
    "tests/test_stream.py": "def test_wake_the_readers():\n    assert True\n",
}
AFTER = {"src/later.py": 'def wake_the_readers_later():\n    """Wake the readers."""\n'}


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def gold(instance_id, commit, text, file, name, **more):
    return {
        "instance_id": instance_id,
        "repo": "acme/app",
        "snapshot": "acme/app",
        "base_commit": commit,
        "message": text,
        "gold_files": [file],
        "gold_functions": [{"file": file, "name": name, "start": 1, "end": 3}],
        "mentions_gold_name": False,
        **more,
    }


class Bench:
    """The folders of one bench, and the command line that runs it."""

    def __init__(self, root: Path):
        self.bench, self.snapshots, self.work = (root / name for name in ("bench", "snapshots", "work"))
        self.bench.mkdir()
        (self.bench / "score.py").write_text(SCORE)
        (self.bench / "checkout_at.py").write_text(CHECKOUT_AT)
        repository = GitRepository(self.snapshots / "acme" / "app")
        self.first = repository.commit("First.", **BEFORE)
        self.second = repository.commit("Second.", **AFTER)

    @property
    def gold(self):
        return self.bench / "tiny.jsonl"

    def command(self, *more):
        folders = {"--bench": self.bench, "--snapshots": self.snapshots, "--work": self.work}
        return ["--gold", "tiny", *(str(part) for pair in folders.items() for part in pair), *more]


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    write_rows(
        bench.gold,
        [
            gold("one", bench.first, "Wake the readers of the stream", "src/stream.py", "close_stream"),
            gold(
                "two",
                bench.first,
                "take_connection hangs",
                "src/pool.py",
                "take_connection",
                mentions_gold_name=True,
            ),
            gold("three", bench.second, "Wait longer before another attempt", "src/retry.py", "backoff"),
            gold("four", bench.second, "Bake bread", "src/none.py", "bake"),
        ],
    )
    write_rows(
        bench.bench / "bm25_code_tiny.jsonl",
        [
            {"instance_id": "one", "results": [], "files": ["src/stream.py"]},
            {"instance_id": "two", "results": [{"file": "src/pool.py", "name": "take_connection"}]},
        ],
    )
    return bench


@pytest.fixture
def write():
    return write_rows


@pytest.fixture
def gold_row():
    return gold
