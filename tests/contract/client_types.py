"""Writes the client's types: models of answers, typed dictionaries of bodies, one refusal for each code."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from api import errors
from tests.contract.schema import annotation, argument, class_name, reached, references, sentence

MADE = "Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."
IMPORTS = (
    "from datetime import datetime",
    "from typing import Any, Literal",
    "from pydantic import Field",
    "from ..answer import Answer",
)
BODY_IMPORTS = ("from typing import Any, Literal, NotRequired, TypedDict",)
Operation = tuple[str, str, Mapping[str, Any]]
Writer = Callable[[str, Mapping[str, Any]], str]


def head(title: str, *lines: str) -> str:
    """The beginning of a written file."""
    return "\n".join([f'"""{title} {MADE}"""', "", "from __future__ import annotations", "", *lines, ""])


def answers_of(operation: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """Each success with a JSON body: status to schema."""
    found = {}
    for status, response in operation["responses"].items():
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and schema and ("$ref" in schema or "anyOf" in schema):
            found[int(status)] = schema
    return found


EVIDENCE: Final = ("Pack", "PublicKey")
"""How the names of what an evidence pack is made of begin."""

PROBLEMS: Final = ("Problem", "FieldError", "ItemProblem")
"""What any call may answer."""


def streamed_item(operation: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of what a stream of events sends, None for a call that is none."""
    content = operation["responses"].get("200", {}).get("content", {}).get("text/event-stream", {})
    data = content.get("itemSchema", {}).get("properties", {}).get("data", {})
    found: Mapping[str, Any] | None = data.get("contentSchema")
    return found


def models(document: Mapping[str, Any], operations: Iterable[Operation]) -> dict[str, str]:
    """The files of models/: one for each heading of the document, of reads apart, `shared` for what several need."""
    parts = [
        (f"{told['tags'][0]}_shown" if method == "GET" else told["tags"][0], list(answers_of(told).values()))
        for method, _, told in operations
    ]
    place = _places(document, parts)
    place |= {name: "evidence" for name in place if name.startswith(EVIDENCE)}
    place |= dict.fromkeys(PROBLEMS, "problems") | {"CloudEvent": "shared"}
    return _package(document, place, "models", IMPORTS, _model)


def bodies(document: Mapping[str, Any], operations: Iterable[Operation]) -> dict[str, str]:
    """The files of bodies/: one for each heading, `shared` for what several need."""
    parts = [(told["tags"][0], told.get("requestBody", {})) for _, _, told in operations]
    schemas = document["components"]["schemas"]
    place = {name: topic for name, topic in _places(document, parts).items() if schemas[name].get("properties")}
    return _package(document, place, "bodies", BODY_IMPORTS, _body)


def _places(document: Mapping[str, Any], parts: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Schema to the file it goes to."""
    users: dict[str, set[str]] = {}
    for topic, part in parts:
        for name in reached(document, part):
            users.setdefault(name, set()).add(topic.replace("-", "_"))
    return {name: next(iter(topics)) if len(topics) == 1 else _common(name) for name, topics in users.items()}


def _common(name: str) -> str:
    """The file of what calls under several headings need: what is proposed apart, since all of it is alike, and what is
    said of a gaming day.
    """
    if name.startswith("Proposed"):
        return "proposals"
    return "reconciled" if "Reconciliation" in name or name in {"SignedPool", "RecordedBreak"} else "shared"


def _package(
    document: Mapping[str, Any], place: Mapping[str, str], package: str, imports: tuple[str, ...], write: Writer
) -> dict[str, str]:
    schemas = document["components"]["schemas"]
    files = {}
    for topic in sorted(set(place.values())):
        names = [name for name in _in_order(document, place) if place[name] == topic]
        text = "\n\n\n".join(write(class_name(name), schemas[name]) for name in names)
        used = [line for line in imports if any(word in text for word in line.partition("import ")[2].split(", "))]
        others = {one for name in names for one in references(schemas[name]) if place.get(one, topic) != topic}
        used += [f"from .{place[one]} import {class_name(one)}" for one in sorted(others)]
        files[f"{package}/{topic}.py"] = head(f"{topic.replace('_', ', ').capitalize()}: {package}.", *used, "", text)
    lines = [f"from .{place[name]} import {class_name(name)}" for name in sorted(place, key=class_name)]
    every = ", ".join(f'"{one}"' for one in sorted(class_name(name) for name in place))
    files[f"{package}/__init__.py"] = head(f"All {package}.", *lines, "", f"__all__ = [{every}]")
    return files


def _in_order(document: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Each after those that it refers to."""
    done: list[str] = []

    def put(name: str) -> None:
        for one in sorted(set(references(document["components"]["schemas"][name])) - {name}):
            if one not in done:
                put(one)
        if name not in done:
            done.append(name)

    for name in sorted(names):
        put(name)
    return done


def _model(name: str, schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    lines = [f"class {name}(Answer):", *_doc(schema.get("description") or f"{name}.")]
    for field, part in schema.get("properties", {}).items():
        kind = annotation(part, is_answer=True)
        alias = f'alias="{field}"' if argument(field) != field else ""
        if field in required:
            lines.append(f"    {argument(field)}: {kind}" + (f" = Field({alias})" if alias else ""))
        else:
            kind = kind if kind == "Any" or "None" in kind.split(" | ") else f"{kind} | None"
            lines.append(f"    {argument(field)}: {kind} = " + (f"Field(None, {alias})" if alias else "None"))
    return "\n".join(lines)


def _doc(text: str, indent: str = "    ") -> list[str]:
    lines = textwrap.wrap(sentence(text), 108)
    if len(lines) == 1:
        return [f'{indent}"""{lines[0]}"""', ""]
    return [f'{indent}"""{lines[0]}', *(f"{indent}{line}" for line in lines[1:]), f'{indent}"""', ""]


def _body(name: str, schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    kinds = {field: annotation(part, is_answer=False) for field, part in schema["properties"].items()}
    said = {field: kind if field in required else f"NotRequired[{kind}]" for field, kind in kinds.items()}
    if any(keyword.iskeyword(field) for field in said):
        inner = ", ".join(f'"{field}": {kind}' for field, kind in said.items())
        return f'{name} = TypedDict("{name}", {{{inner}}})'
    fields = [f"    {field}: {kind}" for field, kind in said.items()]
    return "\n".join([f"class {name}(TypedDict):", *_doc(schema.get("description") or f"{name}."), *fields])


def refusals() -> str:
    """refusals.py: a class for each code."""
    codes = dict.fromkeys(cls.code for cls in errors.STATUS)
    named = {code: "".join(word.title() for word in code.split("_")) for code in codes}
    classes = [f'class {name}(Refused):\n    """{errors.TITLES[code]}."""' for code, name in named.items()]
    every = ", ".join(f'"{name}"' for name in sorted(named.values()))
    table = "\n".join(f'    "{code}": {name},' for code, name in named.items())
    return head(
        "Refusals by their code.",
        "from collections.abc import Mapping",
        "from typing import Final",
        "",
        "from .faults import Refused",
        "",
        f"__all__ = [{every}]",
        "",
        "\n\n\n".join(classes),
        "",
        f"BY_CODE: Final[Mapping[str, type[Refused]]] = {{\n{table}\n}}",
        '"""A code to its class; one that is not here is a Refused."""',
    )
