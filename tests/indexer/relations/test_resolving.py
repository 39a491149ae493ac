"""Whom names mean, asked of catalogs of a few files."""

import pytest

from knowledge.relations import How
from knowledge.types import RelationKind

CALLS, IMPORTS, INHERITS, TESTS = RelationKind

STREAM = """
from acme.pool import Pool, release as free
from . import codec
import os.path

class Base:
    def drain(self): pass

class Stream(Base):
    def __init__(self):
        self.pool = Pool(1)
        super().__init__()
    def close(self):
        self.drain()
        self.flush()
        self.pool.release_all()
        codec.encode(self)
        os.path.join("a")
        other.get()
    def flush(self):
        def inner():
            return top()
        return inner()

def top(): pass
"""
POOL = """
class Pool:
    def release_all(self): pass
    def get(self): pass
def release(): pass
"""
FILES = {
    "src/acme/stream.py": STREAM,
    "src/acme/pool.py": POOL,
    "src/acme/codec.py": "def encode(x): pass\n",
    "src/acme/paths.py": "def join(a): pass\ndef top(): pass\n",
    "src/acme/cache.py": "class Cache:\n    def get(self): pass\n",
}


def test_calls_are_found_from_the_surest_reading_to_the_loosest(asked):
    answers = asked(FILES)
    assert answers.says("src/acme/stream.py::Stream.close", CALLS) == [
        "src/acme/stream.py::Base.drain",
        "src/acme/stream.py::Stream.flush",
        "src/acme/pool.py::Pool.release_all",
        "src/acme/codec.py::encode",
    ]
    assert answers.how("src/acme/stream.py::Stream.close") == [How.OWN, How.OWN, How.IMPORT, How.IMPORT]
    assert answers.says("src/acme/stream.py::Stream.flush", CALLS) == [
        "src/acme/stream.py::Stream.flush.inner"
    ]
    assert answers.says("src/acme/stream.py::Stream.flush.inner", CALLS) == ["src/acme/stream.py::top"]
    assert answers.says("src/acme/stream.py::Stream.__init__", CALLS) == ["src/acme/pool.py::Pool"]


def test_imports_mean_files_and_what_is_in_them(asked):
    assert asked(FILES).says("src/acme/stream.py", IMPORTS) == [
        "src/acme/pool.py",
        "src/acme/pool.py::Pool",
        "src/acme/pool.py::release",
        "src/acme/codec.py",
    ]


def test_incoming_is_outgoing_seen_from_the_other_end(asked):
    answers = asked(FILES)
    assert answers.named_by("src/acme/pool.py::Pool", CALLS) == ["src/acme/stream.py::Stream.__init__"]
    assert answers.named_by("src/acme/pool.py", IMPORTS) == ["src/acme/stream.py"]
    assert answers.named_by("src/acme/stream.py::Base", INHERITS) == ["src/acme/stream.py::Stream"]
    assert answers.named_by("src/acme/paths.py::join") == []  # os.path.join is nobody's here
    assert answers.named_by("src/acme/paths.py::top") == []  # the file has its own


def test_where_too_many_say_a_name_nobody_is_looked_at(asked):
    text = "def f(): pass\n" + "\n".join(f"def g{number}(): f()" for number in range(5))
    answers = asked({"a.py": text})
    assert len(answers.named_by("a.py::f", limit=5)) == 5
    assert answers.named_by("a.py::f", limit=4) == []


def test_ambiguous_method_is_left_unanswered(asked):
    text = "import acme\ndef f(x):\n    x.send_all()\n"
    classes = "class {}:\n    def send_all(self): pass\n"
    both = asked({"f.py": text, "a.py": classes.format("A"), "b.py": classes.format("B")})
    assert both.says("f.py::f") == []


def test_only_method_with_a_telling_name_is_meant_and_a_common_word_is_not(asked):
    text = "def f(x):\n    x.send_all()\n    x.flush()\n"
    methods = "class A:\n    def send_all(self): pass\n    def flush(self): pass\n"
    assert asked({"f.py": text, "a.py": methods}).says("f.py::f") == ["a.py::A.send_all"]


def test_implementation_never_calls_tests(asked):
    files = {
        "a.py": "def f():\n    release_everything()\n",
        "tests/test_a.py": "def release_everything(): pass\n",
    }
    assert asked(files).says("a.py::f") == []


def test_name_of_another_language_is_not_meant(asked):
    files = {"a.py": "def f():\n    load_page()\n", "b.js": "function load_page() {}\n"}
    assert asked(files).says("a.py::f") == []


def test_script_imports_by_path_through_barrels(asked):
    files = {
        "web/app.ts": "import { load } from './lib';\nimport { press as p } from './press.js';\n"
        "export function run() { load(); press(); return new Other(); }\n",
        "web/lib/index.ts": "export * from './load';\n",
        "web/lib/load.ts": "export function load() {}\n",
        "web/press.ts": "export function press() {}\n",
        "web/old/load.ts": "export function load() {}\n",
        "web/other.ts": "import { load } from 'elsewhere';\nexport function f() { load(); }\n",
    }
    answers = asked(files)
    assert answers.says("web/app.ts::run", CALLS) == ["web/lib/load.ts::load", "web/press.ts::press"]
    assert answers.says("web/other.ts::f", CALLS) == []
    assert answers.says("web/app.ts", IMPORTS)[:1] == ["web/lib/index.ts"]


def test_go_names_are_found_in_the_package_and_by_the_receiver(asked):
    files = {
        "net/server.go": 'package net\nimport "github.com/acme/app/pool"\n'
        "type Server struct{}\nfunc (s *Server) Close() {\ns.drain()\nhelper()\npool.Take()\n}\n",
        "net/more.go": "package net\nfunc (s *Server) drain() {}\nfunc helper() {}\n",
        "other/helper.go": "package other\nfunc helper() {}\nfunc Take() {}\n",
        "pool/pool.go": "package pool\nfunc Take() {}\n",
    }
    assert asked(files).says("net/server.go::Server.Close", CALLS) == [
        "net/more.go::Server.drain",
        "net/more.go::helper",
        "pool/pool.go::Take",
    ]


def test_java_calls_its_own_its_ancestors_and_its_package(asked):
    files = {
        "src/main/java/a/b/Pool.java": "package a.b;\npublic class Pool extends Base {\n"
        "  void close() { drain();\nreset();\nCodec.encode();\nnew Codec(); }\n  void reset() {} }\n",
        "src/main/java/a/b/Codec.java": "package a.b;\nclass Codec { static void encode() {} }\n",
        "src/main/java/a/Base.java": "package a;\nclass Base { void drain() {} void reset() {} }\n",
        "src/test/java/a/b/PoolTest.java": "package a.b;\n"
        "class PoolTest { void testClose() { new Pool().close(); } }",
    }
    answers = asked(files)
    root = "src/main/java/a"
    assert answers.says(f"{root}/b/Pool.java::Pool.close", CALLS) == [
        f"{root}/Base.java::Base.drain",
        f"{root}/b/Pool.java::Pool.reset",
        f"{root}/b/Codec.java::Codec.encode",
        f"{root}/b/Codec.java::Codec",
    ]
    assert answers.named_by(f"{root}/b/Pool.java", TESTS) == ["src/test/java/a/b/PoolTest.java"]


TEST = """
from acme.stream import Stream
class TestStream:
    def test_flush_keeps_order(self):
        stream = Stream()
        stream.close()
        stream.flush()
"""


def test_tests_and_what_they_cover(asked):
    answers = asked({**FILES, "tests/acme/test_stream.py": TEST, "src/other/stream.py": "def x(): pass\n"})
    test = "tests/acme/test_stream.py::TestStream.test_flush_keeps_order"
    stream = "src/acme/stream.py"
    assert answers.says("tests/acme/test_stream.py", TESTS) == [stream]
    assert answers.named_by(stream, TESTS) == ["tests/acme/test_stream.py"]
    assert answers.named_by("src/other/stream.py", TESTS) == []
    assert answers.tests(test) == [f"{stream}::Stream.flush", f"{stream}::Stream", f"{stream}::Stream.close"]
    assert answers.tested_by(f"{stream}::Stream.flush") == [test]
    assert answers.tested_by(f"{stream}::Stream.close") == [test]
    assert answers.tested_by(f"{stream}::Stream")[0] == "tests/acme/test_stream.py::TestStream"


@pytest.mark.parametrize(
    ("test", "import_line", "tested"),
    [
        ("tests/test_pool.py", "from b.pool import x", "b/pool.py"),
        ("tests/b/test_pool.py", "", "b/pool.py"),
        ("a/tests/test_pool.py", "", "a/pool.py"),
        ("tests/test_pool.py", "", None),
    ],
)
def test_of_several_files_the_mirrored_imported_or_nearest_is_tested(asked, test, import_line, tested):
    answers = asked(
        {"a/pool.py": "def x(): pass\n", "b/pool.py": "def x(): pass\n", test: f"{import_line}\n"}
    )
    assert answers.says(test, TESTS) == ([tested] if tested else [])


def test_go_package_in_the_root_is_known_by_the_file_that_is_called_like_it(asked):
    files = {
        "gin.go": "package gin\n",
        "engine.go": "package gin\nfunc New() {}\n",
        "ext/ext.go": 'package ext\nimport "github.com/gin-gonic/gin"\nfunc f() { gin.New() }\n',
        "ext/other.go": 'package ext\nimport "github.com/other/cobra"\nfunc g() { cobra.New() }\n',
    }
    answers = asked(files)
    assert answers.says("ext/ext.go::f", CALLS) == ["engine.go::New"]
    assert answers.says("ext/other.go::g", CALLS) == []


def test_go_receiver_is_of_its_own_type_whatever_its_letter(asked):
    files = {
        "a.go": "package p\ntype Json int\nfunc (r Json) Render() { r.Write() }\nfunc (r Json) Write() {}",
        "b.go": "package p\ntype Reader struct{}\nfunc (r Reader) Write() {}\n",
    }
    assert asked(files).says("a.go::Json.Render", CALLS) == ["a.go::Json.Write"]


def test_implementation_never_calls_examples(asked):
    files = {
        "a.ts": "export function f(server) { server.on(1); }\n",
        "examples/b.ts": "server.on = () => {};\n",
    }
    assert asked(files).says("a.ts::f", CALLS) == []


def test_c_call_means_the_definition_and_not_its_declaration_in_a_header(asked):
    files = {
        "app.c": '#include "pool.h"\nint main(void) { take(); size(1); return 0; }\n',
        "pool.h": "int take(void);\n#define size(x) (x)\n",
        "lib/pool.c": "int take(void) { return 1; }\n",
    }
    answers = asked(files)
    assert answers.says("app.c::main", CALLS) == ["pool.h::size", "lib/pool.c::take"]
    assert answers.named_by("lib/pool.c::take", CALLS) == ["app.c::main"]
