"""Tracebacks within tasks, and what only looks like them."""

import time

import pytest
from frame_rows import frames_of
from hypothesis import given
from hypothesis import strategies as st

from augmenter.frames import find_frames
from augmenter.mentions import MentionKind
from augmenter.task import understand

JAVA = """\
java.lang.IllegalStateException: closed
\tat com.acme.Stream.close(Stream.java:12)
Caused by: java.lang.Error: disk
\tat com.acme.Disk.read(Disk.java:7)
"""


def test_frames_are_found_in_fences_and_without_indentation():
    inner = "at closeAll (src/a.js:1:2)"
    expected = [("0", "src/a.js", "1", "closeAll")]
    assert frames_of(f"T\n```\n{inner}\n```") == frames_of(f"T\n{inner}") == expected


def test_tracebacks_are_told_apart_in_fences_and_without():
    expected = [
        ("0", "com/acme/Stream.java", "12", "com.acme.Stream.close"),
        ("0", "com/acme/Disk.java", "7", "com.acme.Disk.read"),
    ]
    assert frames_of(f"It fails.\n```\n{JAVA}```\n") == frames_of(f"It fails.\n{JAVA}") == expected


def test_message_of_an_error_is_prose_and_its_frames_are_code():
    task = understand(f"It fails\n{JAVA}", 1 << 20)
    assert "IllegalStateException: closed" in task.prose
    assert "Stream.java" not in task.prose
    assert "Stream.java" in task.code


def test_file_of_a_frame_is_not_mentioned_as_a_path_too():
    assert MentionKind.PATH not in {m.kind for m in understand(JAVA, 1 << 20).mentions}


def test_prose_about_lines_is_no_frame():
    text = """\
at noon (see stream.js)
at lunch
at 10:15
at example.com:8080
at the door (see the file a.js:10)
File a.py is new
#1 is better than #2 (see a.php)
in Paris (at 10:30)
mail me@acme.example:25
12:30 in the morning
"""
    assert frames_of(text) == []


FRAGMENTS = [
    *(
        'File "',
        '", line 1, in f',
        "at ",
        "at a(",
        ") in ",
        ":line ",
        "(a.java:1)",
        "a.b.",
        "/a/",
        "C:\\",
        "://",
    ),
    *(
        "#1 ",
        "0xf in ",
        " at ",
        "a.c:1",
        " in ",
        "==1== at 0xF: ",
        " (",
        "panicked at '",
        "', ",
        "right: ",
        "@/",
        ":1",
    ),
    *(
        ":1:1",
        ".rs",
        ".go",
        ".php",
        "❯ ",
        "from ",
        ":in '",
        "'",
        "<",
        "<a>",
        "::",
        "`",
        " + 1",
        "\n",
        " ",
        "|",
        "1",
        "x",
    ),
    *(
        "Assertion `",
        ": ",
        "? ",
        "[ra] ",
        "\t",
        "E   ",
        "___ ",
        "{",
        "}",
        "$",
        "lambda$",
        "(",
        "-[A b]",
        "#",
        "[",
        "]",
    ),
]


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_time_is_linear_in_what_is_repeated(fragment):
    def seconds(size):
        text = fragment * (size // len(fragment))
        began = time.process_time()
        find_frames(text)
        find_frames(f"at a.b(c.js:1:2)\n {text}")
        return time.process_time() - began

    assert seconds(1 << 20) < 1.5


@pytest.mark.parametrize(
    "text",
    [
        'File "' + "a" * 1_000_000 + '", line ',
        "at a(" + ") in " * 200_000,
        "at a() in " + "x:line " * 140_000,
        "#0 0x1 in " + "a:b " * 250_000,
        "#0 f (" + ") at a:" * 140_000,
        "==1==    at 0xF: " + "f (a:b " * 140_000,
        "at f (" + "a.b:1 " * 160_000,
        "at a.b://" * 110_000,
        "x.rb:1:in '" + "block in " * 110_000,
        "thread 'a' panicked at '" + "', a" * 250_000,
        " in a.php:" * 100_000,
        "1 0x1 " + "f in a at b " * 80_000,
        "a.c:1: " + "f: Assertion " * 80_000,
        "at " + "a/" * 500_000 + "(a.java:1",
        "\n".join(["at x (" + "a" * 390] * 2500),
        "\n".join(["#0 0x1 in " + "a " * 400] * 1250),
    ],
)
def test_time_is_linear_in_what_nearly_matches(text):
    began = time.process_time()
    find_frames(text)
    assert time.process_time() - began < 1.5


pieces = st.lists(st.sampled_from([*FRAGMENTS, "a", ".py", ":2:", "Caused by: "]), max_size=60).map("".join)


@given(pieces)
def test_any_text_is_read_and_places_come_once_innermost_first(text):
    frames, rest = find_frames(text)
    places = [(frame.path, frame.line) for frame in frames]
    assert len(set(places)) == len(places)
    assert [frame.depth for frame in frames] == sorted(frame.depth for frame in frames)
    assert all(frame.path in text or "/" in frame.path or "." in frame.path for frame in frames)
    assert (rest == text) == (not frames)
