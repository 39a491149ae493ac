"""Whether the code that this process runs is still what is installed.

Modules are imported when they are first needed. After an update the next one would come from another version
than those before it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field

_ROOMS = ("augmenter", "indexer", "knowledge", "learning", "receipts", "templates")


@dataclass(slots=True)
class OwnCode:
    """The files of this project's modules, as they were when they were first seen."""

    _seen: dict[str, tuple[int, int]] = field(default_factory=dict)

    def has_changed(self) -> bool:
        """Whether one of them has been written, replaced or removed since."""
        for name, module in list(sys.modules.items()):
            path = getattr(module, "__file__", None)
            if path and name.partition(".")[0] in _ROOMS:
                stamp = _stamp(path)
                if self._seen.setdefault(path, stamp) != stamp:
                    return True
        return False


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116 - a hundred texts every few seconds
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)
