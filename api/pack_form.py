"""The form of an evidence pack as JSON Schema: published in docs/schemas, and served at the same place."""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter

from services.evidence.pack import Pack

PLACE: Final = "/docs/schemas/evidence-pack-v1.json"
SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The form of a pack, version 1 (JSON Schema 2020-12)."""
    made = TypeAdapter(Pack).json_schema(mode="serialization")
    _closed(made)
    return {"$schema": SCHEMA, "$id": "urn:studbook:evidence-pack:1", "title": "Evidence pack of a round", **made}


def _closed(one: Any) -> None:
    """Let no object of the schema have members that it does not name."""
    if isinstance(one, dict):
        if "properties" in one:
            one["additionalProperties"] = False
        for part in one.values():
            _closed(part)
    elif isinstance(one, list):
        for part in one:
            _closed(part)
