"""Content hashes, tagged with their algorithm, and the one canonical JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b, sha1
from typing import Any

ALGORITHM = "blake2b"
DIGEST_BYTES = 16  # 128 bits: no accidental collision among billions of units, half the storage of 256


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces and no escaped non-ASCII: the same value, the same bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def tagged(data: bytes) -> str:
    """``blake2b:<hex>`` of raw bytes."""
    return f"{ALGORITHM}:{blake2b(data, digest_size=DIGEST_BYTES).hexdigest()}"


def text_hash(text: str) -> str:
    """Hash of raw text, as UTF-8; lone surrogates are kept apart rather than refused."""
    return tagged(text.encode("utf-8", "surrogatepass"))


def content_hash(text: str) -> str:
    """Hash of normalised text: line ends, trailing blanks, indentation depth and blank edges don't count.

    A unit that moves, or is indented by one level more, keeps its hash.
    """
    lines = [_with_spaces(line.rstrip()) for line in text.splitlines()]
    indents = [len(line) - len(line.lstrip()) for line in lines if line]
    margin = min(indents, default=0)
    return text_hash("\n".join(line[margin:] for line in lines).strip("\n"))


def _with_spaces(line: str) -> str:
    """The line indented by spaces; tabs further in stay, whose width depends on the indentation."""
    rest = line.lstrip()
    return line[: len(line) - len(rest)].expandtabs(4) + rest


def pattern_hash(evidence_id: str, content: str) -> str:
    """The hash by which a receipt names an offered item: of its stable id and its content hash."""
    return tagged(f"{evidence_id}\0{content}".encode("utf-8", "surrogatepass"))


def value_hash(value: Any) -> str:
    """Hash of a JSON value in canonical form: settings, weights, records."""
    return tagged(canonical_json(value).encode("utf-8", "surrogatepass"))


def fingerprint(parts: Iterable[str]) -> str:
    """Hash of a sequence of texts, each ended by NUL, fed one by one."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return f"{ALGORITHM}:{digest.hexdigest()}"


def git_blob_hash(data: bytes) -> str:
    """The object name git gives to a file's content (SHA-1 repositories)."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
