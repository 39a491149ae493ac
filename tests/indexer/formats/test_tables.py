"""TOML, INI, properties, Dockerfiles and Makefiles."""

from __future__ import annotations

import pytest
from cases import rows

from indexer.format_names import FORMATS, format_of
from indexer.formats.data import MAX_SECTIONS
from indexer.formats.table import EXTRACTORS

PYPROJECT = '''\
# Build and tools.
[project]
name = "streams" # here
description = "Streams of events"
dependencies = [
  "[not-a-table]",
  "httpx",
]

[project.scripts]
streams = "streams.cli:main"
other = "a"

# Lint rules.
[tool.ruff.lint]
select = ["A"]
note = """
[nor.this]
"""
more = """one line"""

[[tool.mypy.overrides]]
module = "a"
x = 1

[[tool.mypy.overrides]]
module = "b"
'''


def test_tables_of_toml_are_sections_with_the_comment_above(outline, section, document):
    assert outline("toml", PYPROJECT) == rows("""
        project              project              1-9
        project.scripts      project.scripts      10-13
        tool.ruff.lint       tool.ruff.lint       14-21
        tool.mypy.overrides  tool.mypy.overrides  22-27
    """)
    assert section("toml", PYPROJECT, "tool.ruff.lint").doc == "Lint rules."
    assert document("toml", PYPROJECT).doc == "streams\n\nStreams of events"


def test_very_many_tables_share_sections_by_their_uppermost_key(outline):
    text = "".join(f"[a{n // 50}.t{n}]\nx = 1\ny = 2\nz = 3\n" for n in range(200))
    names = [name for name, *_ in outline("toml", text)]
    assert len(names) == 4 <= MAX_SECTIONS
    assert names[0] == "a0.t0"


def test_sections_of_ini(outline):
    text = "; Settings\n[tool:pytest]\naddopts = -q\n[not\n[flake8]\nx = [y]\n# c\n[*.{py,md}]\nindent = 4\n"
    assert outline("ini", text) == rows("""
        tool:pytest        tool:pytest  1-4
        flake8, *.{py,md}  flake8       5-9
    """)


def test_properties_are_one_card(document):
    assert document("properties", "# Where it listens.\nhost=localhost\n").doc == "Where it listens."


DOCKERFILE = """\
# syntax=docker/dockerfile:1
ARG VERSION=3.12

# Builds the wheel.
FROM --platform=linux/amd64 python:${VERSION} AS build
RUN <<EOF
FROM nothing
EOF
RUN pip install build && \\
    # a remark
    FROM=1 python -m build

from scratch
COPY --from=build /dist /dist
EXPOSE 8080
ENTRYPOINT ["/dist/run", \\
  "--all"]
"""


def test_stages_of_a_dockerfile_are_sections(outline, section, document):
    assert outline("dockerfile", DOCKERFILE) == rows("""
        ""       ""       1-3
        build    build    4-12
        scratch  scratch  13-17
    """)
    assert section("dockerfile", DOCKERFILE, "scratch").doc == (
        'From scratch. EXPOSE 8080; ENTRYPOINT ["/dist/run", "--all"]'
    )
    assert section("dockerfile", DOCKERFILE, "build").doc == "From python:${VERSION}."


MAKEFILE = """\
# Builds everything.
CC ?= gcc
FLAGS := -O2 \\
  not: a target

.PHONY: all test
define recipe
nor: this
endef

all: build test ## Build and test
\t@echo done

# Runs the tests
# in parallel.
test: build
\tpytest -n auto
\tcheck: x

%.o: %.c $(HEADERS)
\t$(CC) -c $<

a := b
URL = http://x
build:: ; touch build
"""


def test_targets_of_a_makefile_are_sections(outline, section, document):
    assert outline("makefile", MAKEFILE) == rows("""
        ""         ""     1-10
        all, test  all    11-19
        %.o        %.o    20-24
        build      build  25-25
    """)
    assert section("makefile", MAKEFILE, "all, test").doc == (
        "Build and test. Needs build test. @echo done. "
        "Runs the tests in parallel. Needs build. pytest -n auto"
    )
    assert document("makefile", MAKEFILE).doc == "Builds everything."


def test_of_very_many_targets_the_explained_are_sections(outline):
    rules = "".join(f"f{n}.o:\n" for n in range(300))
    text = rules + "# Removes all.\nclean:\n\trm -f *.o\n\n\n# Tests.\ntest:\n\tpytest\n\n"
    assert [name for name, *_ in outline("makefile", text)] == ["", "clean", "test"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("docs/index.rst", "rst"),
        ("a/README", "text"),
        ("README.rst", "rst"),
        ("README.fr", "text"),
        ("Dockerfile.dev", "dockerfile"),
        ("web.Dockerfile", "dockerfile"),
        ("GNUmakefile", "makefile"),
        (".github/workflows/ci.yml", "yaml"),
        (".gitlab-ci.yml", "yaml"),
        ("tsconfig.json", "json"),
        ("Pipfile", "toml"),
        ("tox.ini", "ini"),
        (".editorconfig", "ini"),
        (".env.example", "properties"),
        ("nb.ipynb", "notebook"),
        ("guide.adoc", "asciidoc"),
        ("data.csv", None),
        ("LICENSE", None),
        (".txt", None),
    ],
)
def test_format_follows_the_name(path, name):
    assert format_of(path) == name


def test_every_format_but_the_notebook_has_an_extractor():
    assert {each.name for each in FORMATS} - {"notebook"} == set(EXTRACTORS)
