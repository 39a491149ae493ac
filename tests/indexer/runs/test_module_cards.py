"""What the catalog says of a file as a whole: its doc comment, and what it defines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.cards import MAX_DEFINED, defines
from knowledge.types import Draft, Kind

STREAM = """
def _open(address):
    return address


class EventStream:
    def close(self):
        def inner():
            return 1
        return inner()


def read_events(stream):
    return [stream]
"""


@pytest.fixture
def module_signature(folder):
    """Indexes one file; the signature of its module's card."""

    def of(path, text):
        folder.write(path, text)
        folder.index_and_compare()
        with folder.reader() as reader:
            return reader.by_id([f"module:{path}"])[f"module:{path}"].signature

    return of


@pytest.mark.parametrize(
    ("path", "text", "signature"),
    [
        ("stream.py", STREAM, "defines EventStream, read_events, _open"),
        ("twice.py", "def f(a): pass\n\n\ndef f(b): pass\n", "defines f"),
        ("constants.py", "LIMIT = 3\n", ""),
        ("assigned.js", "app.get = function (path) { return path }\n", "defines app.get"),
        (
            "stream.go",
            "package a\ntype S struct{}\nfunc (s *S) F() {}\nfunc Open() {}\n",
            "defines S, Open",
        ),
    ],
)
def test_module_is_described_by_what_it_defines_at_its_top_level(module_signature, path, text, signature):
    assert module_signature(path, text) == signature


def test_description_of_a_module_does_not_grow_with_it(module_signature):
    signature = module_signature("many.py", "".join(f"def number_{n}(): pass\n" for n in range(500)))
    assert signature.startswith("defines number_0, number_1, ")
    assert signature.endswith(" …")
    assert 120 < len(signature) <= MAX_DEFINED


def test_what_a_module_defines_is_not_found_twice(folder):
    folder.write("stream.py", STREAM)
    folder.index()
    with folder.reader() as reader:
        found = reader.by_id(["module:stream.py", "symbol:stream.py::read_events"])
        (module,) = reader.named("stream.py", 5)
        assert reader.evidence([module])[module].id == found["module:stream.py"].id
        assert reader.texts([module])[module].signature == ""


@given(st.lists(st.text(st.characters(categories=["L"], include_characters="._"), min_size=1)))
def test_description_is_bounded_and_names_only_what_is_there(names):
    text = defines([Draft(Kind.UNIT, name, 1, 2, "", "", "") for name in names])
    assert len(text) <= MAX_DEFINED
    listed = text.removeprefix("defines ").removesuffix(" …").split(", ") if text else []
    assert set(listed) <= set(names)
    assert len(set(listed)) == len(listed)
