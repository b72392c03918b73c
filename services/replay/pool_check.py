"""What a round did to its pool, held against what it had to do: contributions, awards, resets, and their mirrors."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence

from domain.changing import replace
from domain.frozen import dataclass
from domain.jackpots.events import Awarded, Contributed, FundKind, Move, PoolReset, RoundMirrored, RoundResettled
from domain.jackpots.parameters import PoolTerms
from domain.jackpots.upkeep import AwardRefused, AwardVerified
from domain.money import MICRO
from domain.rounds.awards import parted
from domain.rounds.events import AwardRecord, BettingClosed, ResetRecord, Share
from domain.seats.events import Wager
from services.ports import Recorded
from services.replay.again import ExpectedMove
from services.replay.sheet import Place, Sheet


@dataclass(frozen=True, slots=True)
class _Fallen:
    """What a void takes out of the pool, as the round's own events recorded it."""

    contribution_micro: int
    awards: frozenset[str]
    awards_back_micro: int
    resets_back_micro: int


_NOTHING = _Fallen(0, frozenset(), 0, 0)


class PoolCheck:
    """Told in order what the round and its pool did. `awards` and `resets` are those that stand."""

    def __init__(self, sheet: Sheet, terms_at_close: PoolTerms | None) -> None:
        self._sheet = sheet
        self._terms = terms_at_close
        self._contributed: tuple[int, Contributed] | None = None
        self._due: deque[ExpectedMove] = deque()
        self._due_at = 0
        self._fallen: defaultdict[str, list[_Fallen]] = defaultdict(list)
        self._fallen_at: dict[str, int] = {}
        self.shares: tuple[Share, ...] = ()
        self.awards: tuple[AwardRecord, ...] = ()
        self.resets: tuple[ResetRecord, ...] = ()

    # contributions

    def contributed(self, one: Recorded, event: Contributed) -> None:
        """Remembered until the close says what it should be."""
        self._contributed = one.position, event

    def closed(self, one: Recorded, event: BettingClosed, standing: Iterable[tuple[str, Wager]]) -> None:
        """Every standing progressive wager gives its share at the rates in force, in one event of the pool."""
        at = Place(one.position)
        self.shares = event.shares
        wagers = {wager.wager: (player, wager.stake_minor) for player, wager in standing}
        for share in event.shares:
            of = Place(one.position, share.player)
            player, stake = wagers.pop(share.wager, (None, 0))
            self._sheet.compare(of, "CONTRIBUTION", f"player of {share.wager}", player, share.player)
            self._sheet.compare(of, "CONTRIBUTION", f"stake of {share.wager}", stake, share.stake_minor)
            if self._terms is not None:
                terms, micro = self._terms, "micro-units of"
                increment, reserve = stake * terms.increment_ppm, stake * terms.reserve_ppm
                self._sheet.compare(
                    of, "CONTRIBUTION", f"{micro} {share.wager} for the meter", increment, share.increment_micro
                )
                self._sheet.compare(
                    of, "CONTRIBUTION", f"{micro} {share.wager} for the reserve", reserve, share.reserve_micro
                )
        for wager, (player, stake) in wagers.items() if event.jackpot is not None else ():
            self._sheet.note(Place(one.position, player), "CONTRIBUTION", f"share of {wager}", stake, None)
        self._same_contribution(at, event)

    def _same_contribution(self, at: Place, event: BettingClosed) -> None:
        if self._contributed is None:
            if event.shares:
                self._sheet.note(at, "MISSING", "the pool's event of the contributions", True, False)
            return
        position, found = self._contributed
        at = Place(position)
        increment = sum(one.increment_micro for one in event.shares)
        reserve = sum(one.reserve_micro for one in event.shares)
        same = self._sheet.compare
        same(at, "CONTRIBUTION", "shares as the close lists them", True, found.shares == event.shares)
        same(at, "CONTRIBUTION", "micro-units for the meter", increment, found.increment_micro)
        same(at, "CONTRIBUTION", "micro-units for the reserve", reserve, found.reserve_micro)
        same(at, "POOL", "micro-units that came in", increment + reserve, _total(found.move))
        same(at, "POOL", "micro-units that the reserve got", reserve, found.move.reserve_micro)

    # awards

    def fixed(self, one: Recorded, expected: Sequence[ExpectedMove], *, in_one_event: bool = False) -> None:
        """A showdown fixed these; the pool's own events must follow, a resettlement's are one."""
        if not in_one_event:
            self._due.extend(expected)
            self._due_at = one.position

    def recorded(
        self,
        one: Recorded,
        expected: Sequence[ExpectedMove],
        awards: tuple[AwardRecord, ...],
        resets: tuple[ResetRecord, ...],
    ) -> None:
        """The round's own list of awards and resets, which its seats are paid by and a void goes by."""
        at = Place(one.position)
        due = [move for move in expected if move.player is not None]
        self._sheet.compare(at, "PROGRESSIVE", "awards", len(due), len(awards))
        for move, award in zip(due, awards, strict=False):
            of = Place(one.position, award.player, award.seat)
            self._sheet.compare(of, "PROGRESSIVE", "player of an award", move.player, award.player)
            self._same_award(of, move, award)
        restarts = [move for move in expected if move.player is None]
        self._sheet.compare(at, "POOL", "resets", len(restarts), len(resets))
        for move, reset in zip(restarts, resets, strict=False):
            self._same_reset(at, move, reset.reset_micro, reset.reserve_micro)
        self.awards, self.resets = awards, resets

    def awarded(self, one: Recorded, event: Awarded) -> None:
        """One award in the pool's stream."""
        at = Place(one.position, event.player, event.seat)
        move = self._next(at)
        if move is None:
            return
        self._sheet.compare(at, "PROGRESSIVE", "player of an award", move.player, event.player)
        self._same_award(at, move, event)
        self._same_after(at, move, event.move)

    def reset(self, one: Recorded, event: PoolReset) -> None:
        """A restart of the pool."""
        at = Place(one.position)
        move = self._next(at)
        if move is not None:
            self._sheet.compare(at, "POOL", "an award, or the reset after it", move.kind, "RESET")
            self._same_reset(at, move, event.reset_micro, event.from_reserve_micro)
            self._same_after(at, move, event.move)

    def _next(self, at: Place) -> ExpectedMove | None:
        if not self._due:
            self._sheet.note(at, "POOL", "a move of the pool", None, "one more")
            return None
        return self._due.popleft()

    def _same_award(self, at: Place, move: ExpectedMove, found: Awarded | AwardRecord) -> None:
        same = self._sheet.compare
        same(at, "PROGRESSIVE", "prize", move.prize_minor, found.prize_minor)
        same(at, "POOL", "micro-units that the pool pays of the prize", move.pool_micro, found.pool_micro)
        same(at, "PROGRESSIVE", "hand of the prize", move.hand, found.category)
        same(at, "PROGRESSIVE", "waits for verification", move.pending, found.pending)
        fund = FundKind.FIXED_PRIZE if move.kind == "FIXED" else FundKind.TOP_UP
        same(at, "POOL", "what the house pays as", fund.value, str(found.fund))

    def _same_reset(self, at: Place, move: ExpectedMove, reset_micro: int, reserve_micro: int) -> None:
        self._sheet.compare(at, "POOL", "micro-units of the reset", move.prize_minor * MICRO, reset_micro)
        self._sheet.compare(at, "POOL", "micro-units of it from the reserve", move.pool_micro, reserve_micro)

    def _same_after(self, at: Place, move: ExpectedMove, found: Move) -> None:
        same = self._sheet.compare
        same(at, "POOL", "micro-units on the meter after it", move.meter_after_micro, found.meter_after_micro)
        same(at, "POOL", "micro-units in the reserve after it", move.reserve_after_micro, found.reserve_after_micro)
        same(at, "POOL", "micro-units in the overflow after it", move.overflow_after_micro, found.overflow_after_micro)

    # what came later

    def decided(self, award: str, *, verified: bool) -> None:
        """A pending prize came in, or is gone."""
        if verified:
            self.awards = tuple(replace(one, pending=False) if one.award == award else one for one in self.awards)

    def prize_decided(self, one: Recorded, event: AwardVerified | AwardRefused) -> None:
        """The pool's side of it: the prize as it was fixed, and what a refusal gives back."""
        at = Place(one.position, event.player)
        prize = next((known.prize_minor for known in self.awards if known.award == event.award), None)
        self._sheet.compare(at, "PROGRESSIVE", "prize", prize, event.prize_minor)
        if isinstance(event, AwardRefused):
            fallen = self._takes_away({event.award}, 0)
            self._same_back(at, fallen, event.awards_back_micro, event.resets_back_micro)
            self._same_net(at, event, fallen, 0)

    def falls(self, one: Recorded, wagers: Collection[str]) -> int:
        """These wagers are of no effect: their shares and awards go. Minor units of the prizes that had come in."""
        shares = [share for share in self.shares if share.wager in wagers]
        awards = {award.award for award in self.awards if award.wager in wagers}
        came_in = sum(award.prize_minor for award in self.awards if award.award in awards and not award.pending)
        given = sum(share.increment_micro + share.reserve_micro for share in shares)
        self.shares = tuple(share for share in self.shares if share.wager not in wagers)
        if shares or awards:
            self._fallen[one.meta.causation].append(self._takes_away(awards, given))
            self._fallen_at[one.meta.causation] = one.position
        return came_in

    def _takes_away(self, awards: Collection[str], given_micro: int) -> _Fallen:
        going = parted(self.awards, self.resets, awards)
        self.awards, self.resets = going.left, going.left_resets
        return _Fallen(
            given_micro,
            frozenset(awards),
            sum(one.pool_micro for one in going.gone),
            sum(one.reset_micro - one.reserve_micro for one in going.gone_resets),
        )

    def mirrored(self, one: Recorded, event: RoundMirrored) -> None:
        """The pool's side of a void: what the wagers that fell had done, with the sign turned."""
        at = Place(one.position)
        fallen = _summed(self._fallen.pop(one.meta.causation, ()))
        same = self._sheet.compare
        same(at, "CONTRIBUTION", "micro-units given back", fallen.contribution_micro, event.contribution_micro)
        same(at, "POOL", "awards that fall", " ".join(sorted(fallen.awards)), " ".join(sorted(event.awards)))
        self._same_back(at, fallen, event.awards_back_micro, event.resets_back_micro)
        self._same_net(at, event, fallen, 0)

    def resettled(self, one: Recorded, event: RoundResettled, old: _Fallen, new: Sequence[ExpectedMove]) -> None:
        """Old awards mirrored, new ones posted."""
        at = Place(one.position)
        paid = sum(move.pool_micro for move in new if move.player is not None)
        from_house = sum(move.prize_minor * MICRO - move.pool_micro for move in new if move.player is None)
        self._same_back(at, old, event.awards_back_micro, event.resets_back_micro)
        self._sheet.compare(at, "POOL", "micro-units of the new awards", paid, event.awards_micro)
        self._sheet.compare(at, "POOL", "micro-units of the new resets by the house", from_house, event.resets_micro)
        self._same_net(at, event, old, from_house - paid)

    def standing(self) -> _Fallen:
        """What a resettlement takes away: all awards and resets that stand."""
        return _Fallen(
            0,
            frozenset(one.award for one in self.awards),
            sum(one.pool_micro for one in self.awards),
            sum(one.reset_micro - one.reserve_micro for one in self.resets),
        )

    def _same_back(self, at: Place, fallen: _Fallen, awards_micro: int, resets_micro: int) -> None:
        self._sheet.compare(at, "POOL", "micro-units that awards had cost", fallen.awards_back_micro, awards_micro)
        self._sheet.compare(at, "POOL", "micro-units that resets had cost", fallen.resets_back_micro, resets_micro)

    def _same_net(
        self, at: Place, event: RoundMirrored | RoundResettled | AwardRefused, fallen: _Fallen, new_micro: int
    ) -> None:
        """The three accounts together change by all of it, and by what the house puts in for what they cannot bear."""
        shortfall = event.shortfall_meter_micro + event.shortfall_reserve_micro
        back = fallen.awards_back_micro - fallen.resets_back_micro - fallen.contribution_micro
        self._sheet.compare(at, "POOL", "micro-units in all", back + new_micro + shortfall, _total(event.move))

    def finish(self) -> None:
        """What should have come and did not."""
        for move in self._due:
            at = Place(self._due_at, move.player, move.seat)
            self._sheet.note(at, "MISSING", f"the pool's event of {move.kind}", move.prize_minor, None)
        for command in self._fallen:
            self._sheet.note(Place(self._fallen_at[command]), "MISSING", "the pool's mirror of the void", True, False)


def _summed(parts: Collection[_Fallen]) -> _Fallen:
    """What fell in one command together."""
    total = _NOTHING
    for one in parts:
        total = _Fallen(
            total.contribution_micro + one.contribution_micro,
            total.awards | one.awards,
            total.awards_back_micro + one.awards_back_micro,
            total.resets_back_micro + one.resets_back_micro,
        )
    return total


def _total(move: Move) -> int:
    return move.meter_micro + move.reserve_micro + move.overflow_micro
