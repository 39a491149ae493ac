"""Which file a file of tests tests, and what a test is called after."""

import pytest

from indexer.extract import extract_code
from indexer.languages import language_of
from indexer.relations.tested import path_of_tested, with_test_links
from knowledge.catalog.rows import FileRow
from knowledge.types import RelationKind, SourceKind


@pytest.mark.parametrize(
    ("path", "tested"),
    [
        ("tests/forms/test_fields.py", "forms/fields.py"),
        ("test_x.py", "./x.py"),
        ("polls/x_tests.py", "polls/x.py"),
        ("tests/unit/pkg/test_y.py", "pkg/y.py"),
        ("api/user_test.go", "api/user.go"),
        ("src/test/java/com/acme/PoolTest.java", "com/acme/Pool.java"),
        ("a/TestPool.java", "a/Pool.java"),
        ("a/PoolIT.java", "a/Pool.java"),
        ("core/src/commonTest/kotlin/x/PoolTest.kt", "core/x/Pool.kt"),
        ("Acme.Tests/Pool/PoolTests.cs", "Pool/Pool.cs"),
        ("Tests/AppTests/StreamTests.swift", "./Stream.swift"),
        ("pkg/__tests__/y.test.ts", "pkg/y.ts"),
        ("src/y.unit.spec.tsx", "./y.tsx"),
        ("test/res.send.js", "./res.send.js"),
        ("spec/models/user_spec.rb", "models/user.rb"),
        ("tests/Unit/PoolTest.php", "./Pool.php"),
        ("base/pool_unittest.cc", "base/pool.cc"),
        ("src/test/scala/a/PoolSpec.scala", "a/Pool.scala"),
        ("tests/pool.rs", "./pool.rs"),
        ("spec/pool_spec.lua", "./pool.lua"),
        ("tests/conftest.py", ""),
        ("polls/tests.py", ""),
        ("tests/models.py", ""),
        ("test/test_helper.rb", ""),
        ("test/index.js", ""),
    ],
)
def test_file_of_tests_names_the_file_it_tests(path: str, tested: str) -> None:
    assert path_of_tested(path) == tested


def links(path: str, text: str, kind: SourceKind = SourceKind.TEST) -> dict[str, list[str]]:
    language = language_of(path)
    assert language is not None
    row = FileRow(path, "", 0, 0, language, kind)
    drafts = with_test_links(row, extract_code(language, text))
    found = {
        draft.name: [one.target for one in draft.relations if one.kind is RelationKind.TESTS]
        for draft in drafts
    }
    return {name: targets for name, targets in found.items() if targets}


PYTHON = """
from acme.stream import Stream
class TestStream(Base):
    def test_closing_releases_pool(self):
        stream = make()
        stream.close()
        stream.pool.release()
        other()
    def test_nothing_it_calls(self):
        helper()
class OtherTests(Base):
    def test_get_user_by_id(self):
        get(user())
        api.get_user_by(1)
"""


def test_test_names_what_it_calls_and_is_called_after() -> None:
    found = links("tests/test_stream.py", PYTHON)
    assert found == {
        "": ["./stream.py"],
        "TestStream": ["Stream"],
        "TestStream.test_closing_releases_pool": ["stream.close", "stream.pool.release"],
        "OtherTests.test_get_user_by_id": ["api.get_user_by"],
    }


def test_go_test_names_method_and_type() -> None:
    text = "package p\nfunc TestServerClose(t *testing.T) { s := NewServer(); s.Close() }\n"
    assert links("p/server_test.go", text)["TestServerClose"] == ["s.Close"]


def test_suite_says_what_it_is_about() -> None:
    text = "describe('Pool#take', () => {});\ndescribe(Pool, () => {});\ndescribe('it rains', () => {});"
    assert links("src/pool.test.js", text) == {"": ["./pool.js", "Pool.take", "Pool"]}


def test_implementation_tests_nothing_whatever_it_is_called() -> None:
    assert links("acme/test_stream.py", PYTHON, SourceKind.IMPLEMENTATION) == {}
    assert links("a.js", "describe('Pool', () => {});", SourceKind.IMPLEMENTATION) == {}


def test_parts_of_a_large_test_have_no_links() -> None:
    text = "def test_call_1():\n" + "\n".join(f"    call_{number}()" for number in range(170)) + "\n"
    drafts = with_test_links(
        FileRow("tests/test_a.py", "", 0, 0, "python", SourceKind.TEST), extract_code("python", text)
    )
    assert [draft.part for draft in drafts if draft.relations] == [0, 0]
