"""From bytes to what is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError

from augmenter.app.http.replies import Refusal

INVALID = 422  # the status of what is well-formed and cannot be used
MOST_PARAMETERS = 20  # in a query: there are three
_SHOWN = 200  # characters of what was wrong

Asked = TypeVar("Asked", bound=BaseModel)


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object that a body is; what is no UTF-8 in it is kept as lone surrogates, as elsewhere.

    Raises:
        Refusal: it is none.
    """
    try:
        found = json.loads(body.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise Refusal(
            400, "bad-json", f"the body is no JSON: {str(error)[:_SHOWN]}", remedy="Send a JSON object"
        ) from None
    if not isinstance(found, dict):
        raise _invalid("the body is no JSON object")
    return found


def read_query(query: bytes) -> dict[str, str]:
    """The parameters of a query, each given once. Raises Refusal."""
    try:
        pairs = parse_qsl(
            query.decode("latin-1"),
            keep_blank_values=True,
            errors="surrogateescape",
            max_num_fields=MOST_PARAMETERS,
        )
    except ValueError:
        raise _invalid("the query has too many parameters") from None
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _invalid("the query has a parameter twice")
    return found


def parse(model: type[Asked], fields: Mapping[str, Any]) -> Asked:
    """What fields ask for. Raises Refusal."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        more = error.error_count() - 1
        where = ".".join(str(part) for part in first["loc"])[:_SHOWN]
        what = f"{first['msg'][:_SHOWN]}{f', and {more} more' if more else ''}"
        raise _invalid(what, where) from None


def _invalid(what: str, where: str = "") -> Refusal:
    return Refusal(
        INVALID, "invalid", what, where=where, remedy="GET /openapi.json describes what is understood"
    )
