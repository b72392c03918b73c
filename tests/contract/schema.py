"""What the client's generator knows of a schema: which parts it is made of, and what it is in Python."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any

PREFIX = "#/components/schemas/"


def class_name(name: str) -> str:
    """A schema's name as a class: `Page_AccountLine_` is AccountLinePage."""
    page = re.fullmatch(r"Page_(\w+)_", name)
    return f"{page[1]}Page" if page else name.replace("_", "")


def references(node: Any) -> Iterator[str]:
    """Every schema that a part of the document refers to, itself alone."""
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].removeprefix(PREFIX)
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def reached(document: Mapping[str, Any], node: Any) -> set[str]:
    """Every schema that a part of the document needs, through others too."""
    found: set[str] = set()
    waiting = list(references(node))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += references(document["components"]["schemas"][name])
    return found


def enums_inlined(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with each schema that only lists values put where it is referred to."""
    lists = {
        PREFIX + name: {key: value for key, value in schema.items() if key in {"type", "enum"}}
        for name, schema in document["components"]["schemas"].items()
        if "enum" in schema
    }

    def inlined(node: Any) -> Any:
        if isinstance(node, dict):
            found = lists.get(node.get("$ref", ""))
            return found or {key: inlined(value) for key, value in node.items()}
        return [inlined(one) for one in node] if isinstance(node, list) else node

    done: dict[str, Any] = inlined(document)
    return done


def annotation(schema: Mapping[str, Any], *, is_answer: bool) -> str:
    """The Python type. Texts of an answer with known values are open: a later version may know more of them."""
    if "$ref" in schema:
        return class_name(schema["$ref"].removeprefix(PREFIX))
    if "anyOf" in schema or "oneOf" in schema:
        parts = [annotation(one, is_answer=is_answer) for one in schema.get("anyOf") or schema["oneOf"]]
        return " | ".join([part for part in dict.fromkeys(parts) if part != "None"] + ["None"] * ("None" in parts))
    if "enum" in schema or "const" in schema:
        values = ", ".join(repr(value) for value in schema.get("enum", [schema.get("const")]))
        return f"Literal[{values}]".replace("'", '"') + (" | str" if is_answer and "'" in values else "")
    match schema.get("type"):
        case "string":
            return "datetime" if is_answer and schema.get("format") == "date-time" else "str"
        case "integer":
            return "int"
        case "number":
            return "float"
        case "boolean":
            return "bool"
        case "null":
            return "None"
        case "array":
            return f"list[{annotation(schema.get('items', {}), is_answer=is_answer)}]"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"dict[str, {annotation(schema['additionalProperties'], is_answer=is_answer)}]"
        case "object" if schema.get("patternProperties"):
            (one,) = schema["patternProperties"].values()
            return f"dict[str, {annotation(one, is_answer=is_answer)}]"
        case "object":
            return "dict[str, Any]"
        case _:
            return "Any"


def argument(name: str) -> str:
    """A parameter's name in Python."""
    clean = name.replace("-", "_").lower()
    return f"{clean}_" if keyword.iskeyword(clean) else clean


def sentence(text: str) -> str:
    """A docstring that cannot end early."""
    clean = " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''")
    return clean if not clean.endswith('"') else f"{clean} "
