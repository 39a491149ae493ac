"""What is answered: documents and refusals, all of one shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.errors import (
    DeadlineExceeded,
    DiffError,
    GitError,
    OutcomeConflict,
    PrebriefError,
    TaskError,
    UnknownDispatch,
)

JSON = "application/json"
Headers = tuple[tuple[str, str], ...]
# Answers are of the moment, for the one who asked, and nothing to guess about.
_ALWAYS: Headers = (("cache-control", "no-store"), ("x-content-type-options", "nosniff"))
RETRY: Headers = (("retry-after", "1"),)
# What lies with the question gets 4xx; all other errors are the state of the project, or of its files.
_STATUSES: tuple[tuple[type[PrebriefError], int], ...] = (
    (UnknownDispatch, 404),
    (OutcomeConflict, 409),
    (DiffError, 422),
    (GitError, 422),
    (TaskError, 422),
)
UNAVAILABLE = 503


class Refusal(PrebriefError):
    """A request that is not served as it is.

    Args:
        status: of HTTP.
        reason: a short machine-readable name.
        what: as for `PrebriefError`.
        where: likewise.
        remedy: likewise.
        headers: that belong to the status.
    """

    def __init__(
        self, status: int, reason: str, what: str, *, where: str = "", remedy: str = "", headers: Headers = ()
    ) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.status = status
        self.headers = headers
        self._reason = reason

    @property
    def reason(self) -> str:
        """As `PrebriefError.reason`."""
        return self._reason


@dataclass(frozen=True, slots=True)
class Reply:
    """A response.

    Attributes:
        status: of HTTP.
        body: its bytes.
        content_type: of the body.
        headers: beside those that all have.
    """

    status: int
    body: bytes
    content_type: str = JSON
    headers: Headers = ()

    @property
    def all_headers(self) -> list[tuple[bytes, bytes]]:
        """As ASGI wants them."""
        told = (
            ("content-type", self.content_type),
            ("content-length", str(len(self.body))),
            *_ALWAYS,
            *self.headers,
        )
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in told]


def document(value: Mapping[str, Any], status: int = 200, headers: Headers = ()) -> Reply:
    """A JSON document. In ASCII: it may hold file names that UTF-8 cannot carry."""
    return Reply(status, json.dumps(value).encode("ascii"), headers=headers)


def refusal(error: Exception) -> Reply:
    """What is told of an error; of a defect, nothing but that it is one."""
    if not isinstance(error, PrebriefError):
        error = Refusal(
            500,
            "internal-error",
            "something went wrong that nobody has thought of",
            remedy="Report this with what 'prebrief serve' has logged",
        )
    told = {"reason": error.reason, "what": error.what, "where": error.where, "remedy": error.remedy}
    headers = error.headers if isinstance(error, Refusal) else ()
    if isinstance(error, DeadlineExceeded):
        headers = RETRY
    return document({"error": told}, status_of(error), headers)


def status_of(error: PrebriefError) -> int:
    """The status that an error has."""
    if isinstance(error, Refusal):
        return error.status
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), UNAVAILABLE)
