"""One round over the API, from the opening to the books. Each step is one call of the service or one per player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from api.demo.books import Prize, Tally
from api.demo.client import Answer, expect
from api.demo.faults import DemoFailed, together
from api.demo.floor import Floor, Table
from api.demo.strategy import decision_for


@dataclass(slots=True)
class Part:
    """A player's part in the round, as the player knows it: his stakes by the answers to his own calls."""

    player: str
    seat: int | None
    ante: int = 0
    side: int = 0
    call: int = 0
    decision: str | None = None
    rejected: bool = False
    net: int = 0

    @property
    def staked(self) -> int:
        """All that is at risk."""
        return self.ante + self.side + self.call

    @property
    def on_game(self) -> int:
        """What is held until the settlement: an ante also holds the call that may follow, until a fold frees it."""
        return self.ante + self.side + (0 if self.decision == "FOLD" else 2 * self.ante)


@dataclass(frozen=True, slots=True)
class Bet:
    """What a player wants to put down in one call."""

    player: str
    seat: int | None
    ante: int
    side: int = 0


class Play:
    """A round in play. Use the methods in the order of the game; `cards` of a feed are given to `deal`."""

    def __init__(self, floor: Floor, table: Table) -> None:
        self.floor = floor
        self.table = table
        self.round = ""
        self.parts: dict[str, Part] = {}
        self.result = Tally()
        self.prizes: list[Prize] = []
        self.contribution_micro = 0
        self.closed_at = 0

    async def open(self) -> None:
        """The table's next round."""
        answer = await self.floor.service.post(f"/v1/tables/{self.table.id}/rounds", {}, status=201)
        self.round = answer["round"]

    def path(self, step: str = "") -> str:
        """The round's address, or that of one of its calls."""
        return f"/v1/rounds/{self.round}{step and '/'}{step}"

    async def bet(self, bet: Bet, key: str | None = None) -> Answer:
        """Put stakes down and note what the table took of them."""
        service = self.floor.service
        reply = await service.try_post(self.path("wagers"), self.wager(bet), key or service.new_key())
        answer = expect(reply, 201)
        self.take(bet, answer)
        return answer

    def take(self, bet: Bet, answer: Answer) -> None:
        """Note what the table took of a bet."""
        part = self.parts.setdefault(bet.player, Part(bet.player, bet.seat))
        for one in answer["wagers"]:
            if one["kind"] == "ANTE":
                part.ante += one["stake"]
            else:
                part.side += one["stake"]
        self._check_taken(part, bet, answer)

    def wager(self, bet: Bet) -> dict[str, object]:
        """The body of a wager."""
        body: dict[str, object] = {"player": bet.player, "ante": bet.ante}
        if bet.seat is not None:
            body["seat"] = bet.seat
        if bet.side:
            body["side"] = {self.table.game.side: bet.side}
        return body

    async def close(self) -> None:
        """No more bets. Who is below the minimum by our own notes must be the one who is let go."""
        answer = await self.floor.service.post(self.path("close"), {})
        minimum = self.table.plan.ante_min
        should = sorted(one.player for one in self.parts.values() if one.ante < minimum)
        did = sorted(one["player"] for one in answer["rejected"])
        if did != should:
            raise DemoFailed(f"POST {self.path('close')}: let go {did} where {should} were below the minimum")
        for player in should:
            self.parts[player].rejected = True
        self.floor.books.seen["rejected"] += len(should)
        self.closed_at = answer["position"]
        self.contribution_micro = int(answer["contribution_micro"])
        if self.table.jackpot is not None:
            self.floor.pool(self.table).contributed_micro += self.contribution_micro

    async def deal(self, cards: Mapping[str, object] | None = None) -> Answer:
        """The shoe deals, or a feed names the cards."""
        return await self.floor.service.post(self.path("deal"), cards or {})

    async def decide(self, parts: Iterable[Part], position: int) -> None:
        """Each player looks at his own hand, as it is at `position`, and calls or folds."""
        await together(self._decide(part, position) for part in parts)

    async def settle(self) -> Answer:
        """Showdown and payment; then the round is read again and entered into the books."""
        answer = await self.floor.service.post(self.path("settle"), {})
        if answer["phase"] != "SETTLED":
            raise DemoFailed(f"POST {self.path('settle')}: phase {answer['phase']} where SETTLED was expected")
        await self.enter(answer["position"])
        self.floor.progress.round_done()
        return answer

    async def enter(self, position: int) -> None:
        """Enter the settled round into the books, seat by seat, from what the service says it paid."""
        rows = {row["player"]: row for row in await self.seats(position)}
        for part in self.standing:
            if part.player not in rows:
                raise DemoFailed(f"GET {self.path()}: player {part.player} is missing")
            self._enter_part(part, rows[part.player])
        self.result.rounds = 1
        books = self.floor.books
        books.tally(self.table.game.ruleset, self.table.plan.currency).add(self.result)
        if self.table.jackpot is not None:
            pool = self.floor.pool(self.table)
            pool.prizes += self.prizes
            await self.look_at_meter(position)

    async def seats(self, position: int) -> Sequence[Answer]:
        """All seats of the round, page by page, as they are at `position`."""
        found: list[Answer] = []
        more: dict[str, str] = {}
        while True:
            page = await self.floor.service.get(self.path(), min_position=position, **more)
            found += page["seats"]
            if not (cursor := page.get("next")):
                return found
            more = {"cursor": cursor}

    async def look_at_meter(self, position: int) -> Answer:
        """The pool as it is at `position`, or a little later; noted in its book."""
        pool = await self.floor.service.get(f"/v1/jackpots/{self.table.jackpot}", min_position=position)
        self.floor.pool(self.table).saw(pool["position"], pool["meter_micro"])
        return pool

    @property
    def standing(self) -> list[Part]:
        """Who is in the deal, the order of payment last to first or first to last as the game has it."""
        parts = [one for one in self.parts.values() if one.ante and not one.rejected]
        return sorted(parts, key=lambda one: one.seat or 0, reverse=self.table.game.right_to_left)

    def _check_taken(self, part: Part, bet: Bet, answer: Answer) -> None:
        """A table that raises says so; the total is the one of our notes."""
        raised = answer["raised"]
        if raised is not None:
            if not self.table.game.raises_to_minimum or (raised["asked"], part.ante) != (
                bet.ante,
                self.table.plan.ante_min,
            ):
                raise DemoFailed(f"POST {self.path('wagers')}: an ante of {bet.ante} was raised to {part.ante}")
            self.floor.books.seen["raised"] += 1
        if answer["total_bet"] != part.staked:
            raise DemoFailed(
                f"POST {self.path('wagers')}: total_bet {answer['total_bet']} where {part.staked} was staked"
            )

    async def _decide(self, part: Part, position: int) -> None:
        view = await self.floor.service.get(self.path(f"players/{part.player}"), min_position=position)
        choice = decision_for(view["hand"], view["cards"])
        body = {"player": part.player, "decision": choice}
        answer = await self.floor.service.post(self.path("decisions"), body)
        part.decision = answer["decision"]
        part.call = sum(one["stake"] for one in answer["wagers"])

    def _enter_part(self, part: Part, row: Answer) -> None:
        if part.decision is None:
            if row["decided_by"] != "SYSTEM":
                raise DemoFailed(f"GET {self.path()}: {part.player} did not decide, yet {row['decided_by']} did")
            part.decision = row["decision"]
            part.call = sum(one["stake"] for one in row["wagers"] if one["kind"] == "CALL")
            self.floor.books.seen["decided by SYSTEM"] += 1
        payout = row["payout"]
        prize = payout.get("progressive", 0)
        back = sum(payout.values())
        if row["net"] != back - part.staked:
            raise DemoFailed(
                f"GET {self.path()}: {part.player} staked {part.staked} and got {back}, yet net is {row['net']}"
            )
        part.net = back - part.staked
        self.floor.books.move(part.player, part.net)
        self.result.add(Tally(0, 1, part.staked, back - prize, prize))
        if prize:
            jackpot = self.table.jackpot or ""
            self.prizes.append(Prize(jackpot, self.round, part.player, row["player_hand"], prize))
