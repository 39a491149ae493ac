"""What the commands share: JSON on stdout, text from arguments or standard input."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augmenter.app.logs import Log
from augmenter.app.streams import forget
from knowledge.errors import PrebriefError, TaskError

if TYPE_CHECKING:
    from augmenter.app.augmenter import Augmenter

SCHEMA_VERSION = 1

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def open_augmenter(arguments: argparse.Namespace) -> Augmenter:
    """The project that a command is about. Raises ProjectError."""
    from augmenter.app.augmenter import Augmenter  # noqa: PLC0415 - the pipeline, which not all commands need

    return Augmenter.open(Path(arguments.root), log=Log(arguments.log_level))


def print_json(document: Mapping[str, Any]) -> None:
    """Write a JSON document with its schema version; what UTF-8 cannot carry goes out escaped."""
    print_document({"schema_version": SCHEMA_VERSION, **document})


def print_document(document: Mapping[str, Any]) -> None:
    """Write a JSON document as it is; what UTF-8 cannot carry goes out escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    print_text(_LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def answer(arguments: argparse.Namespace, document: Mapping[str, Any], text: str) -> None:
    """Answer with JSON where ``--json`` asks for it, else with text."""
    if arguments.json:
        print_json(document)
    else:
        print_text(text)


def print_text(text: str) -> None:
    """Write text as UTF-8, whatever the locale; lone surrogates go out as the bytes they came from."""
    end = "" if text.endswith("\n") else "\n"
    write_bytes(f"{text}{end}".encode("utf-8", "surrogateescape"))


def write_bytes(data: bytes) -> None:
    """Write to standard output, at once; when it is closed, nowhere.

    Raises:
        BrokenPipeError: its reader has gone.
        PrebriefError: it cannot be written for another reason.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget(sys.stdout)
        raise PrebriefError.of_system(
            "cannot be written",
            error,
            "standard output",
            "What the command was to do is done; have its answer written to another place",
        ) from None


def read_stdin() -> bytes:
    """All of standard input; nothing when it is closed. Raises TaskError."""
    if sys.stdin is None:  # as in `prebrief augment <&-`
        return b""
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise _unreadable("standard input", error) from None


def read_text(word: str) -> str:
    """An argument's text; ``-`` reads standard input, bytes that are no UTF-8 kept as surrogates."""
    return read_stdin().decode("utf-8", "surrogateescape") if word == "-" else word


def read_file(path: str) -> str:
    """A file's text, or standard input for ``-``. Raises TaskError."""
    if path == "-":
        return read_text("-")
    try:
        return Path(path).read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(where: str, error: OSError) -> TaskError:
    return TaskError.of_system(
        "cannot be read", error, where, "Give a readable file, or - for standard input"
    )
