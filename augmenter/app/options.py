"""What the parsers of the commands share. Light: it is imported before it is known what will run."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from augmenter.app.logs import LEVELS

HERE = "."  # the root where none is given


def sentence(text: str) -> str:
    """The description that goes with a short help."""
    return f"{text[0].upper()}{text[1:]}."


def add_action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help_text: str
) -> argparse.ArgumentParser:
    """Add a command, or an action of one."""
    parser = actions.add_parser(name, help=help_text, description=sentence(help_text))
    parser.set_defaults(wrong_usage=parser.error)  # for what a parser cannot tell by itself
    return parser


def add_root(parser: argparse.ArgumentParser) -> None:
    """Add ``--root`` and ``--log-level``."""
    parser.add_argument(
        "--root", metavar="DIR", default=HERE, help="a folder of the project (default: the working directory)"
    )
    parser.add_argument(
        "--log-level",
        choices=tuple(LEVELS),
        metavar="LEVEL",
        default="warning",
        help=f"what is logged on stderr: {', '.join(LEVELS)} (default: warning)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="answer with JSON on stdout")


def add_dispatch_id(parser: argparse.ArgumentParser) -> None:
    """Add the id of a dispatch, and the options of a command that answers data about it."""
    add_root(parser)
    add_json(parser)
    parser.add_argument("dispatch_id", metavar="ID", help="a dispatch id; 'last' for the latest receipt")


def count(text: str) -> int:
    """The value of an option that counts something."""
    value = int(_number(text, int, "a whole number"))
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def probability(text: str) -> float:
    """The value of an option that is a probability, neither 0 nor 1."""
    value = _number(text, float, "a number")
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError("must be between 0 and 1")
    return value


def _number(text: str, make: Callable[[str], float], what: str) -> float:
    try:
        return make(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}") from None
