"""Checks of what Prebrief works with: settings, git, the state folder, receipts, grammars.

A check is a function from the patient to its findings. It writes nothing, and what goes wrong in it is one
of its findings.
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
from collections.abc import Iterator

from augmenter.app.findings import Finding, Level, Patient
from augmenter.app.wording import in_words
from augmenter.weights import own_weights, read_weights
from indexer.code.grammar import grammar_of
from indexer.languages import CODE_LANGUAGES
from indexer.sources.git import Repository, git_version
from knowledge.errors import GitError, LedgerError, PrebriefError, SettingsError, SourceError
from knowledge.project import STATE_FOLDER
from knowledge.settings import MEBIBYTE, settings_path
from receipts.verify import verify

MIN_ROOM = 256 * MEBIBYTE  # below, other programs get into trouble too
ROOM_FOR_REBUILDING = 2  # times the catalog: the old one stays until the new one is whole


def finding_of(check: str, error: PrebriefError) -> Finding:
    """An error, as a finding."""
    what = f"{error.where}: {error.what}" if error.where else error.what
    return Finding(check, Level.PROBLEM, what, error.remedy)


def check_settings(patient: Patient) -> Iterator[Finding]:
    """Whether the settings are valid."""
    if patient.settings_error:
        yield finding_of("settings", patient.settings_error)
        return
    path = settings_path(patient.project.view_root)
    yield Finding("settings", Level.OK, f"{path.name} is valid" if path else "all defaults: there is no file")


def check_git(patient: Patient) -> Iterator[Finding]:
    """Whether git is there and answers for this project."""
    if patient.project.git_dir is None:
        text = "this is no git repository: files are found by folder, and nothing is known of their history"
        yield Finding("git", Level.NOTE, text)
        return
    try:
        version = git_version()
        Repository(patient.project.view_root).head()
    except GitError as error:
        yield finding_of("git", error)
        return
    yield Finding("git", Level.OK, f"git {version} answers")


def check_state(patient: Patient) -> Iterator[Finding]:
    """Whether the state folder can be used, and by nobody who should not."""
    state = patient.project.state
    quoted = shlex.quote(str(state))
    if not state.is_dir() and os.path.lexists(state):
        yield Finding("state", Level.PROBLEM, f"{state} is no folder", f"mv {quoted} {quoted}.old")
        return
    if not state.is_dir():
        yield Finding("state", Level.NOTE, f"there is no {state} yet", "prebrief index")
        return
    if not os.access(state, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("state", Level.PROBLEM, f"{state} cannot be written", f"chmod u+rwx {quoted}")
        return
    if state.stat().st_mode & stat.S_IWOTH:
        text = f"everybody may write to {state}, and so decide what agents are told"
        yield Finding("state", Level.WARNING, text, f"chmod o-w {quoted}")
    seen = list(_seen_by_git(patient))
    yield from seen or [Finding("state", Level.OK, f"{state} can be used, and git ignores it")]


def _seen_by_git(patient: Patient) -> Iterator[Finding]:
    project = patient.project
    if project.git_dir is None:
        return
    repository, folder = Repository(project.root), shlex.quote(str(project.root))
    try:
        tracked = repository.run("ls-files", "-z", "--", STATE_FOLDER)
        loose = repository.run("ls-files", "-z", "--others", "--exclude-standard", "--", STATE_FOLDER)
    except GitError:  # the check of git says so
        return
    if tracked:
        command = f"git -C {folder} rm -r --cached {STATE_FOLDER}"
        yield Finding("state", Level.WARNING, "git tracks files of Prebrief's state", command)
    if loose:
        command = f"echo '*' > {folder}/{STATE_FOLDER}/.gitignore"
        yield Finding("state", Level.WARNING, "git does not ignore Prebrief's state", command)


def check_room(patient: Patient) -> Iterator[Finding]:
    """Whether the disk has room for a rebuild."""
    free = shutil.disk_usage(patient.project.root).free
    needed = ROOM_FOR_REBUILDING * (patient.inspection.size if patient.inspection else 0)
    if free < max(MIN_ROOM, needed):
        yield Finding("room", Level.WARNING, f"only {in_words(free)} are left on the disk", "prebrief gc")
    else:
        yield Finding("room", Level.OK, f"{in_words(free)} are left on the disk")


def check_receipts(patient: Patient) -> Iterator[Finding]:
    """Whether the ledger of receipts is whole."""
    folder = patient.project.receipts
    try:
        if not folder.exists():
            yield Finding("receipts", Level.OK, "there are none yet")
            return
        found = verify(folder)
    except PermissionError:
        yield Finding("receipts", Level.PROBLEM, f"{folder} cannot be read", "prebrief receipts verify")
        return
    except LedgerError as error:
        yield finding_of("receipts", error)
        return
    if not found.ok:
        first = found.problems[0]
        where = f"{folder / first.segment}:{first.line}"
        text = f"of what is wrong ({len(found.problems)} in all) the first is at {where}: {first.what}"
        yield Finding("receipts", Level.PROBLEM, text, "prebrief receipts verify")
        return
    if found.torn:
        text = f"{len(found.torn)} lines were cut short when something was killed; they are set aside"
        yield Finding("receipts", Level.NOTE, text)
    yield Finding("receipts", Level.OK, f"{found.receipts} receipts; every hash re-derives")


def check_weights(patient: Patient) -> Iterator[Finding]:
    """Whether the project's own weights, if it has any, are what it is ranked by."""
    path = patient.project.weights
    if not os.path.lexists(path):
        yield Finding("weights", Level.OK, "the shipped ones: the project has none of its own")
        return
    try:
        read_weights(path)
    except SettingsError as error:
        if own_weights(path):
            yield Finding("weights", Level.PROBLEM, f"{path}: {error.what}", "prebrief tune --reset")
        else:
            text = f"{path}: {error.what}; the shipped ones are used"
            yield Finding("weights", Level.WARNING, text, "prebrief tune")
        return
    yield Finding("weights", Level.OK, "the project's own can be used")


def check_grammars(patient: Patient) -> Iterator[Finding]:  # noqa: ARG001 - every check takes a patient
    """Whether the parser of every language can be loaded."""
    broken = 0
    parsed = [language for language in CODE_LANGUAGES if language.grammar]
    for language in parsed:
        try:
            grammar_of(language.name)
        except SourceError as error:
            broken += 1
            package = language.grammar.replace("_", "-")
            remedy = f"pip install --force-reinstall {package}"
            yield Finding("grammars", Level.PROBLEM, f"{language.name}: {error.what}", remedy)
    if not broken:
        yield Finding("grammars", Level.OK, f"all {len(parsed)} can be loaded")
