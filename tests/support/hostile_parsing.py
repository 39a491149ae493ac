"""A parser that does to its process what a file asks for; in a module, so that another process finds it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NoReturn

from indexer.parse import parse_file
from indexer.recipe import ParseContext
from knowledge.catalog.rows import FileRow, ParsedFile


def parse(row: FileRow, data: bytes, context: ParseContext) -> ParsedFile:
    """Parses, unless the file's first line is ``# <name of a function here> <arguments>``."""
    name, *arguments = data.partition(b"\n")[0].decode(errors="replace").removeprefix("# ").split()
    if name in DEEDS:
        DEEDS[name](*arguments)
    return parse_file(row, data, context)


def die(signal_name: str) -> None:
    os.kill(os.getpid(), signal.Signals[signal_name])


def leave() -> NoReturn:
    os._exit(7)


def die_once(marker: str) -> None:
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)


def spin() -> NoReturn:
    while True:
        pass


def sleep() -> None:
    time.sleep(3600)


def tell(place: str) -> None:
    """Writes down which process this is, and waits to be killed."""
    Path(place).write_text(str(os.getpid()), encoding="ascii")
    time.sleep(3600)


def hog() -> None:
    held = []
    while True:
        held.append(bytes(1 << 24))


def fail() -> NoReturn:
    raise ZeroDivisionError("by zero")


def dive(depth: int = 0) -> None:
    dive(depth + 1)


DEEDS = {deed.__name__: deed for deed in (die, leave, die_once, spin, sleep, tell, hog, fail, dive)}
