"""The OpenAPI document: FastAPI's for the reads, the command table's rows for everything that changes something."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from api.auth import ROLES, Requires
from api.auth_gate import TOKEN_PATH, open_path
from api.errors import status_of
from api.examples import show_all
from api.openapi_webhooks import webhooks
from api.operations import name_all
from api.route_table import CommandRoute
from api.schemas.problems import Problem
from domain.errors import Invalid, Refusal, Unavailable

VERSION: Final = "3.2.0"
"""The first that can describe the items of a stream."""

PROBLEM_REF: Final = "#/components/schemas/Problem"
REF: Final = "#/components/schemas/{model}"
_PARAM: Final = re.compile(r"\{([a-z_]+)\}")

ALWAYS: Final = {
    400: "The body is no JSON object, or Idempotency-Key is missing",
    401: "No key, or one that is unknown or revoked",
    403: "The key may not do this",
    413: "The body is too large",
    422: "A field is wrong; `field` names it",
    503: "Not now: nothing happened, or it is not known yet; send the same request again",
}


DEFAULT: Final = "Any other refusal: 405, 408, 429, 431, or a fault of ours (500)"


def document(app: FastAPI, reads: Iterable[APIRouter], routes: Iterable[CommandRoute[Any]]) -> dict[str, Any]:
    """The whole document, made once: the reads that `app` serves, and the rows of the command table."""
    made = FastAPI.openapi(app)  # the framework's own, whatever stands in its place by now
    made["openapi"] = VERSION
    schemas = made.setdefault("components", {}).setdefault("schemas", {})
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    _schema(Problem, schemas)
    made["components"]["securitySchemes"] = _security()
    made["security"] = [{"key": []}, {"token": []}]
    made["webhooks"] = webhooks(REF.format(model="CloudEvent"))
    _tell_roles(reads, made)
    for path, operations in made.get("paths", {}).items():
        for operation in operations.values():
            if open_path(path):
                _open_to_all(operation)
            else:
                _problems(operation)
    for route in routes:
        made.setdefault("paths", {}).setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    name_all(made)
    show_all(made)
    return made


def _security() -> dict[str, Any]:
    """A key, or a token that it was exchanged for; a token's scopes are roles."""
    scopes = {role: f"what the role {role} may do" for role in sorted(ROLES)}
    flow = {"tokenUrl": TOKEN_PATH, "scopes": scopes}
    return {
        "key": {"type": "http", "scheme": "bearer"},
        "token": {"type": "oauth2", "flows": {"clientCredentials": flow}},
    }


def _tell_roles(reads: Iterable[APIRouter], made: dict[str, Any]) -> None:
    """Each read's description says who may make it."""
    for route in [one for router in reads for one in router.routes]:
        if isinstance(route, APIRoute):
            needed = [one.call.roles for one in route.dependant.dependencies if isinstance(one.call, Requires)]
            for roles in needed:
                made["paths"][route.path]["get"]["description"] = _roles(roles)


def _roles(roles: Iterable[str]) -> str:
    return f"Roles: {', '.join(sorted(roles))}."


def _problems(operation: dict[str, Any]) -> None:
    """FastAPI's own 422 gives way to the problem document that is really sent."""
    responses = operation["responses"]
    for status in (401, 403, 404, 422, 503):
        responses[str(status)] = _problem(ALWAYS.get(status, "No such object"))
    responses["default"] = _problem(DEFAULT)
    operation["responses"] = dict(sorted(responses.items()))


def _open_to_all(operation: dict[str, Any]) -> None:
    """Health needs no key, and its own answers stand."""
    operation["security"] = []
    operation["responses"].update({"422": _problem(ALWAYS[422]), "default": _problem(DEFAULT)})


def _operation(route: CommandRoute[Any], schemas: dict[str, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {str(route.success): _success(route, schemas)}
    if route.proposal is not None:
        responses["202"] = _proposed(route.proposal, schemas)
    if route.repeats:
        responses["200"] = deepcopy(responses[str(route.success)]) | {"description": "Served before"}
    for status, text in ALWAYS.items():
        responses[str(status)] = _problem(text)
    codes: dict[int, list[str]] = {}
    refusals: tuple[type[Refusal], ...] = (*route.refusals, Invalid, Unavailable)
    for refusal in refusals:
        codes.setdefault(status_of(refusal("")), []).append(refusal.code)
    for status, names in codes.items():
        responses[str(status)] = _problem(f"{ALWAYS.get(status, 'Refused')}: {', '.join(sorted(set(names)))}")
    responses["default"] = _problem(DEFAULT)
    return {
        "operationId": _operation_id(route),
        "summary": route.summary,
        "description": f"{_roles(route.roles)} The body may have {route.body_limit} bytes.",
        "tags": [route.path.split("/")[2]],
        "parameters": [*_path_parameters(route.path), *_key_parameters(route)],
        "requestBody": {
            "required": not route.body_optional,
            "content": {"application/json": {"schema": _schema(route.body, schemas)}},
        },
        "responses": dict(sorted(responses.items())),
    }


def _operation_id(route: CommandRoute[Any]) -> str:
    words = [part for part in route.path.split("/")[2:] if not part.startswith("{")]
    return "_".join([route.method.lower(), *words]).replace("-", "_")


def _path_parameters(path: str) -> list[dict[str, Any]]:
    pattern = "^[A-Za-z0-9_.:@-]{1,64}$"
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": pattern}}
        for name in _PARAM.findall(path)
    ]


def _key_parameters(route: CommandRoute[Any]) -> list[dict[str, Any]]:
    if route.method == "DELETE":  # the same once more does no more
        return []
    parameter = {
        "name": "Idempotency-Key",
        "in": "header",
        "required": route.key_required,
        "description": (
            "Names this request for ever: sent again it gets the first answer, byte by byte."
            if route.key_required
            else "With `/` and its number behind it the key of each item that has none of its own."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    }
    return [parameter]


def _success(route: CommandRoute[Any], schemas: dict[str, Any]) -> dict[str, Any]:
    schema = {} if route.answer is None else {"schema": _schema(route.answer, schemas, "serialization")}
    content = {"application/json": schema} if schema else {}
    headers: dict[str, Any] = {
        "Idempotency-Replayed": {
            "description": "true on an answer that was given before", "schema": {"type": "string"},
        }
    }  # fmt: skip
    if route.located:
        headers["Location"] = {
            "description": "Where to read what was made", "schema": {"type": "string"},
        }  # fmt: skip
    return {"description": "Done, and durable", "headers": headers, "content": content}


def _proposed(kind: type[Any], schemas: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": _schema(kind, schemas, "serialization")}}
    text = "Proposed, nothing moved yet: with `four_eyes` `strict` another person's key completes it"
    return {"description": text, "content": content}


def _schema(kind: Any, schemas: dict[str, Any], mode: JsonSchemaMode = "validation") -> dict[str, Any]:
    """A reference to the type's schema, or to those that it is one of; its parts put among the components.

    A read and a command may call their answers alike: then the command's gets a name of its own.
    """
    made = TypeAdapter(kind).json_schema(ref_template=REF, schema_generator=_Schemas, mode=mode)
    parts = made.pop("$defs", {})
    if isinstance(kind, type):
        parts[kind.__name__] = made
        made = {"$ref": REF.format(model=kind.__name__)}
    names = {name: _free_name(name, part, schemas) for name, part in parts.items()}
    refs = {REF.format(model=old): REF.format(model=new) for old, new in names.items()}
    for name, part in parts.items():
        schemas[names[name]] = _renamed(part, refs)
    found: dict[str, Any] = _renamed(made, refs)
    return found


class _Schemas(GenerateJsonSchema):
    """Of an answer every field is there, those with a default too."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Whether a field is named among the required ones."""
        return self.mode == "serialization" or super().field_is_required(field, total)


def _free_name(name: str, part: dict[str, Any], schemas: dict[str, Any]) -> str:
    """`name`, unless another schema has it."""
    return name if schemas.get(name, part) == part else f"Done{name}"


def _renamed(node: Any, refs: dict[str, str]) -> Any:
    """The schema with each reference led to the name that its part got."""
    if isinstance(node, dict):
        return {key: refs[value] if key == "$ref" else _renamed(value, refs) for key, value in node.items()}
    return [_renamed(one, refs) for one in node] if isinstance(node, list) else node


def _problem(text: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/problem+json": {"schema": {"$ref": PROBLEM_REF}}}}
