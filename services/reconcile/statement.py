"""The operator's statement: a CSV of transaction ids and amounts, read line by line (R4, R29).

    transaction_id,player,kind,amount,currency,at

`player` and `at` may be missing; the order is free. An amount is written in units of its currency with all of its
decimals and a point, whatever the locale: 12.50 EUR, 1000 JPY, 1.250 KWD. So 1250 of EUR is refused, and never taken
for the wrong one of minor units and units. One transaction is one line: no field holds a line break. Nothing is passed
over in silence: a line that cannot be read is kept with its number and why.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from domain.errors import Invalid, Refusal
from domain.frozen import dataclass
from domain.ids import checked_id
from domain.money import AMOUNT_MINOR_MAX
from services.reconcile.cashier import CashKind

NEEDED: Final = ("transaction_id", "kind", "amount", "currency")
OPTIONAL: Final = ("player", "at")
LINES_MAX: Final = 1_000_000
BYTES_MAX: Final = 256 * 1024 * 1024
_AMOUNT: Final = re.compile(r"[0-9]{1,16}(?:\.([0-9]{1,4}))?", re.ASCII)
_BREAK: Final = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One transaction as the operator has it; `number` is its line in the file, the header's being 1."""

    number: int
    transaction_id: str
    kind: CashKind
    player: str | None
    amount_minor: int
    currency: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be read."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Statement:
    """All lines of the file, and its SHA-256."""

    lines: tuple[StatementLine, ...]
    bad: tuple[BadLine, ...]
    sha256: str


def read_statement(data: bytes, exponents: Mapping[str, int]) -> Statement:
    """The file. `exponents` are the decimals of each currency. Raises Invalid where it is no statement at all."""
    if len(data) > BYTES_MAX:
        raise Invalid(f"the file has more than {BYTES_MAX} bytes", field="statement")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Invalid("the file is UTF-16: save it as CSV in UTF-8", field="statement")
    raw = _BREAK.split(data.removeprefix(b"\xef\xbb\xbf"))
    if len(raw) > LINES_MAX:
        raise Invalid(f"the file has more than {LINES_MAX} lines", field="statement")
    numbered = [(number, line) for number, line in enumerate(raw, 1) if line.strip(b" \t")]
    if not numbered:
        raise Invalid("the file is empty; it begins with a line of column names", field="statement")
    columns = _columns(numbered[0][1])
    lines, bad = [], []
    for number, line in numbered[1:]:
        try:
            lines.append(_line(number, _fields(line, len(columns)), columns, exponents))
        except Refusal as refusal:
            field = getattr(refusal, "field", None)
            bad.append(BadLine(number, f"{field}: {refusal.detail}" if field else refusal.detail))
    return Statement(tuple(lines), tuple(bad), sha256(data).hexdigest())


def _columns(line: bytes) -> Mapping[str, int]:
    try:
        text = line.decode()
        names = [name.strip().lower() for name in next(csv.reader([text], strict=True))]
    except (UnicodeDecodeError, csv.Error) as error:
        raise Invalid(f"the line of column names: {error}", field="statement") from None
    missing = [name for name in NEEDED if name not in names]
    if missing:
        hint = "; columns are separated by commas" if ";" in text or "\t" in text else ""
        raise Invalid(f"no column {', '.join(missing)}{hint}", field="statement")
    unknown = [name for name in names if name not in (*NEEDED, *OPTIONAL)]
    if unknown or len(set(names)) != len(names):
        allowed = ", ".join((*NEEDED, *OPTIONAL))
        raise Invalid(f"each column once, and no other than {allowed}", field="statement")
    return {name: at for at, name in enumerate(names)}


def _fields(line: bytes, width: int) -> Sequence[str]:
    try:
        fields = next(csv.reader([line.decode()], strict=True))
    except UnicodeDecodeError:
        raise Invalid("is not UTF-8") from None
    except csv.Error as error:
        raise Invalid(f"{error} (no field holds a line break)") from None
    if len(fields) != width:
        raise Invalid(f"has {len(fields)} fields, the column names are {width}")
    return [one.strip() for one in fields]


def _line(
    number: int, fields: Sequence[str], columns: Mapping[str, int], exponents: Mapping[str, int]
) -> StatementLine:
    given = {name: fields[at] for name, at in columns.items()}
    kind, currency = given["kind"].upper(), given["currency"]
    if kind not in CashKind.__members__:
        raise Invalid("is one of deposit, withdrawal, rollback", field="kind")
    if currency not in exponents:
        raise Invalid("is a code of ISO 4217, such as EUR", field="currency")
    player = given.get("player") or None
    return StatementLine(
        number,
        checked_id(given["transaction_id"], "transaction_id"),
        CashKind[kind],
        None if player is None else checked_id(player, "player"),
        _minor(given["amount"], currency, exponents[currency]),
        currency,
        _time(given.get("at") or None),
    )


def _minor(text: str, currency: str, exponent: int) -> int:
    """An amount in units of the currency as minor units. Invalid for every other way to write one."""
    found = _AMOUNT.fullmatch(text)
    if found is None or len(found[1] or "") != exponent:
        example = "1250" if exponent == 0 else f"12.{'5':0<{exponent}}"
        decimals = f"{exponent} decimals" if exponent else "no decimals"
        raise Invalid(
            f"is written in {currency} with {decimals} and a point, such as {example}, without sign or separators "
            "(minor units are refused)",
            field="amount",
        )
    minor = int(text.replace(".", ""))
    if minor > AMOUNT_MINOR_MAX:
        raise Invalid(f"is more than {AMOUNT_MINOR_MAX} minor units", field="amount")
    return minor


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise Invalid("is a time with its offset, such as 2026-11-29T12:00:00Z", field="at")
