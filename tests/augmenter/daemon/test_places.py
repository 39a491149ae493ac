"""The runtime folder: where it is, and when it is not to be trusted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from privileges import NOBODY

from augmenter.app.daemon.listening import listening, make_folder, only_daemon
from augmenter.app.daemon.places import runtime_folder, socket_in, why_unsafe
from knowledge.errors import PrebriefError


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"PREBRIEF_RUNTIME": "/mine", "XDG_RUNTIME_DIR": "/run/user/7"}, "/mine"),
        ({"XDG_RUNTIME_DIR": "/run/user/7/"}, "/run/user/7/prebrief"),
        ({"XDG_RUNTIME_DIR": "relative"}, f"/tmp/prebrief-{os.geteuid()}"),
        ({"PREBRIEF_RUNTIME": "", "TMPDIR": "/elsewhere"}, f"/tmp/prebrief-{os.geteuid()}"),
        ({"PREBRIEF_RUNTIME": "here"}, str(Path.cwd() / "here")),
    ],
)
def test_the_folder_is_where_the_environment_says(environment, folder):
    assert runtime_folder(environment) == folder


def test_a_folder_that_was_made_is_its_users_alone(place):
    before = os.umask(0)
    try:
        make_folder(str(place))
        with only_daemon(str(place)), listening(str(place)):
            assert Path(socket_in(str(place))).stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
    assert place.stat().st_mode & 0o777 == 0o700
    assert why_unsafe(str(place)) == ""


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_may_use_is_refused(place, mode):
    place.mkdir()
    place.chmod(mode)
    assert f"mode {mode:o}" in why_unsafe(str(place))
    with pytest.raises(PrebriefError, match="no safe place"):
        make_folder(str(place))


def test_what_is_no_folder_is_refused(place):
    place.symlink_to(place.parent)
    assert why_unsafe(str(place)) == "it is no folder"
    place.unlink()
    place.write_text("")
    with pytest.raises(PrebriefError, match="it is no folder"):
        make_folder(str(place))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_is_refused(place):
    place.mkdir(mode=0o700)
    os.chown(place, NOBODY, NOBODY)
    assert f"the user's with number {NOBODY}" in why_unsafe(str(place))


def test_a_path_too_long_for_a_socket_is_refused_with_a_remedy(place):
    folder = f"{place.parent}/{'x' * 120}"
    with pytest.raises(PrebriefError, match=r"at most 103 bytes.*PREBRIEF_RUNTIME"):
        make_folder(folder)


def test_a_folder_that_cannot_be_made_is_an_error_with_a_remedy(place):
    place.parent.joinpath("file").write_text("")
    with pytest.raises(PrebriefError, match="PREBRIEF_RUNTIME"):
        make_folder(f"{place.parent}/file/run")


def test_a_socket_that_was_left_behind_is_replaced(place):
    folder = str(place)
    with only_daemon(folder):
        with listening(folder) as first:
            os.link(socket_in(folder), f"{folder}/kept")
            first.detach()
        Path(f"{folder}/kept").rename(socket_in(folder))  # as a daemon leaves it that was killed
        with listening(folder):
            assert Path(socket_in(folder)).is_socket()
        assert not Path(socket_in(folder)).exists()


def test_another_daemons_socket_is_left_alone(place):
    folder = str(place)
    with only_daemon(folder):
        with listening(folder):
            Path(socket_in(folder)).unlink()
            Path(socket_in(folder)).write_text("another's")
        assert Path(socket_in(folder)).read_text() == "another's"
