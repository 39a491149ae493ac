"""What the commands share: options, JSON on stdout, text from arguments or standard input."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from augmenter.app.augmenter import Augmenter
from augmenter.app.logs import LEVELS, Log
from knowledge.errors import TaskError

SCHEMA_VERSION = 1


def add_root(parser: argparse.ArgumentParser) -> None:
    """Add ``--root`` and ``--log-level``."""
    parser.add_argument(
        "--root", metavar="DIR", default=".", help="a folder of the project (default: the working directory)"
    )
    parser.add_argument(
        "--log-level",
        choices=sorted(LEVELS),
        default="warning",
        help="what is logged on stderr (default: warning)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="answer with JSON on stdout")


def open_augmenter(arguments: argparse.Namespace) -> Augmenter:
    """The project that a command is about. Raises ProjectError."""
    return Augmenter.open(Path(arguments.root), log=Log(arguments.log_level))


def print_json(document: dict[str, Any]) -> None:
    """Write a JSON document with its schema version."""
    print_text(json.dumps({"schema_version": SCHEMA_VERSION, **document}, ensure_ascii=False, indent=2))


def print_text(text: str) -> None:
    """Write text as UTF-8, whatever the locale; lone surrogates go out as the bytes they came from."""
    end = "" if text.endswith("\n") else "\n"
    sys.stdout.flush()
    sys.stdout.buffer.write(f"{text}{end}".encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


def read_text(word: str) -> str:
    """An argument's text; ``-`` reads standard input, bytes that are no UTF-8 kept as surrogates."""
    if word != "-":
        return word
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def read_file(path: str) -> str:
    """A file's text, or standard input for ``-``. Raises TaskError."""
    if path == "-":
        return read_text("-")
    try:
        return Path(path).read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise TaskError(
            f"cannot be read: {error.strerror}",
            where=path,
            remedy="Give a readable file, or - for standard input",
        ) from None
