"""What of a new OpenAPI document would break a client that was written from the old one.

Demands may only shrink, answers may only grow: a path, parameter, field or value that is gone, a new demand, a
narrower limit or another type is incompatible; a new path, an optional parameter, a new field of an answer is not.
An answer's texts with known values are open (our clients take others), so a new value is not either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]
LOWER = ("minimum", "minLength", "minItems")
UPPER = ("maximum", "maxLength", "maxItems", "maxProperties")


def incompatible(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """One line for each break, the call or schema in front."""
    return [*Comparison(old, new).operations()]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two documents. A pair of schemas that refer to each other is looked at once."""

    old: Mapping[str, Any]
    new: Mapping[str, Any]
    seen: set[tuple[str, str, bool]] = field(default_factory=set)

    def operations(self) -> Iterator[str]:
        """Breaks of all calls."""
        for path, calls in self.old["paths"].items():
            for method, was in calls.items():
                call = f"{method.upper()} {path}"
                now = self.new["paths"].get(path, {}).get(method)
                if now is None:
                    yield f"{call}: is gone"
                    continue
                if was["operationId"] != now["operationId"]:
                    yield f"{call}: operationId is {now['operationId']}, was {was['operationId']}"
                yield from self._parameters(call, was, now)
                yield from self._body(call, was, now)
                yield from self._answers(call, was, now)

    def _parameters(self, call: str, was: Schema, now: Schema) -> Iterator[str]:
        before = {(one["in"], one["name"]): one for one in was.get("parameters", ())}
        after = {(one["in"], one["name"]): one for one in now.get("parameters", ())}
        for place, name in before.keys() - after.keys():
            yield f"{call}: parameter {name} of the {place} is gone"
        for key, one in after.items():
            if one.get("required") and not before.get(key, {}).get("required"):
                yield f"{call}: parameter {key[1]} is demanded"
            if key in before:
                yield from self._schema(f"{call}: {key[1]}", before[key]["schema"], one["schema"], is_answer=False)

    def _body(self, call: str, was: Schema, now: Schema) -> Iterator[str]:
        before, after = was.get("requestBody"), now.get("requestBody")
        if after is not None and after.get("required") and not (before or {}).get("required"):
            yield f"{call}: a body is demanded"
        for media, one in (before or {}).get("content", {}).items():
            other = (after or {}).get("content", {}).get(media)
            if other is None:
                yield f"{call}: takes no {media}"
            else:
                yield from self._schema(f"{call}: body", one["schema"], other["schema"], is_answer=False)

    def _answers(self, call: str, was: Schema, now: Schema) -> Iterator[str]:
        for status, one in was["responses"].items():
            other = now["responses"].get(status)
            if other is None and status.startswith("2"):
                yield f"{call}: never answers {status}"
            for media, content in one.get("content", {}).items() if other is not None else ():
                if media not in other.get("content", {}):
                    yield f"{call}: {status} is no {media}"
                    continue
                after = other["content"][media].get("schema", {})
                yield from self._schema(f"{call}: {status}", content.get("schema", {}), after, is_answer=True)

    def _schema(self, where: str, was: Schema, now: Schema, *, is_answer: bool) -> Iterator[str]:
        pair = (was.get("$ref", ""), now.get("$ref", ""), is_answer)
        if all(pair[:2]):
            if pair in self.seen:
                return
            self.seen.add(pair)
        was, now = _resolved(self.old, was), _resolved(self.new, now)
        yield from _kinds(where, _kinds_of(self.old, was), _kinds_of(self.new, now), is_answer=is_answer)
        yield from _limits(where, was, now, is_answer=is_answer)
        yield from self._fields(where, was, now, is_answer=is_answer)
        for name in ("items", "additionalProperties"):
            if isinstance(was.get(name), Mapping) and isinstance(now.get(name), Mapping):
                yield from self._schema(f"{where}[]", was[name], now[name], is_answer=is_answer)
        before, after = ([one for one in of.get("anyOf", ()) if one.get("type") != "null"] for of in (was, now))
        for one, other in zip(before, after, strict=False):
            yield from self._schema(where, one, other, is_answer=is_answer)

    def _fields(self, where: str, was: Schema, now: Schema, *, is_answer: bool) -> Iterator[str]:
        before, after = was.get("properties", {}), now.get("properties", {})
        demanded, promised = set(now.get("required", ())), set(was.get("required", ()))
        for name, one in before.items():
            if name not in after:
                yield f"{where}: {name} is gone"
                continue
            if is_answer and name in promised - demanded:
                yield f"{where}: {name} may be missing"
            if not is_answer and name in demanded - promised:
                yield f"{where}: {name} is demanded"
            yield from self._schema(f"{where}.{name}", one, after[name], is_answer=is_answer)
        if not is_answer:
            yield from (f"{where}: {name} is demanded" for name in sorted(demanded & (after.keys() - before.keys())))


def _resolved(document: Mapping[str, Any], schema: Schema) -> Schema:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _kinds_of(document: Mapping[str, Any], schema: Schema) -> set[str]:
    """The JSON types that a value may have; none where the schema does not say."""
    schema = _resolved(document, schema)
    if "anyOf" in schema:
        return set().union(*(_kinds_of(document, one) for one in schema["anyOf"]))
    kind = schema.get("type")
    return {kind} if isinstance(kind, str) else set(kind or ())


def _kinds(where: str, was: set[str], now: set[str], *, is_answer: bool) -> Iterator[str]:
    lost = (now - was if is_answer else was - now) if was and now else set()
    for kind in sorted(lost):
        yield f"{where}: " + (f"may be {kind}" if is_answer else f"takes no {kind}")


def _limits(where: str, was: Schema, now: Schema, *, is_answer: bool) -> Iterator[str]:
    if is_answer:
        return
    for value in was.get("enum", ()) if "enum" in now else ():
        if value not in now["enum"]:
            yield f"{where}: takes no {value}"
    for name in LOWER:
        if now.get(name, float("-inf")) > was.get(name, float("-inf")):
            yield f"{where}: {name} is {now[name]}, was {was.get(name)}"
    for name in UPPER:
        if now.get(name, float("inf")) < was.get(name, float("inf")):
            yield f"{where}: {name} is {now[name]}, was {was.get(name)}"
    if now.get("pattern", was.get("pattern")) != was.get("pattern"):
        yield f"{where}: pattern is {now['pattern']}, was {was.get('pattern')}"
