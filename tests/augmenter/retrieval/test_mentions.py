"""What a task names: paths, symbols, and what only looks like them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.mentions import MentionKind
from augmenter.task import understand

PATH, QUOTED, DOTTED = MentionKind.PATH, MentionKind.QUOTED, MentionKind.DOTTED
CALL, BARE = MentionKind.CALL, MentionKind.BARE


def mentions(text):
    return understand(text, 1 << 20).mentions


def named(text):
    return [(m.kind, m.name) for m in mentions(text) if m.kind is not PATH]


def paths(text):
    return [(m.path, m.line) for m in mentions(text) if m.kind is PATH]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/stream.py", ("src/stream.py", 0)),
        ("see src/stream.py.", ("src/stream.py", 0)),
        ("(stream.py)", ("stream.py", 0)),
        ("`stream.py`", ("stream.py", 0)),
        ("./src/stream.py", ("src/stream.py", 0)),
        ("../lib/x-y.test.ts", ("../lib/x-y.test.ts", 0)),
        ("in /home/ada/app/src/stream.py", ("/home/ada/app/src/stream.py", 0)),
        ("in ~/app/src/stream.py", ("~/app/src/stream.py", 0)),
        (r"in C:\app\src\stream.py", ("/app/src/stream.py", 0)),
        (r"in src\app\stream.ts", ("src/app/stream.ts", 0)),
        ("+++ b/src/stream.py", ("b/src/stream.py", 0)),
        ("stream.py:12", ("stream.py", 12)),
        ("stream.py:12:5 expected", ("stream.py", 12)),
        ("stream.py:10-20", ("stream.py", 10)),
        ("stream.py#L12", ("stream.py", 12)),
        ("`stream.py` line 12", ("stream.py", 12)),
        ('"stream.py", line 12', ("stream.py", 12)),
        ("stream.py, lines 12 to 20", ("stream.py", 12)),
        ("docs/größe.md", ("docs/größe.md", 0)),
        ("文档/说明.md", ("文档/说明.md", 0)),
        ("函数在src/a.py中的", ("src/a.py", 0)),
        ("@/components/Button.tsx", ("@/components/Button.tsx", 0)),
        ("app/[id]/page.tsx", ("/page.tsx", 0)),
        ("node.js:3", ("node.js", 3)),
    ],
)
def test_path_is_a_mention(text, expected):
    assert paths(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Node.js and Next.js",
        "version 3.11.7",
        "ada@example.com",
        "obj.go(1)",
        "and/or",
        "src/utils/",
        ".py files",
        "*.py",
        "src/.md",
        "a.py.bak",
        "https://example.org/src/stream.py",
        "x" * 400 + ".py",
    ],
)
def test_no_path_is_no_mention(text):
    assert paths(text) == []


def test_link_to_a_file_on_a_forge_mentions_the_file():
    text = "See https://github.com/acme/app/blob/main/src/stream.py#L12-L20, and https://acme.org/src/x.py."
    assert paths(text) == [("src/stream.py", 12)]


def test_test_id_mentions_file_and_test():
    found = mentions("tests/test_x.py::TestX::test_close fails")
    assert [(m.kind, m.name or m.path) for m in found][:2] == [
        (PATH, "tests/test_x.py"),
        (DOTTED, "TestX.test_close"),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("call EventStream.close twice", DOTTED, "EventStream.close"),
        ("call EventStream.close.", DOTTED, "EventStream.close"),
        ("call EventStream.close() twice", DOTTED, "EventStream.close"),
        ("std::vec::Vec", DOTTED, "std.vec.Vec"),
        ("Gson#fromJson", DOTTED, "Gson.fromJson"),
        ("decorate with @app.route", DOTTED, "app.route"),
        ("$http.get", DOTTED, "$http.get"),
        ("dateformat.y()", DOTTED, "dateformat.y"),
        ("größe.berechnen", DOTTED, "größe.berechnen"),
        ("close(now)", CALL, "close"),
        ("client.get(url).json()", CALL, "json"),
        ("setTimeout", BARE, "setTimeout"),
        ("parse_header", BARE, "parse_header"),
        ("The bug is in parse_header.", BARE, "parse_header"),
        ("parse_header?", BARE, "parse_header"),
        ("_private", BARE, "_private"),
        ("__init__", BARE, "__init__"),
        ("EventStream", BARE, "EventStream"),
        ("HTTPServer", BARE, "HTTPServer"),
        ("MAX_RETRIES", BARE, "MAX_RETRIES"),
        ("修复get_user_name函数", BARE, "get_user_name"),
        ("größen_wert", BARE, "größen_wert"),
        ("self.name", BARE, "name"),  # says no more than the name
        ("`close`", QUOTED, "close"),
        ("``close``", QUOTED, "close"),
        ("`EventStream.close()`", QUOTED, "EventStream.close"),
        ("`EventStream.close(self, *, now=True)`", QUOTED, "EventStream.close"),
        ("`Stream::close`", QUOTED, "Stream.close"),
        ("`stream->close`", QUOTED, "stream.close"),
        ("`self.close`", QUOTED, "close"),
        ("`this.close()`", QUOTED, "close"),
        ("`.infer()`", QUOTED, "infer"),
        ("`@cached`", QUOTED, "cached"),
        ("`async def close(self)`", QUOTED, "close"),
        ("`class Stream`", QUOTED, "Stream"),
        ("`new Stream()`", QUOTED, "Stream"),
        ("`List<T>`", QUOTED, "List"),
        ("`计算总和`", QUOTED, "计算总和"),
    ],
)
def test_symbol_is_a_mention(text, kind, name):
    assert (kind, name) in named(text)


@pytest.mark.parametrize(
    "text",
    [
        "Please fix the parser and the docs",
        "A word, another word: words (in brackets) and more.",
        "version 3.11.7 and v1.x, 0.5 or 1e-5",
        "e.g. this, i.e. that, a.k.a. those, etc.) and w.r.t. these",
        "write to ada@example.com or ada.lovelace@example.com or ada_l@example.org",
        "example.com, www.example.net and docs.example.org/path",
        "the file(s), class(es) and function(s)",
        "if (x) return",
        "if(x)",
        "HTTP, URLs, APIs and IDs",
        "Node.js and README.md",
        "https://example.com/getUser/some_name",
        "`pip install acme`",
        "`--flag` and `a + b` and `1.5`",
        "a `` b",
        "snake_ and _",
    ],
)
def test_prose_names_no_symbols(text):
    assert named(text) == []


def test_file_is_named_once_by_its_path_only():
    assert [(m.kind, m.name, m.path) for m in mentions("`stream.py` in stream.py")] == [
        (PATH, "", "stream.py")
    ]


def test_thing_is_mentioned_once_in_its_most_telling_form():
    found = mentions("closeAll fails; call `closeAll`, or closeAll()\n```\ncloseAll(1)\n```")
    assert [(m.kind, m.name, m.in_code) for m in found] == [(QUOTED, "closeAll", False)]


def test_mentions_in_code_say_so():
    assert {m.name: m.in_code for m in mentions("Use openAll\n```\ncloseAll(1)\n```")} == {
        "openAll": False,
        "closeAll": True,
    }


def test_mentions_are_numbered_prose_first():
    found = mentions("```\nrun_it()\n```\nDo a_thing, see b.py and `c`.")
    assert [m.order for m in found] == list(range(len(found)))
    assert [m.name or m.path for m in found] == ["b.py", "c", "a_thing", "run_it"]


identifier = st.from_regex(r"[a-z]{3,8}(_[a-z]{2,8}){1,2}", fullmatch=True)
around = st.sampled_from(["", " ", ".", ", ", ": ", ")", "\n", "?", "'s", " — ", "。"])


@given(identifier, around)
def test_snake_case_name_is_found_whatever_ends_it(name, after):
    assert name in [m.name for m in mentions(f"Look at {name}{after}")]


@given(st.text())
def test_any_text_is_understood(text):
    found = mentions(text)
    assert all(m.name or m.path for m in found)
    assert len({(m.name, m.path, m.line) for m in found}) == len(found)
