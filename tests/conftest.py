"""Fixtures and hooks shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import hypothesis
import pytest
from git_repository import plain_environment
from privileges import as_nobody

# Deadlines measure the machine, not the code, when several processes share it. Under CI hypothesis loads a
# profile of its own: the same examples on every run, and no deadline either.
hypothesis.settings.register_profile("shared-machine", deadline=None)
if "CI" not in os.environ:
    hypothesis.settings.load_profile("shared-machine")


@pytest.fixture(autouse=True, scope="session")
def _git_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Git as it comes, at a time that stands still: no user's or machine's configuration, an empty home."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in plain_environment(tmp_path_factory.mktemp("home")).items():
            if value is None:
                patch.delenv(name)
            else:
                patch.setenv(name, value)
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither ask nor start a daemon, unless they are about one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREBRIEF_RUNTIME", str(tmp_path_factory.mktemp("runtime") / "none"))
        patch.setenv("PREBRIEF_DAEMON", "off")
        yield


@pytest.fixture
def unprivileged():
    """Runs a function in a process that permissions apply to, which they don't to root."""
    return as_nobody


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With PREBRIEF_NO_SKIPS=1 a skipped test fails the run: CI has everything that any test needs."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")  # None in an xdist worker
    if reporter is None or os.environ.get("PREBRIEF_NO_SKIPS") != "1":
        return
    if reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        reporter.write_line("")
        reporter.write_line("Tests were skipped, and PREBRIEF_NO_SKIPS=1 allows none.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
