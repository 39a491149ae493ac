"""Catalogs written through the public surface, from made-up files."""

from hashlib import sha1
from types import SimpleNamespace

import pytest

from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FileRow, Indexed, ParsedFile, SearchText
from knowledge.catalog.writer import CatalogWriter
from knowledge.types import Authority, Evidence, Guidance, HygieneEvent, Kind, Quality, SourceKind, Status

WEIGHTS = (4.0, 1.0, 2.0, 1.5, 1.0)


def item(path, name, *, body="", kind=Kind.UNIT, source_kind=SourceKind.IMPLEMENTATION, line=1, **more):
    evidence = Evidence(
        id=f"rule:{name}" if kind is Kind.RULE else f"symbol:{path}::{name}",
        kind=kind,
        name=name,
        path=path,
        start=line,
        end=line + 2,
        part=more.pop("part", 0),
        language="python",
        signature=f"def {name}()",
        doc=f"Does {name}.",
        content_hash=f"blake2b:{name}",
        source_kind=source_kind,
        authority=Authority.IMPLEMENTATION,
        status=Status.CURRENT,
        tags=("component:api",),
        quality=Quality(0.5, {"documented": 1.0, "simple": 0.25}),
        density=0.0,
        last_commit="c0ffee",
        last_commit_time=1_700_000_000,
    )
    text = SearchText(
        name.lower(), path.replace("/", " "), f"def {name.lower()}", "does", body or name.lower()
    )
    guidance = Guidance(evidence.id, f"Mind {name}.", ("src/**",), ("issue:performance",), (name,), 3)
    return Indexed(evidence, text, (name.lower(),), guidance if kind.is_guidance else None, **more)


def file(path, *items, events=()):
    row = FileRow(
        path=path,
        blob=sha1(repr(items).encode()).hexdigest(),
        size=len(items),
        mtime_ns=5,
        language="python",
        source_kind=items[0].evidence.source_kind if items else SourceKind.IMPLEMENTATION,
        last_commit="c0ffee",
        last_commit_time=1_700_000_000,
        inode=7,
    )
    return ParsedFile(row, items, events)


def write(path, *files, remove=(), finished=True):
    """One run: the files replaced, the paths removed."""
    with CatalogWriter(path) as writer:
        writer.remove(remove)
        for one in files:
            writer.replace(one)
        if finished:
            writer.set_meta({"fingerprint": "blake2b:made", "recipe": "made"})


def dump(path):
    with CatalogReader(path) as reader:
        return list(reader.dump())


@pytest.fixture(scope="session")
def made():
    """What the tests make catalogs with."""
    return SimpleNamespace(item=item, file=file, write=write, dump=dump, event=HygieneEvent, weights=WEIGHTS)


@pytest.fixture
def catalog(tmp_path):
    return tmp_path / "catalog.sqlite"
