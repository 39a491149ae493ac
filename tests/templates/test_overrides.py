"""Templates of the user's own: where they come from, what they may do, how they fail."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cases import rows

from knowledge.errors import TemplateError
from templates.render import FORMATS, Renderer, variables

DOCS = (Path(__file__).parents[2] / "docs" / "templates.md").read_text(encoding="utf-8")


@pytest.fixture
def override(tmp_path):
    folder = tmp_path / "templates"
    folder.mkdir()

    def _override(source: str, name: str = "brief.markdown.j2") -> Path:
        (folder / name).write_text(source, encoding="utf-8")
        return folder

    return _override


def test_template_in_the_folder_wins(override, context):
    folder = override("{{ patterns | length }} patterns\n")
    assert Renderer("markdown", folder).block(context) == "2 patterns\n"


@pytest.mark.parametrize("format_", FORMATS)
def test_formats_without_an_override_keep_the_shipped_template(format_, tmp_path, context):
    assert Renderer(format_, tmp_path).block(context) == Renderer(format_).block(context)


def test_edited_template_takes_effect_with_the_next_brief(override, context):
    renderer = Renderer("markdown", override("one"))
    assert renderer.block(context) == "one"
    override("another")
    assert renderer.block(context) == "another"


def test_example_in_the_docs_renders(override, context):
    example = re.search(r"```jinja\n(.*?)```", DOCS, re.DOTALL).group(1)
    assert Renderer("markdown", override(example)).block(context) == (
        "## Context from this repository\n"
        "- `src/sse.py:12` EventStream.close\n"
        "- `docs/sse.md:3` Streaming › Timeouts\n"
        "\n"
        "### Prevention rules\n"
        "- Every stream has an explicit timeout. (seen in 3 cases)\n"
        "\n"
        "---\n"
    )


def test_every_documented_variable_exists_and_every_existing_one_is_documented(override, context):
    table = DOCS.partition("## Variables")[2].partition("## Filters")[0]
    documented = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    source = "".join(f"{{{{ {name} }}}}\n" for name in documented)
    assert Renderer("markdown", override(source)).block(context)
    assert documented == list(variables(context, str))


@pytest.mark.parametrize(
    ("line", "message", "source"),
    rows(r"""
        2  'nothing' is undefined               ok\n{{ nothing }}\n
        3  has no attribute 'colour'            ok\n\n{{ patterns[0].colour }}\n
        1  Unexpected end of template           {% for x in patterns %}\n
        2  ZeroDivisionError: division by zero  a\n{{ 1 / 0 }}
        2  TypeError                            a\n{{ left_out + 'x' }}
        1  unsafe                               {{ patterns.__class__.__mro__ }}
        1  unsafe                               {{ ''.__class__ }}
        1  No filter named 'safe'               {{ patterns[0].name | safe }}
        1  No filter named 'random'             {{ patterns | random }}
        1  'lipsum' is undefined                {{ lipsum() }}
        2  no template is called 'none.j2'      x\n{% include 'none.j2' %}
        1  RecursionError                       {% macro m() %}{{ m() }}{% endmacro %}\n{{ m() }}
    """),
)
def test_failing_template_names_file_line_and_reason(override, context, source, line, message):
    folder = override(source)
    with pytest.raises(TemplateError) as caught:
        Renderer("markdown", folder).block(context)
    assert caught.value.where == f"{folder / 'brief.markdown.j2'}:{line}"
    assert message in caught.value.what
    assert "docs/templates.md" in caught.value.remedy


def test_error_in_an_included_file_names_that_file(override, context):
    override("fine\n{{ gone }}\n", "part.j2")
    folder = override("{% include 'part.j2' %}")
    with pytest.raises(TemplateError) as caught:
        Renderer("markdown", folder).block(context)
    assert caught.value.where == f"{folder / 'part.j2'}:2"


@pytest.mark.parametrize(
    "path", ["../secret.j2", "/etc/hostname", "{absolute}", "link.j2", "secret.txt", "a\0.j2"]
)
def test_nothing_outside_the_folder_can_be_read(override, context, tmp_path, path):
    secret = tmp_path / "secret.j2"
    secret.write_text("secret")
    folder = override("{% include '" + path.replace("{absolute}", str(secret)) + "' %}")
    (folder / "secret.txt").write_text("secret")
    (folder / "link.j2").symlink_to(secret)
    with pytest.raises(TemplateError, match="no template is called"):
        Renderer("markdown", folder).block(context)


def test_folder_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(TemplateError, match=r"nowhere: no such folder.*brief\.templates"):
        Renderer("markdown", tmp_path / "nowhere")


def test_template_that_is_no_text_is_an_error(tmp_path, context):
    (tmp_path / "brief.markdown.j2").write_bytes(b"\xff\xfe")
    with pytest.raises(TemplateError, match="not UTF-8"):
        Renderer("markdown", tmp_path).block(context)


def test_json_template_writes_every_expression_as_a_value(override, context):
    folder = override('{"n": {{ patterns[0].name }}, "s": {{ stale }}}', "brief.json.j2")
    assert json.loads(Renderer("json", folder).block(context)) == {"n": "EventStream.close", "s": False}


@pytest.mark.parametrize(
    ("source", "message"),
    [("[1]", "no object"), ("{,}", "renders no JSON"), ('{"a": {{ gone }}}', "'gone' is undefined")],
)
def test_json_template_that_makes_no_object_is_an_error(override, context, source, message):
    folder = override(source, "brief.json.j2")
    with pytest.raises(TemplateError, match=message) as caught:
        Renderer("json", folder).block(context)
    assert str(folder / "brief.json.j2") in caught.value.where


def test_xml_template_escapes_values(override, context):
    folder = override("{{ patterns[0].name ~ '<&' }}", "brief.xml.j2")
    assert Renderer("xml", folder).block(context) == "EventStream.close&lt;&amp;"
