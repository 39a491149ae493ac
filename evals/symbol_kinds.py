"""What of a language counts as a symbol in `evals.symbols`, and what ctags finds beside that."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kinds:
    """How ctags reads a language.

    Attributes:
        parser: ctags' name of the language.
        counted: ctags' letters of the kinds that are units or classes of ours.
        why: what its other kinds are, and why they are none.
    """

    parser: str
    counted: str
    why: str


_ECMASCRIPT = "variables, constants, properties and fields stand on the card of what they belong to"
_TYPESCRIPT = Kinds(
    "TypeScript",
    "fcigmnG",
    f"{_ECMASCRIPT}; so do aliases of types, but for those of object types, which ctags does not tell apart",
)

KINDS = {
    "python": Kinds(
        "Python", "cfm", "variables stand on the card of their module or class; imports are relations"
    ),
    "javascript": Kinds("JavaScript", "fcmgGS", _ECMASCRIPT),
    "typescript": _TYPESCRIPT,
    "tsx": _TYPESCRIPT,
    "go": Kinds(
        "Go", "fsitn", "members, variables and constants stand on cards; an alias is a name, no type"
    ),
    "java": Kinds(
        "Java", "cigam", "fields and constants stand on their class's card; packages qualify nothing"
    ),
    "rust": Kinds(
        "Rust", "fPgisM", "an impl lends its type's name; fields, variants, aliases stand on cards"
    ),
    "c": Kinds("C", "fsug", "macros, members and variables stand on cards; a typedef is a second name"),
    "cpp": Kinds("C++", "cfsug", "as in C; a namespace lends its name"),
    "csharp": Kinds(
        "C#", "cigsm", "fields, properties, events stand on their class's card; namespaces qualify nothing"
    ),
    "kotlin": Kinds("Kotlin", "ciom", "variables, constants and aliases stand on cards"),
    "ruby": Kinds(
        "Ruby", "cfmS", "accessors and constants stand on their class's card; an alias is a second name"
    ),
    "php": Kinds("PHP", "cfit", "constants and variables stand on cards; an alias is a second name"),
    "bash": Kinds("Sh", "f", "an alias is no function; here documents are text"),
    "sql": Kinds("SQL", "fptTVieDP", "cursors, fields, labels and variables belong to their routine"),
    "lua": Kinds("Lua", "f", "there is no other kind"),
}
# ctags 5.9 has no parser for these.
UNREAD = ("scala", "swift")


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why what ctags takes for a symbol is none.

    Attributes:
        languages: where that happens; empty: in all.
        kind: ctags' kind, or ``""`` for any.
        seen: a pattern of the node types that the grammar has there, innermost first.
        why: what it is.
    """

    languages: tuple[str, ...]
    kind: str
    seen: str
    why: str


def _explained(languages: str, kind: str, seen: str, why: str) -> Explanation:
    return Explanation(tuple(languages.split()), kind, seen, why)


MACRO = "a macro's call before a body, found by the name in its arguments"
_TEXT = r"(?:\w+:)?(?:\w*string\w*|template_\w+|heredoc\w*|nowdoc\w*|\w*comment|regex|interpolation)\b"
EXPLANATIONS = (
    _explained("", "", _TEXT, "text in a string, a here document or a comment"),
    _explained(
        "javascript",
        "class",
        r"name:identifier < variable_declarator"
        r"|(?:key|property):property_identifier < (?:pair|member_expression)",
        "an object literal; it lends its name to the functions in it",
    ),
    _explained(
        "javascript typescript tsx",
        "function",
        r"name:identifier < function_expression < (?:assignment_expression|variable_declarator|pair)",
        "the inner name of a function that is bound to another",
    ),
    _explained(
        "typescript tsx", "method", r"name:property_identifier < property_signature", "a property with a type"
    ),
    _explained("typescript tsx", "method", r"[\w:]+ < type_annotation", "a type in a signature"),
    _explained("java", "method", r"name:identifier < enum_constant", "an enum's constant that has a body"),
    _explained(
        "csharp", "class", r"(?:name:)?identifier < type_parameter\b", "a type parameter (where T : class)"
    ),
    _explained(
        "kotlin",
        "method",
        r"(?:\w+:)?identifier < variable_declaration",
        "a parameter of a lambda, or a variable of a loop or pattern",
    ),
    _explained(
        "kotlin", "object", r"(?:\w+:)?(?:\w+ < modifiers < )?companion_object", "a companion without a name"
    ),
    _explained(
        "ruby", "singletonMethod", r"object:\w+ < singleton_method", "what a singleton method belongs to"
    ),
    _explained(
        "bash", "function", r"(?:name:variable_name < )?variable_assignment", "an array that is assigned"
    ),
    _explained(
        "lua",
        "function",
        r"(?:\w+:)?(?:\w+ < )?(?:\w+_index_expression < )*variable_list"
        r"|name:identifier < (?:field|for_numeric_clause)",
        "a variable whose value is computed on a line that has the word function",
    ),
    _explained(
        "lua",
        "function",
        r"(?:\w+:)?(?:table_constructor|binary_expression)\b",
        "an operator or a bracket on a line that has the word function",
    ),
)


def explanation(language: str, kind: str, seen: str) -> str:
    """Why a difference is none: the first explanation that fits, or ``""``.

    Where the grammar has lost its way, it explains nothing.
    """
    if "ERROR" not in seen:
        for one in EXPLANATIONS:
            fits = (not one.languages or language in one.languages) and one.kind in ("", kind)
            if fits and re.match(one.seen, seen):
                return one.why
    return ""
