"""Keys: how evidence is looked up by its id, by a name, and by what it says of others.

All are hashes of 47 bits in one table. SQLite keeps these in six bytes; the names themselves, with an index
to delete them by, took a tenth of the catalog. In a catalog of a million names one question in a hundred
million meets the key of another name: a candidate too many. What is found by id is compared with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b

from knowledge.types import Relation, RelationKind

_BYTES = 6
_JOINTS = re.compile(r"::|->")
_FILE_SUFFIX = re.compile(r"(?<=[^/.])\.\w{1,8}$")


def id_key(evidence_id: str) -> int:
    """The key of a stable id."""
    return _key("id", evidence_id)


def name_key(alias: str) -> int:
    """The key of a lower-case name."""
    return _key("name", alias)


def relation_key(kind: RelationKind, name: str) -> int:
    """The key of what is related in some way to a thing of this name, whose last segment counts."""
    return _key(kind.value, last_segment(name))


def keys_of(evidence_id: str, aliases: Iterable[str], relations: Iterable[Relation]) -> list[int]:
    """All keys of one evidence, sorted, each once."""
    keys = {id_key(evidence_id), *map(name_key, aliases)}
    keys.update(relation_key(relation.kind, relation.target) for relation in relations)
    return sorted(keys)


def normal_name(name: str) -> str:
    """A name or path as it is compared, in lower case.

    ``self.pool->drain`` reads ``self.pool.drain``, ``./util.js#load`` reads ``./util.load``.
    """
    place, member = _parted(name)
    return f"{place}.{member}" if place and member else place or member


def last_segment(name: str) -> str:
    """What a thing itself is called: ``close`` of ``self.stream.close``, ``util`` of ``../lib/util.js``."""
    place, member = _parted(name)
    if not member and "/" in place:
        return place.rpartition("/")[2]
    return (member or place).rpartition(".")[2]


def _parted(name: str) -> tuple[str, str]:
    """The path or outer name without its file's suffix, and what stands behind ``#``; both lower-case."""
    place, _, member = _JOINTS.sub(".", name.lower()).partition("#")
    return _FILE_SUFFIX.sub("", place) if "/" in place else place, member


def names_end_alike(target: str, wanted: str) -> bool:
    """Whether a normal name is another, or ends in it after a joint."""
    return target == wanted or target.endswith((f".{wanted}", f"/{wanted}"))


def _key(space: str, text: str) -> int:
    digest = blake2b(f"{space}\0{text}".encode("utf-8", "surrogatepass"), digest_size=_BYTES)
    return int.from_bytes(digest.digest(), "big") >> 1
