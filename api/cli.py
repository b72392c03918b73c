"""The command line `studbook`. A command is a module of `api.commands` and one line here.

A bad option or argument is one line on standard error and exit code 2; a failed check is exit code 1.
Commands import what is heavy inside of themselves, so that the light ones start at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

import typer

from api.commands import (
    access,
    anchor,
    bench,
    bring_in,
    check_deck,
    demo,
    evidence,
    export,
    fairness,
    keys,
    migrate,
    rebuild,
    reconcile,
    replay,
    report,
    rtp,
    seal,
    serve,
    skip,
    sql,
    verify,
)
from api.commands import check_integration as check
from api.commands.deliver import deliver
from api.commands.make_exports import make_exports
from api.commands.project import project
from api.commands.rules import rules
from api.commands.settle import settle
from api.logs import redaction
from domain.errors import Refusal

BAD_USE: Final = 2
"""Exit code for a command line that is wrong."""

READER_GONE: Final = 128 + 13
"""Exit code when nobody reads the output any more (`studbook ... | head`): that of a program which SIGPIPE ended."""

app = typer.Typer(
    name="studbook",
    help="Event-sourced Caribbean Stud Poker: rounds, wallets, jackpots, and proofs of all three.",
    epilog="Example: studbook rules euro-progressive-v1",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _studbook() -> None:
    """Keeps `studbook` a group of commands however few there are."""


app.command("settle")(settle)
app.command("rules")(rules)
app.command("rtp", epilog=rtp.EPILOG)(rtp.rtp)
app.command("serve", epilog=serve.EPILOG)(serve.serve)
app.command("demo", epilog=demo.EPILOG)(demo.demo)
app.command("check-integration", epilog=check.EPILOG)(check.check_integration)
app.command("bench", epilog=bench.EPILOG)(bench.bench)
app.command("fairness", epilog=fairness.EPILOG)(fairness.fairness)
app.command("check-deck", epilog=check_deck.EPILOG)(check_deck.check_deck)
app.command("verify", epilog=verify.EPILOG)(verify.verify)
app.command("seal", epilog=seal.EPILOG)(seal.seal)
app.command("rebuild", epilog=rebuild.EPILOG)(rebuild.rebuild)
app.command("replay", epilog=replay.EPILOG)(replay.replay)
app.command("reconcile", epilog=reconcile.EPILOG)(reconcile.reconcile)
app.command("evidence", epilog=evidence.EPILOG)(evidence.evidence)
app.command("report", epilog=report.EPILOG)(report.report)
app.command("export", epilog=export.EPILOG)(export.export)
app.command("sql", epilog=sql.EPILOG)(sql.sql)
app.command("skip", epilog=skip.EPILOG)(skip.skip)
app.command("import", epilog=bring_in.EPILOG)(bring_in.bring_in)
app.command("migrate", epilog=migrate.EPILOG)(migrate.migrate)
app.command("access", epilog=access.EPILOG)(access.access)
app.add_typer(keys.app, name="keys")
app.command("project")(project)
app.command("deliver")(deliver)
app.command("make-exports")(make_exports)
app.command("anchor", epilog=anchor.EPILOG)(anchor.anchor)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `studbook` with `arguments` (those of the process by default) and leave with its exit code."""
    redaction.learn()
    sys.excepthook = redaction.tell
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given or ["--help"])
    except typer.TyperException as fault:
        _complain(fault.format_message(), BAD_USE)
    except Refusal as refusal:
        _complain(_with_field(refusal), BAD_USE)
    except BrokenPipeError:
        _forget_output()
        sys.exit(READER_GONE)
    except OSError as fault:
        _forget_output()
        _complain(fault.strerror or str(fault), 1)
    sys.exit(code if isinstance(code, int) else 0)


def _run(given: list[str]) -> object:
    """The command with these words; what it printed is out when it ends, however it does. BrokenPipeError where nobody
    reads it: typer leaves with exit code 1 then, and an output of its own in place.
    """
    out = sys.stdout
    try:
        return app(given, prog_name="studbook", standalone_mode=False)
    finally:
        if sys.stdout is not out:
            sys.stdout = out
            raise BrokenPipeError
        out.flush()


def _forget_output() -> None:
    """What is still unwritten has nowhere to go, and the end of the process must not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_field(refusal: Refusal) -> str:
    field = getattr(refusal, "field", None)
    return refusal.detail if not field or field in refusal.detail else f"{field}: {refusal.detail}"


def _complain(message: str, code: int) -> None:
    typer.echo(f"studbook: {redaction.clean(' '.join(message.split()))}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
