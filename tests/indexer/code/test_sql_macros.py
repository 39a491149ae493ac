"""Macros and other named blocks of dbt in SQL scripts."""

import time

import pytest

from indexer.extract import extract_code
from knowledge.types import Kind

MACRO = """\
{# Cents as an amount; halves are rounded up. #}
{% macro cents_to_dollars(column_name, scale=2) -%}
    {{ return(adapter.dispatch('cents_to_dollars')(column_name, scale)) }}
{%- endmacro %}

{%- macro default__cents_to_dollars(column_name, scale=2) %}
    ({{ column_name }} / 100)::numeric(16, {{ scale }});
    {# {% endmacro %} #}
{% endmacro -%}
"""


def found(text):
    return [(d.name, d.start, d.end) for d in extract_code("sql", text)[1:]]


def test_macro_is_a_unit_with_its_parameters_and_what_stands_above():
    module, first, second = extract_code("sql", MACRO)
    assert (first.kind, first.name, first.start, first.end) == (Kind.UNIT, "cents_to_dollars", 2, 4)
    assert first.signature == "macro cents_to_dollars(column_name, scale=2)"
    assert first.doc == "Cents as an amount; halves are rounded up."
    assert first.body == "\n".join(MACRO.split("\n")[1:4])
    assert (second.name, second.start, second.end) == ("default__cents_to_dollars", 6, 9)
    assert "adapter.dispatch" not in module.body
    assert "macro cents_to_dollars(column_name, scale=2) …" in module.body


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{% test is_even(model, column_name) %}\nselect 1\n{% endtest %}", [("is_even", 1, 3)]),
        ("{% snapshot orders %}select 1{% endsnapshot %}", [("orders", 1, 1)]),
        ("{% materialization view, default %}\n{% endmaterialization %}", [("view", 1, 2)]),
        ("{% macro a() %}\n{% macro b() %}\n{% endmacro %}", [("b", 2, 3)]),
        ("{% macro a() %}\nselect 1", []),
        ("{% macro a(x='%Y') %}{% endmacro %}", [("a", 1, 1)]),
        ("{# {% macro a() %}{% endmacro %} #}", []),
        ("{# never closed\n{% macro a() %}{% endmacro %}", [("a", 2, 2)]),
        (
            "create table t (a int);\n{% macro a() %};{% endmacro %}\ncreate view v as select 1;",
            [("t", 1, 1), ("a", 2, 2), ("v", 3, 3)],
        ),
    ],
)
def test_named_blocks_are_found_beside_statements(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize("piece", ["{% macro a() ", "{% macro a() %}", "{#", "{# #}", "{% endmacro %}", "{%"])
def test_broken_templates_cost_little(piece):
    started = time.process_time()
    extract_code("sql", piece * (200_000 // len(piece)))
    assert time.process_time() - started < 3
