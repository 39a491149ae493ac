"""The one tree of errors.

Every error says what happened, where, and what to do next::

    PrebriefError
    ├── SettingsError          a settings file is invalid
    ├── ProjectError           no project can be found, or its folder cannot be used
    ├── GitError               git is missing or refused
    ├── CatalogError           the index cannot be used
    │   ├── CatalogMissing     nothing has been indexed yet
    │   ├── CatalogBusy        another process holds the write lock for too long
    │   ├── CatalogCorrupt     the file is damaged
    │   └── CatalogTooNew      written by a newer version
    ├── SourceError            one source file cannot be read or parsed (costs that file)
    ├── LedgerError            the ledger of receipts cannot be used
    │   ├── UnknownDispatch    no receipt has that id
    │   └── OutcomeConflict    the dispatch has a different outcome already
    ├── SessionError           what agents were given before cannot be looked up or noted
    ├── DiffError              a diff cannot be read
    ├── TemplateError          a template is missing or fails
    ├── TaskError              the task cannot be used as given
    ├── MissingExtra           a package that only some commands need is not installed
    └── DeadlineExceeded       the dispatch ran out of time
"""

from __future__ import annotations

from typing import Self


class PrebriefError(Exception):
    """Base of every error that Prebrief raises on purpose.

    Args:
        what: what happened, one sentence without a full stop.
        where: the file, line, key or id concerned; empty if there is none.
        remedy: what to do next, one sentence.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(str(self))

    @classmethod
    def of_system(cls, what: str, error: OSError, where: object, remedy: str) -> Self:
        """The error for something that the operating system refused.

        Args:
            what: what could not be done (``cannot be read``); the system's reason is added.
            error: the system's.
            where: the file or folder concerned.
            remedy: what to do next, one sentence.
        """
        return cls(f"{what}: {error.strerror}", where=str(where), remedy=remedy)

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}. {self.remedy}" if self.remedy else text

    @property
    def reason(self) -> str:
        """A short machine-readable name: ``CatalogMissing`` becomes ``catalog-missing``."""
        name = type(self).__name__
        return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class SettingsError(PrebriefError):
    """A settings file is invalid."""


class ProjectError(PrebriefError):
    """No project can be found, or its state folder cannot be used."""


class GitError(PrebriefError):
    """Git is missing, or refused to answer."""


class CatalogError(PrebriefError):
    """The index cannot be used."""


class CatalogMissing(CatalogError):
    """Nothing has been indexed yet."""


class CatalogBusy(CatalogError):
    """Another process holds the write lock for too long."""


class CatalogCorrupt(CatalogError):
    """The catalog file is damaged, or is not a catalog."""


class CatalogTooNew(CatalogError):
    """The catalog was written by a newer version of Prebrief."""


class SourceError(PrebriefError):
    """One source file cannot be read or parsed; it costs that file and nothing else."""


class LedgerError(PrebriefError):
    """The ledger of receipts cannot be used."""


class UnknownDispatch(LedgerError):
    """No receipt has that dispatch id."""


class OutcomeConflict(LedgerError):
    """The dispatch already has an outcome, and it differs."""


class SessionError(PrebriefError):
    """What agents were given before cannot be looked up or noted: then it counts as not given."""


class DiffError(PrebriefError):
    """A diff cannot be read; ``where`` names the line."""


class TemplateError(PrebriefError):
    """A template is missing, invalid, or fails while rendering."""


class TaskError(PrebriefError):
    """The task cannot be used as given."""


class MissingExtra(PrebriefError):
    """A package that only some commands need is not installed; the remedy says how to get it."""


class DeadlineExceeded(PrebriefError):
    """The dispatch ran out of time."""
