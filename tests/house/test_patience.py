"""No call of a test over the network gives up after the client's own five seconds, and no test gives a command less
than two minutes: machines are busy now and then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
COMMANDS = {"run", "communicate"}
COMMAND_SECONDS = 120
CALLS = {"get", "post", "put", "patch", "delete", "request", "stream", "Client"}


def impatient(text: str) -> Iterator[int]:
    """The lines where httpx2 is called without a timeout of the test's own, or a command is given little time."""
    for call in ast.walk(ast.parse(text)) if "httpx2." in text or "subprocess." in text else ():
        match call:
            case ast.Call(func=ast.Attribute(attr=name), keywords=named) if name in COMMANDS:
                given = [
                    each.value.value for each in named if each.arg == "timeout" and type(each.value) is ast.Constant
                ]
                if any(seconds < COMMAND_SECONDS for seconds in given if isinstance(seconds, int | float)):
                    yield call.lineno
            case ast.Call(func=ast.Attribute(value=ast.Name(id="httpx2"), attr=name), keywords=named) if name in CALLS:
                if not {"timeout", "transport"} & {each.arg for each in named}:
                    yield call.lineno


def test_a_call_says_how_long_it_waits() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path in sorted(TESTS.rglob("*.py"))
        for line in impatient(path.read_text("utf-8"))
    ]
    assert found == []


def test_one_that_does_not_is_found() -> None:
    assert list(impatient("import httpx2\nhttpx2.get(url)\nhttpx2.Client(timeout=9)\n")) == [2]
    assert list(impatient("import subprocess\nsubprocess.run([], timeout=60)\none.communicate(timeout=300)\n")) == [2]
