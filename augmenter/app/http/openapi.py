"""The OpenAPI document, made from the models that validate and the table that routes."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from augmenter.app.augmenter import LAST
from augmenter.app.http.models import DISPATCH_ID, ErrorAnswer
from augmenter.app.http.operations import DISPATCH, OPERATIONS, Operation
from augmenter.app.http.replies import JSON
from knowledge.version import VERSION

OPENAPI_VERSION = "3.1.0"
_SCHEME = "token"
_REFS = "#/components/schemas/{model}"
Mode = Literal["validation", "serialization"]


def openapi_document() -> dict[str, Any]:
    """The document."""
    asked = [operation.body for operation in OPERATIONS if operation.body]
    answered = [operation.answer for operation in OPERATIONS if operation.answer]
    wanted: list[tuple[type[BaseModel], Mode]] = [(model, "validation") for model in asked]
    wanted += [(model, "serialization") for model in answered]
    wanted.append((ErrorAnswer, "serialization"))
    refs, definitions = models_json_schema(wanted, ref_template=_REFS)
    schemas = {model.__name__: ref for (model, _), ref in refs.items()}
    return {
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": "Prebrief",
            "version": VERSION,
            "description": "Finds what matters in a repository for a task, and puts it into the prompt.",
        },
        "security": [{_SCHEME: []}],
        "paths": _paths(schemas),
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {_SCHEME: {"type": "http", "scheme": "bearer"}},
        },
    }


def _paths(schemas: Mapping[str, Any]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, schemas)
    return paths


def _described(operation: Operation, schemas: Mapping[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [*_in_path(operation), *_in_query(operation)],
        "responses": {"200": _answered(operation, schemas)},
    }
    if operation.body:
        body = schemas[operation.body.__name__]
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": body}}}
    if operation.is_open:
        described["security"] = []
    refused = {JSON: {"schema": schemas[ErrorAnswer.__name__]}}
    for status in operation.statuses:
        described["responses"][str(status)] = {"description": HTTPStatus(status).phrase, "content": refused}
    return described


def _answered(operation: Operation, schemas: Mapping[str, Any]) -> dict[str, Any]:
    if operation.answer:
        schema = schemas[operation.answer.__name__]
    else:
        schema = {"type": "object" if operation.media_type == JSON else "string"}
    return {"description": "OK", "content": {operation.media_type: {"schema": schema}}}


def _in_path(operation: Operation) -> list[dict[str, Any]]:
    if f"{{{DISPATCH}}}" not in operation.path:
        return []
    pattern = f"^({DISPATCH_ID}|{LAST})$" if operation.takes_latest else f"^{DISPATCH_ID}$"
    return [
        {"name": DISPATCH, "in": "path", "required": True, "schema": {"type": "string", "pattern": pattern}}
    ]


def _in_query(operation: Operation) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    schema = operation.query.model_json_schema()
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": part}
        for name, part in schema["properties"].items()
    ]
