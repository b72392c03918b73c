"""Every fault of this folder, in order of its code: a module `fNN_name.py` that ends with `FAULT`."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Final

from tests.faults.fault import Fault

_MODULE: Final = re.compile(r"f\d\d_[a-z_]+")


def catalogue() -> list[Fault]:
    """All of them. Raises ValueError when two carry the same code or one does not match its file."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("f*.py") if _MODULE.fullmatch(path.stem))
    found: list[Fault] = []
    for name in names:
        fault: Fault = importlib.import_module(f"tests.faults.{name}").FAULT
        if fault.code.lower() != name[:3] or any(one.code == fault.code for one in found):
            raise ValueError(f"{name}.py holds {fault.code}: one file for each fault, named after it")
        found.append(fault)
    return found


def chosen(codes: str | None) -> list[Fault]:
    """Those named, such as `F01,F02`, in that order; all when nothing is named. ValueError for a code not there."""
    every = {one.code: one for one in catalogue()}
    if codes is None:
        return list(every.values())
    wanted = dict.fromkeys(code.strip().upper() for code in codes.split(",") if code.strip())
    if unknown := wanted.keys() - every.keys():
        known = " ".join(sorted(every))
        raise ValueError(f"--only: no such fault {' '.join(sorted(unknown))}; there are {known}")
    return [every[code] for code in wanted]
