"""Task to brief: the pipeline of a dispatch, its hosts and its applications.

The library's face is handed on from the rooms above when it is asked for, and not before: whoever imports
one module of the pipeline need not pay for the applications::

    from augmenter import Augmenter

    augmenter = Augmenter.open(root)
    brief = augmenter.augment("Fix the SSE streaming timeout", session="worker-1")
    augmenter.complete(brief.dispatch_id, status="success", base="HEAD~1", head="HEAD")
"""

TYPE_CHECKING = False  # as `typing` has it, which takes longer to import than a hook's client has
if TYPE_CHECKING:
    from augmenter.app.ask import Ask
    from augmenter.app.asynchronous import AsyncAugmenter
    from augmenter.app.augmenter import Augmenter
    from augmenter.brief import Brief
    from augmenter.candidates import Filters
    from augmenter.record import Sender

__all__ = ["Ask", "AsyncAugmenter", "Augmenter", "Brief", "Filters", "Sender"]

_HOMES = {
    "Ask": "augmenter.app.ask",
    "AsyncAugmenter": "augmenter.app.asynchronous",
    "Augmenter": "augmenter.app.augmenter",
    "Brief": "augmenter.brief",
    "Filters": "augmenter.candidates",
    "Sender": "augmenter.record",
}


def __getattr__(name: str) -> object:
    """A name of the library's face (PEP 562); `mypy` knows the types from the imports above."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only who asks pays

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
