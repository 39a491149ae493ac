"""The file with the token: made once, the user's alone."""

from __future__ import annotations

import os
import stat
import threading

import pytest

from augmenter.app.http.tokens import token_file, token_of
from knowledge.errors import PrebriefError


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "runtime")


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)  # noqa: PTH116


def test_the_token_is_made_once_and_only_its_user_may_read_it(folder):
    before = os.umask(0)
    try:
        token = token_of(folder)
    finally:
        os.umask(before)
    assert len(token) >= 40
    assert token_of(folder) == token
    assert mode_of(token_file(folder)) == 0o600
    assert mode_of(folder) == 0o700
    assert os.listdir(folder) == ["http.token"]  # noqa: PTH208


def test_tokens_differ(tmp_path):
    assert token_of(str(tmp_path / "one")) != token_of(str(tmp_path / "two"))


def test_all_who_begin_at_once_have_the_same(folder):
    found, ready = [], threading.Barrier(8)

    def begin():
        ready.wait(60)
        found.append(token_of(folder))

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_token_of_ones_own_is_taken(folder):
    token_of(folder)
    with open(token_file(folder), "w") as file:  # noqa: PTH123
        file.write("my-own-token-of-at-least-32-letters\n")
    assert token_of(folder) == "my-own-token-of-at-least-32-letters"


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 50, b"a b" * 20, b"x" * 1000])
def test_what_is_no_token_is_not_taken(folder, content):
    token_of(folder)
    with open(token_file(folder), "wb") as file:  # noqa: PTH123
        file.write(content)
    with pytest.raises(PrebriefError, match="no token"):
        token_of(folder)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602, 0o660])
def test_a_token_that_others_could_read_is_not_taken(folder, mode):
    token_of(folder)
    os.chmod(token_file(folder), mode)  # noqa: PTH101
    with pytest.raises(PrebriefError, match="alone"):
        token_of(folder)


def test_a_link_is_not_followed(folder, tmp_path):
    token_of(folder)
    os.rename(token_file(folder), tmp_path / "elsewhere")  # noqa: PTH104
    os.symlink(tmp_path / "elsewhere", token_file(folder))  # noqa: PTH211
    with pytest.raises(PrebriefError):
        token_of(folder)


def test_a_pipe_is_not_waited_for(folder):
    token_of(folder)
    os.unlink(token_file(folder))  # noqa: PTH108
    os.mkfifo(token_file(folder), 0o600)
    with pytest.raises(PrebriefError):
        token_of(folder)


def test_a_folder_that_others_may_enter_is_not_taken(folder):
    token_of(folder)
    os.chmod(folder, 0o755)  # noqa: PTH101
    with pytest.raises(PrebriefError, match="no safe place"):
        token_of(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="giving files away takes root")
def test_another_users_token_is_not_taken(folder):
    token_of(folder)
    os.chown(token_file(folder), 65534, 65534)
    with pytest.raises(PrebriefError, match="alone"):
        token_of(folder)
