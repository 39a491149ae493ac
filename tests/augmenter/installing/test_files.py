"""Settings files are read and replaced as a whole, through links, with their permissions."""

from __future__ import annotations

import json
import os
import stat

import pytest
from python_process import start_python

from augmenter.app.installing import files
from augmenter.app.installing.files import read, rewrite
from augmenter.app.installing.installation import FORMS
from augmenter.app.installing.plans import PLANS
from knowledge.errors import SettingsError


def upper(text):
    return (text or "new").upper()


def test_a_file_is_changed_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb")
    assert rewrite(path, upper) == ("\ufeffa\r\nb", "\ufeffA\r\nB")
    assert path.read_bytes() == b"\xef\xbb\xbfA\r\nB"
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.json"]


def test_without_a_file_one_is_made_along_with_its_folder(tmp_path):
    path = tmp_path / ".claude" / "settings.json"
    assert rewrite(path, upper) == (None, "NEW")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_permissions_are_kept(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("a")
    path.chmod(0o640)
    rewrite(path, upper)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_one_and_its_target_is_written(tmp_path, there):
    target = tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    if there:
        target.write_text("a")
    path = tmp_path / "settings.json"
    path.symlink_to(target)
    rewrite(path, upper)
    assert path.is_symlink()
    assert target.read_text() == ("A" if there else "NEW")
    rewrite(path, lambda _text: None)
    assert path.is_symlink()
    assert not target.exists()


def test_a_dry_run_changes_nothing(tmp_path):
    path = tmp_path / "settings.json"
    assert rewrite(path, upper, dry_run=True) == (None, "NEW")
    assert not path.exists()


def test_what_another_program_writes_meanwhile_is_not_lost(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("a")
    writes = iter(["b"])

    def edit(text):
        for other in writes:
            path.write_text(other)
        return text + "!"

    assert rewrite(path, edit) == ("b", "b!")
    assert path.read_text() == "b!"


def test_a_program_that_writes_all_the_time_is_reported(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("")

    def edit(text):
        path.write_text(text + ".")
        return text + "!"

    with pytest.raises(SettingsError, match="all the time"):
        rewrite(path, edit)
    assert path.read_text() == "." * files.ATTEMPTS
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.json"]


def test_what_is_no_text_is_refused(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes('{"a": 1}'.encode("utf-16"))
    with pytest.raises(SettingsError, match="no UTF-8") as refused:
        read(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop"])
def test_what_is_no_file_is_refused(tmp_path, kind):
    path = tmp_path / "settings.json"
    {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "loop": lambda: path.symlink_to(path)}[kind]()
    with pytest.raises(SettingsError):
        read(path)


def test_a_folder_that_cannot_be_written_is_reported(tmp_path, unprivileged):
    path = tmp_path / "settings.json"
    path.write_text("a")
    tmp_path.chmod(0o555)
    path.chmod(0o644)
    told = unprivileged(lambda: _refusal(path), owns=[tmp_path])
    assert "cannot be written" in told
    assert path.read_text() == "a"


def _refusal(path):
    try:
        rewrite(path, upper)
    except SettingsError as error:
        return str(error)
    return "written"


def test_programs_that_install_at_once_all_find_their_place(tmp_path):
    """None undoes what another has written: a file is replaced at once, and only as it was read."""
    path = tmp_path / "settings.json"
    path.write_text('{"model": "opus"}\n')
    code = """
        import sys
        from augmenter.app.installing.installation import install
        from augmenter.app.installing.places import Place
        from augmenter.app.installing.plans import PLANS
        from pathlib import Path
        host = sys.argv[2]
        install(Place(host, "user", Path(sys.argv[1])), PLANS[host].hooks("/opt/prebrief", 1000))
    """
    hosts = ["claude-code", "codex", "gemini"]
    started = [start_python(code, path, host) for host in hosts]
    assert [process.wait() for process in started] == [0, 0, 0]
    commands = {hook.command for hook in FORMS["json"].find(path.read_text())}
    assert commands == {hook.command for host in hosts for hook in PLANS[host].hooks("/opt/prebrief", 1000)}
    assert json.loads(path.read_text())["model"] == "opus"
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.json"]
