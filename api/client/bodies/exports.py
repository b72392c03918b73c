"""Exports: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

ExportBody = TypedDict(
    "ExportBody",
    {
        "kind": str,
        "format": Literal["csv", "xlsx", "ndjson", "parquet", "hledger"],
        "from": NotRequired[str | None],
        "to": NotRequired[str | None],
        "currency": NotRequired[str | None],
        "clock": NotRequired[Literal["recorded", "effective"]],
        "table": NotRequired[str | None],
        "parameters": NotRequired[dict[str, str]],
    },
)
