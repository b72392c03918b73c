"""Staff at the pools: corrections, transfers, parameters, pending prizes; and what is in service (R8, R17, R22)."""

from __future__ import annotations

from typing import assert_never

from domain import gaming, players, tables
from domain.changing import replace
from domain.errors import Invalid, NotFound
from domain.jackpots import decider as jackpots
from domain.jackpots import upkeep
from domain.jackpots.commands import RefuseAward
from domain.jackpots.decider import Pool
from domain.money import whole_minor
from domain.rounds import decider as rounds
from domain.rounds.awards import parted
from domain.rounds.commands import DecideAward
from domain.rounds.events import AwardRecord
from domain.seats import decider as seats
from domain.seats.commands import DecidePrize
from domain.variants import ruleset
from domain.wallets import decider as wallets
from services import answers
from services import commands as c
from services.desk import Desk, Facts
from services.handlers.second import second_person
from services.jackpot_terms import terms_shown


def correct(desk: Desk, command: c.CorrectJackpot) -> answers.UpkeepAnswer:
    """Correct an account of a pool; the house stands against it (R8, R15)."""
    approver = second_person(desk, command.approver)
    order = upkeep.Correct(command.account, command.amount_micro, command.reason, approver)
    desk.post((desk.pool_at(command.jackpot), jackpots.decide(order, desk.find_pool(command.jackpot))))
    return answers.UpkeepAnswer((_balances(desk, command.jackpot),))


def transfer(desk: Desk, command: c.TransferJackpot) -> answers.UpkeepAnswer:
    """Move money between two pools of one currency (R8)."""
    approver = second_person(desk, command.approver)
    source, target = _pool(desk, command.jackpot), _pool(desk, command.to, "to")
    amount, reason = command.amount_micro, command.reason
    out = upkeep.TransferOut(command.to, target.terms.currency, command.account, amount, reason, approver)
    left = jackpots.decide(out, source)
    came = jackpots.decide(upkeep.TransferIn(command.jackpot, amount, reason, approver), target)
    desk.post((desk.pool_at(command.jackpot), left), (desk.pool_at(command.to), came))
    return answers.UpkeepAnswer((_balances(desk, command.jackpot), _balances(desk, command.to)))


def change_terms(desk: Desk, command: c.ChangeJackpot) -> answers.TermsAnswer:
    """New parameters, at once or with the next 100 % award (R7)."""
    pool = _pool(desk, command.jackpot)
    base = pool.waiting or pool.terms
    wanted = replace(
        base,
        reset_minor=base.reset_minor if command.reset_minor is None else command.reset_minor,
        increment_ppm=base.increment_ppm if command.increment is None else command.increment.ppm,
        reserve_ppm=base.reserve_ppm if command.reserve is None else command.reserve.ppm,
        ceiling_minor=base.ceiling_minor if command.ceiling_minor is None else command.ceiling_minor,
        fixed_prize_funding=command.fixed_prize_funding or base.fixed_prize_funding,
        multi_winner_policy=command.multi_winner_policy or base.multi_winner_policy,
        handpay_threshold_minor=(
            command.handpay_threshold_minor if command.handpay_stated else base.handpay_threshold_minor
        ),
    )
    events = jackpots.decide(upkeep.ChangeTerms(wanted, command.reason), pool)
    desk.post((desk.pool_at(command.jackpot), events))
    after = _pool(desk, command.jackpot)
    waiting = None if after.waiting is None else terms_shown(after.waiting)
    return answers.TermsAnswer(_balances(desk, command.jackpot), terms_shown(after.terms), waiting)


def verify(desk: Desk, command: c.VerifyPrize) -> answers.PrizeAnswer:
    """Pay a pending prize to the player: pool, wallet, seat and round hear of it together (S4-08, C24)."""
    approver = second_person(desk, command.approver)
    award, round_id = _pending(desk, command)
    order = upkeep.VerifyAward(award.award, round_id, award.player, award.prize_minor, command.reason, approver)
    paid = wallets.PayPrize(round_id, command.jackpot, award.award, award.prize_minor)
    money = (desk.wallet_at(award.player), wallets.decide(paid, desk.find_wallet(award.player)))
    return _decided(desk, command, award, order, (money,))


def refuse(desk: Desk, command: c.RefusePrize) -> answers.PrizeAnswer:
    """Do not pay a pending prize: what pool and house gave for it is mirrored, its reset too (docs/ledger.md)."""
    approver = second_person(desk, command.approver)
    award, round_id = _pending(desk, command)
    round_ = desk.round(round_id)
    going = parted(round_.awards, round_.resets, {award.award})
    order = RefuseAward(going.gone[0], going.gone_resets, round_id, command.reason, approver)
    return _decided(desk, command, award, order, ())


def _decided(
    desk: Desk,
    command: c.VerifyPrize | c.RefusePrize,
    award: AwardRecord,
    order: upkeep.VerifyAward | RefuseAward,
    money: tuple[Facts, ...],
) -> answers.PrizeAnswer:
    verified, round_id = isinstance(command, c.VerifyPrize), order.round
    seat = desk.find_seat(round_id, award.player)
    desk.post(
        (desk.pool_at(command.jackpot), jackpots.decide(order, desk.find_pool(command.jackpot))),
        (desk.round_at(round_id), rounds.decide(DecideAward(award.award, verified), desk.find_round(round_id))),
        (
            desk.seat_at(round_id, award.player),
            seats.decide(DecidePrize(award.award, award.prize_minor, verified), seat),
        ),
        *money,
    )
    return answers.PrizeAnswer(
        command.jackpot,
        award.award,
        "VERIFIED" if verified else "REFUSED",
        round_id,
        award.player,
        award.prize_minor,
        desk.balance(award.player),
    )


def _pending(desk: Desk, command: c.VerifyPrize | c.RefusePrize) -> tuple[AwardRecord, str]:
    """The award that waits, and its round; an award's id begins with that of its round."""
    round_id = command.award.rpartition(":")[0]
    _pool(desk, command.jackpot)
    round_ = desk.find_round(round_id) if round_id else None
    if round_ is None or round_.jackpot != command.jackpot:
        raise NotFound("no such award", field="award")
    return rounds.pending_award(round_, command.award), round_id


def set_service(desk: Desk, command: c.SetService) -> answers.ServiceAnswer:
    """Take something out of service or put it back; rounds under way are finished (R22, R14)."""
    if (command.scope is c.Scope.ALL) != (command.id == ""):
        raise Invalid("name an id, except with scope ALL", field="id")
    desk.post(_switched(desk, command))
    return answers.ServiceAnswer(command.scope.value, command.id, command.disable)


def set_one_device(desk: Desk, command: c.SetOneDevice) -> answers.OneDeviceAnswer:
    """One device of a player overall, or one at each table; nobody is put out by it until somebody joins (C29)."""
    order = gaming.SetOneDevice(command.one_device, command.reason)
    desk.post((desk.gaming_at(), gaming.decide(order, desk.find_gaming())))
    return answers.OneDeviceAnswer(command.one_device)


def _switched(desk: Desk, command: c.SetService) -> Facts:
    off, reason, name = command.disable, command.reason, command.id
    match command.scope:
        case c.Scope.ALL | c.Scope.RULESET:
            of = None if command.scope is c.Scope.ALL else ruleset(name).name
            order = gaming.DisableGaming(of, reason) if off else gaming.EnableGaming(of, reason)
            return desk.gaming_at(), gaming.decide(order, desk.find_gaming())
        case c.Scope.TABLE:
            table = tables.DisableTable(reason) if off else tables.EnableTable(reason)
            return desk.table_at(name), tables.decide(table, desk.find_table(name))
        case c.Scope.PLAYER:
            player = players.DisablePlayer(reason) if off else players.EnablePlayer(reason)
            return desk.player_at(name), players.decide(player, desk.find_player(name))
        case c.Scope.JACKPOT:
            pool = upkeep.Disable(reason) if off else upkeep.Enable(reason)
            return desk.pool_at(name), jackpots.decide(pool, desk.find_pool(name))
        case _:
            assert_never(command.scope)


def _pool(desk: Desk, jackpot: str, field: str = "jackpot") -> Pool:
    found = desk.find_pool(jackpot)
    if found is None:
        raise NotFound("no such jackpot", field=field)
    return found


def _balances(desk: Desk, jackpot: str) -> answers.PoolBalances:
    held = _pool(desk, jackpot).balances
    return answers.PoolBalances(
        jackpot, whole_minor(held.meter_micro), held.meter_micro, held.reserve_micro, held.overflow_micro
    )
