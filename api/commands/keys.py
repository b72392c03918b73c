"""`studbook keys`: operators and their keys, from the machine that holds the database's logins."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from domain.errors import Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.key_work import ByHand
    from domain.keys import KeyFacts

ROLES: Final = ("admin", "auditor", "dealer", "finance", "operator")
EPILOG: Final = "Example: studbook keys add north-backoffice --operator north --role operator --role dealer"

app = typer.Typer(
    help="Operators and their API keys.", epilog=EPILOG, no_args_is_help=True, rich_markup_mode=None
)  # fmt: skip
operators = typer.Typer(
    help="Operators.", epilog="Example: studbook keys operator add north --four-eyes strict", no_args_is_help=True,
    rich_markup_mode=None,
)  # fmt: skip
app.add_typer(operators, name="operator")

DataDir = Annotated[Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")]
DatabaseUrl = Annotated[str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")]
By = Annotated[str, typer.Option(help="Who does this; the access log keeps it.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
KeyId = Annotated[str, typer.Argument(help="The key's id, the part between the underscores.")]
OperatorName = Annotated[str, typer.Option("--operator", help="Whose keys.")]


@operators.command("add", epilog="Example: studbook keys operator add north --four-eyes strict")
def operator_add(
    operator: Annotated[str, typer.Argument(help="The operator's name; it is never changed.")],
    four_eyes: Annotated[
        Literal["named", "strict"], typer.Option(help="strict: a second person's key completes what needs two.")
    ] = "strict",
    by: By = "command-line",
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Make an operator known. Adding one that is there changes nothing."""
    from api.main.key_work import add_operator

    made = add_operator(_hand(database_url, data_dir, by), named_id(operator, "operator"), four_eyes)
    done = {"operator": operator, "four_eyes": four_eyes if made else None, "added": made}
    _say(done, f"operator {operator} added" if made else f"operator {operator} was there", as_json)


@operators.command("set", epilog="Example: studbook keys operator set north --four-eyes strict --by ops-lee")
def operator_set(
    operator: Annotated[str, typer.Argument(help="The operator's name.")],
    four_eyes: Annotated[
        Literal["named", "strict"], typer.Option(help="strict: a second person's key completes what needs two.")
    ],
    by: By = "command-line",
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Change how two persons agree, from the next call on. What was proposed stays with a second key."""
    from api.main.key_work import set_four_eyes

    was = set_four_eyes(_hand(database_url, data_dir, by), named_id(operator, "operator"), four_eyes)
    done = {"operator": operator, "four_eyes": four_eyes, "was": was, "changed": was != four_eyes}
    _say(done, f"operator {operator}: four_eyes {four_eyes}, it was {was}", as_json)


@app.command("add", epilog=EPILOG)
def add(
    subject: Annotated[str, typer.Argument(help="The person or system that the key is for.")],
    operator: OperatorName,
    role: Annotated[list[str], typer.Option(help=f"One or more of {', '.join(ROLES)}.")],
    label: Annotated[str, typer.Option(help="What you call it.")] = "",
    signed: Annotated[bool, typer.Option("--signed", help="Its requests must carry a signature.")] = False,
    by: By = "command-line",
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Make a key. Its text is printed once and stored nowhere."""
    from api.main.key_work import add_key
    from services.keys import Wish

    if wrong := sorted(set(role) - set(ROLES)):
        raise Invalid(f"--role: no role {wrong[0]!r}; there are {', '.join(ROLES)}", field="role")
    if len(label) > 100 or not (label.isprintable() or label == ""):
        raise Invalid("--label takes up to 100 printable characters", field="label")
    wish = Wish(named_id(subject, "subject"), frozenset(role), label, signed)
    _tell(add_key(_hand(database_url, data_dir, by), named_id(operator, "operator"), wish), as_json)


@app.command("list", epilog="Example: studbook keys list --operator north")
def list_(
    operator: OperatorName, data_dir: DataDir = None, database_url: DatabaseUrl = None, as_json: AsJson = False
) -> None:
    """List an operator's keys, revoked ones too; never their text."""
    from api.main.key_work import list_keys

    found = list_keys(_hand(database_url, data_dir, ""), named_id(operator, "operator"))
    if as_json:
        typer.echo(json.dumps({"keys": [_shown(one) for one in found]}))
        return
    for one in found:
        ended = "" if one.revoked_at is None else f"  revoked {_time(one.revoked_at)}"
        signed = "  signed" if one.is_signed else ""
        typer.echo(f"{one.key_id}  {one.subject}  {' '.join(sorted(one.roles))}{signed}  {one.label}{ended}".rstrip())


@app.command("rotate", epilog="Example: studbook keys rotate 0123456789abcdef")
def rotate(
    key_id: KeyId,
    by: By = "command-line",
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Make a second key for the subject of a key; revoke the old one when the new one is in use."""
    from api.main.key_work import rotate_key

    _tell(rotate_key(_hand(database_url, data_dir, by), key_id), as_json)


@app.command("revoke", epilog="Example: studbook keys revoke 0123456789abcdef")
def revoke(
    key_id: KeyId,
    even_last_admin: Annotated[
        bool, typer.Option("--even-last-admin", help="Also the operator's last key that may make keys.")
    ] = False,
    by: By = "command-line",
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """End a key and its tokens. When this returns it opens nothing, at any process."""
    from api.main.key_work import revoke_key

    done = revoke_key(_hand(database_url, data_dir, by), key_id, even_last=even_last_admin)
    _say(done, f"key {key_id} of {done['subject']} is revoked", as_json)


def named_id(text: str, name: str) -> str:
    """An id from the command line; Invalid that names where it stood."""
    try:
        return checked_id(text, name)
    except Invalid as refusal:
        raise Invalid(f"{name}: {refusal.detail}", field=name) from None


def _hand(database_url: str | None, data_dir: Path | None, by: str) -> ByHand:
    from api.main.key_work import ByHand
    from api.main.place import Place

    return ByHand(Place(database_url, data_dir), named_id(by, "by") if by else "")


def _tell(made: dict[str, Any], as_json: bool) -> None:
    lines = [f"key {made['key_id']} of {made['subject']}, told this once:", made["key"]]
    if made["signing_secret"] is not None:
        lines += ["signing secret, told this once:", made["signing_secret"]]
    _say(made, "\n".join(lines), as_json)


def _say(done: dict[str, Any], text: str, as_json: bool) -> None:
    typer.echo(json.dumps(done) if as_json else text)


def _shown(one: KeyFacts) -> dict[str, Any]:
    from domain.views.model import time_text

    return {
        "key_id": one.key_id,
        "subject": one.subject,
        "roles": sorted(one.roles),
        "label": one.label,
        "signed": one.is_signed,
        "created_at": time_text(one.created_at),
        "revoked_at": None if one.revoked_at is None else time_text(one.revoked_at),
        "made_by": one.made_by,
        "replaces": one.replaces,
    }


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
