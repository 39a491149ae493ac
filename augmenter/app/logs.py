"""Logs: structlog on stderr, with the dispatch id bound; silent in hook mode.

structlog costs more to import than a dispatch takes, so a log is made when the first event comes.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "silent": 100}


@dataclass(slots=True)
class Log:
    """Where events go.

    Attributes:
        level: the lowest of `LEVELS` that is written; ``silent`` writes nothing.
        bound: fields that every event carries.
    """

    level: str = "warning"
    bound: dict[str, Any] = field(default_factory=dict)

    def bind(self, **fields: object) -> Log:
        """A log whose events carry more fields."""
        return Log(self.level, {**self.bound, **fields})

    def debug(self, event: str, **fields: object) -> None:
        """Something a maintainer may want to see."""
        self._write("debug", event, fields)

    def info(self, event: str, **fields: object) -> None:
        """Something done."""
        self._write("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Something to look into."""
        self._write("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Something that failed."""
        self._write("error", event, fields)

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        if LEVELS[level] < LEVELS[self.level]:
            return
        import structlog  # noqa: PLC0415 - see the module's text

        logger = structlog.wrap_logger(
            structlog.PrintLogger(sys.stderr),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.format_exc_info,
                structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
            ],
        )
        # Nobody may be reading any more, and the stream be closed: what is done goes on all the same.
        with suppress(OSError, ValueError):
            getattr(logger, level)(event, **{**self.bound, **fields})
