"""What a seat was given, held against what the second settlement says and against the seat's own earlier events."""

from __future__ import annotations

from collections.abc import Iterable

from domain.seats.events import (
    LossKind,
    ReviewResolved,
    SeatDecided,
    SeatResettled,
    SeatSettled,
    SeatVoided,
    Stage,
    WagerKind,
    WagerResult,
)
from domain.settlement import DecidedBy, Decision
from domain.wallets.events import VoidPolicy
from services.ports import Recorded
from services.replay.again import Expected
from services.replay.purse import Purse
from services.replay.seat_book import SeatBook
from services.replay.settlements import RecordedSeat
from services.replay.sheet import Place, Sheet

_KINDS = tuple(WagerKind)


class SeatCheck:
    """Compares one event of a seat at a time; what stands at the seat is in its book."""

    def __init__(self, sheet: Sheet, purse: Purse, call_multiple: int) -> None:
        self._sheet = sheet
        self._purse = purse
        self._call_multiple = call_multiple

    def decided(self, one: Recorded, at: Place, book: SeatBook, event: SeatDecided, reserve_minor: int) -> None:
        """Call or fold; `reserve_minor` is what the ante holds for a call (C13)."""
        calls = event.decision is Decision.CALL
        stake = self._call_multiple * book.stake_minor(WagerKind.ANTE) if calls else None
        call = None if event.call is None else event.call.stake_minor
        same = self._sheet.compare
        same(at, "CALL", "stake of the call", stake, call)
        same(at, "HOLD", "put on game", 0 if reserve_minor or not calls else call, event.hold_minor)
        same(at, "HOLD", "released", 0 if calls else reserve_minor, event.release_minor)
        self._purse.expect(one, at, "HELD", event.hold_minor)
        self._purse.expect(one, at, "RELEASED", event.release_minor)
        book.decision = event.decision.value
        book.by_system = one.position if event.decided_by is DecidedBy.SYSTEM else None
        if event.call is not None:
            book.lay((event.call,))

    def settled(self, one: Recorded, at: Place, book: SeatBook, event: SeatSettled) -> None:
        """The first result."""
        payout = _payout(event.results)
        staked = sum(result.stake_minor for result in event.results)
        same = self._sheet.compare
        same(at, "TOTAL", "staked", staked, event.staked_minor)
        same(at, "TOTAL", "returned", payout + event.prize_minor, event.returned_minor)
        same(at, "TOTAL", "net", payout + event.prize_minor - staked, event.net_minor)
        same(at, "MISSING", "one settlement of the seat", None, book.settled_at)
        self._purse.expect(one, at, "SETTLED", staked, payout)
        book.settled_at = one.position
        book.results = {result.wager: result for result in event.results}
        book.prize_minor, book.waits_minor = event.prize_minor, event.pending_minor

    def resettled(self, one: Recorded, at: Place, book: SeatBook, event: SeatResettled) -> None:
        """Another result in place of the one before."""
        before = _payout(book.results.values()) + book.prize_minor
        returned = _payout(event.results) + event.prize_minor
        same = self._sheet.compare
        same(at, "VOID", "the result before", True, _as_set(event.before) == _as_set(book.results.values()))
        same(at, "TOTAL", "returned", returned, event.returned_minor)
        same(at, "TOTAL", "net", returned - sum(one.stake_minor for one in event.results), event.net_minor)
        same(at, "VOID", "owed", before - returned, event.owed_minor)
        self._reversed(one, at, event)
        book.results = {result.wager: result for result in event.results}
        book.prize_minor, book.waits_minor = event.prize_minor, event.pending_minor
        self._noted(book, event)

    def voided(
        self, one: Recorded, at: Place, book: SeatBook, event: SeatVoided, *, held_minor: int, prizes_minor: int
    ) -> None:
        """Wagers are of no effect: what was recorded of them turns its sign, and nothing is worked out anew."""
        after = book.settled_at is not None
        stage = Stage.AFTER_SETTLEMENT if after else Stage.BEFORE_SETTLEMENT
        same = self._sheet.compare
        same(at, "VOID", "stage", stage.value, event.stage.value)
        gone = [result for wager, result in book.results.items() if wager in event.wagers]
        same(at, "VOID", "the results that are mirrored", True, _as_set(event.results) == _as_set(gone))
        owed = sum(result.payout_minor - result.stake_minor for result in gone) + (prizes_minor if after else 0)
        same(at, "VOID", "prizes that go", prizes_minor if after else 0, event.prize_minor)
        same(at, "VOID", "owed", owed, event.owed_minor)
        same(at, "VOID", "refund", max(-owed, 0) if after else held_minor, event.refund_minor)
        if after:
            self._reversed(one, at, event)
            self._noted(book, event)
        else:
            self._purse.expect(one, at, "RELEASED", event.refund_minor)
        book.lift(event.wagers)
        book.results = {wager: result for wager, result in book.results.items() if wager not in event.wagers}
        book.prize_minor -= event.prize_minor
        if not book.stake_minor(WagerKind.PROGRESSIVE):
            book.waits_minor = 0

    def _reversed(self, one: Recorded, at: Place, event: SeatVoided | SeatResettled) -> None:
        """Who bears what is owed: what is taken from the player, the rest the house; credits come in whole."""
        owed, taken = event.owed_minor, event.taken_minor
        held = event.loss_kind is LossKind.REVIEW
        same = self._sheet.compare
        same(at, "VOID", "taken within what is owed", True, taken == owed if owed <= 0 else 0 <= taken <= owed)
        same(at, "VOID", "borne by the house", owed if held else owed - taken, event.loss_minor)
        self._purse.expect(one, at, "REVERSED", owed, -taken, taken if held and taken > 0 else 0)

    @staticmethod
    def _noted(book: SeatBook, event: SeatVoided | SeatResettled) -> None:
        if event.loss_kind is LossKind.REVIEW and event.owed_minor > 0:
            book.reviews.append((event.owed_minor, event.taken_minor))

    def resolved(self, one: Recorded, at: Place, book: SeatBook, event: ReviewResolved) -> None:
        """All reviews of the seat end at once."""
        owed, taken = sum(pair[0] for pair in book.reviews), sum(pair[1] for pair in book.reviews)
        self._sheet.compare(at, "VOID", "owed under review", owed, event.owed_minor)
        self._sheet.compare(at, "VOID", "held for review", taken, event.taken_minor)
        amount = taken - owed if event.policy is VoidPolicy.CLAW_BACK else 0
        self._purse.expect(one, at, "DECIDED", taken, amount)
        book.reviews = []

    def same(
        self, one: Recorded, book: SeatBook, event: SeatSettled | SeatResettled, expected: Expected | None
    ) -> RecordedSeat:
        """The recorded result beside the expected one, kind by kind."""
        at = Place(one.position, book.player, book.seat)
        stakes, payout = _by_kind(event.results, "stake_minor"), _by_kind(event.results, "payout_minor")
        standing = {(wager.wager, wager.kind, wager.stake_minor) for wager in book.wagers.values()}
        settled = {(result.wager, result.kind, result.stake_minor) for result in event.results}
        self._sheet.compare(at, "TOTAL", "the wagers that stand are settled", True, standing == settled)
        if expected is not None:
            self._same_result(at, event, expected, payout)
            self._same_parts(at, event.results, stakes, payout)
        return RecordedSeat(
            position=one.position,
            player=book.player,
            seat=book.seat,
            decision=book.decision,
            decided_by=None if book.decision is None else ("PLAYER" if book.by_system is None else "SYSTEM"),
            hand=event.player_hand,
            outcome=event.outcome,
            stakes=stakes,
            payout=payout,
            prize_minor=event.prize_minor,
            pending_minor=event.pending_minor,
        )

    def _same_result(
        self, at: Place, event: SeatSettled | SeatResettled, expected: Expected, payout: dict[WagerKind, int]
    ) -> None:
        same = self._sheet.compare
        same(at, "HAND", "player's hand", expected.hand, event.player_hand)
        same(at, "OUTCOME", "outcome", expected.outcome, event.outcome)
        for kind in _KINDS:
            if kind is not WagerKind.PROGRESSIVE:
                same(at, kind.value, "payout", expected.payout.get(kind.value, 0), payout.get(kind, 0))
        same(at, "PROGRESSIVE", "stake returned", 0, payout.get(WagerKind.PROGRESSIVE, 0))
        same(at, "PROGRESSIVE", "prize", 0 if expected.pending else expected.prize_minor, event.prize_minor)
        same(
            at, "PROGRESSIVE", "prize that waits for verification", expected.prize_minor if expected.pending else 0,
            event.pending_minor,
        )  # fmt: skip

    def _same_parts(
        self, at: Place, results: Iterable[WagerResult], stakes: dict[WagerKind, int], payout: dict[WagerKind, int]
    ) -> None:
        """Every unit of a spot gets the same: a wager's part of the payout is its part of the stake."""
        for result in results:
            whole = payout[result.kind] * result.stake_minor
            if result.payout_minor * stakes[result.kind] != whole:
                part = whole // stakes[result.kind] if stakes[result.kind] else 0
                self._sheet.note(at, result.kind.value, f"payout of {result.wager}", part, result.payout_minor)


def _payout(results: Iterable[WagerResult]) -> int:
    return sum(one.payout_minor for one in results)


def _as_set(results: Iterable[WagerResult]) -> set[WagerResult]:
    return set(results)


def _by_kind(results: Iterable[WagerResult], name: str) -> dict[WagerKind, int]:
    found: dict[WagerKind, int] = {}
    for one in results:
        found[one.kind] = found.get(one.kind, 0) + getattr(one, name)
    return found
