"""A document of ours, taken apart: tests run its examples, and hold its tables to the code."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from python_process import REPOSITORY


@dataclass(frozen=True)
class Document:
    """Markdown."""

    text: str

    @classmethod
    def read(cls, path: str) -> Document:
        """The document at a path from the repository's root."""
        return cls(Path(REPOSITORY, path).read_text(encoding="utf-8"))

    def blocks(self, language: str) -> list[str]:
        """What stands in fences of a language."""
        return re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.M | re.S)

    def rows(self, heading: str) -> list[list[str]]:
        """The cells of the tables below a heading, which is told with its signs (``## Install``)."""
        section = f"\n{self.text}".partition(f"\n{heading}\n")[2].partition("\n## ")[0]
        lines = [line for line in section.splitlines() if line.startswith("|")][2:]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def run_example(script: str, folder: Path, environment: Mapping[str, str]) -> str:
    """What a shell writes that runs an example in a folder; it must end well."""
    command = ["/bin/sh", "-euc", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{script}: {done.stdout}{done.stderr}"
    return done.stdout
