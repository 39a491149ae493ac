"""Why a commit makes no case."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a commit is left out; the values are what people read beside the counts."""

    MERGE = "merges"
    REVERT = "reverts"
    RELEASE = "releases and version bumps"
    FORMAT = "formatting, linting and typing"
    DOCUMENTATION = "documentation"
    TESTS = "tests and continuous integration"
    BOT = "by bots"
    UNINFORMATIVE = "messages that say too little"
    DUPLICATE = "messages that a newer commit has"
    NO_PARENT = "without a parent"
    NO_CODE = "no implementation changed"
    TOO_MANY_FILES = "too many files"
    NO_FUNCTION = "no function changed that existed before"
    TOO_MANY_FUNCTIONS = "too many functions"
    REWRITE = "more functions removed than changed"
    NEW_CODE = "mostly new code"
    UNPARSED = "files that cannot be parsed"
    MISSING = "contents that this clone does not have"
