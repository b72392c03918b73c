"""The files of deploy/, read as their readers read them."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

from tests.house.tree import ROOT

DEPLOY: Final = ROOT / "deploy"
_ASSIGNED: Final = re.compile(r"^(#?)([A-Z][A-Z0-9_]+)=(.*)$")
_VARIABLE: Final = re.compile(r"\$\{([A-Z_]+)(?::([-?])([^}]*))?\}")


def example() -> dict[str, str]:
    """The variables of environment.example with what stands there, those behind a # too."""
    lines = (DEPLOY / "environment.example").read_text("utf-8").splitlines()
    return {found[2]: found[3] for found in map(_ASSIGNED.match, lines) if found}


def compose() -> dict[str, Any]:
    """compose.yaml."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def variables(text: str) -> set[str]:
    """The variables that a text of compose.yaml takes from the environment file."""
    return {found[1] for found in _VARIABLE.finditer(text)}


def filled(text: str, environ: dict[str, str]) -> str:
    """A value of compose.yaml as compose would hand it on; KeyError for a variable that must be set and is not."""

    def value(found: re.Match[str]) -> str:
        if given := environ.get(found[1]):
            return given
        if found[2] != "-":
            raise KeyError(found[1])
        return found[3]

    return _VARIABLE.sub(value, text)
