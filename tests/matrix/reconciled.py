"""A gaming day's reconciliation: prepared by `clerk`, signed off by another person."""

from __future__ import annotations

from datetime import date
from hashlib import sha256

from domain.reconciliations import FoundBreak, PoolTotals, Resolution
from services import commands as c
from services.reconcile.totals import state_hash
from tests.matrix.subject import Row, Scene, State, Subject

HEAD = "ab" * 32
BREAK = "b-0123456789abcdef"
CLERK = "clerk"


def day_of(at: Scene) -> str:
    """A day of the past that no other scene of the service has."""
    return date.fromordinal(600_000 + int(sha256(at.tag.encode()).hexdigest(), 16) % 130_000).isoformat()


def totals() -> tuple[PoolTotals, ...]:
    """One pool, seeded and contributed to."""
    seed, given, reserve = 10**11, 25_000_000, 5_000_000
    left = (seed + given - reserve, reserve, 0)
    return (PoolTotals("j", "EUR", 0, seed, 0, given, 0, 0, 0, 0, *left, 0, -given, -seed),)


def prepared_day(at: Scene, *breaks: FoundBreak) -> c.PrepareDay:
    """What a run found."""
    day = day_of(at)
    return c.PrepareDay(day, 7, HEAD, state_hash(day, 7, totals()), totals(), breaks)


def found(micro: str = "5000007") -> FoundBreak:
    """An account of the read model that differs."""
    return FoundBreak(BREAK, "MODEL", "j res", 7, "5000000", micro, "the stored row at position 9", "kim")


def resolved(at: Scene, resolution: Resolution = Resolution.CORRECTED, reference: str | None = "10") -> c.ResolveBreak:
    """The end of that break."""
    return c.ResolveBreak(day_of(at), BREAK, resolution, reference, "the model was rebuilt")


def signed(at: Scene, approver: str | None = "boss") -> c.SignOff:
    """The seal."""
    return c.SignOff(day_of(at), "seen and agreed", approver)


async def nothing(at: Scene) -> None:
    """Nobody has done anything."""


async def whole(at: Scene) -> None:
    await at.casino.submit(prepared_day(at), actor=CLERK, status=201)


async def broken(at: Scene) -> None:
    await at.casino.submit(prepared_day(at, found()), actor=CLERK, status=201)


async def mended(at: Scene) -> None:
    await broken(at)
    await at.casino.submit(resolved(at), actor=CLERK)


async def sealed(at: Scene) -> None:
    await mended(at)
    await at.casino.submit(signed(at), actor=CLERK)


PREPARE = "POST /v1/reconciliations"
RESOLVE = "POST /v1/reconciliations/{day}/breaks/{break_id}/resolve"
SIGN_OFF = "POST /v1/reconciliations/{day}/sign-off"
SUBJECT = Subject(
    "A day's reconciliation",
    "`four_eyes` is `named`. The day has ended, and another person than the caller has prepared it.",
    {
        "unheard of": State("nobody has prepared the day", nothing),
        "prepared": State("prepared, and nothing differs", whole),
        "broken": State("prepared with one break", broken),
        "resolved": State("the break is resolved", mended),
        "sealed": State("signed off", sealed),
    },
    (
        Row("prepare, nothing differs", PREPARE, prepared_day, 201),
        Row("prepare, with the break", PREPARE, lambda at: prepared_day(at, found()), 201),
        Row("resolve the break", RESOLVE, resolved),
        Row("accept the break", RESOLVE, lambda at: resolved(at, Resolution.ACCEPTED, None)),
        Row("resolve without a reference", RESOLVE, lambda at: resolved(at, reference=None)),
        Row("sign off", SIGN_OFF, signed),
        Row("sign off, approved by who prepared it", SIGN_OFF, lambda at: signed(at, CLERK)),
        Row("sign off, approved by oneself", SIGN_OFF, lambda at: signed(at, at.casino.actor)),
    ),
)  # fmt: skip
