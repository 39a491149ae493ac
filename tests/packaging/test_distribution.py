"""What is shipped, and what it needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, requires
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from knowledge.version import VERSION


@pytest.fixture(scope="module")
def wheel(root, tracked, tmp_path_factory):
    """The names in a wheel built from the tracked files, and its metadata; nothing is downloaded."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in tracked:
        if not name.startswith("tests/"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, source / name)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(target)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(source)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        names = archive.namelist()
        texts = {
            name.rpartition("/")[2]: archive.read(name).decode() for name in names if ".dist-info/" in name
        }
    return names, texts


@pytest.fixture(scope="module")
def pins(root):
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(item.name): item for item in requirements}


def test_wheel_holds_every_tracked_file_of_every_room(wheel, tracked, rooms):
    names, _ = wheel
    # This project's own reviewed knowledge lies beside the package of that name, and documents elsewhere.
    expected = {name for name in tracked if name.partition("/")[0] in rooms and not name.endswith(".md")}
    assert {name for name in names if ".dist-info/" not in name} == expected


@pytest.mark.parametrize(
    "pattern",
    [
        r"templates/brief\.(markdown|xml|plain|json)\.j2",
        r"knowledge/taxonomy\.toml",
        r"knowledge/py\.typed",
        r"indexer/code/queries/\w+\.scm",
    ],
)
def test_wheel_holds_the_data(wheel, pattern):
    names, _ = wheel
    assert any(re.fullmatch(pattern, name) for name in names)


def test_wheel_has_the_command_the_license_and_no_test(wheel):
    names, texts = wheel
    assert "prebrief = augmenter.app.cli:main" in texts["entry_points.txt"]
    assert "License-Expression: Apache-2.0" in texts["METADATA"]
    assert "Apache License" in texts["LICENSE"]
    assert not [name for name in names if name.startswith("tests")]


def test_wheel_has_the_version_that_the_code_says(wheel):
    _, texts = wheel
    assert f"\nVersion: {VERSION}\n" in texts["METADATA"]


def test_constraints_pin_exactly(pins):
    assert pins
    for item in pins.values():
        (specifier,) = item.specifier
        assert specifier.operator == "==", item
        assert item.url is None


def test_constraints_pin_every_distribution_of_the_light_install(pins, pyproject):
    assert sorted(closure(pyproject["project"]["dependencies"]) - set(pins)) == []


def test_constraints_pin_what_the_extras_name(pins, pyproject):
    named = [Requirement(line) for lines in extras(pyproject).values() for line in lines]
    assert (
        sorted(canonicalize_name(item.name) for item in named if canonicalize_name(item.name) not in pins)
        == []
    )


def test_pins_lie_in_the_ranges_of_the_metadata(pins, pyproject):
    for wanted in map(Requirement, chain(pyproject["project"]["dependencies"], *extras(pyproject).values())):
        (pin,) = pins[canonicalize_name(wanted.name)].specifier
        assert wanted.specifier.contains(pin.version), (wanted, pin)


def test_light_install_leaves_out_the_heavy_extras(pyproject):
    heavy = {"torch", "lancedb", "sentence-transformers", "numpy", "pyarrow", "transformers"}
    assert not closure(pyproject["project"]["dependencies"]) & heavy


def test_no_dependency_downloads_grammars_at_run_time(pins):
    assert "tree-sitter-language-pack" not in pins


def extras(pyproject):
    return pyproject["project"]["optional-dependencies"]


def closure(lines):
    """Canonical names of what installing ``lines`` brings in here, without extras."""
    found: set[str] = set()
    waiting = [Requirement(line) for line in lines]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        try:
            waiting += [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:
            pytest.fail(f"{name} is a dependency and is not installed")
    return found
