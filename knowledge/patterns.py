"""Regular expressions that are compiled when first needed."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A compiled pattern, the same for the same text.

    Compiling every pattern of redaction takes longer than the rest of a dispatch, and most texts need none.
    """
    return re.compile(pattern, flags)
