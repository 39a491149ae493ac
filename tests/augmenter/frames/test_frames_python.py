"""Tracebacks of Python, as the interpreter, test runners and shells print them."""

from cases import rows
from frame_rows import frames_of

PLAIN = """\
Traceback (most recent call last):
  File "/srv/app/main.py", line 8, in <module>
    run()
    ~~~^^
  File "src/app/stream.py", line 12, in EventStream.close
    raise ValueError
  File "<stdin>", line 1, in <module>
  File "C:\\app\\src\\pool.py", line 7, in Pool.get.<locals>.wait
    self.queue[key].wait(
    ~~~~~~~~~~~~~~~~~~~^
        timeout,
        ^^^^^^^^
    )
    ^
ValueError
"""
CHAINED = """\
Traceback (most recent call last):
  File "src/app/reader.py", line 3, in read
    return data[key]
KeyError: 'a'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "src/app/main.py", line 20, in main
    load()
  File "src/app/load.py", line 9, in load
    raise LoadError from error
LoadError
"""
GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "src/app/main.py", line 20, in main
  |     raise ExceptionGroup("eg", errors)
  | ExceptionGroup: eg (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "src/app/a.py", line 2, in first
    |     raise ValueError
    | ValueError
    +---------------- 2 ----------------
    | Traceback (most recent call last):
    |   File "src/app/b.py", line 3, in second
    | TypeError
"""
RECURSION = """\
Traceback (most recent call last):
  File "src/app/main.py", line 1, in <module>
    walk(tree)
  File "src/app/walk.py", line 5, in walk
    walk(child)
  File "src/app/walk.py", line 5, in walk
    walk(child)
  [Previous line repeated 996 more times]
RecursionError: maximum recursion depth exceeded
"""
PYTEST_LONG = """\
____________________________ test_close_wakes_readers ____________________________

    def test_close_wakes_readers():
>       stream().close()

tests/test_stream.py:12:\x20
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def close(self):
>       raise KeyError
E       KeyError

src/app/stream.py:30: KeyError
"""
PYTEST_SHORT = """\
______________________________ test_close ______________________________
tests/test_stream.py:12: in test_close
    stream().close()
src/app/stream.py:30: in close
    raise KeyError
E   KeyError
______________________________ test_open ______________________________
tests/test_stream.py:20: in test_open
    assert 1 == 2
E     File "src/app/open.py", line 3
"""


def test_interpreter_also_with_marks_below_the_source():
    assert frames_of(PLAIN) == rows("""
        0  C:/app/src/pool.py  7   Pool.get.wait
        2  src/app/stream.py   12  EventStream.close
        3  /srv/app/main.py    8   ""
    """)


def test_each_of_chained_exceptions_has_depths_of_its_own():
    assert frames_of(CHAINED) == rows("""
        0  src/app/reader.py  3   read
        0  src/app/load.py    9   load
        1  src/app/main.py    20  main
    """)


def test_exception_group():
    assert frames_of(GROUP) == rows("""
        0  src/app/main.py  20  main
        0  src/app/a.py     2   first
        0  src/app/b.py     3   second
    """)


def test_recursion_counts_from_its_innermost_call():
    assert frames_of(RECURSION) == rows("""
        0  src/app/walk.py  5  walk
        2  src/app/main.py  1  ""
    """)


def test_pytest():
    assert frames_of(PYTEST_LONG) == rows("""
        0  src/app/stream.py     30  ""
        1  tests/test_stream.py  12  ""
    """)
    assert frames_of(PYTEST_SHORT) == rows("""
        0  src/app/stream.py     30  close
        0  src/app/open.py       3   ""
        1  tests/test_stream.py  12  test_close
        1  tests/test_stream.py  20  test_open
    """)


def test_other_tools():
    text = """\
  File "src/a.py", line 3 in waiting
File ~/app/b.py:12, in B.run(self, x)
> /srv/app/c.py(7)stop()
│ /srv/app/d.py:9 in draw           │
src/e.py:4: DeprecationWarning: old() is deprecated
web_1  |   File "/app/f.py", line 5, in handle
> File "/app/g.py", line 6, in quoted
**/app/h.py:7: in bold**
"""
    lines = "\n\nAnother one.\nTraceback (most recent call last):\n".join(text.splitlines())
    assert frames_of(lines) == rows("""
        0  src/a.py       3   waiting
        0  ~/app/b.py     12  B.run
        0  /srv/app/c.py  7   stop
        0  /srv/app/d.py  9   draw
        0  src/e.py       4   ""
        0  /app/f.py      5   handle
        0  /app/g.py      6   quoted
        0  /app/h.py      7   bold
    """)


def test_messages_of_linters_are_mentions_of_paths_as_before():
    assert frames_of("src/a.py:12:5: E501 line too long\nsrc/a.py:3: error: Missing return\n") == []
