"""How large a file may be and still be indexed: by what its name says it holds.

Code and documents are worth reading at any size a person or an amalgamation makes of them: sqlite3.c has
nine million bytes, TypeScript's checker three. Data of that size is a dump, a fixture or a recording, and
what there is to find in it lies at its beginning, if anywhere.
"""

from __future__ import annotations

from knowledge.settings import IndexSettings

# Formats whose large files are data. SQL is here for dumps: no schema is larger than the limit.
DATA_SUFFIXES = (
    *(".json", ".jsonc", ".json5", ".jsonl", ".ndjson", ".geojson", ".har"),
    *(".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties"),
    *(".xml", ".xsd", ".wsdl", ".svg", ".plist", ".resx", ".xlf", ".html", ".htm"),
    *(".csv", ".tsv", ".txt", ".text", ".log", ".sql", ".po", ".pot"),
)


def limit_of(path: str, settings: IndexSettings) -> int:
    """The size in bytes above which a file is skipped as too large.

    Args:
        path: whose suffix tells data from the rest.
        settings: with ``max_file_bytes``, which binds all, and ``max_data_bytes``.
    """
    if path.lower().endswith(DATA_SUFFIXES):
        return min(settings.max_data_bytes, settings.max_file_bytes)
    return settings.max_file_bytes
