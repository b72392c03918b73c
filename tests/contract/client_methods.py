"""Writes the client's methods: one for each operation of the document, and an iterator for each that turns pages."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from tests.contract.client_types import Operation, answers_of, head, streamed_item
from tests.contract.schema import PREFIX, annotation, argument, class_name, sentence


def methods(document: Mapping[str, Any], operations: Iterable[Operation]) -> dict[str, str]:
    """The files of methods/, one class for each heading of the document."""
    by_tag: dict[str, list[Operation]] = {}
    for one in operations:
        by_tag.setdefault(one[2]["tags"][0], []).append(one)
    files = {f"methods/{argument(tag)}.py": _file(document, tag, calls) for tag, calls in by_tag.items()}
    names = {argument(tag): _class(tag) for tag in sorted(by_tag)}
    imports = [f"from .{module} import {name}" for module, name in names.items()]
    bases = ", ".join(names.values())
    files["methods/__init__.py"] = head(
        "Every call.", *imports, "", f'class Methods({bases}):\n    """Every call of the API, as one method."""'
    )
    return files


def _class(tag: str) -> str:
    return "".join(word.title() for word in re.split(r"[-_]", tag)) + "Calls"


def _file(document: Mapping[str, Any], tag: str, calls: list[Operation]) -> str:
    text = "\n\n".join("\n".join(_method(document, *one)) for one in calls)
    wanted = {
        "from collections.abc import Iterator": "Iterator[",
        "from datetime import datetime": "datetime",
        "from typing import Literal, Unpack": "Literal|Unpack",
        "from .. import bodies as b": r"\bb\.",
        "from .. import models as m": r"\bm\.",
    }
    imports = [line for line, word in wanted.items() if re.search(word.replace("[", r"\["), text)]
    imports.append("from ..transport import Calls, path_id")
    title = f'    """Calls about {tag}."""'
    return head(f"Calls about {tag}.", *imports, "", f"class {_class(tag)}(Calls):\n{title}\n\n{text}")


def _method(document: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any]) -> list[str]:
    in_path = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"]
    url = re.sub(r"\{(\w+)\}", lambda found: f"{{path_id({argument(found[1])})}}", path)
    shown = f'f"{url}"' if in_path else f'"{url}"'
    given = ["self", *(f"{argument(name)}: str" for name in in_path)]
    title = sentence(f"{operation['summary']}. {operation.get('description', '').split(' The body may')[0]}".strip())
    doc = _documented(title)
    if method == "GET":
        return _read(document, operation, given, shown, doc)
    return _command(document, operation, given, f'"{method}", {shown}', doc)


def _documented(title: str) -> str:
    """A method's docstring, in lines of at most 120 characters."""
    whole = f'        """{title}"""'
    if len(whole) <= 120:
        return whole
    return "\n".join(["        " + line for line in textwrap.wrap(f'"""{title}', 100)] + ['        """'])


def _command(
    document: Mapping[str, Any], operation: Mapping[str, Any], given: list[str], where: str, doc: str
) -> list[str]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").removeprefix(PREFIX)
    fields = document["components"]["schemas"].get(name, {}).get("properties", {})
    assert not {argument(one) for one in fields} & {one.partition(":")[0] for one in given}, where
    keyed = any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", ()))
    named = ["idempotency_key: str | None = None"] if keyed else []
    named = ["*", *named] if named else []
    more = [f"**body: Unpack[b.{class_name(name)}]"] if fields else []
    kinds = {status: _kind(one) for status, one in answers_of(operation).items()}
    returned = " | ".join(dict.fromkeys(kinds.values()))
    tail = f"{where}, {'body' if fields else '{}'}, {'idempotency_key' if keyed else 'None'}"
    tail += "" if keyed else ", keyed=False"
    start = [f"    def {operation['operationId']}({', '.join([*given, *named, *more])}) -> {returned}:", doc]
    if len(set(kinds.values())) == 1 and " | " not in returned:
        return [*start, f"        return self._command({returned}, {tail})"]
    table = ", ".join(f"{status}: {kind}" for status, kind in kinds.items())
    return [*start, f"        answer: {returned} = self._answered({{{table}}}, {tail})", "        return answer"]


def _kind(schema: Mapping[str, Any]) -> str:
    """A model, or several."""
    kinds = [f"m.{class_name(_name(one))}" for one in schema.get("anyOf", [schema]) if "$ref" in one]
    return " | ".join(dict.fromkeys(kinds))


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).removeprefix(PREFIX)


def _read(document: Mapping[str, Any], operation: Mapping[str, Any], given: list[str], url: str, doc: str) -> list[str]:
    query = [one for one in operation.get("parameters", ()) if one["in"] == "query"]
    kinds = {one["name"]: annotation(one["schema"], is_answer=False) for one in query}
    kinds = {name: _moment(one["schema"], kinds[name]) for name, one in zip(kinds, query, strict=True)}
    named = [f"{argument(name)}: {kind} = None" for name, kind in kinds.items()]
    values = "{" + ", ".join(f'"{name}": {argument(name)}' for name in kinds) + "}"
    signature = ", ".join([*given, *(["*", *named] if named else [])])
    name = operation["operationId"]
    answers = answers_of(operation)
    if item := streamed_item(operation):
        returned = f"m.{class_name(_name(item))}"
        start = f"    def {name}({signature}) -> Iterator[{returned}]:"
        return [start, doc, f"        return self._stream({returned}, {url}, {values})"]
    if "application/octet-stream" in operation["responses"]["200"].get("content", {}):
        return [f"    def {name}({signature}) -> bytes:", doc, f"        return self._bytes({url}, {values})"]
    if not answers:
        return [f"    def {name}({signature}) -> str:", doc, f"        return self._text({url}, {values})"]
    if len(answers) > 1 or "anyOf" in next(iter(answers.values())):
        kinds_by_status = {status: _kind(one) for status, one in answers.items()}
        returned = " | ".join(dict.fromkeys(kinds_by_status.values()))
        start = f"    def {name}({signature}) -> {returned}:"
        return [start, doc, *_read_one_of(kinds_by_status, returned, url, values)]
    (schema,) = answers.values()
    kind = f"m.{class_name(_name(schema))}"
    lines = [f"    def {name}({signature}) -> {kind}:", doc, f"        return self._read({kind}, {url}, {values})"]
    fields = document["components"]["schemas"][_name(schema)]["properties"]
    if "cursor" not in kinds or "items" not in fields:
        return lines
    return [*lines, "", *_iterator(operation, given, named, annotation(fields["items"]["items"], is_answer=True))]


def _read_one_of(kinds: Mapping[int, str], returned: str, url: str, values: str) -> list[str]:
    """A read whose answers differ by their status, or are one of several models."""
    table = ", ".join(f"{status}: {kind}" for status, kind in kinds.items())
    return [f"        answer: {returned} = self._read_any({{{table}}}, {url}, {values})", "        return answer"]


def _moment(schema: Mapping[str, Any], kind: str) -> str:
    """A parameter may be left out; a time may be one of Python's."""
    parts = schema.get("anyOf", [schema])
    kind = kind if "None" in kind.split(" | ") else f"{kind} | None"
    return kind.replace("str", "datetime | str") if any(one.get("format") == "date-time" for one in parts) else kind


def _iterator(operation: Mapping[str, Any], given: list[str], named: list[str], item: str) -> list[str]:
    """The same, item by item through all pages."""
    name = operation["operationId"]
    kept = [one for one in named if not one.startswith("cursor:")]
    passed = [one.partition(":")[0] for one in given[1:]]
    passed += [f"{one.partition(':')[0]}={one.partition(':')[0]}" for one in kept]
    call = f"self.{name}({', '.join([*passed, 'cursor=cursor'])})"
    each = f"each_{name.partition('_')[2]}"
    return [
        f"    def {each}({', '.join([*given, '*', *kept])}) -> Iterator[m.{item}]:",
        f'        """{sentence(operation["summary"])}, item by item through all pages."""',
        "        cursor = None",
        "        while True:",
        f"            page = {call}",
        "            yield from page.items",
        "            cursor = page.next",
        "            if cursor is None:",
        "                return",
    ]
