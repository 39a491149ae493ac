"""Which files a shell command is seen to read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.hosts.commands import Reading, read_by_command


@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("cat src/a.py", [Reading("src/a.py")]),
        ("cat -n 'my file.py' b.py", [Reading("my file.py"), Reading("b.py")]),
        ("sed -n '10,20p' src/a.py", [Reading("src/a.py", 10, 20)]),
        ("sed -n 10,20p src/a.py | head", [Reading("src/a.py", 10, 20)]),
        ("head -n 40 src/a.py", [Reading("src/a.py", 1, 40)]),
        ("head -40 src/a.py", [Reading("src/a.py", 1, 40)]),
        ("tail -n 5 src/a.py", [Reading("src/a.py")]),
        ("cd src && nl -ba a.py; less b.py", [Reading("src/a.py"), Reading("src/b.py")]),
        ("cd /tmp; cat a.py", [Reading("/tmp/a.py")]),
        ("cat a.py > src/b.py", [Reading("a.py")]),
        ("cat > src/b.py <<EOF", []),
        ("cat a.py 2>/dev/null", [Reading("a.py")]),
        ("grep -n close src/a.py", []),
        ("rm src/a.py", []),
        ("cat 'unclosed", []),
        ("", []),
        ("cat " + "x" * 20_000 + " src/a.py", [Reading("x" * 9_996)]),
    ],
)
def test_readers_and_their_lines(command, read):
    assert list(read_by_command(command)) == read


@given(st.text(max_size=200))
def test_any_command_is_survived(command):
    for reading in read_by_command(f"cat {command}"):
        assert reading.path
