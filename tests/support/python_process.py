"""Python in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]


def start_python(code: str, *arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """Starts code that can import this project; ``options`` as for `subprocess.Popen`."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, cwd=REPOSITORY, **options)


def modules_imported_with(names: str, among: set[str]) -> set[str]:
    """Which of some modules are imported along with others, named with commas in between."""
    code = f"import sys, {names}; print(*sys.modules)"
    loaded, _ = start_python(code, stdout=subprocess.PIPE).communicate()
    assert loaded, names
    return among & set(loaded.decode().split())
