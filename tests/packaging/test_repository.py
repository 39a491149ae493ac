"""What holds for every file of the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import PurePosixPath

import pytest

MAX_LINES = 400
CODE = {".py", ".md", ".toml", ".j2", ".scm", ".yml", ".yaml", ".sh", ""}

# Put together here, so that this file does not hold what it looks for.
FORBIDDEN = re.compile(
    "|".join(
        [
            r"(?<![\w.$)}-])/" + r"work/",
            r"/tmp" + r"/w\b",
            r"/root" + r"/",
            r"/opt" + r"/pypi",
            r"pypi\." + r"org",
            r"python" + r"hosted",
            r"npmjs\." + r"(org|com)",
            r"--(extra-)?index" + r"-url",
        ]
    )
)


@pytest.fixture(scope="module")
def texts(root, tracked):
    """Path to text of every tracked file that is text."""
    found = {}
    for name in tracked:
        data = (root / name).read_bytes()
        if b"\0" not in data:
            found[name] = data.decode("utf-8", "replace")
    return found


def test_no_file_is_too_long_to_read(texts):
    long = {
        name: text.count("\n")
        for name, text in texts.items()
        if PurePosixPath(name).suffix in CODE and text.count("\n") > MAX_LINES
    }
    assert long == {}


def test_no_file_names_a_machine_or_a_registry(texts):
    found = {
        name: sorted({match[0] for match in FORBIDDEN.finditer(text)})
        for name, text in texts.items()
        if FORBIDDEN.search(text)
    }
    assert found == {}


def test_tests_share_no_package(tracked):
    assert [name for name in tracked if re.fullmatch(r"tests/(.*/)?__init__\.py", name)] == []


def test_commands_in_the_documents_are_targets_of_the_makefile(root, texts):
    targets = set(re.findall(r"^([a-z]+):", texts["Makefile"], re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md", ".ci/run"):
        commands = re.findall(r"(?:^\$ |`|^|NO_SKIPS=1 )make ((?:[a-z]+ ?)+)", texts[name], re.MULTILINE)
        named = {word for command in commands for word in command.split()}
        assert named, name
        assert named <= targets, name
    assert {"demo", "test"} <= set(re.findall(r"^\$ make (\w+)", texts["README.md"], re.MULTILINE))


def test_links_between_documents_lead_somewhere(root, texts):
    for name, text in texts.items():
        if not name.endswith(".md") or name.startswith("tests/"):
            continue
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
            assert (root / name).parent.joinpath(target).exists(), (name, target)


def test_ci_script_is_executable_and_parses(root, tracked):
    assert ".ci/run" in tracked
    mode = subprocess.run(
        ["git", "ls-files", "--stage", ".ci/run"], cwd=root, check=True, capture_output=True, text=True
    )
    assert mode.stdout.startswith("100755")
    subprocess.run(["bash", "-n", ".ci/run"], cwd=root, check=True)


def test_makefile_says_what_is_missing_when_python_is_too_old(root, tmp_path):
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        ["make", f"PYTHON={old}", "DEMO=" + str(tmp_path / "venv"), "demo"],
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert not (tmp_path / "venv").exists()
