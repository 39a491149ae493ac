"""What mentions find: by name, scope and case, by path and line."""

import random

import pytest

from augmenter.channels.exact import CASE_DIFFERS, IN_CODE, MAX_NAMESAKES, exact


@pytest.fixture
def found(catalog):
    """Strength by id of what a text mentions."""

    def find(text):
        hits, evidence = exact(catalog.mentions(text), catalog.reader)
        return {evidence[hit.rowid].id: hit.strength for hit in hits}

    return find


def ids_of(strengths):
    return sorted(strengths, key=lambda key: (-strengths[key], key))


CLOSE = "symbol:src/app/stream.py::EventStream.close"


def ours(strengths):
    """Without the copies that are generated or vendored."""
    return {key: value for key, value in strengths.items() if "vendor/" not in key and "/gen/" not in key}


@pytest.mark.parametrize(
    "text",
    [
        "`EventStream.close`",
        "`EventStream.close()` hangs",
        "call EventStream.close first",
        "EventStream::close",
        "app.stream.EventStream.close",
        "src.app.stream.EventStream.close(now)",
    ],
)
def test_dotted_mention_finds_the_method(found, text):
    assert list(ours(found(text))) == [CLOSE]


def test_bare_name_finds_all_who_bear_it_with_less_strength_each(found):
    many, one = ours(found("`close`")), found("`slugify`")
    assert set(many) == {CLOSE, "symbol:src/app/pool.py::Pool.close"}
    assert max(many.values()) < one["symbol:src/app/utils.py::slugify"]


def test_method_of_any_object_is_found_by_its_name(found):
    assert "symbol:web/src/client.ts::Client.fetchUser" in found("`client.fetchUser(1)` rejects")
    assert list(found("this.fetchUser fails")) == ["symbol:web/src/client.ts::Client.fetchUser"]
    assert (
        list(found("`Context.Next`")) == list(found("`c.Next()`")) == ["symbol:server/main.go::Context.Next"]
    )


def test_scope_prefers_what_lies_in_it(found):
    assert list(found("`utils.get`")) == ["symbol:src/app/utils.py::get"]
    assert list(found("`routes.get`")) == ["symbol:src/app/api/routes.py::get"]
    assert list(found("`Pool.get`")) == ["symbol:src/app/pool.py::Pool.get"]


def test_unknown_scope_of_an_ambiguous_name_finds_nothing(found):
    assert found("`requests.get`") == {}


def test_unknown_scope_of_a_unique_name_is_no_matter(found):
    assert list(found("`anything.slugify`")) == ["symbol:src/app/utils.py::slugify"]


def test_other_case_is_weaker(found):
    right, wrong = found("`Pool`"), found("`pool`")
    assert list(right) == list(wrong) == ["symbol:src/app/pool.py::Pool"]
    assert wrong["symbol:src/app/pool.py::Pool"] == pytest.approx(
        CASE_DIFFERS * right["symbol:src/app/pool.py::Pool"]
    )


def test_name_that_too_many_bear_finds_nothing(found, catalog):
    assert len(catalog.reader.named("common", 100)) == MAX_NAMESAKES + 1
    assert found("`common`") == {}
    assert list(found("`p07.common` fails")) == []  # nor in a scope: see `MAX_NAMESAKES`


def test_mention_in_code_weighs_less(found):
    prose, code = found("slugify(x) fails"), found("It fails\n```\nslugify(x)\n```")
    assert code["symbol:src/app/utils.py::slugify"] == pytest.approx(
        IN_CODE * prose["symbol:src/app/utils.py::slugify"]
    )


def test_mentions_of_one_thing_add_up(found):
    once = found("`EventStream.close`")[CLOSE]
    assert found("`EventStream.close` in src/app/stream.py:16")[CLOSE] > once


@pytest.mark.parametrize(
    "path",
    [
        "stream_demo.py",
        "examples/stream_demo.py",
        "EXAMPLES/Stream_Demo.py",
        "/home/ada/work/repo/examples/stream_demo.py",
        r"C:\work\repo\examples\stream_demo.py",
        "./examples/stream_demo.py",
        "b/examples/stream_demo.py",
    ],
)
def test_path_finds_the_file_however_much_of_it_is_said(found, path):
    assert list(found(f"see {path}")) == ["module:examples/stream_demo.py"]


def test_more_of_a_path_finds_fewer_files(found):
    assert set(found("see stream.py")) == {
        "module:src/app/stream.py",
        "module:vendor/sse/stream.py",
    }
    assert set(found("see sse/stream.py")) == {"module:vendor/sse/stream.py"}
    assert set(found("see __init__.py")) == {"module:src/app/__init__.py", "module:src/app/api/__init__.py"}
    assert set(found("see api/__init__.py")) == {"module:src/app/api/__init__.py"}


def test_file_of_the_same_name_in_another_folder_is_another_file(found):
    assert found('  File "/usr/lib/python3.11/json/pool.py", line 5, in get') == {}
    assert found("see other/utils.py") == {}


def test_package_that_is_installed_elsewhere_is_the_same(found):
    text = '  File "/usr/lib/python3/site-packages/app/stream.py", line 17, in close'
    assert list(found(text)) == [CLOSE]


def test_line_finds_the_smallest_unit_there(found):
    assert ids_of(found("src/app/stream.py:17"))[0] == CLOSE
    assert ids_of(found("web/src/client.ts:5:3"))[0] == "symbol:web/src/client.ts::Client.fetchUser"
    assert ids_of(found("\t/src/server/main.go:8 +0x1d"))[0] == "symbol:server/main.go::Context.Next"


def test_line_outside_of_units_finds_the_file(found):
    assert list(found("src/app/stream.py:3")) == ["module:src/app/stream.py"]
    assert list(found("src/app/stream.py:9999")) == ["module:src/app/stream.py"]


def test_package_of_a_java_frame_tells_its_file_from_namesakes(found):
    text = "java.lang.Error\n\tat com.acme.disk.Writer.flush(Writer.java:11)"
    ids = [key for key in found(text) if "com/acme/net" not in key]
    assert ids_of(found(text))[0] == "symbol:java/src/main/java/com/acme/disk/Writer.java::Writer.flush"
    assert ids


def test_documents_are_found_by_path(found):
    assert list(found("docs/guide.md says")) == ["document:docs/guide.md"]


def test_mentioned_by_path_is_told(catalog):
    hits, evidence = exact(catalog.mentions("`slugify`, examples/stream_demo.py:1"), catalog.reader)
    assert {evidence[hit.rowid].name: hit.by_path for hit in hits} == {"slugify": False, "demo_stream": True}


def test_reason_names_the_strongest_mention(catalog):
    hits, _ = exact(catalog.mentions("slugify() and `slugify` and\n```\nslugify(1)\n```"), catalog.reader)
    assert [hit.reason for hit in hits] == ["mentioned as backticked slugify"]


def test_nothing_is_found_for_nothing(catalog):
    assert exact((), catalog.reader) == ([], {})


def test_a_hundred_mentions_in_any_order_find_the_same(catalog):
    text = (
        "`close` `get` `Pool` utils.get src/app/stream.py:17 `write` `EventStream` renderUser() CHANGELOG.md"
    )
    mentions = list(catalog.mentions(text))
    first = None
    for seed in range(5):
        random.Random(seed).shuffle(mentions)
        hits, evidence = exact(mentions, catalog.reader)
        strengths = {evidence[hit.rowid].id: round(hit.strength, 9) for hit in hits}
        assert len(strengths) == len(hits)
        first = first or strengths
        assert strengths == first
