"""How a round of a story ends: settled, cancelled, or voided; and the story as facts."""

from __future__ import annotations

from collections.abc import Iterable

from domain.ids import round_stream, table_stream
from domain.jackpots.events import Awarded, FundKind, FundLine, RoundMirrored, moved
from domain.money import MICRO
from domain.pools import Balances
from domain.rounds import events as rounds
from domain.rounds.events import RoundOpened
from domain.seats import events as seats
from domain.seats.events import Stage, WagerKind
from domain.tables import RoundEnded
from domain.views.model import Fact
from domain.wallets import decider as wallets
from domain.wallets.events import ReleaseReason, VoidPolicy
from tests.domain.views.story import DECK, SIDE, START, Story, Told

PRIZE = 250
CARDS = rounds.OpenedCards(DECK, "ab" * 16, DECK[5:10], (), (rounds.SeatCards(1, DECK[:5]),))


def settle(story: Story, round_id: str, winner: str | None = None) -> None:
    """Everybody who called wins even money on ante and call; `winner` also gets a fixed prize of the house."""
    story.begin()
    awards: tuple[rounds.AwardRecord, ...] = ()
    if winner is not None:
        record = rounds.AwardRecord(
            f"w-{round_id}", winner, 1, "FLUSH", "FIXED_PRIZE", PRIZE, 0, False, 1, "x", False, 0
        )
        awards = (record,)
    order = tuple(story.players(round_id))
    shown = rounds.ShowdownHeld(round_id, CARDS, "PAIR", True, order, awards, (), None)
    story.say(round_stream(story.operator, round_id), shown)
    if winner is not None:
        _award(story, round_id, winner)
    for player in order:
        story.entry += 1
        _settle_seat(story, round_id, player, PRIZE if player == winner else 0)
    story.say(round_stream(story.operator, round_id), rounds.RoundSettled(round_id, len(order)))
    _end(story, round_id)


def _award(story: Story, round_id: str, winner: str) -> None:
    assert story.pool is not None
    balances = story.pool.balances
    story.pooled(
        Awarded(
            "J1",
            f"w-{round_id}",
            round_id,
            winner,
            1,
            "x",
            "EUR",
            "FLUSH",
            PRIZE,
            0,
            FundKind.FIXED_PRIZE,
            balances.meter_micro,
            False,
            False,
            moved(balances, balances),
        )
    )
    story.prizes[round_id, winner] = PRIZE


def _settle_seat(story: Story, round_id: str, player: str, prize: int) -> None:
    wagers = story.wagers[round_id, player]
    called = any(one.kind is WagerKind.CALL for one in wagers)
    results = tuple(
        seats.WagerResult(
            one.wager,
            one.kind,
            one.stake_minor,
            2 * one.stake_minor if called and one.kind in (WagerKind.ANTE, WagerKind.CALL) else 0,
        )
        for one in wagers
    )
    staked = sum(one.stake_minor for one in results)
    payout = sum(one.payout_minor for one in results)
    story.seat(
        round_id,
        player,
        seats.SeatSettled(
            round_id,
            player,
            story.ruleset(round_id),
            "EUR",
            "PAIR",
            "WIN" if called else "FOLD",
            results,
            prize,
            0,
            staked,
            payout + prize,
            payout + prize - staked,
        ),
    )
    story.wallet(player, wallets.SettleStakes(round_id, staked, payout))
    if prize:
        story.wallet(player, wallets.PayPrize(round_id, "J1", f"w-{round_id}", prize))


def _end(story: Story, round_id: str) -> None:
    table = story.tables[round_id]
    story.say(table_stream(story.operator, table), RoundEnded(table, round_id, START))


def cancel(story: Story, round_id: str) -> None:
    """The round is given up before the showdown: every stake is back."""
    story.begin()
    story.say(round_stream(story.operator, round_id), rounds.RoundCancelled(round_id, "camera", CARDS))
    _refund(story, round_id, ReleaseReason.CANCELLED)
    _end(story, round_id)


def void(story: Story, round_id: str, policy: VoidPolicy | None = None) -> None:
    """Before the settlement without a policy, after it with one."""
    story.begin()
    stage = Stage.BEFORE_SETTLEMENT if policy is None else Stage.AFTER_SETTLEMENT
    approver = None if policy is None else "boss"
    voided = rounds.RoundVoided(round_id, stage, "misdeal", policy and policy.value, approver, None, CARDS)
    story.say(round_stream(story.operator, round_id), voided)
    _mirror(story, round_id)
    if policy is None:
        _refund(story, round_id, ReleaseReason.VOID)
        _end(story, round_id)
        return
    for player in story.players(round_id):
        story.entry += 1
        _take_back(story, round_id, player, policy)


def _mirror(story: Story, round_id: str) -> None:
    given = sum(one.increment_micro for one in story.shares.get(round_id, ()))
    kept = sum(one.reserve_micro for one in story.shares.get(round_id, ()))
    prizes = sum(prize for (of_round, _), prize in story.prizes.items() if of_round == round_id)
    if story.pool is None or not given:
        return
    before = story.pool.balances
    after = Balances(before.meter_micro - given, before.reserve_micro - kept, before.overflow_micro)
    funds = (FundLine(FundKind.FIXED_PRIZE, -prizes * MICRO),) if prizes else ()
    fallen = (f"w-{round_id}",) if prizes else ()
    move = moved(before, after)
    story.pooled(RoundMirrored("J1", round_id, "EUR", given + kept, funds, fallen, (), 0, 0, 0, 0, move, ()))


def _refund(story: Story, round_id: str, reason: ReleaseReason) -> None:
    for player in story.players(round_id):
        story.entry += 1
        held = _held(story.wagers[round_id, player], 1 if (round_id, player) in story.folded else 3)
        story.seat(
            round_id,
            player,
            seats.SeatVoided(
                round_id,
                player,
                story.ruleset(round_id),
                "EUR",
                Stage.BEFORE_SETTLEMENT,
                (),
                held,
                0,
                0,
                0,
                tuple(one.wager for one in story.wagers[round_id, player]),
                0,
                seats.LossKind.FINAL,
            ),
        )
        story.wallet(player, wallets.Release(round_id, held, reason))


def _held(wagers: Iterable[seats.Wager], antes: int) -> int:
    ante = sum(one.stake_minor for one in wagers if one.kind is WagerKind.ANTE)
    return antes * ante + sum(SIDE for one in wagers if one.kind in (WagerKind.SIDE, WagerKind.PROGRESSIVE))


def _take_back(story: Story, round_id: str, player: str, policy: VoidPolicy) -> None:
    settled = next(
        told.event
        for told in story.told
        if isinstance(told.event, seats.SeatSettled) and (told.event.round, told.event.player) == (round_id, player)
    )
    owed = settled.net_minor
    taken = wallets.takeable_minor(story.wallets[player], policy, owed)
    review = policy is VoidPolicy.HOLD_FOR_REVIEW and owed > 0
    story.seat(
        round_id,
        player,
        seats.SeatVoided(
            round_id,
            player,
            settled.ruleset,
            "EUR",
            Stage.AFTER_SETTLEMENT,
            settled.results,
            max(-owed, 0),
            owed,
            taken,
            owed if review else owed - taken,
            tuple(one.wager for one in settled.results),
            settled.prize_minor,
            seats.LossKind.REVIEW if review else seats.LossKind.FINAL,
        ),
    )
    story.wallet(player, wallets.ReverseOutcome(round_id, policy, owed))


def facts_of(told: Iterable[Told], first: int = 1) -> list[Fact]:
    """The story as a model gets it, at positions from `first` on."""
    openings: dict[tuple[str, str], RoundOpened] = {}
    facts = []
    for position, one in enumerate(told, first):
        if isinstance(one.event, RoundOpened):
            openings[one.stream.split("/")[0], one.event.round] = one.event
        facts.append(
            Fact(
                position,
                one.stream,
                one.stream.split("/")[0],
                one.at,
                one.entry,
                f"c-{one.command}",
                type(one.event).__name__,
                one.event,
                openings.get((one.stream.split("/")[0], getattr(one.event, "round", ""))),
            )
        )
    return facts
