"""Reports for people: pages that are rendered once, of texts that may say anything."""

from __future__ import annotations

from templates.framing import fold, markdown

_NO_TEXT = "?"  # an empty code span is none
# Signs that end a code span or a table's cell, and what stands for them there.
_IN_CODE = str.maketrans({"`": "'", "|": "¦"})


def html_page(name: str, variables: dict[str, object]) -> str:
    """Render an HTML template: every text is escaped, but for what is marked as safe in Python.

    Raises:
        TemplateError: the template is missing or fails.
    """
    from templates.environment import make_environment, render  # noqa: PLC0415 - see templates.render

    return render(make_environment("xml", None), name, variables)[0]


def markdown_page(name: str, variables: dict[str, object]) -> str:
    """Render a Markdown template. Its filters ``code`` and ``text`` make a text inert.

    Raises:
        TemplateError: the template is missing or fails.
    """
    from templates.environment import make_environment, render  # noqa: PLC0415 - see templates.render

    environment = make_environment("markdown", None)
    environment.filters |= {"code": code_span, "text": markdown}
    return render(environment, name, variables)[0]


def code_span(text: str) -> str:
    """A text as inline code in one line, where Markdown reads no link, image, HTML or emphasis."""
    return f"`{fold(text).translate(_IN_CODE) or _NO_TEXT}`"
