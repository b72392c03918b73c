"""`studbook verify`: is the log whole, do the ledger's laws hold, are the read models what the events say?"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.commands.plain import plain
from domain.errors import Invalid

if TYPE_CHECKING:
    from api.main.auditing import Verification
    from services.audit import Finding
    from services.sealing import Checked

EPILOG = "Example: studbook verify --json"

BAD_FILES = ("file", "type", "keys")
"""Faults that are not of what is checked, but of what was given to check."""

CHECKS = (
    ("versions_and_chain", "chain", "positions, versions and hash chain are whole"),
    ("anchors_hold", "anchors", "anchors are whole, signed and continuous"),
    ("events_readable", "events", "every event can be read"),
    ("ledger_sums_to_zero", "ledger", "ledger sums to zero, laws and pool identities hold"),
    ("answers_kept", "answers", "answers that keys have served are those of the events"),
    ("read_models_equal_events", "models", "read models equal the events"),
)
"""Name in JSON, the check behind it, and what a person reads."""


def verify(
    file: Annotated[
        Path | None, typer.Argument(help="A pack, seal or proof, checked without a database. None: the database.")
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    anchor_dir: Annotated[
        Path | None, typer.Option(help="The folder of anchors.", envvar="STUDBOOK_ANCHOR_DIR")
    ] = None,
    anchor_keys: Annotated[
        Path | None,
        typer.Option(help="Public keys (JWK set) that anchors, seals, proofs and packs must be signed with."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Check the whole database against its events; exit code 1 when something does not hold. May run beside `serve`."""
    if file is not None:
        _verify_file(file, anchor_keys, as_json)
        return
    from api.commands.progress import bar
    from api.main.auditing import verify as run

    if anchor_dir is not None:
        os.environ["STUDBOOK_ANCHOR_DIR"] = str(anchor_dir)
    with bar() as progress:
        found = run(database_url, data_dir, progress, anchor_keys)
    typer.echo(json.dumps(_as_json(found)) if as_json else _as_text(found))
    if found.findings:
        sys.exit(1)


def _verify_file(file: Path, keys: Path | None, as_json: bool) -> None:
    """A document by itself; exit code 1 when it does not hold."""
    from api.commands import pack_shown
    from api.main.proving import check_file
    from services.evidence.checking import PackChecked

    try:
        kind, found = check_file(file, keys)
    except Invalid as fault:
        if fault.field in BAD_FILES:
            raise
        made = {"ok": False, "field": fault.field, "reason": fault.detail}
        typer.echo(json.dumps(made) if as_json else f"FAILED  {plain(fault.field)}: {plain(fault.detail)}")
        sys.exit(1)
    if isinstance(found, PackChecked):
        typer.echo(json.dumps({"type": kind, **pack_shown.as_json(found)}) if as_json else pack_shown.as_text(found))
        if not found.ok:
            sys.exit(1)
        return
    what = "" if found.round is None else f"round {plain(found.round)} is one of the "
    text = (
        f"     ok  {what}{found.rounds} rounds of {plain(found.operator)} on {plain(found.day)}\n"
        f"         signed by {plain(found.key)}: compare that name with the one that was published"
    )
    typer.echo(json.dumps({"ok": True, "type": kind, **_fields(found)}) if as_json else text)


def _fields(found: Checked) -> dict[str, object]:
    made = {
        "operator": found.operator, "day": found.day, "rounds": found.rounds, "root": found.root, "key": found.key,
    }  # fmt: skip
    return made if found.round is None else {**made, "round": found.round}


def _as_json(found: Verification) -> dict[str, object]:
    held = {name: all(one.check != check for one in found.findings) for name, check, _ in CHECKS}
    return {
        "ok": not found.findings,
        "events": found.audit.events,
        "entries": found.audit.entries,
        "head_hash": found.audit.head_hash,
        "anchors": found.witness.count,
        "anchored_position": found.witness.position,
        **held,
        "findings": [_finding(one) for one in found.findings],
        "skips": [{"model": one.model, "position": one.position, "by": one.decided_by} for one in found.skips],
    }


def _finding(one: Finding) -> dict[str, object]:
    made: dict[str, object] = {"check": one.check, "position": one.position, "reason": plain(one.reason)}
    return made if one.since is None else {**made, "since": one.since}


def _since(one: Finding) -> str:
    return "" if one.since is None else f" (changed from {one.since} on at the earliest)"


def _as_text(found: Verification) -> str:
    seen = found.audit
    lines = [f"{seen.events} events, {seen.entries} entries, head {seen.head_hash[:16]}, of {found.store}"]
    for _, check, text in CHECKS:
        bad = [one for one in found.findings if one.check == check]
        lines.append(f"{'FAILED' if bad else 'ok':>7}  {text}")
        lines += [f"         position {one.position}{_since(one)}: {plain(one.reason)}" for one in bad]
    if found.witness.folder is None:
        lines.append("   none  no anchors were given: a tail that was cut off, or a chain made anew, is not seen")
    lines += [
        f"skipped  position {one.position} by {plain(one.model)}, whose reads lack it; {plain(one.decided_by)}: "
        f"{plain(one.reason)}"
        for one in found.skips
    ]
    return "\n".join(lines)
