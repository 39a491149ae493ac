"""Where the user's caches lie: the one place that the environment is asked for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "PREBRIEF_CACHE"
_NAME = "prebrief"


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The user's cache folder for Prebrief, which may not exist yet; None where there is no place for one.

    ``PREBRIEF_CACHE`` names it, or is empty for none. Else it lies where the XDG Base Directory
    specification says: in ``XDG_CACHE_HOME`` if that is an absolute path, in ``~/.cache`` otherwise.
    """
    chosen = environment.get(VARIABLE)
    if chosen is not None:
        return Path(chosen).absolute() if chosen else None
    base = Path(environment.get("XDG_CACHE_HOME", ""))
    if base.is_absolute():
        return base / _NAME
    try:
        return Path.home() / ".cache" / _NAME
    except RuntimeError:  # no home is known
        return None
