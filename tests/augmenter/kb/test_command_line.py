"""The console script ``kb``: help, version, usage, and a reference that is what the parsers say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from augmenter.app.kb import KB

ROOT = Path(__file__).parents[3]
TELL_IMPORTS = (
    "import sys; from augmenter.app.kb import main\n"
    "try: main({words!r})\n"
    "except SystemExit: pass\n"
    "print('evals.evaluation.evaluate' in sys.modules, file=sys.stderr)"
)


def test_version(kb):
    done = kb("--version")
    assert done.code == 0
    assert re.fullmatch(r"kb \d+\.\d+\.\d+\n", done.out)


@pytest.mark.parametrize("words", [(), ("nonsense",), ("evaluate",), ("evaluate", "--nonsense")])
def test_wrong_usage(kb, words):
    done = kb(*words)
    assert (done.code, done.out) == (2, "")
    assert "kb" in done.err


def test_help_names_every_command(kb):
    assert [name for name in KB.commands if name not in kb("--help").out] == []


def test_reference_names_every_option():
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").partition("# The command `kb`")[2]
    for name in KB.commands:
        parser = KB.parser(name, KB.module(name))
        options = {*re.findall(r"--[a-z-]+", parser.format_help())} - {"--help", "--version"}
        assert [option for option in sorted(options) if option not in text] == []
        assert f"## `kb {name}" in text


@pytest.mark.parametrize(("words", "imported"), [(["--version"], "False"), (["evaluate", "-h"], "True")])
def test_only_the_command_that_runs_is_imported(words, imported):
    done = subprocess.run(
        [sys.executable, "-c", TELL_IMPORTS.format(words=words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.strip() == imported
