"""Which language a file is written in, and what the code extractor has to know about each.

A language is one entry in `CODE_LANGUAGES`, its query files under ``queries/`` and a fixture in the tests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from indexer.format_names import format_of

SQL = "sql"
_C_STYLE = ("//", "/*")


@dataclass(frozen=True, slots=True)
class Language:
    """What the extractor needs to know of a programming language.

    Attributes:
        name: as the catalog keeps it.
        suffixes: file name suffixes, lower case, with the dot.
        grammar: the package that holds the tree-sitter grammar; empty if the language is read without (SQL).
        queries: files under ``queries/``, joined in this order.
        relations: files under ``queries/`` that find calls, imports and inheritance, joined in this order.
        function: the grammar package's function that returns the language.
        comments: node types of comments.
        annotations: node types of decorators and annotations.
        comment_marks: what a comment, or an annotation without ``@``, can begin with; tells cheaply whether a
            declaration may hold one.
        scope_mark: what stands between a scope and a name in it where that's no dot (``::``); type arguments
            in a name's scopes are left out.
        erased_names: what doesn't count in the text of a name (``module.exports.``, ``this.``).
        interpreters: programs that a ``#!`` line may call.
        file_names: whole names of files of the language that have no suffix of their own.
    """

    name: str
    suffixes: tuple[str, ...]
    grammar: str
    queries: tuple[str, ...]
    relations: tuple[str, ...] = ()
    function: str = "language"
    comments: tuple[str, ...] = ("comment",)
    annotations: tuple[str, ...] = ("decorator",)
    comment_marks: tuple[str, ...] = _C_STYLE
    scope_mark: str = ""
    erased_names: str = ""
    interpreters: tuple[str, ...] = ()
    file_names: tuple[str, ...] = ()


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _read(
    name: str, suffixes: str, queries: str = "", relations: str = "", grammar: str = ""
) -> tuple[str, tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]:
    """The first attributes of a language that is read with a grammar, by short names.

    Where nothing else is said, the grammar and the queries are named like the language, and relations like
    the queries.
    """
    queries = queries or name
    return (
        name,
        _words(suffixes),
        f"tree_sitter_{grammar or name}",
        tuple(f"{query}.scm" for query in _words(queries)),
        tuple(f"relations/{query}.scm" for query in _words(relations or queries)),
    )


_ECMASCRIPT_ERASED = r"^(?:module\.)?exports(?:\.|$)|^this\.|\bprototype\.|\.prototype(?=\[|$)"
_LINE_AND_BLOCK = ("line_comment", "block_comment")

CODE_LANGUAGES = (
    Language(*_read("python", ".py .pyi .pyw"), comment_marks=("#",), interpreters=("python",)),
    Language(
        *_read("javascript", ".js .jsx .mjs .cjs", "ecmascript javascript", "ecmascript jsx javascript"),
        erased_names=_ECMASCRIPT_ERASED,
        interpreters=("node", "nodejs"),
    ),
    Language(
        *_read("typescript", ".ts .mts .cts", "ecmascript typescript"),
        function="language_typescript",
        erased_names=_ECMASCRIPT_ERASED,
        interpreters=("deno", "ts-node", "tsx", "bun"),
    ),
    Language(
        *_read("tsx", ".tsx", "ecmascript typescript", "ecmascript jsx typescript", grammar="typescript"),
        function="language_tsx",
        erased_names=_ECMASCRIPT_ERASED,
    ),
    Language(*_read("go", ".go"), annotations=()),
    Language(
        *_read("java", ".java"), comments=_LINE_AND_BLOCK, annotations=("annotation", "marker_annotation")
    ),
    Language(*_read("rust", ".rs"), comments=_LINE_AND_BLOCK, annotations=("attribute_item",)),
    # for `.h` see `language_of_header`
    Language(*_read("c", ".c .h", "c_family"), annotations=()),
    Language(
        *_read("cpp", ".cc .cpp .cxx .hh .hpp .hxx .ipp .tpp .inl .cu .cuh", "cpp c_family"),
        annotations=(),
        scope_mark="::",
    ),
    Language(
        *_read("csharp", ".cs", "c_sharp", grammar="c_sharp"),
        annotations=("attribute_list",),
        comment_marks=(*_C_STYLE, "["),
        scope_mark="::",
    ),
    Language(
        *_read("swift", ".swift"),
        comments=("comment", "multiline_comment"),
        annotations=("attribute",),
        scope_mark=".",
    ),
    # an annotation below a doc comment is taken for an expression of its own (tree-sitter-kotlin 1.1)
    Language(
        *_read("kotlin", ".kt .kts"),
        comments=_LINE_AND_BLOCK,
        annotations=("annotation", "annotated_expression"),
    ),
    Language(
        *_read("ruby", ".rb .rake .gemspec .ru .podspec .jbuilder .thor"),
        annotations=(),
        comment_marks=("#", "=begin"),
        erased_names=r"^:|^self\.|^@+|:$",
        scope_mark="::",
        interpreters=("ruby", "jruby", "rake", "macruby"),
        file_names=_words(
            "Rakefile Gemfile Guardfile Capfile Vagrantfile Thorfile Brewfile Podfile Fastfile Dangerfile "
            "Berksfile Appraisals"
        ),
    ),
    Language(
        *_read("php", ".php .phtml .php5 .php7 .phpt"),
        function="language_php",
        annotations=("attribute_list",),
        comment_marks=(*_C_STYLE, "#"),
        erased_names=r"^\$this\.|^(?:self|static)::|\$",
        scope_mark="->",
        interpreters=("php",),
    ),
    Language(
        *_read("scala", ".scala .sc .sbt"),
        comments=("comment", "block_comment"),
        annotations=("annotation",),
        interpreters=("scala", "scala-cli", "amm"),
    ),
    Language(
        *_read("bash", ".sh .bash .zsh .ksh .bats .ebuild"),
        annotations=(),
        comment_marks=("#",),
        scope_mark="::",
        interpreters=("sh", "bash", "zsh", "ksh", "mksh", "dash", "ash", "bats"),
        file_names=_words(
            ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc "
            ".zshenv .zprofile .kshrc PKGBUILD APKBUILD"
        ),
    ),
    Language(
        *_read("lua", ".lua .rockspec"),
        annotations=(),
        comment_marks=("--",),
        erased_names=r"^(?:_G|self)\.",
        scope_mark=":",
        interpreters=("lua", "luajit", "texlua", "luvit"),
        file_names=(".luacheckrc",),
    ),
    Language(
        name=SQL,
        suffixes=_words(".sql .psql .pgsql .ddl .plsql .pls .pks .pkb .tps .tpb .tsql"),
        grammar="",
        queries=(),
        annotations=(),
        comment_marks=("--", "/*"),
    ),
)

BY_NAME = {language.name: language for language in CODE_LANGUAGES}
_BY_SUFFIX = {suffix: language.name for language in CODE_LANGUAGES for suffix in language.suffixes}
_BY_FILE_NAME = {name: language.name for language in CODE_LANGUAGES for name in language.file_names}
_BY_INTERPRETER = {program: language.name for language in CODE_LANGUAGES for program in language.interpreters}
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*(?:\w+=\S*\s+)*)?(?:\S*/)?([^\s/]+)")
_VERSION = re.compile(r"[\d.]+$")

MAX_HEADER = 1 << 18  # bytes of a header looked at; C++ shows itself long before
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*+\"", re.DOTALL)
_FOR_CPP = re.compile(
    r"^[ \t]*#[ \t]*if[^\n]*__cplusplus.*?^[ \t]*#[ \t]*(?:else|elif|endif)\b", re.DOTALL | re.MULTILINE
)
_CPP_SIGNS = re.compile(
    r"""
    ^[ \t]*(?:
        (?:inline[ \t]+)?namespace\b(?![ \t]*[=;,)]) | template[ \t]*< | using[ \t]+\w+ | enum[ \t]+class\b
        | (?:public|private|protected)[ \t]*:(?!:) | class[ \t]+\w[^;(){}=]*[{:]
        | (?:virtual|explicit|friend|constexpr)\b[ \t]+\w | \#[ \t]*include[ \t]*<[a-z_]+>
    )
    | \b(?:std|boost)::\w | \w::~?\w+[ \t]*\( | \b(?:static|reinterpret|const|dynamic)_cast[ \t]*<
    | \boperator[ \t]*[^\w\s;,.)] | \)[ \t]*(?:const[ \t]*)?(?:noexcept|override|final)\b
    | =[ \t]*(?:delete|default)[ \t]*;
    """,
    re.VERBOSE | re.MULTILINE,
)


def language_of(path: str) -> str | None:
    """The language or format of a file by its name (``app.test.tsx`` → ``tsx``); None if it isn't indexed."""
    name = path.rsplit("/", 1)[-1]
    stem, dot, suffix = name.rpartition(".")
    code = _BY_SUFFIX.get(f".{suffix.lower()}") if dot and stem else None
    return code or _BY_FILE_NAME.get(name) or format_of(name)


def language_of_script(first_line: str) -> str | None:
    """The language of a file without a known suffix, by its ``#!`` line; None if there is none."""
    found = _SHEBANG.match(first_line.removeprefix("\ufeff"))
    return _BY_INTERPRETER.get(_VERSION.sub("", found[1])) if found else None


def is_header(path: str) -> bool:
    """Whether a file's name leaves open whether it is C or C++."""
    return path.lower().endswith(".h")


def language_of_header(text: str) -> str:
    """``cpp`` or ``c``: what a ``.h`` file is written in, by the signs of C++ in its beginning.

    What stands within ``#ifdef __cplusplus`` says nothing, since C's headers have it too. Objective-C counts
    as C: its functions, macros and structs are found, its classes are not.
    """
    code = _FOR_CPP.sub("", _COMMENTS.sub("", text[:MAX_HEADER]))
    return "cpp" if _CPP_SIGNS.search(code) else "c"
