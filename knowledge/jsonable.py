"""From frozen dataclasses to JSON values: what ledger, catalog and command line write."""

from __future__ import annotations

from typing import Any

_SCALARS = frozenset({str, int, float, bool, type(None)})


def to_json(value: object) -> Any:
    """The JSON value of a dataclass, with its fields in their order, and of what it holds.

    Neither ``dataclasses.asdict`` nor pydantic: the first copies every text and number, the second costs
    more to import than the rest of a dispatch.

    Raises:
        TypeError: there is something in it that has no place in JSON.
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is tuple or kind is list:
        return [to_json(item) for item in value]  # type: ignore[attr-defined]  # it is one of the two
    if kind is dict:
        return {key: to_json(item) for key, item in value.items()}  # type: ignore[attr-defined]  # likewise
    try:
        names = kind.__dataclass_fields__  # type: ignore[attr-defined]  # where there are none: TypeError
    except AttributeError:
        raise TypeError(f"not a JSON value: {value!r}") from None
    return {name: to_json(getattr(value, name)) for name in names}
