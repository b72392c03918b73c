"""Answers that are made when the last slice of a large round is done, from the events that it left."""

from __future__ import annotations

from collections.abc import Sequence

from domain.errors import Unavailable
from domain.frozen import dataclass
from domain.ids import round_stream, seat_stream
from domain.rounds.decider import Round
from domain.rounds.events import RoundCancelled, RoundSettled, RoundUndoing, RoundVoided
from domain.seats.events import SeatVoided
from domain.streams import State, evolve
from domain.variants import ruleset
from services.answers import LIST_PAGE, SettleAnswer, VoidAnswer
from services.desk import Desk
from services.handlers.settling import answer_of
from services.handlers.undoing import voided_player
from services.ports import Key, Turn


async def settled(turn: Turn, operator: str, round_id: str) -> tuple[SettleAnswer, int] | None:
    """The answer of a settlement and the position where it ended, the same whatever came after; None: not yet."""
    stream = round_stream(operator, round_id)
    loaded = await turn.load([stream], [])
    state: State | None = None
    for one in loaded.events:
        state = evolve(stream, state, one.event)
        if isinstance(one.event, RoundSettled) and isinstance(state, Round):
            return answer_of(state, ruleset(state.terms.ruleset)), one.position
    if not isinstance(state, Round):
        raise Unavailable("the round's history cannot be read")
    return None


@dataclass(frozen=True, slots=True)
class Undone:
    """A round that was undone slice by slice, and the position where that began."""

    begun: RoundUndoing
    position: int


async def undone(turn: Turn, operator: str, round_id: str) -> Undone | None:
    """How the round's undoing began; None while it is under way."""
    loaded = await turn.load([round_stream(operator, round_id)], [])
    found: Undone | None = None
    for one in loaded.events:
        if isinstance(one.event, RoundUndoing):
            found = Undone(one.event, one.position)
        elif isinstance(one.event, (RoundVoided, RoundCancelled)) and found is not None:
            return found
    return None


def voided_players(desk: Desk, round_id: str) -> Sequence[str]:
    """The players whose bets are void; those of earlier voids are among them."""
    return [one.player for one in desk.seats(round_id) if one.voided]


async def voided_seats(turn: Turn, operator: str, what: Undone, players: Sequence[str]) -> Sequence[SeatVoided]:
    """What the undoing did at the first seats of these players, as many as an answer names."""
    found: list[SeatVoided] = []
    for start in range(0, len(players), LIST_PAGE):
        page = players[start : start + LIST_PAGE]
        loaded = await turn.load([seat_stream(operator, what.begun.round, one) for one in page], [])
        late = (one.event for one in loaded.events if one.position > what.position)
        found += sorted((one for one in late if isinstance(one, SeatVoided)), key=lambda one: one.player)
        if len(found) >= LIST_PAGE:
            break
    return found[:LIST_PAGE]


def void_answer(desk: Desk, begun: RoundUndoing, seats: Sequence[SeatVoided]) -> VoidAnswer:
    """The answer, with balances as they are now."""
    desk.need_wallets(one.player for one in seats)
    players = tuple(voided_player(desk, one) for one in seats)
    return VoidAnswer(
        begun.round, begun.ends_as.value, begun.stage.value, begun.policy, False, players, begun.seats, ()
    )


def kept_key(key: Key) -> Key:
    """Where an answer that was made late is kept, beside the record of the call's own key."""
    operator, _, text = key
    return operator, "answer", text
