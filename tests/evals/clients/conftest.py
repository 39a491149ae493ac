"""A stage, and a client that stands in for a real one."""

import sys
from pathlib import Path

import pytest

from evals.clients.stage import set_stage


@pytest.fixture
def stage(tmp_path):
    """A home and a project, without a model."""
    return set_stage(tmp_path / "stage", "http://127.0.0.1:9")


@pytest.fixture
def stand_in(tmp_path):
    """The executable of a client that hooks, asks and notes as Claude Code does."""
    path = tmp_path / "bin" / "claude"
    path.parent.mkdir()
    script = Path(__file__).with_name("stand_in_client.py").read_text()
    path.write_text(script.replace("#!/usr/bin/env python3", f"#!{sys.executable}", 1))
    path.chmod(0o755)
    return path
