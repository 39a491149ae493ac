"""Names that decide alone: folders that are no part of a view, files that hold secrets, lock files."""

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
    ".dev.vars",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".pgpass",
    "pgpass.conf",
    ".my.cnf",
    ".mylogin.cnf",
    ".htpasswd",
    ".git-credentials",
    ".terraformrc",
    "credentials.tfrc.json",
    ".vault-token",
    ".vault_pass*",
    ".s3cfg",
    ".boto",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".composer/auth.json",
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
    "*.jceks",
    "*.keytab",
    "*.kdbx",
    "*.ovpn",
    "*.mobileprovision",
    "*.tfvars",
    "*.tfvars.json",
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
    "*firebase-adminsdk*.json",
    "local.settings.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "secrets.*.yaml",
    "secrets.*.yml",
)
NOT_SECRET_FILES = (
    "*.example",
    "*.sample",
    "*.template",
    "*.dist",
    "*.pub",
    "example.env",
    "sample.env",
    # Code about such files is not such a file: id_rsa_loader.py, .env.d.ts. But .env.php and .env.sh are.
    *("*.py", "*.go", "*.java", "*.js", "*.jsx", "*.ts", "*.tsx", "*.kt", "*.scala", "*.swift", "*.rs"),
    *("*.c", "*.h", "*.cc", "*.cpp", "*.hpp", "*.cs", "*.rb", "*.lua"),
    "*.md",
    "*.rst",
    "*.schema.json",
)

# What package managers resolve and write: never edited, never what a task is about, and large. Lower case.
LOCK_FILES = frozenset(
    {
        "bun.lock",
        "bun.lockb",
        "cargo.lock",
        "cartfile.resolved",
        "chart.lock",
        "composer.lock",
        "deno.lock",
        "flake.lock",
        "gemfile.lock",
        "go.sum",
        "go.work.sum",
        "gradle.lockfile",
        "mix.lock",
        "module.bazel.lock",
        "npm-shrinkwrap.json",
        "package-lock.json",
        "package.resolved",
        "packages.lock.json",
        "pdm.lock",
        "pipfile.lock",
        "pixi.lock",
        "pnpm-lock.yaml",
        "podfile.lock",
        "poetry.lock",
        "pubspec.lock",
        "pylock.toml",
        "uv.lock",
        "yarn.lock",
        ".terraform.lock.hcl",
    }
)


def is_lock_file(path: str) -> bool:
    """Whether a file is a package manager's record of what it resolved, judged by its name alone."""
    return path.rpartition("/")[2].lower() in LOCK_FILES


def is_secret_file(path: str) -> bool:
    """Whether a file exists to hold secrets, judged by its name alone."""
    name = path.rpartition("/")[2].lower()
    if not _SECRET.match(name) and not f"/{path.lower()}".endswith(_SECRET_PATHS):
        return False
    return not _NOT_SECRET.match(name)


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    forms = (re.escape(name).replace(r"\*", ".*") for name in names if "/" not in name)
    return re.compile(rf"(?:{'|'.join(forms)})\Z", re.DOTALL)


_SECRET = _any_of(SECRET_FILES)
_SECRET_PATHS = tuple(f"/{name}" for name in SECRET_FILES if "/" in name)
_NOT_SECRET = _any_of(NOT_SECRET_FILES)
