"""Names that decide alone: folders that are no part of a view, and files that exist to hold secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from knowledge.project import STATE_FOLDER

# Never part of a view unless git tracks them: dependencies, environments and caches, by folder name.
LEFT_OUT = frozenset(
    {
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".gradle",
        ".hg",
        ".hypothesis",
        ".jj",
        ".mypy_cache",
        ".next",
        ".nox",
        ".nuxt",
        ".parcel-cache",
        ".pnpm-store",
        ".pytest_cache",
        ".ruff_cache",
        ".svelte-kit",
        ".svn",
        ".terraform",
        ".tox",
        ".turbo",
        ".venv",
        ".yarn",
        "__pycache__",
        "bower_components",
        "node_modules",
        "venv",
        STATE_FOLDER,
    }
)
ENVIRONMENT_MARK = "pyvenv.cfg"  # PEP 405: a folder that holds it is a virtual environment, by any name

# Files that exist to hold secrets: names (any case), and the exceptions, which win.
SECRET_FILES = (
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    ".docker/config.json",
    ".aws/credentials",
    ".kube/config",
    "kubeconfig",
    "*.pem",
    "*.key",
    "*.p8",
    "*.p12",
    "*.pfx",
    "*.ppk",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.tfvars",
    "*.tfstate",
    "*.tfstate.backup",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "credentials*.json",
    "client_secret*.json",
    "service-account*.json",
    "service_account*.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "master.key",
)
NOT_SECRET_FILES = (
    "*.example",
    "*.sample",
    "*.template",
    "*.dist",
    "*.pub",
    "example.env",
    "sample.env",
    # source code about such files is not such a file: id_rsa_loader.py, .env.d.ts
    "*.py",
    "*.go",
    "*.java",
    "*.js",
    "*.ts",
    "*.tsx",
)


def is_secret_file(path: str) -> bool:
    """Whether a file exists to hold secrets, judged by its name alone."""
    lowered = "/" + path.lower()
    return bool(_SECRET.search(lowered)) and not _NOT_SECRET.search(lowered)


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join("/" + re.escape(name).replace(r"\*", "[^/]*") + r"\Z" for name in names))


_SECRET = _any_of(SECRET_FILES)
_NOT_SECRET = _any_of(NOT_SECRET_FILES)
