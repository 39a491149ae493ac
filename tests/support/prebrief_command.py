"""An executable `prebrief`, as an installation has one: hosts call it by its path."""

from __future__ import annotations

import sys
from pathlib import Path

from python_process import REPOSITORY

_SCRIPT = """\
#!{python}
import sys
sys.path.insert(0, {sources!r})
from augmenter.app.cli import main
sys.exit(main())
"""


def write_command(path: Path) -> Path:
    """Writes one that runs these sources; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_SCRIPT.format(python=sys.executable, sources=str(REPOSITORY)))
    path.chmod(0o755)
    return path
