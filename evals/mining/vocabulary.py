"""Words that tell what kind of change a commit's subject announces.

Lower case, as they are written. None is of one repository or language alone.
"""

from __future__ import annotations

from evals.mining.reasons import Reason


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What happened, and to what in general: says nothing of where.
GENERIC = _words(
    """
    add added adding address addressed addresses adds allow another applied applies apply argument
    arguments avoid better bit bring bug bugfix bugfixes bugs change changed changes changing class
    classes clean cleaned cleaning cleanup cleanups clear code comments commit correct corrected correctly
    corrects deprecated enhance enhancement ensure error errors extra feature feedback few file files
    final finally fix fixed fixes fixing fixup follow function functions further general handle handling
    helper helpers hotfix implementation improve improved improvement improvements improves improving
    initial internal internals issue issues latest left little make makes making merge method methods
    minor misc miscellaneous missing move moved moves moving new next nit nits obsolete old one parameter
    parameters pass patch polish polishing problem problems project proper properly ran redundant refactor
    refactored refactoring refine related remaining remove removed removes removing rename renamed review
    reviews rework rewrite run running runs set simple simplification simplified simplifies simplify
    slight slightly small some start stuff suggestion suggestions support supported supporting supports
    switch take test tests thing things tidy try tweak tweaks unnecessary unused update updated updates
    updating upgrade use used useless uses using util utilities utility utils variable variables various
    version way wip work working works wrong
    """
)
FORMAT = _words(
    """
    analysis annotate annotations black blank braces brackets cargo casing checksrc checkstyle
    clang-format clang-tidy clean-up clippy code codespell coding consistency conventions cs csharpier
    detekt docstrings empty eslint final fixer flake fmt format formats formatted formatter formatters
    formatting gofmt golangci-lint google-java-format hints import imports indent indentation indenting
    isort ktlint length line lines lint linter linters linting lints mypy newline newlines noinspection
    nolint noqa pep pep8 php-cs-fixer phpcbf phpcs phpstan prettier psalm pycodestyle pyflakes pylint
    pyright python pyupgrade quotes re-format reformat reformatted reformatting rubocop ruff rustfmt
    scalafix scalafmt semicolon semicolons shellcheck sort sorted sorting space spaces spacing spotless
    standardrb static style styleci styles styling swiftformat swiftlint tabs tidy-up trailing type typed
    typehints types typing unused warning warnings white whitespace whitespaces
    """
)
# Programs that find fault with how code is written, and not with what it does.
LINTERS = _words(
    """
    biome checksrc checkstyle clang-format clang-tidy clippy codespell detekt eslint flake8 gofmt
    golangci-lint isort ktlint mypy php-cs-fixer phpcs phpstan prettier psalm pycodestyle pylint pyright
    pyupgrade rubocop ruff rustfmt scalafix scalafmt shellcheck spotless standardrb styleci swiftformat
    swiftlint tslint vulture
    """
)
DOCUMENTATION = _words(
    """
    api apidoc article articles authors badge badges blog changelog changelogs citation clarification
    clarified clarify code comment commented comments contributing contributors description descriptions
    doc docblock docblocks docs docstring docstrings document documentation documented documenting
    documents doxygen entry example examples explain explanation faq grammar guide guides header headers
    html javadoc javadocs jsdoc kdoc link links man manpage manual markdown md mention news notes page
    pages phpdoc phpdocs rdoc readme readmes reference references release rst rustdoc scaladoc section
    sections sphinx translate translation translations tutorial tutorials typo typos website wording yard
    """
)
TESTS = _words(
    """
    actions appveyor assertions benchmark benchmarks build builds case cases ci circleci codecov coverage
    e2e failed failing failure failures fixture fixtures flaky github integration job jobs linux macos
    matrix mock mocks pipeline pipelines runner spec specs suite test testing tests travis unit unittest
    unittests windows workflow workflows yml
    """
)
# What stands before a subject's colon, or in brackets (conventionalcommits.org, and older customs).
PREFIXES = {
    **dict.fromkeys(("doc", "docs", "documentation", "readme", "changelog", "javadoc"), Reason.DOCUMENTATION),
    **dict.fromkeys(("test", "tests", "testing", "ci", "gha", "appveyor", "travis"), Reason.TESTS),
    **dict.fromkeys(
        (
            "style",
            "lint",
            "fmt",
            "format",
            "formatting",
            "types",
            "typing",
            "tidy-up",
            "tidyup",
            "whitespace",
        ),
        Reason.FORMAT,
    ),
    **dict.fromkeys(("release", "version", "bump", "deps", "dependencies"), Reason.RELEASE),
    "revert": Reason.REVERT,
    "merge": Reason.MERGE,
}
# What leads to a reference; a line of nothing else was there for the reference.
REFERRING = _words(
    """
    a addresses also and as at backport bug bugs by close closed closes closing comment commit commits
    discussion discussions fix fixed fixes fixing follow-up followup followups for from gh github in issue
    issues link mentioned of on or origin part per pr prs pull ref reference references refs related
    relates request resolve resolved resolves resolving see the this ticket to up was with
    """
)
# Steps that a squash merge lists and that say nothing of what it does.
SMALL_TALK = GENERIC | FORMAT | DOCUMENTATION | TESTS | REFERRING
# Names that look like those of files.
PRODUCTS = _words(
    """
    alpine.js angular.js backbone.js chart.js d3.js discord.js ember.js express.js moment.js next.js
    node.js nuxt.js react.js require.js socket.io.js three.js vue.js
    """
)
# Suffixes of files that attributes are named like, too: response.json, Response.text, application.properties.
AMBIGUOUS_SUFFIXES = _words("text json rest properties asc sc ru inl mak ddl")
