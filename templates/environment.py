"""The sandbox in which templates run, where they may come from, and how their errors read.

This module imports Jinja2, which takes longer than a whole dispatch without evidence; `templates.render`
imports it only when there is something to render.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from knowledge.errors import TemplateError

SHIPPED = Path(__file__).parent
SHIPPED_PREFIX = "shipped/"  # ``{% extends "shipped/brief.markdown.j2" %}`` from an override
SUFFIX = ".j2"
_REMEDY = "Correct the template, or remove it to take the shipped one (docs/templates.md lists the variables)"

_NONDETERMINISTIC_GLOBALS = ("lipsum",)
_NONDETERMINISTIC_FILTERS = ("random",)
_UNESCAPING_FILTERS = ("safe",)

# What an expression in a template can raise beside Jinja's own errors: a wrong operand, a division, a bad
# argument of a filter, endless recursion of a macro.
_EXPRESSION_ERRORS = (
    jinja2.TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)

_Source = tuple[str, str, Callable[[], bool]]


def make_environment(brief_format: str, overrides: Path | None) -> jinja2.Environment:
    """The environment of one format.

    XML is escaped by autoescape and JSON by writing every expression as a JSON value; the values of the
    other formats are made inert before they get here.

    Args:
        brief_format: ``markdown``, ``xml``, ``plain`` or ``json``.
        overrides: a folder whose templates win over the shipped ones of the same name.
    """
    environment = ImmutableSandboxedEnvironment(
        loader=jinja2.FunctionLoader(lambda name: _load(name, overrides)),
        undefined=jinja2.StrictUndefined,
        autoescape=brief_format == "xml",
        finalize=_json_value if brief_format == "json" else None,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        newline_sequence="\n",
    )
    for name in _NONDETERMINISTIC_GLOBALS:
        del environment.globals[name]
    for name in _NONDETERMINISTIC_FILTERS + _UNESCAPING_FILTERS:
        del environment.filters[name]
    environment.filters["score"] = score
    environment.filters["seen"] = seen
    return environment


def render(environment: jinja2.Environment, name: str, variables: dict[str, object]) -> tuple[str, str]:
    """Render the template called ``name``; the text, and the file the template is in.

    Raises:
        TemplateError: with the template's file and line and Jinja's message.
    """
    try:
        template = environment.get_template(name)
        return template.render(variables), template.filename or name
    except _EXPRESSION_ERRORS as error:
        raise TemplateError(_message(error), where=_position(error, name), remedy=_REMEDY) from None


def score(value: float) -> str:
    """A relevance with two decimals: ``0.82``."""
    return f"{value:.2f}"


def seen(count: int) -> str:
    """In how many cases a rule was seen: `` (seen in 3 cases)``; nothing when nobody counted."""
    return f" (seen in {count} case{'' if count == 1 else 's'})" if count > 0 else ""


def _load(name: str, overrides: Path | None) -> _Source | None:
    shipped_only = name.startswith(SHIPPED_PREFIX)
    folders = [SHIPPED] if shipped_only or overrides is None else [overrides, SHIPPED]
    for folder in folders:
        path = _inside(folder, name.removeprefix(SHIPPED_PREFIX) if shipped_only else name)
        if path is not None:
            return _read(path)
    return None


def _inside(folder: Path, name: str) -> Path | None:
    """The template file ``name`` in ``folder``; None unless it really lies there, links followed."""
    if not name.endswith(SUFFIX) or "\0" in name:
        return None
    root = folder.resolve()
    path = (root / name).resolve()
    return path if path.is_relative_to(root) and path.is_file() else None


def _read(path: Path) -> _Source:
    try:
        changed = path.stat().st_mtime_ns
        source = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TemplateError(f"not UTF-8: {error.reason}", where=str(path), remedy=_REMEDY) from None
    except OSError as error:
        raise TemplateError.of_system("cannot be read", error, path, "Make it readable") from None
    return source, str(path), lambda: path.is_file() and path.stat().st_mtime_ns == changed


def _json_value(value: object) -> str:
    if isinstance(value, jinja2.Undefined):
        return str(value)  # raises with the name of the missing variable
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _message(error: Exception) -> str:
    if isinstance(error, jinja2.TemplateNotFound):
        return f"no template is called {error.name!r}"
    text = (error.message if isinstance(error, jinja2.TemplateError) else str(error)) or ""
    kind = "" if isinstance(error, jinja2.TemplateError) and text else f"{type(error).__name__}: "
    return f"{kind}{text}".rstrip(".: ")


def _position(error: Exception, name: str) -> str:
    """``file:line`` of the error: a syntax error knows, else the innermost frame that is a template's."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.filename or error.name or name}:{error.lineno}"
    found = name
    frame: TracebackType | None = error.__traceback__
    while frame is not None:
        file = frame.tb_frame.f_code.co_filename
        if file.endswith(SUFFIX):
            found = f"{file}:{frame.tb_lineno}"
        frame = frame.tb_next
    return found
