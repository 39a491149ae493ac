"""From bytes to text."""

import codecs
import os
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.decode import (
    MINIFIED_MEAN_LINE,
    MINIFIED_MIN_BYTES,
    Decoded,
    SkippedSource,
    decode,
    read_source,
)
from indexer.sources.walk import SkipReason


def reason(data, path="a.py"):
    with pytest.raises(SkippedSource) as caught:
        decode(data, path)
    return caught.value.skip


def test_utf8_is_the_rule():
    assert decode("größe = 1\n".encode(), "a.py") == Decoded("größe = 1\n", "utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_decides_and_is_dropped(encoding):
    text = "größe = '数'\n"
    data = ("\ufeff" + text).encode(encoding)
    assert decode(data, "a.py") == Decoded(text, encoding)


def test_a_byte_order_mark_that_lies_is_an_encoding_problem():
    assert reason(codecs.BOM_UTF8 + b"\xff\xfe\xfd") == SkipReason.ENCODING


@pytest.mark.parametrize("line", ["# -*- coding: latin-1 -*-", "# vim: set fileencoding=iso-8859-1 :"])
@pytest.mark.parametrize("before", ["", "#!/usr/bin/python\n"])
def test_a_python_files_coding_line_is_honoured(before, line):
    text = f"{before}{line}\nx = 'é'\n"
    assert decode(text.encode("latin-1"), "a.py") == Decoded(text, "iso8859-1")


def test_a_coding_line_counts_in_the_first_two_lines_and_in_python_only():
    text = "\n\n# coding: koi8-r\nx = 'é'\n"
    assert decode(text.encode(), "a.py").encoding == "utf-8"
    assert decode("# coding: koi8-r\né\n".encode(), "a.rb").encoding == "utf-8"


@pytest.mark.parametrize("name", ["nonsense", "rot13", "utf-7", "unicode_escape", "punycode", "undefined"])
def test_a_coding_line_that_names_no_text_encoding_is_passed_over(name):
    text = f"# coding: {name}\nx = 'é'\n"
    assert decode(text.encode(), "a.py") == Decoded(text, "utf-8")


def test_other_text_is_read_as_windows_1252_and_says_so():
    decoded = decode("// façade – “quoted”\n".encode("cp1252"), "a.java")
    assert decoded.text == "// façade – “quoted”\n"
    assert decoded.note == "not UTF-8; read as cp1252"


def test_line_ends_stay_but_for_the_lone_returns_of_old_macs():
    assert decode(b"a\r\nb\r\n", "a.py").text == "a\r\nb\r\n"
    assert decode(b"a\rb\rc", "a.py").text == "a\nb\nc"
    assert decode(b"a\r\r\nb", "a.py").text == "a\n\r\nb"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"text\0more", bytes(range(1, 32)) * 20])
def test_binary_files_are_told_apart(data):
    assert reason(data) == SkipReason.BINARY


def test_a_few_control_characters_are_text():
    assert "\x1b[31m" in decode(b"\x0cdef a():\n    return '\x1b[31mred\x1b[0m'\n" * 3, "a.py").text


def test_a_nul_far_into_a_file_is_replaced():
    decoded = decode(b"x = 1\n" * 2000 + b"y = '\0'\n", "a.py")
    assert "\0" not in decoded.text
    assert decoded.note == "NUL characters replaced"


MINIFIED_LINE = b"!function(a,b){return a?b(a):0};" * (MINIFIED_MEAN_LINE // 20) + b"\n"


def test_minified_scripts_and_style_sheets_are_told_apart_by_their_mean_line():
    assert reason(MINIFIED_LINE * 40, "a.js") == SkipReason.MINIFIED
    assert reason(b"/* a licence\n * of\n * some lines */\n" * 9 + MINIFIED_LINE * 200, "a.mjs")
    assert reason(b".a{color:red}" * 2_000, "A.CSS") == SkipReason.MINIFIED
    assert decode(MINIFIED_LINE * 40, "a.py").text
    assert decode(b"function a() {\n  return 1;\n}\n" * 5000, "a.js").text
    assert decode(MINIFIED_LINE * 40, "a.ts").text
    assert decode(b"a" * (MINIFIED_MIN_BYTES - 1), "data.js").text


@pytest.mark.parametrize(
    "table", [b"[%s]" % b"65533," * 100_000, b'"' + b"data" * 50_000 + b'"', b'{"a":[1,2]},' * 30_000]
)
def test_a_script_with_a_line_of_data_is_not_minified(table):
    code = b"export function look(up) {\n  return TABLE[up];\n}\n\n" * 30
    assert decode(code + b"const TABLE = " + table + b";\n" + code, "a.js").text


@pytest.mark.parametrize("name", ["a.js", "a.css", "a.py", "a.md", "a.json"])
def test_a_single_line_of_five_megabytes_is_judged_at_once(name):
    began = time.process_time()
    with suppress(SkippedSource):
        decode(b"let a={b:[1,2,3]}," * (5 * 1024 * 1024 // 18), name)
    assert time.process_time() - began < 1


def test_an_empty_file_is_an_empty_text():
    assert decode(b"", "a.js") == Decoded("", "utf-8")


@given(st.binary(max_size=300), st.sampled_from(["a.py", "a.js", "a.md"]))
def test_any_bytes_give_storable_text_or_a_reason(data, path):
    try:
        decoded = decode(data, path)
    except SkippedSource:
        return
    decoded.text.encode("utf-8")
    assert "\0" not in decoded.text
    assert "\r" not in decoded.text.replace("\r\n", "")


@given(st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs", "Cc"]), max_size=200))
def test_text_survives(text):
    assert decode(text.encode(), "a.md").text == text.removeprefix("\ufeff")


def test_reading_stops_at_the_limit(tmp_path):
    file = tmp_path / "a.py"
    file.write_bytes(b"x" * 100)
    assert read_source(file, 100) == b"x" * 100
    with pytest.raises(SkippedSource) as caught:
        read_source(file, 99)
    assert caught.value.skip == SkipReason.TOO_LARGE


def test_reading_does_not_follow_links_or_wait_for_pipes(tmp_path):
    (tmp_path / "a.py").write_text("x\n")
    (tmp_path / "link.py").symlink_to("a.py")
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SkippedSource) as caught:
        read_source(tmp_path / "link.py", 100)
    assert caught.value.skip == SkipReason.SYMLINK
    assert read_source(tmp_path / "pipe.py", 100) == b""


def test_a_folder_in_the_place_of_a_file_is_unreadable(tmp_path):
    with pytest.raises(SkippedSource) as caught:
        read_source(tmp_path, 100)
    assert caught.value.skip == SkipReason.UNREADABLE


def test_a_file_that_vanished_is_told_apart(tmp_path):
    for path in (tmp_path / "gone.py", tmp_path / "gone" / "a.py"):
        with pytest.raises(FileNotFoundError):
            read_source(path, 100)


def test_a_file_without_permission_is_unreadable_and_names_itself(tmp_path, unprivileged):
    file = tmp_path / "a.py"
    file.write_text("x\n")
    file.chmod(0o000)

    def attempt():
        try:
            read_source(file, 100)
        except SkippedSource as error:
            return error.skip, str(error)

    skip, text = unprivileged(attempt, owns=[tmp_path])
    assert skip == SkipReason.UNREADABLE
    assert text.startswith(f"{file}: cannot be read: Permission denied")
