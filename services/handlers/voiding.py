"""Voids: a round, or some of its wagers, are made of no effect; and what was held for review is decided."""

from __future__ import annotations

from domain.changing import replace
from domain.errors import AlreadyVoided, Forbidden, NotFound, WrongPhase
from domain.rounds import commands as round_commands
from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.seats import decider as seats
from domain.seats.commands import ResolveReview
from domain.seats.decider import Seat
from domain.seats.events import ReviewResolved, WagerKind
from domain.seats.voiding import whole_spots
from domain.variants import ruleset
from domain.wallets import decider as wallets
from domain.wallets.events import ReleaseReason, VoidPolicy
from services.answers import LIST_PAGE, ResolveAnswer, ResolvedPlayer, VoidAnswer
from services.commands import Resolve, Void
from services.desk import Desk, Facts, StillPaying
from services.handlers.undoing import Part, Terms, awards_of, undo_parts, undo_round
from services.opening import open_for_the_end


def void(desk: Desk, command: Void) -> VoidAnswer:
    """Turn the sign of all that the round's own events recorded, once; nothing is worked out anew (C19).

    With `wagers` only whole spots of those named fall; when no other stands the round falls with them. While the
    round is being paid the void waits for the last seat.
    """
    round_ = desk.round(command.round)
    if command.approver is not None and command.approver == desk.meta.actor:
        raise Forbidden("the approver is another person than the caller", field="approver")
    rounds.void_stage(round_)
    if round_.phase is Phase.PAYING:
        raise StillPaying(command.round)
    parts = _parts(desk, round_, command.wagers) if command.wagers else []
    standing = sum(len(one.wagers) for one in desk.seats(command.round))
    if command.wagers and sum(len(one.wagers) for one in parts) < standing:
        answer = _void_parts(desk, round_, command, parts)
    else:
        answer = _void_all(desk, round_, command)
    return replace(answer, dry_run=command.dry_run)


def _void_all(desk: Desk, round_: Round, command: Void) -> VoidAnswer:
    if command.wagers and (round_.paused_from or round_.phase) in rounds.BETTING:
        raise WrongPhase("wagers are voided one by one once betting is closed", field="wagers")
    scans, cards = open_for_the_end(desk.seals, round_, ruleset(round_.terms.ruleset))
    order = round_commands.VoidRound(
        command.reason,
        None if command.policy is None else command.policy.value,
        command.approver,
        command.evidence,
        cards,
    )
    terms = Terms(ReleaseReason.VOID, command.policy)
    return undo_round(desk, round_, order, scans, terms, dry_run=command.dry_run, after=command.after)


def _void_parts(desk: Desk, round_: Round, command: Void, parts: list[Part]) -> VoidAnswer:
    order = round_commands.VoidWagers(
        tuple(wager for part in parts for wager in part.wagers),
        tuple(sorted(awards_of(parts))),
        command.reason,
        None if command.policy is None else command.policy.value,
        command.approver,
        command.evidence,
    )
    events = rounds.decide(order, round_)
    return undo_parts(desk, round_, events, parts, Terms(ReleaseReason.VOID, command.policy))


def _parts(desk: Desk, round_: Round, named: tuple[str, ...]) -> list[Part]:
    """The whole spots of the wagers named, by seat. Refused when one of them is not there, or voided already."""
    left = set(named)
    parts = []
    for seat in desk.seats_and_wallets(round_.round):
        if left & set(seat.voided_wagers):
            raise AlreadyVoided("a wager named is voided already", field="wagers")
        of_seat = whole_spots(seat, left)
        left -= set(of_seat)
        if of_seat:
            parts.append(Part(seat, of_seat, _awards(round_, seat, of_seat)))
    if left:
        raise NotFound("a wager named does not stand in this round", field="wagers")
    return parts


def _awards(round_: Round, seat: Seat, wagers: tuple[str, ...]) -> tuple[str, ...]:
    """The awards of a seat go with its progressive wager."""
    falls = any(one.kind is WagerKind.PROGRESSIVE and one.wager in wagers for one in seat.wagers)
    return tuple(one.award for one in round_.awards if falls and one.player == seat.player)


def resolve(desk: Desk, command: Resolve) -> ResolveAnswer:
    """End all reviews of a round; it ends as the same policy at once would have (docs/ledger.md, Void and resettle)."""
    round_ = desk.round(command.round)
    if round_.phase is Phase.PAYING:
        raise StillPaying(command.round)
    facts: list[Facts] = []
    found: list[ReviewResolved] = []
    for seat in desk.seats_and_wallets(command.round):
        events = seats.decide(ResolveReview(round_.terms.currency, command.policy), seat)
        for event in events:
            if isinstance(event, ReviewResolved):
                found.append(event)
                facts += [(desk.seat_at(round_.round, seat.player), events), _decided(desk, event)]
    if not found:
        raise WrongPhase("nothing of this round is held for review", field="round")
    facts.append((desk.round_at(command.round), rounds.decide(_order(command.policy), round_)))
    desk.post(*facts)
    players = tuple(_resolved(desk, one) for one in found[:LIST_PAGE])
    return ResolveAnswer(command.round, command.policy.value, players, len(found))


def _order(policy: VoidPolicy) -> round_commands.ResolveReviews:
    return round_commands.ResolveReviews(policy.value)


def _decided(desk: Desk, event: ReviewResolved) -> Facts:
    order = wallets.DecideHeldMoney(event.round, event.policy, event.owed_minor, event.taken_minor)
    return desk.wallet_at(event.player), wallets.decide(order, desk.find_wallet(event.player))


def _resolved(desk: Desk, event: ReviewResolved) -> ResolvedPlayer:
    return ResolvedPlayer(event.player, event.owed_minor, event.taken_minor, desk.balance(event.player))
