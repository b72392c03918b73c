"""Taking back what a round did, seat by seat and at its pool: one entry, linked to what it reverses (C17 to C19)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from domain import tables
from domain.changing import replace
from domain.errors import NotFound
from domain.frozen import dataclass
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import MirrorRound
from domain.jackpots.events import RoundMirrored
from domain.rounds import decider as rounds
from domain.rounds.awards import parted
from domain.rounds.commands import BeginUndoing, CancelRound, FinishUndoing, VoidRound
from domain.rounds.decider import Round
from domain.rounds.events import Phase, RoundEvent, RoundUndoing
from domain.rounds.scans import OpenScans
from domain.seats import decider as seats
from domain.seats.commands import VoidSeat
from domain.seats.decider import Seat
from domain.seats.events import SeatVoided, Stage
from domain.seats.voiding import held_minor, owed_minor
from domain.streams import State
from domain.variants import ruleset
from domain.wallets import decider as wallets
from domain.wallets.events import ReleaseReason, VoidPolicy
from services.answers import LIST_PAGE, VoidAnswer, VoidedJackpot, VoidedPlayer
from services.desk import Desk, Facts
from services.handlers.slices import SEATS_PER_APPEND
from services.opening import open_for_the_end


@dataclass(frozen=True, slots=True)
class Terms:
    """Why money comes back, and who bears what players owe; no policy before a settlement."""

    reason: ReleaseReason
    policy: VoidPolicy | None


@dataclass(frozen=True, slots=True)
class Part:
    """Wagers of one seat that fall, and the awards that they won."""

    seat: Seat
    wagers: tuple[str, ...]
    awards: tuple[str, ...]


def undo_round(
    desk: Desk,
    round_: Round,
    order: VoidRound | CancelRound,
    scans: OpenScans,
    terms: Terms,
    *,
    dry_run: bool = False,
    after: str | None = None,
) -> VoidAnswer:
    """The whole round falls: every seat with its wallet, the pool's net mirror, and its table is free.

    A shared hand of more than `SEATS_PER_APPEND` seats falls slice by slice, so that other tables are let through: its
    seats touch no pool, and each with its wallet is an entry. What that would do is shown of the first who are listed,
    or of those behind `after`.
    """
    standing = _standing(desk, round_)
    first = 0 if after is None else _behind([one.player for one in standing], after)
    if len(standing) > SEATS_PER_APPEND and round_.jackpot is None:
        begun = rounds.decide(BeginUndoing(order, len(standing)), round_)
        desk.post((desk.round_at(round_.round), begun))
        most = LIST_PAGE if dry_run else SEATS_PER_APPEND
        return _undo_slice(desk, desk.round(round_.round), standing[first:], terms, most)
    events = (*rounds.decide(scans, round_), *rounds.decide(order, round_))
    desk.need_wallets(one.player for one in standing)
    parts = [whole(round_, seat) for seat in standing]
    answer = undo_parts(desk, round_, events, parts, terms, _freed(desk, round_))
    return replace(answer, players=answer.players[first:])


def _behind(players: Sequence[str], after: str) -> int:
    if after not in players:
        raise NotFound("no such player has a bet that stands in this round", field="after")
    return players.index(after) + 1


def undo_on(desk: Desk, round_: Round, begun: RoundUndoing) -> VoidAnswer:
    """The next slice of a round that is being undone; with the last one the round has ended."""
    if begun.ends_as is Phase.CANCELLED:
        terms = Terms(ReleaseReason.CANCELLED, None)
    else:
        terms = Terms(ReleaseReason.VOID, None if begun.policy is None else VoidPolicy(begun.policy))
    standing = desk.next_seats(round_.round, SEATS_PER_APPEND + 1, is_undone)
    return _undo_slice(desk, round_, standing, terms, SEATS_PER_APPEND)


def _undo_slice(desk: Desk, round_: Round, standing: Sequence[Seat], terms: Terms, most: int) -> VoidAnswer:
    begun = round_.undoing
    if begun is None:
        raise TypeError("what is undone in slices was begun")
    voided = []
    desk.need_wallets(one.player for one in standing[:most])
    for seat in standing[:most]:
        facts, event = _undo_seat(desk, round_, whole(round_, seat), terms)
        desk.post(*facts)
        voided.append(event)
    if len(standing) > most:
        desk.unfinished = round_.round
    else:
        scans, cards = open_for_the_end(desk.seals, round_, ruleset(round_.terms.ruleset))
        ended = (*rounds.decide(scans, round_), *rounds.decide(FinishUndoing(cards), round_))
        desk.post((desk.round_at(round_.round), ended), _freed(desk, round_))
    answer = _answer(desk, round_, begun.stage, terms, voided)
    return replace(answer, phase=begun.ends_as.value, players_count=begun.seats)


def _standing(desk: Desk, round_: Round) -> list[Seat]:
    return [one for one in desk.seats(round_.round) if not is_undone(one)]


def is_undone(state: State | None) -> bool:
    """Whether nothing of a seat can be taken back any more."""
    return not isinstance(state, Seat) or state.voided or not state.wagers


def _freed(desk: Desk, round_: Round) -> Facts:
    table = round_.terms.table
    return desk.table_at(table), tables.decide(tables.EndRound(round_.round, desk.now), desk.find_table(table))


def whole(round_: Round, seat: Seat) -> Part:
    """All that stands at a seat."""
    awards = tuple(one.award for one in round_.awards if one.player == seat.player)
    return Part(seat, tuple(one.wager for one in seat.wagers), awards)


def undo_parts(
    desk: Desk, round_: Round, events: Sequence[RoundEvent], parts: Sequence[Part], terms: Terms, *more: Facts
) -> VoidAnswer:
    """These parts of the round fall, in one entry."""
    facts: list[Facts] = [(desk.round_at(round_.round), events)]
    voided: list[SeatVoided] = []
    for part in parts:
        of_seat, event = _undo_seat(desk, round_, part, terms)
        facts += of_seat
        voided.append(event)
    mirrored = _mirror_pool(desk, round_, parts)
    desk.post(*facts, *mirrored, *more)
    pools = tuple(_voided_pool(event) for _, found in mirrored for event in found if isinstance(event, RoundMirrored))
    return replace(_answer(desk, round_, rounds.void_stage(round_), terms, voided), jackpots=pools)


def _answer(desk: Desk, round_: Round, stage: Stage, terms: Terms, voided: Sequence[SeatVoided]) -> VoidAnswer:
    return VoidAnswer(
        round_.round,
        desk.round(round_.round).phase.value,
        stage.value,
        None if terms.policy is None else terms.policy.value,
        False,
        tuple(voided_player(desk, one) for one in voided[:LIST_PAGE]),
        len(voided),
        (),
    )


def _undo_seat(desk: Desk, round_: Round, part: Part, terms: Terms) -> tuple[list[Facts], SeatVoided]:
    seat, wallet = part.seat, desk.wallet(part.seat.player)
    prizes = sum(one.prize_minor for one in round_.awards if one.award in part.awards and not one.pending)
    taken, review = 0, False
    if seat.settled and terms.policy is not None:
        owed = owed_minor([one for one in seat.results if one.wager in part.wagers], prizes)
        taken = wallets.takeable_minor(wallet, terms.policy, owed)
        review = terms.policy is VoidPolicy.HOLD_FOR_REVIEW and owed > 0
        money = wallets.decide(wallets.ReverseOutcome(round_.round, terms.policy, owed), wallet)
    else:
        held = held_minor(seat, part.wagers)
        money = wallets.decide(wallets.Release(round_.round, held, terms.reason), wallet)
    order = VoidSeat(round_.terms.ruleset, round_.terms.currency, part.wagers, prizes, taken, review)
    events = seats.decide(order, seat)
    event = events[0]
    if not isinstance(event, SeatVoided):
        raise TypeError("a void voids")
    return [(desk.seat_at(round_.round, seat.player), events), (desk.wallet_at(seat.player), money)], event


def _mirror_pool(desk: Desk, round_: Round, parts: Sequence[Part]) -> list[Facts]:
    """Contributions and awards of the wagers that fall; of shared awards the parts that the last of them cost."""
    if round_.jackpot is None:
        return []
    wagers = {wager for part in parts for wager in part.wagers}
    shares = tuple(one for one in round_.shares if one.wager in wagers)
    going = parted(round_.awards, round_.resets, awards_of(parts))
    order = MirrorRound(round_.round, shares, going.gone, going.gone_resets)
    events = jackpots.decide(order, desk.find_pool(round_.jackpot))
    return [(desk.pool_at(round_.jackpot), events)] if events else []


def awards_of(parts: Sequence[Part]) -> Collection[str]:
    """The awards that fall with these parts."""
    return {award for part in parts for award in part.awards}


def voided_player(desk: Desk, event: SeatVoided) -> VoidedPlayer:
    """What a void did to a player, with the balance as it is now."""
    return VoidedPlayer(
        event.player,
        event.refund_minor,
        max(event.owed_minor, 0),
        max(event.taken_minor, 0),
        event.loss_minor,
        desk.balance(event.player),
    )


def _voided_pool(event: RoundMirrored) -> VoidedJackpot:
    move = event.move
    return VoidedJackpot(
        event.jackpot,
        str(move.meter_micro),
        str(move.reserve_micro),
        str(move.overflow_micro),
        str(event.shortfall_meter_micro + event.shortfall_reserve_micro),
        str(move.meter_after_micro),
    )
