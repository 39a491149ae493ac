"""From frozen dataclasses to JSON values: what ledger, catalog and command line write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def to_json(value: object) -> Any:
    """The JSON value of a dataclass, with its fields in their order, and of what it holds.

    Neither ``dataclasses.asdict`` nor pydantic: the first keeps tuples and copies every value, the second
    would add 100 ms to a dispatch.

    Raises:
        TypeError: there is something in it that has no place in JSON.
    """
    if value is None or isinstance(value, str | int | float):  # enumerations of texts are texts
        return value
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    names = getattr(type(value), "__dataclass_fields__", None)
    if names is None:
        raise TypeError(f"not a JSON value: {value!r}")
    return {name: to_json(getattr(value, name)) for name in names}
