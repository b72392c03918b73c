"""A round taken event by event, and everything that can be worked out anew held against what is recorded.

Results and prizes come from the second settlement; the other halves of entries, what voids turn back and what stands
in the events twice are compared among themselves. Nothing is asked of the first settlement.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from domain.jackpots import events as pool_events
from domain.jackpots import upkeep
from domain.jackpots.parameters import PoolFound
from domain.rounds import events as e
from domain.rounds.scans import ScansOpened
from domain.rules import HandMode, TimeoutPolicy
from domain.seats import events as s
from domain.tables import CallReserve
from domain.variants import ruleset
from domain.wallets import events as w
from services.ports import Recorded
from services.replay.again import Again, CannotSettle, in_order_of_payment, settled_again
from services.replay.card_check import CardCheck
from services.replay.pool_check import PoolCheck
from services.replay.purse import Purse
from services.replay.rules_check import check_booked, check_published
from services.replay.seat_book import SeatBook
from services.replay.seat_check import SeatCheck
from services.replay.settlements import Cause, Mirrored, Settlement, Verdict
from services.replay.sheet import Place, Sheet
from services.replay.story import RoundStory

_NO_PAIR: Final = "HIGH_CARD"


def check(story: RoundStory) -> Verdict:
    """Replay a story and compare. It is decided by the log alone: no clock, no database, no key."""
    run = Checker(story)
    for _, one in story.events:
        run.take(one)
    return run.finish()


class Checker:
    """One round's replay. Take every event of a story in order, then `finish`."""

    def __init__(self, story: RoundStory) -> None:
        self._terms = story.opened.terms
        self._rules = ruleset(self._terms.ruleset)
        self._antes_held = 1 + self._rules.call_multiple if self._terms.call_reserve is CallReserve.FULL else 1
        self._sheet = Sheet()
        self._purse = Purse(self._sheet)
        self._pool = PoolCheck(self._sheet, story.terms_at_close)
        self._cards = CardCheck(self._sheet, story.opened, self._rules)
        self._seats = SeatCheck(self._sheet, self._purse, self._rules.call_multiple)
        self._books: dict[str, SeatBook] = {}
        self._settlements: list[Settlement] = []
        self._mirrored: list[Mirrored] = []
        self._old = self._pool.standing()
        self._found: PoolFound | None = None
        self._paid_in_order: list[str] = []
        check_published(self._sheet, story, self._rules)
        self._closed_at: int | None = None
        self._settled_at: int | None = None

    def take(self, one: Recorded) -> None:
        """The next event."""
        if isinstance(one.event, s.SeatSettled | s.SeatResettled | s.SeatVoided):
            check_booked(self._sheet, self._place(one, one.event), self._terms, one.event)
        step = _STEPS.get(type(one.event))
        if step is not None:
            step(self, one, one.event)

    def finish(self) -> Verdict:
        """After the last event."""
        self._purse.finish()
        self._pool.finish()
        if self._settled_at is not None and self._settlements:
            for book in self._books.values():
                if book.wagers and book.settled_at is None:
                    at = Place(self._settled_at, book.player, book.seat)
                    self._sheet.note(at, "MISSING", "the seat's settlement", True, False)
        sheet = self._sheet
        return Verdict(
            tuple(self._settlements),
            tuple(self._mirrored),
            self._books,
            sheet.compared,
            sheet.found,
            tuple(sheet.differences),
        )

    # betting

    def _place(self, one: Recorded, event: Any) -> Place:
        book = self._books.get(event.player)
        return Place(one.position, event.player, getattr(event, "seat", None) if book is None else book.seat)

    def _placed(self, one: Recorded, event: s.WagerPlaced) -> None:
        book = self._books.get(event.player)
        if book is None or not book.wagers:
            self._books[event.player] = book = SeatBook(event.player, event.seat)
        book.lay(event.wagers)
        names = {wager.wager for wager in event.wagers}
        at = self._place(one, event)
        self._sheet.compare(at, "HOLD", "put on game", book.held_minor(names, self._antes_held), event.hold_minor)
        self._purse.expect(one, at, "HELD", event.hold_minor)
        self._not_after_close(at, "a wager")

    def _lifted(self, one: Recorded, event: s.ActionUndone | s.SeatPassed | s.WagersRejected) -> None:
        at = self._place(one, event)
        book = self._books.setdefault(event.player, SeatBook(event.player, at.seat))
        held = book.held_minor(event.wagers, self._antes_held)
        book.lift(event.wagers)
        self._sheet.compare(at, "HOLD", "released", held, event.release_minor)
        self._purse.expect(one, at, "RELEASED", event.release_minor)
        self._not_after_close(at, "wagers taken back")

    def _not_after_close(self, at: Place, what: str) -> None:
        if self._closed_at is not None:
            self._sheet.note(at, "HOLD", f"{what} after the close at position {self._closed_at}", False, True)

    def _closed(self, one: Recorded, event: e.BettingClosed) -> None:
        self._closed_at = one.position
        standing = [
            (book.player, wager)
            for book in self._books.values()
            for wager in book.wagers.values()
            if wager.kind is s.WagerKind.PROGRESSIVE
        ]
        self._pool.closed(one, event, standing)

    def _decided(self, one: Recorded, event: s.SeatDecided) -> None:
        at = self._place(one, event)
        book = self._books.get(event.player)
        if book is None:
            self._sheet.note(at, "DECISION", "a decision without a wager", None, event.decision.value)
            return
        reserve = (self._antes_held - 1) * book.stake_minor(s.WagerKind.ANTE)
        self._seats.decided(one, at, book, event, reserve)

    # the showdown and what follows it

    def _shown(self, one: Recorded, event: e.ShowdownHeld) -> None:
        self._found = event.found
        again = self._settle(one, event, Cause.SHOWDOWN)
        if again is not None:
            self._pool.fixed(one, again.moves)
            self._decided_for(again)
        self._pool.recorded(one, () if again is None else again.moves, event.awards, event.resets)
        if self._rules.hand_mode is HandMode.PER_SEAT:
            order = " ".join(self._paid_in_order)
            self._sheet.compare(Place(one.position), "POOL", "order of payment", order, " ".join(event.order))

    def _corrected(self, one: Recorded, event: e.CardsCorrected) -> None:
        self._old = self._pool.standing()
        again = self._settle(one, event, Cause.RESETTLEMENT)
        self._pool.recorded(one, () if again is None else again.moves, event.awards, event.resets)

    def _settle(self, one: Recorded, event: e.ShowdownHeld | e.CardsCorrected, cause: Cause) -> Again | None:
        self._cards.opened(one, event.cards, is_dealt=cause is Cause.SHOWDOWN)
        playing = [book.playing() for book in self._books.values() if book.wagers]
        ordered = in_order_of_payment(self._terms.ruleset, playing)
        self._paid_in_order = [known.player for known in ordered]
        again, refused = None, None
        try:
            again = settled_again(self._terms.ruleset, event.cards, ordered, self._found)
        except CannotSettle as fault:
            refused = str(fault)
            self._sheet.note(Place(one.position), "CARDS", f"the second settlement refuses: {refused}", True, False)
        self._settlements.append(Settlement(one.position, cause, event.cards, again, refused))
        if again is not None:
            at = Place(one.position)
            self._sheet.compare(at, "HAND", "dealer's hand", again.dealer_hand, event.dealer_hand)
            self._sheet.compare(at, "HAND", "dealer qualifies", again.qualifies, event.qualifies)
        return again

    def _decided_for(self, again: Again) -> None:
        """The house decided for who did not, by the table's policy (S0-38, S2-10, S2-11)."""
        pairs = self._terms.timeout_policy == TimeoutPolicy.BET_IF_PAIR_OR_BETTER.value
        for book in self._books.values():
            if book.by_system is not None and book.player in again.seats:
                calls = pairs and again.seats[book.player].hand != _NO_PAIR
                at = Place(book.by_system, book.player, book.seat)
                self._sheet.compare(
                    at, "DECISION", "decided for the player", "CALL" if calls else "FOLD", book.decision
                )

    def _seat_settled(self, one: Recorded, event: s.SeatSettled | s.SeatResettled) -> None:
        at = self._place(one, event)
        book = self._books.get(event.player)
        if book is None or not self._settlements:
            self._sheet.note(at, "MISSING", "a showdown before the seat's settlement", True, False)
            return
        current = self._settlements[-1]
        if isinstance(event, s.SeatSettled):
            self._seats.settled(one, at, book, event)
        else:
            self._seats.resettled(one, at, book, event)
        expected = None if current.again is None else current.again.seats.get(event.player)
        current.seats[event.player] = self._seats.same(one, book, event, expected)

    def _voided(self, one: Recorded, event: s.SeatVoided) -> None:
        at = self._place(one, event)
        book = self._books.get(event.player)
        if book is None:
            self._sheet.note(at, "VOID", "a void of a seat without a wager", None, event.refund_minor)
            return
        prizes = self._pool.falls(one, event.wagers)
        held = book.held_minor(event.wagers, self._antes_held)
        self._seats.voided(one, at, book, event, held_minor=held, prizes_minor=prizes)
        self._mirrored.append(
            Mirrored(
                one.position, event.player, at.seat, event.stage.value, event.wagers,
                event.refund_minor, event.owed_minor, event.taken_minor, event.loss_minor,
            )
        )  # fmt: skip

    def _prize_decided(self, one: Recorded, event: s.PrizeDecided) -> None:
        at = self._place(one, event)
        if event.verified:
            self._purse.expect(one, at, "PRIZE", event.amount_minor)
        if (book := self._books.get(event.player)) is not None:
            book.waits_minor -= event.amount_minor
            book.prize_minor += event.amount_minor if event.verified else 0

    def _review_resolved(self, one: Recorded, event: s.ReviewResolved) -> None:
        if (book := self._books.get(event.player)) is not None:
            self._seats.resolved(one, self._place(one, event), book, event)

    def _awarded(self, one: Recorded, event: pool_events.Awarded) -> None:
        self._pool.awarded(one, event)
        if not event.pending:
            self._purse.expect(one, Place(one.position, event.player, event.seat), "PRIZE", event.prize_minor)

    def _pool_resettled(self, one: Recorded, event: pool_events.RoundResettled) -> None:
        again = self._settlements[-1].again if self._settlements else None
        self._pool.resettled(one, event, self._old, () if again is None else again.moves)

    def _award_decided(self, _: Recorded, event: e.AwardDecided) -> None:
        self._pool.decided(event.award, verified=event.verified)

    def _finished(self, one: Recorded, _: e.RoundSettled) -> None:
        self._settled_at = one.position

    def _ended(self, one: Recorded, event: e.RoundVoided | e.RoundCancelled) -> None:
        if event.cards is not None:
            is_dealt = all(known.cause is Cause.SHOWDOWN for known in self._settlements)
            self._cards.opened(one, event.cards, is_dealt=is_dealt)


def _to(part: str, name: str) -> Callable[[Checker, Recorded, Any], None]:
    """Hand an event to a part of the checker."""
    of = attrgetter(f"{part}.{name}")
    return lambda run, one, event: of(run)(one, event)


_STEPS: Final[dict[type[Any], Callable[[Checker, Recorded, Any], None]]] = {
    s.WagerPlaced: Checker._placed,
    s.ActionUndone: Checker._lifted,
    s.SeatPassed: Checker._lifted,
    s.WagersRejected: Checker._lifted,
    s.SeatDecided: Checker._decided,
    s.SeatSettled: Checker._seat_settled,
    s.SeatResettled: Checker._seat_settled,
    s.SeatVoided: Checker._voided,
    s.PrizeDecided: Checker._prize_decided,
    s.ReviewResolved: Checker._review_resolved,
    e.BettingClosed: Checker._closed,
    e.Dealt: _to("_cards", "dealt"),
    e.ShowdownHeld: Checker._shown,
    e.CardsCorrected: Checker._corrected,
    e.AwardDecided: Checker._award_decided,
    e.RoundSettled: Checker._finished,
    e.RoundVoided: Checker._ended,
    e.RoundCancelled: Checker._ended,
    ScansOpened: _to("_cards", "scans_opened"),
    pool_events.Contributed: _to("_pool", "contributed"),
    pool_events.Awarded: Checker._awarded,
    pool_events.PoolReset: _to("_pool", "reset"),
    pool_events.RoundMirrored: _to("_pool", "mirrored"),
    pool_events.RoundResettled: Checker._pool_resettled,
    upkeep.AwardVerified: _to("_pool", "prize_decided"),
    upkeep.AwardRefused: _to("_pool", "prize_decided"),
    **dict.fromkeys(
        (w.FundsHeld, w.FundsReleased, w.StakesSettled, w.PrizePaid, w.OutcomeReversed, w.HeldMoneyDecided),
        _to("_purse", "take"),
    ),
}
"""What becomes of each event; those that are not here state nothing that could be worked out anew."""
