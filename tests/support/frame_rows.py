"""What is read of tracebacks, as rows that a test can show."""

from __future__ import annotations

from augmenter.mentions import MentionKind
from augmenter.task import understand


def frames_of(text: str) -> list[tuple[str, str, str, str]]:
    """Depth, path, line and function of every frame that is mentioned, innermost first."""
    found = (m for m in understand(text, 1 << 20).mentions if m.kind is MentionKind.FRAME)
    return [(str(m.depth), m.path, str(m.line), m.name) for m in found]
