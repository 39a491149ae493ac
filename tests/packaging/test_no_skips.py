"""CI allows no skipped test: a skip there is a test that nobody runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest


@pytest.fixture
def suite(root, tmp_path):
    shutil.copy(root / "tests" / "conftest.py", tmp_path)

    def run(source: str, *options: str, no_skips: bool) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_it.py").write_text(f"import pytest\n{source}\n")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment = {**inherited, "PREBRIEF_NO_SKIPS": "1" if no_skips else "0"}
        # A folder of its own: the shared one is cleaned by every pytest that runs on the machine.
        own = ["-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "base")]
        own += ["-o", f"pythonpath={root / 'tests' / 'support'}"]  # of what the conftest imports
        command = [sys.executable, "-m", "pytest", *own, *options, str(tmp_path)]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run


@pytest.mark.parametrize("options", [(), ("-n", "1")])
def test_skipped_test_fails_the_run_when_none_are_allowed(suite, options):
    done = suite("def test_one(): pytest.skip('no reason')", *options, no_skips=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "PREBRIEF_NO_SKIPS=1 allows none" in done.stdout
    assert "1 skipped" in done.stdout.splitlines()[-1]


def test_skipped_test_is_no_failure_elsewhere(suite):
    assert suite("def test_one(): pytest.skip('no reason')", no_skips=False).returncode == 0


def test_run_without_skips_passes(suite):
    assert suite("def test_one(): pass", no_skips=True).returncode == 0
