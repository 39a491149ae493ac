"""Which files a name or a setting keeps out."""

import pytest

from indexer.sources.names import is_secret_file
from indexer.sources.walk import SkipReason, walk
from knowledge.errors import SettingsError
from knowledge.project import locate
from knowledge.settings import IndexSettings


def outcome(folder, **settings):
    found = walk(locate(folder), IndexSettings(**settings))
    return [file.path for file in found.files], {skip.path: skip.reason for skip in found.skipped}


@pytest.fixture
def folder(tmp_path):
    for path in ("src/a.py", "src/gen/b.py", "docs/c.md", "d.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x\n")
    return tmp_path


def test_include_keeps_only_what_matches_and_counts_the_rest(folder):
    files, skipped = outcome(folder, include=["src/"])
    assert files == ["src/a.py", "src/gen/b.py"]
    assert skipped == dict.fromkeys(["d.py", "docs/c.md"], SkipReason.EXCLUDED)


def test_exclude_wins_over_include(folder):
    files, skipped = outcome(folder, include=["*.py"], exclude=["gen/"])
    assert files == ["d.py", "src/a.py"]
    assert skipped == dict.fromkeys(["docs/c.md", "src/gen/b.py"], SkipReason.EXCLUDED)


def test_patterns_may_be_negated_and_the_last_one_wins(folder):
    files, _ = outcome(folder, exclude=["*.py", "!d.py"])
    assert files == ["d.py", "docs/c.md"]


def test_a_pattern_that_is_none_names_its_key(folder):
    with pytest.raises(SettingsError, match=r"^index\.exclude: not a pattern"):
        outcome(folder, exclude=["!"])


def test_secret_files_are_counted_even_if_included(folder):
    (folder / ".env").write_text("KEY=1\n")
    (folder / ".env.example").write_text("KEY=\n")
    files, skipped = outcome(folder, include=[".env*"])
    assert files == [".env.example"]
    assert skipped[".env"] == SkipReason.SECRET_FILE


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.env",
        ".env.production",
        "prod.env",
        "tls/server.pem",
        "SERVER.PEM",
        ".ssh/id_rsa",
        "id_rsa_backup",
        "id_ed25519",
        "release.keystore",
        "a.p12",
        ".netrc",
        ".npmrc",
        ".pypirc",
        "credentials.json",
        "gcp/credentials-prod.json",
        "client_secret_123.json",
        ".docker/config.json",
        "home/.aws/credentials",
        "terraform.tfstate",
        "secrets.yaml",
        "helm/secrets.prod.yaml",
        "infra/prod.tfvars.json",
        "acme-firebase-adminsdk-x1.json",
        ".dev.vars",
        ".vault_pass.txt",
        "home/.cargo/credentials.toml",
    ],
)
def test_secret_file(path):
    assert is_secret_file(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env.example",
        ".env.sample",
        "environment.py",
        ".environment",
        "my.env/readme.md",
        "id_rsa.pub",
        "id_rsa_loader.py",
        "id_rsa_loader.rs",
        "credentials.py",
        "credentials_test.go",
        "src/secrets.py",
        "pem.py",
        "config.json",
        "docker/config.json",
        "keystore/store.go",
        ".env.d.ts",
        "docs/id_rsa-keys.md",
        "credentials.schema.json",
        "secrets.test.ts",
    ],
)
def test_no_secret_file(path):
    assert not is_secret_file(path)
