"""Which kind of source a file is."""

import pytest

from indexer.sources.classify import HEAD_LINES, source_kind
from knowledge.errors import SettingsError
from knowledge.settings import IndexSettings
from knowledge.types import SourceKind


def kind(path, head="", **settings):
    return source_kind(path, head, IndexSettings(**settings))


@pytest.mark.parametrize(
    "path",
    [
        "contest.py",
        "latest/client.py",
        "attestation/verify.go",
        "src/protest.ts",
        "pkg/testing/runner.py",
        "sympy/utilities/randtest.py",
        "src/_pytest/fixtures.py",
        "httpx/_transports/mock.py",
        "sphinx/ext/autodoc/mock.py",
        "test_helpers.go",
        "lib/gem/spec/loader.rb",
        "spec/types.ts",
        "src/Latest.java",
        "src/Contest.java",
        "src/latest.rs",
        "src/contest.cc",
        "src/Contest.Testing/Reading.cs",
        "django/test/client.py",
        "django/test/utils.py",
        "django/core/management/commands/test.py",
        "src/main/java/com/example/demo/App.java",
        "src/com/example/App.java",
        "spring-test/src/main/java/org/springframework/test/util/Assert.java",
        "junit/src/main/java/org/junit/Test.java",
        "src/vendors.py",
        "lib/external/importtools.py",
        "src/history.py",
        "src/changes.go",
        "app/news/views.py",
        "src/releases/list.ts",
        "src/generate.py",
        "src/regenerated.py",
        "examples.py",
        "src/documentation.py",
        "src/docs/render.ts",
        "docs/index.md",
        "docs/examples/sse.md",
        "docs/topics/testing.rst",
        "www/docs/links.mdx",
        "docs/releasing.md",
        "README.md",
        "Makefile",
        "scripts/release.ts",
        "docs/v1/api.md",
        "docs/openapi.yaml",
        "docs/tutorials/first.ipynb",
        "tutorial/first.ipynb",
        "docs/versioning.md",
        "docs/version-control/index.md",
        "src/version-2/client.ts",
    ],
)
def test_implementation(path):
    assert kind(path) == SourceKind.IMPLEMENTATION


@pytest.mark.parametrize(
    "path",
    [
        "tests/client/utils.py",
        "test/helpers.js",
        "test/helpers.py",
        "src/test/helpers.py",
        "packages/core/test/helpers.py",
        "packages/core/test/helpers.ts",
        "Tests/images.py",
        "django/test/test_client.py",
        "sympy/core/tests/helpers.py",
        "pkg/test_stream.py",
        "pkg/stream_test.py",
        "conftest.py",
        "stream_test.go",
        "testdata/template/hello.tmpl",
        "src/stream.test.ts",
        "src/stream.spec.tsx",
        "src/stream.e2e.mjs",
        "src/__tests__/stream.js",
        "src/__mocks__/fs.js",
        "e2e/login.ts",
        "js_tests/admin/core.js",
        "integration-tests/run.go",
        "gson/src/test/java/com/google/gson/Common.java",
        "src/java/GsonTest.java",
        "src/java/StreamTests.java",
        "src/java/StreamIT.java",
        "src/java/TestStream.java",
        "app/src/androidTest/java/Helpers.kt",
        "spec/stream_spec.rb",
        "spec/spec_helper.rb",
        "spec/support/login.rb",
        "engines/billing/spec/factories/invoice.rb",
        "spec/helpers.lua",
        "src/stream/tests.rs",
        "src/stream_test.rs",
        "src/stream_tests.cpp",
        "src/test_stream.c",
        "src/stream-test.cc",
        "Stream.UnitTests/Reading.cs",
        "Stream.Test/Reading.cs",
        "Tests/StreamTests/ReadingTests.swift",
        "lib/src/iosTest/kotlin/Reading.kt",
        "lib/ReadingSpec.kt",
        "lua/stream_spec.lua",
        "src/StreamSpec.scala",
        "check/stream.bats",
        "tests/README.md",
        "fixtures/users.py",
        "examples/app/tests/test_app.py",
    ],
)
def test_test(path):
    assert kind(path) == SourceKind.TEST


@pytest.mark.parametrize("name", ["tests.py", "test.py"])
@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("from django.test import TestCase\n\nclass A(TestCase):\n    pass\n", SourceKind.TEST),
        ("import pytest\n", SourceKind.TEST),
        ("def test_a():\n    pass\n", SourceKind.TEST),
        ("class A(unittest.TestCase):\n", SourceKind.TEST),
        ("def test_odd(value: int) -> bool:\n    return value % 2 == 1\n", SourceKind.IMPLEMENTATION),
        ("from unittest import TestLoader\n", SourceKind.IMPLEMENTATION),
        ("", SourceKind.IMPLEMENTATION),
    ],
)
def test_a_file_named_tests_is_judged_by_its_first_lines(name, head, expected):
    assert kind(f"app/{name}", head) == expected


@pytest.mark.parametrize(
    "path",
    [
        "examples/minimal/server.ts",
        "example/main.go",
        "samples/a.py",
        "demo/app.py",
        "examples/README.md",
        "docs/conf.py",
        "examples/openapi.yaml",
        "examples/first.ipynb",
        "docs/_ext/djangodocs.py",
        "www/src/components/Button.tsx",
        "apps/docs/pages/index.tsx",
        "docs_src/first_steps/main.py",
        "Sources/Streams/Documentation.docc/Resources/Reading-01.swift",
        "benchmarks/parse.py",
        "sympy/core/benchmarks/bench_arit.py",
        "src/jmh/java/Parse.java",
        "src/Button.stories.tsx",
        "tutorial/step1.py",
        "playground/a.ts",
    ],
)
def test_example(path):
    assert kind(path) == SourceKind.EXAMPLE


@pytest.mark.parametrize(
    "path",
    [
        "vendor/github.com/pkg/errors/errors.go",
        "pip/_vendor/requests/api.py",
        "third_party/zlib/inflate.c",
        "web/node_modules/left-pad/index.js",
        "astropy/extern/six.py",
        "admin/static/js/vendor/jquery/jquery.js",
        "tests/app/vendor/a.js",
    ],
)
def test_vendored(path):
    assert kind(path) == SourceKind.VENDORED


@pytest.mark.parametrize(
    "path",
    [
        "api/user_pb2.py",
        "api/user_pb2_grpc.py",
        "api/user.pb.go",
        "lib/user.g.dart",
        "static/app.min.js",
        "static/app.min.css",
        "src/__generated__/types.ts",
        "src/routes.gen.ts",
        "api/zz_generated.deepcopy.go",
        "package-lock.json",
        "yarn.lock",
        "poetry.lock",
        "go.sum",
        "dist/index.js",
    ],
)
def test_generated_by_name(path):
    assert kind(path) == SourceKind.GENERATED


@pytest.mark.parametrize(
    "head",
    [
        "// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage api\n",
        "# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
        "/**\n * @generated SignedSource<<abc>>\n */\n",
        "// <auto-generated/>\n",
        "# This file is automatically generated by tools/gen.py\n",
        "# This file was auto-generated.\n",
        "/* Autogenerated by Thrift Compiler (0.9) */\n",
        "-- DO NOT EDIT: this file is generated\n",
        "# Generated by Django 2.2 on 2019-01-01 10:00\n",
        "\n" * (HEAD_LINES - 2) + "// Code generated by x. DO NOT EDIT.\n",
    ],
)
def test_generated_by_a_comment_in_its_first_lines(head):
    assert kind("src/a.py", head) == SourceKind.GENERATED


@pytest.mark.parametrize(
    "head",
    [
        'MARK = "Code generated by x. DO NOT EDIT."\n',
        "def generate():\n    return '@generated'\n",
        "# Reads the keys that the database generated.\n",
        "// Returns the generated id; do not change its format.\n",
        "# Documentation is generated from docstrings.\n",
        "\n" * HEAD_LINES + "// Code generated by x. DO NOT EDIT.\n",
    ],
)
def test_not_generated_by_what_is_no_mark(head):
    assert kind("src/a.py", head) == SourceKind.IMPLEMENTATION


@pytest.mark.parametrize(
    "path",
    [
        "CHANGELOG.md",
        "CHANGELOG",
        "changelog.rst",
        "CHANGES.rst",
        "CHANGES-1.2.txt",
        "HISTORY.md",
        "NEWS",
        "RELEASES.md",
        "RELEASE-NOTES.md",
        "RELEASE_NOTES.txt",
        "docs/releases/1.2.txt",
        "doc/whats_new/v0.20.rst",
        "doc/whats_new.rst",
        "doc/source/whatsnew/v1.0.rst",
        "changelog.d/123.fix.md",
        "newsfragments/1.feature.rst",
        ".changeset/brave-cats.md",
        "packages/core/CHANGELOG.md",
        "versioned_docs/version-2.x/intro.md",
        "website/versioned_docs/version-1.0.0/assets/demo.js",
        "website/i18n/de/docs/version-1.x/intro.mdx",
        "versioned_sidebars/version-2.0-sidebars.json",
    ],
)
def test_changelog(path):
    assert kind(path) == SourceKind.CHANGELOG


def test_the_projects_own_globs_win():
    assert kind("qa/login.py", tests=["qa/"]) == SourceKind.TEST
    assert kind("tests/demo.py", examples=["tests/demo.py"]) == SourceKind.EXAMPLE
    assert kind("src/parser.py", generated=["*parser.py"]) == SourceKind.GENERATED
    assert kind("libs/zlib.c", vendored=["/libs/"]) == SourceKind.VENDORED
    assert kind("src/other.py", tests=["qa/"]) == SourceKind.IMPLEMENTATION


def test_a_glob_that_is_none_names_its_key():
    with pytest.raises(SettingsError, match=r"^index\.tests: not a pattern"):
        kind("a.py", tests=["!"])
