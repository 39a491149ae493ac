"""Folders of source files and of what must come out of each: ``NAME.txt`` and ``NAME.expected``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from indexer.extract import extract_code
from indexer.languages import language_of
from knowledge.types import Draft


@dataclass(frozen=True)
class SourceFixtures:
    """The folder ``fixtures`` beside a test."""

    test_file: str

    @property
    def folder(self) -> Path:
        return Path(self.test_file).with_name("fixtures")

    @property
    def names(self) -> list[str]:
        """The source files, without their ``.txt``."""
        return sorted(path.name.removesuffix(".txt") for path in self.folder.glob("*.txt"))

    def drafts(self, name: str) -> tuple[Draft, ...]:
        """What is extracted from a source file, in the language that its name has."""
        language = language_of(name)
        assert language is not None
        return extract_code(language, (self.folder / f"{name}.txt").read_text(encoding="utf-8"))

    def expected(self, name: str) -> list[str]:
        """The lines of what must come out of a source file."""
        return (self.folder / f"{name}.expected").read_text(encoding="utf-8").splitlines()
