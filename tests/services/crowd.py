"""A casino with a round of one hand for 1,200 players: work that takes several appends."""

from __future__ import annotations

from domain.seats.events import SeatDecided, SeatSettled, SeatVoided
from domain.settlement import Decision
from services.commands import CloseBetting, Deal, Decide, DepositFunds, OpenRound, PlaceWager, RegisterPlayer
from tests.domain.showdowns import LIVE
from tests.support.cards import ACE_KING, FLUSH, cards, hand
from tests.support.casino import Casino
from tests.support.memory_log import MemoryLog

SEATS = 1_200
PLAYERS = [f"p{nth:04d}" for nth in range(SEATS)]


async def betted(casino: Casino) -> str:
    """Everybody has an ante of 10.00 and a side wager of 1.00; betting is open."""
    await casino.table("t", LIVE)
    await casino.send_all([casino.order(RegisterPlayer(one, "EUR")) for one in PLAYERS])
    await casino.send_all([casino.order(DepositFunds(one, 10_000, "EUR", f"tx-{one}")) for one in PLAYERS])
    round_id = str((await casino.submit(OpenRound("t")))["round"])
    await casino.send_all([casino.order(PlaceWager(round_id, one, None, 1_000, 100, 0)) for one in PLAYERS])
    return round_id


async def dealt(casino: Casino) -> str:
    """The hand is a flush that beats the dealer; nobody has decided."""
    round_id = await betted(casino)
    await casino.submit(CloseBetting(round_id))
    await casino.submit(Deal(round_id, cards(hand(FLUSH)), None, cards(ACE_KING)))
    return round_id


async def folded(casino: Casino) -> str:
    """Everybody has decided, so that a settlement has only to pay."""
    round_id = await dealt(casino)
    await casino.send_all([casino.order(Decide(round_id, one, Decision.FOLD)) for one in PLAYERS])
    return round_id


def memory(casino: Casino) -> MemoryLog:
    assert isinstance(casino.log, MemoryLog)
    return casino.log


def count(casino: Casino, kind: type[SeatDecided | SeatSettled | SeatVoided]) -> int:
    """How many seats have had such an event."""
    return sum(isinstance(one.event, kind) for one in memory(casino).events)


def paid(casino: Casino) -> int:
    return count(casino, SeatSettled)
