"""Things that hold a file open and let go of it at the end of a ``with`` block."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """A context manager that closes."""

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
