"""OpenAPI and JSON Schema: operations and definitions."""

from __future__ import annotations

import json

import pytest
import yaml
from cases import rows

from indexer.formats.table import EXTRACTORS

API = """\
openapi: 3.1.0
info:
  title: Users
  version: "2"
  description: Who may log in.
servers:
  - url: https://api.example.org
paths:
  /users/{id}:
    parameters:
      - name: id
        in: path
    # Looked up by id.
    get:
      summary: Find a user
      operationId: findUser
      parameters:
        - {name: fields, in: query}
        - $ref: "#/components/parameters/trace"
      responses:
        "200": {description: ok}
        "404": {description: none}
    delete:
      description: Removes a user.
      responses:
        "204": {description: gone}
  /health:
    get:
      responses: {"200": {description: ok}}
components:
  schemas:
    User:
      description: A person.
      properties:
        id: {type: integer}
        name: {type: string}
    Error:
      type: object
  parameters:
    trace: {name: trace, in: header}
"""


def test_each_operation_is_a_section_and_each_schema(outline):
    assert outline("yaml", API) == rows("""
        openapi, info, servers   openapi                   1-8
        GET /users/{id}          paths/users/{id}/get      9-22
        DELETE /users/{id}       paths/users/{id}/delete   23-26
        GET /health              paths/health/get          27-29
        schemas › User           components/schemas/User   30-36
        schemas › Error          components/schemas/Error  37-38
        components › parameters  components/parameters     39-40
    """)


def test_operation_tells_summary_parameters_and_responses(section, document):
    assert section("yaml", API, "GET /users/{id}").doc == (
        "Find a user. findUser. Parameters: id, fields, trace. Responses: 200, 404"
    )
    assert section("yaml", API, "schemas › User").doc == "A person. Properties: id, name"
    assert document("yaml", API).doc == "Users 2\n\nWho may log in."


def test_json_and_swagger_are_the_same(outline):
    value = yaml.safe_load(API)
    value["swagger"] = value.pop("openapi")
    names = {name for name, *_ in outline("json", json.dumps(value, indent=2, sort_keys=False))}
    assert names >= {name for name, *_ in outline("yaml", API)[1:]}


def test_definitions_of_a_schema_are_sections(outline, document):
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings",
        "description": "What can be set.",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"type": "string"}},
        "$defs": {"A": {"description": "An A.", "properties": {"x": {}}}, "B": {"type": "string"}},
    }
    text = json.dumps(schema, indent=2)
    assert [name for name, *_ in outline("json", text)] == [
        "$schema, title, description, properties",
        "$defs › A",
        "$defs › B",
    ]
    assert document("json", text).doc == "Settings\n\nWhat can be set."


@pytest.mark.parametrize(
    "text", ["openapi: 3.0.0\n", '{"openapi": "3.0.0", "paths": 1}', "paths: {/a: {get: {}}}"]
)
def test_what_only_looks_like_an_api_is_data(text):
    assert len(EXTRACTORS["yaml"](text).drafts) == 1
