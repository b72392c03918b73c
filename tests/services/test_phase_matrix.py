"""Every command in every phase of a round, at the house (F05): accepted, or refused by name with money unmoved.

Rows are commands, columns where the round stands; `ok` is accepted, `-` nothing to do and no event.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from domain.errors import Refusal
from domain.settlement import Decision
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.domain.showdowns import LIVE
from tests.support.cards import ACE_KING, HIGH, PAIR, cards, hand
from tests.support.casino import Casino, Play

MATRIX = """
    command  open           closed          deciding        called          paused          paused_late     settled         cancelled       voided
    wager    ok             BETTING_CLOSED  BETTING_CLOSED  BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE     BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE
    undo     ok             BETTING_CLOSED  BETTING_CLOSED  BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE     BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE
    double   ok             BETTING_CLOSED  BETTING_CLOSED  BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE     BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE
    repeat   NOT_FOUND      BETTING_CLOSED  BETTING_CLOSED  BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE     BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE
    pass     ok             BETTING_CLOSED  BETTING_CLOSED  BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE     BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE
    leave    ok             -               -               -               -               -               -               -               -
    close    ok             BETTING_CLOSED  BETTING_CLOSED  BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE     BETTING_CLOSED  WRONG_PHASE     WRONG_PHASE
    deal     WRONG_PHASE    ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    scan     WRONG_PHASE    ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    correct  WRONG_PHASE    NOT_FOUND       WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    call     WRONG_PHASE    WRONG_PHASE     ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    fold     WRONG_PHASE    WRONG_PHASE     ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    settle   WRONG_PHASE    WRONG_PHASE     ok              ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    pay_on   WRONG_PHASE    WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     -               WRONG_PHASE     -
    pause    ok             ok              ok              ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    resume   WRONG_PHASE    WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     ok              ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    void     ok             ok              ok              ok              ok              ok              ok              ALREADY_VOIDED  ALREADY_VOIDED
    dry      -              -               -               -               -               -               -               ALREADY_VOIDED  ALREADY_VOIDED
    resolve  WRONG_PHASE    WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    resettle WRONG_PHASE    WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     ok              ALREADY_VOIDED  ALREADY_VOIDED
    time_out WRONG_PHASE    WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    cancel   ok             ok              ok              ok              ok              ok              WRONG_PHASE     WRONG_PHASE     WRONG_PHASE
    round    WRONG_PHASE    WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     WRONG_PHASE     ok              ok              ok
"""  # noqa: E501  # a table is read across

_HEAD, *_ROWS = [line.split() for line in MATRIX.strip().splitlines()]
CELLS = [(row[0], phase, expected) for row in _ROWS for phase, expected in zip(_HEAD[1:], row[1:], strict=True)]


async def _open(casino: Casino) -> str:
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000)
    return round_id


async def _closed(casino: Casino) -> str:
    return await casino.bets_closed("t", {"ann": Play()})


async def _deciding(casino: Casino) -> str:
    round_id = await _closed(casino)
    await casino.deal(round_id, hand(HIGH))
    return round_id


async def _called(casino: Casino) -> str:
    return await casino.decided("t", {"ann": Play()})


async def _settled(casino: Casino) -> str:
    return await casino.played("t", {"ann": Play()})


async def _voided(casino: Casino) -> str:
    round_id = await _settled(casino)
    await casino.void(round_id)
    return round_id


async def _then(casino: Casino, before: str, command: Callable[[str], c.Command]) -> str:
    round_id = await REACH[before](casino)
    casino.clock.forward(3_600)
    await casino.submit(command(round_id))
    return round_id


REACH: dict[str, Callable[[Casino], Awaitable[str]]] = {
    "open": _open,
    "closed": _closed,
    "deciding": _deciding,
    "called": _called,
    "paused": lambda casino: _then(casino, "open", lambda round_id: c.Pause(round_id, "look")),
    "paused_late": lambda casino: _then(casino, "called", lambda round_id: c.Pause(round_id, "look")),
    "settled": _settled,
    "cancelled": lambda casino: _then(casino, "closed", c.CancelAbandoned),
    "voided": _voided,
}
COMMANDS: dict[str, Callable[[str], c.Command]] = {
    "wager": lambda round_id: c.PlaceWager(round_id, "ann", None, 500, 0, 0),
    "undo": lambda round_id: c.UndoWager(round_id, "ann"),
    "double": lambda round_id: c.DoubleWagers(round_id, "ann"),
    "repeat": lambda round_id: c.RepeatWagers(round_id, "ann"),
    "pass": lambda round_id: c.PassRound(round_id, "ann"),
    "leave": lambda round_id: c.LeaveRound(round_id, "ann"),
    "close": c.CloseBetting,
    "deal": lambda round_id: c.Deal(round_id, cards(hand(HIGH)), None, cards(ACE_KING)),
    "scan": lambda round_id: c.ScanCard(round_id, "player", 1, "Ac", hold=False),
    "correct": lambda round_id: c.CorrectScan(round_id, "player", 1, "Ac", "misread"),
    "call": lambda round_id: c.Decide(round_id, "ann", Decision.CALL),
    "fold": lambda round_id: c.Decide(round_id, "ann", Decision.FOLD),
    "settle": lambda round_id: c.Settle(round_id, None),
    "pay_on": c.PayOn,
    "pause": lambda round_id: c.Pause(round_id, "look"),
    "resume": lambda round_id: c.Resume(round_id, "seen"),
    "void": lambda round_id: c.Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, False),
    "dry": lambda round_id: c.Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, True),
    "resolve": lambda round_id: c.Resolve(round_id, VoidPolicy.CLAW_BACK),
    "resettle": lambda round_id: c.Resettle(
        round_id, cards(hand(PAIR)), None, cards(ACE_KING), VoidPolicy.CLAW_BACK, "misread", "boss"
    ),
    "time_out": c.TimeOut,
    "cancel": c.CancelAbandoned,
    "round": lambda _: c.OpenRound("t"),
}


@pytest.mark.parametrize(("command", "phase", "expected"), CELLS, ids=[f"{cell[1]}-{cell[0]}" for cell in CELLS])
async def test_F05_every_command_in_every_phase(casino: Casino, command: str, phase: str, expected: str) -> None:
    await casino.player("ann", deposit=10_000)
    await casino.table("t", LIVE)
    round_id = await REACH[phase](casino)
    casino.clock.forward(3_600)
    before = casino.books.standing()
    try:
        await casino.submit(COMMANDS[command](round_id))
        found = "ok" if casino.last_news else "-"
    except Refusal as refusal:
        found = refusal.code
    assert found == expected
    assert found == "ok" or casino.books.standing() == before


def test_the_matrix_has_a_row_for_every_command_of_a_round() -> None:
    of_rounds = {kind for kind in c.Command.__args__ if "round" in kind.__dataclass_fields__}
    assert {type(COMMANDS[row[0]]("r")) for row in _ROWS} >= of_rounds
    assert {row[0] for row in _ROWS} == COMMANDS.keys()
    assert set(_HEAD[1:]) == REACH.keys()
