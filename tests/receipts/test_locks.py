"""The lock between processes: exclusive, patient for a while, and gone with its holder."""

from __future__ import annotations

import subprocess
import threading
import time

import pytest
from python_process import start_python

from knowledge.errors import CatalogBusy, LedgerError
from knowledge.locks import file_lock

HOLDER = """
import sys, time
from pathlib import Path
from knowledge.locks import file_lock
with file_lock(Path(sys.argv[1]), 0):
    print("held", flush=True)
    time.sleep(60)
"""


def test_second_holder_is_refused_with_the_error_asked_for(tmp_path):
    path = tmp_path / "lock"
    with file_lock(path, 0):
        with pytest.raises(LedgerError, match="another process") as caught, file_lock(path, 0):
            pass
        assert caught.value.where == str(path)
        with pytest.raises(CatalogBusy), file_lock(path, 0.01, error=CatalogBusy):
            pass


def test_lock_is_free_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), file_lock(tmp_path / "lock", 0):
        raise ZeroDivisionError
    with file_lock(tmp_path / "lock", 0):
        pass


def test_patient_one_gets_the_lock_when_it_is_free(tmp_path):
    path = tmp_path / "lock"
    order = []

    def wait():
        with file_lock(path, 5):
            order.append("second")

    with file_lock(path, 0):
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.05)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_lock_of_a_killed_process_is_free(tmp_path):
    path = tmp_path / "lock"
    holder = start_python(HOLDER, path, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(LedgerError), file_lock(path, 0.05):
        pass
    holder.kill()
    holder.communicate()
    with file_lock(path, 1):
        pass


def test_missing_folder_is_an_error(tmp_path):
    with pytest.raises(LedgerError, match="cannot be locked"), file_lock(tmp_path / "no" / "lock", 0):
        pass
