"""Steps of a history about single scanned cards and about players who come, go, change device, repeat and double."""

from __future__ import annotations

from typing import Final

from domain.cards import DECK
from domain.rounds.events import Phase
from domain.rounds.scans import DEALER, PLAYER, Place, deal_orders
from domain.rounds.state import Round
from domain.variants import ruleset
from services import commands as c
from tests.domain.showdowns import LAND, LIVE
from tests.support.cards import DEALERS, cards
from tests.support.staff import TABLES, Staff, Step, hands

GUEST_STEPS: Final = (
    "scan",
    "scan",
    "scan",
    "misscan",
    "misscan",
    "join",
    "join",
    "away",
    "device",
    "repeat",
    "double",
)
_ALL: Final = 99


class Guests(Staff):
    """A casino whose cards are scanned one by one, and whose players come and go."""

    async def guest(self, step: Step, table: str, player: str, round_id: str) -> None:
        """Take a step of GUEST_STEPS."""
        session = ("phone", "desk")[step.pick % 2]
        seat = None if TABLES[table] == LIVE else step.who if step.pick % 4 else step.pick % 3 + 1
        beside = list(TABLES)[step.pick // 4 % 4] if step.pick % 3 == 0 else None
        match step.kind:
            case "scan":
                await self.scan_on(table, round_id, step.pick % 11 + 1)
            case "misscan":
                await self._misread(table, round_id, step.pick)
            case "join":
                await self.attempt(c.JoinTable(table, player, seat, session, beside))
            case "away":
                await self.attempt(c.LeaveTable(table, player, session if step.pick % 3 else None))
            case "device":
                await self.attempt(c.SetOneDevice(step.pick % 3 > 0, "patrons"))
            case "repeat":
                await self.attempt(c.RepeatWagers(round_id, player))
            case _:
                await self.attempt(c.DoubleWagers(round_id, player))

    async def scan_on(self, table: str, round_id: str, most: int = _ALL) -> None:
        """The next cards of a deal, at most so many; each round has its own cards, and a way in which it is scanned.
        All of them are one command of the history.
        """
        commands = self.commands
        for place in self._missing(table, round_id)[:most]:
            await self.attempt(
                c.ScanCard(round_id, place.to, place.number, self._card(round_id, place), self._holds(round_id))
            )
        self.commands = commands + 1

    async def confirm(self, table: str, round_id: str) -> None:
        """Scan to the end of the deal; a card that was misread as one that falls later is put right, as staff would."""
        await self.scan_on(table, round_id)
        for place, _ in self._round_of(round_id).scans:
            await self._put_right(round_id, place, self._card(round_id, place))
        await self.scan_on(table, round_id)
        if self._round_of(round_id).phase is Phase.BETTING_CLOSED:
            await self.attempt(c.Deal(round_id, None, None, None))

    def told_at_the_end(self, round_id: str) -> tuple[str, ...] | None:
        """What a studio names of the dealer with the settlement: the four that it has not scanned."""
        dealer = [place for place, _ in self._round_of(round_id).scans if place.to == DEALER]
        if len(dealer) != 1:
            return None
        five = self._dealer(round_id)
        return tuple(card for nth, card in enumerate(five, 1) if nth != dealer[0].number)

    async def _misread(self, table: str, round_id: str, pick: int) -> None:
        """Some card that lies was another, right or not."""
        lying = self._round_of(round_id).scans if round_id in self.rounds else ()
        if not lying:
            await self.scan_on(table, round_id, 1)
            return
        place, _ = lying[pick % len(lying)]
        await self._put_right(round_id, place, DECK[pick % 52] if pick % 3 else self._card(round_id, place))

    async def _put_right(self, round_id: str, place: Place, card: str) -> None:
        await self.attempt(c.CorrectScan(round_id, place.to, place.number, card, "misread"))

    def _missing(self, table: str, round_id: str) -> tuple[Place, ...]:
        """The places of the deal where no card lies yet; any one where nothing can be scanned."""
        if round_id not in self.rounds or TABLES[table] == LAND:
            return (Place(DEALER, 1),)
        round_, rules = self._round_of(round_id), ruleset(TABLES[table])
        seats = {int(place.to) for place, _ in round_.scans if place.to.isdigit()}
        seats |= {one.seat for one in self.seats_of(round_id) if one.seat is not None and one.wagers}
        orders = deal_orders(seats, shared=TABLES[table] == LIVE, upcard_index=rules.dealer_upcard_index)
        return orders[self.rounds.index(round_id) % 2][len(round_.scans) :]

    def _card(self, round_id: str, place: Place) -> str:
        nth = self.rounds.index(round_id) if round_id in self.rounds else 0
        if place.to == DEALER:
            return self._dealer(round_id)[place.number - 1]
        seat = 1 if place.to == PLAYER else int(place.to)
        return cards(hands(7 * nth, (seat,))[seat])[place.number - 1]

    def _dealer(self, round_id: str) -> tuple[str, ...]:
        return cards(DEALERS[self.rounds.index(round_id) % 3 if round_id in self.rounds else 0])

    def _holds(self, round_id: str) -> bool:
        return round_id in self.rounds and self.rounds.index(round_id) % 3 == 1

    def _round_of(self, round_id: str) -> Round:
        found = self.books.state("round", round_id)
        assert isinstance(found, Round)
        return found
