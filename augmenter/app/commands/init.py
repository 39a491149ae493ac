"""``prebrief init``."""

from __future__ import annotations

import argparse
from pathlib import Path

from augmenter.app.common import print_text
from augmenter.app.options import add_root
from knowledge.errors import SettingsError
from knowledge.init_file import render_settings_file
from knowledge.project import locate
from knowledge.settings import FILE_NAME


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    parser.add_argument("--force", action="store_true", help="write over an existing prebrief.toml")


def run(arguments: argparse.Namespace) -> int:
    """Write the file."""
    path = locate(Path(arguments.root)).view_root / FILE_NAME
    if path.exists() and not arguments.force:
        raise SettingsError(
            "exists already", where=str(path), remedy="Edit it, or use --force to write it anew"
        )
    try:
        path.write_text(render_settings_file(), encoding="utf-8")
    except OSError as error:
        raise SettingsError.of_system("cannot be written", error, path, "Make the folder writable") from None
    print_text(f"Wrote {path}. Every setting has a default: it may stay as it is.\nNext: prebrief index")
    return 0
