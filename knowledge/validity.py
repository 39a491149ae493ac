"""Until when a reviewed statement holds."""

from __future__ import annotations

from datetime import UTC, datetime


def is_expired(expires: str, as_of: int) -> bool:
    """Whether an ISO date lies before the as-of day; without an as-of time nothing expires.

    Args:
        expires: the last day on which it holds; ``""`` for ever.
        as_of: seconds since the epoch; 0 when there is none.
    """
    return bool(expires) and as_of > 0 and expires < datetime.fromtimestamp(as_of, UTC).date().isoformat()
