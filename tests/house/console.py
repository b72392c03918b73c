"""Reads and runs the console examples of the documentation. docs/README.md tells writers how to mark them.

A block opens with ```` ```console ```` and tags. `$ ` begins a command, `> ` continues it, what follows is its output;
a line of `...` stands for any lines. Tags: `run` (executed by the tests), `needs=service` (handed to a test that has
a running service), `compare=json` (each output line is compared as JSON, so spaces and order of keys are free),
`exit=2` (the exit code of the block's last command; the others end with 0).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<info>[^`]*)$")
KNOWN_TAGS = {"run", "needs", "compare", "exit"}
COMMAND_SECONDS_MAX = 300
ANY_LINES = "..."


class Wrong(AssertionError):
    """An example that is badly written, or whose output is not what the page says. Takes the message's lines."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


@dataclass(slots=True)
class Step:
    """One command and the lines that the page says it prints."""

    command: str
    expected: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Block:
    """One console block of a page."""

    page: str
    line: int
    tags: dict[str, str]
    steps: list[Step]

    @property
    def is_run(self) -> bool:
        """Whether it is executed with nothing but the checkout."""
        return "run" in self.tags and "needs" not in self.tags

    @property
    def needs(self) -> str | None:
        """What must be running first, such as `service`."""
        return self.tags.get("needs")

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def fences(text: str) -> list[tuple[int, str, list[str]]]:
    """Each fenced block: line number of its fence, its info string, its lines."""
    found: list[tuple[int, str, list[str]]] = []
    closing = indent = ""
    for number, line in enumerate(text.splitlines(), start=1):
        fence = FENCE.match(line)
        if closing:
            if line.strip() == closing:
                closing = ""
            else:
                found[-1][2].append(line.removeprefix(indent))
        elif fence:
            closing, indent = fence["ticks"], fence["indent"]
            found.append((number, fence["info"].strip(), []))
    if closing:
        raise Wrong(f"line {found[-1][0]}: the block is never closed")
    return found


def console_blocks(page: str, text: str) -> list[Block]:
    """The console blocks of a page, run or not; Wrong when one is badly written."""
    blocks = []
    for line, info, lines in fences(text):
        language, *words = info.split() or [""]
        if language == "console":
            where = f"{page}:{line}"
            blocks.append(Block(page, line, _tags(where, words), _steps(where, lines)))
    return blocks


def _tags(where: str, words: list[str]) -> dict[str, str]:
    tags = {name: value for name, _, value in (word.partition("=") for word in words)}
    if not tags.keys() <= KNOWN_TAGS:
        raise Wrong(f"{where}: unknown tag in {words}, there are {sorted(KNOWN_TAGS)}")
    return tags


def _steps(where: str, lines: list[str]) -> list[Step]:
    steps: list[Step] = []
    for line in lines:
        if line.startswith("$ "):
            steps.append(Step(line[2:]))
        elif not steps:
            raise Wrong(f"{where}: output before the first command")
        elif line.startswith("> ") and not steps[-1].expected:
            steps[-1].command += "\n" + line[2:]
        else:
            steps[-1].expected.append(line)
    if not steps:
        raise Wrong(f"{where}: no command, each begins with '$ '")
    return steps


def environment(home: Path, **more: str) -> dict[str, str]:
    """What an example may count on: this environment's commands, an empty home, no colours."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "120", **more}


def run_block(block: Block, folder: Path, env: dict[str, str]) -> None:
    """Runs the commands in order, Wrong at the first whose output or exit code differs from the page."""
    for step in block.steps:
        is_last = step is block.steps[-1]
        code = int(block.tags.get("exit", "0")) if is_last else 0
        done = subprocess.run(
            ["bash", "-c", step.command],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_SECONDS_MAX,
        )
        printed = (done.stdout + done.stderr).splitlines()
        if done.returncode != code or not agree(step.expected, printed, as_json=block.tags.get("compare") == "json"):
            raise Wrong(
                f"{block}: $ {step.command}",
                f"the page says (exit {code}):",
                *step.expected,
                f"it printed (exit {done.returncode}):",
                *printed,
            )


def agree(expected: list[str], printed: list[str], *, as_json: bool = False) -> bool:
    """Whether the lines are those of the page, `...` standing for any number of lines, none included."""
    if not expected:
        return not printed
    if expected[0] == ANY_LINES:
        return any(agree(expected[1:], printed[skip:], as_json=as_json) for skip in range(len(printed) + 1))
    if not printed or not _same(expected[0], printed[0], as_json):
        return False
    return agree(expected[1:], printed[1:], as_json=as_json)


def _same(expected: str, printed: str, as_json: bool) -> bool:
    if as_json:
        try:
            return bool(json.loads(expected) == json.loads(printed))
        except ValueError:
            return False
    return expected.rstrip() == printed.rstrip()
