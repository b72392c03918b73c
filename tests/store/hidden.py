"""Cards that are not public yet, and where they must not be readable: database, logs, answers (F32)."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from api.intake import fingerprint
from domain.cards import DECK
from domain.dealing import check_commitment
from tests.adapters.event_store_support import until
from tests.postgres import Database
from tests.store.followed import everything_sent
from tests.store.in_process import Client
from tests.store.scanning import leaks
from tests.store.studio import Scan, correction_of, scan_cards, scans_of
from tests.support.cards import deck
from tests.support.fixtures import SALT, StackedShoe

TALKATIVE: Final = {
    "log_statement": "all", "log_min_error_statement": "error", "log_parameter_max_length_on_error": "-1",
}  # fmt: skip
"""Settings of a server that logs every statement with its parameters."""

LIVE, EURO, DOLLAR, LAND = "live-5plus1-v1", "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1"
SEATS = {LIVE: 1, EURO: 4, DOLLAR: 5, LAND: 7}
UP = "8d"
SHARED = ("2c", "3d", "4h", "5s", "7c")
HANDS = {1: ("Ac", "Kd", "Qh", "Js", "9c"), 2: ("Ad", "Kh", "Qs", "Jc", "9d")}
DEALER = ("Ah", "Ks", "Qd", "Td")
"""The four that lie face down."""
HIDDEN = set(DECK) - {UP, *SHARED}
"""The one up-card and the hand for all are the same in every round here, so every other card is hidden throughout."""

MISREAD = "Th"
"""What a scanner read in place of the first card."""
SOURCES = ("SHOE", "FEED", "SCANS", "BEGUN")
"""A shoe; a studio that sends whole hands, single cards, or the first six of them and no more."""


@dataclass
class Game:
    """One round of a game, and who plays in it."""

    ruleset: str
    source: str
    round: str = ""
    table: str = ""
    players: list[str] = field(default_factory=list)
    commitment: str | None = None

    @property
    def is_shared(self) -> bool:
        return self.ruleset == LIVE

    @property
    def dealer(self) -> tuple[str, ...]:
        return (UP, *DEALER) if self.is_shared else (*DEALER, UP)

    @property
    def deck(self) -> tuple[str, ...]:
        hands = {1: SHARED} if self.is_shared else HANDS
        return deck(SEATS[self.ruleset], {seat: " ".join(hand) for seat, hand in hands.items()}, " ".join(self.dealer))

    @property
    def deal(self) -> dict[str, Any]:
        """The body of the call that deals."""
        if self.source != "FEED":
            return {}
        hands = {"player": SHARED} if self.is_shared else {"seats": {str(seat): hand for seat, hand in HANDS.items()}}
        return {**hands, "dealer": self.dealer}

    @property
    def scans(self) -> list[Scan]:
        """The bodies of the calls that deal card by card."""
        hands = {"player": SHARED} if self.is_shared else {str(seat): hand for seat, hand in HANDS.items()}
        return scans_of(hands, self.dealer)


async def begin(client: Client, game: Game, shoe: StackedShoe, nth: int) -> None:
    """Up to the decision; of two players one has called."""
    currency = "USD" if game.ruleset in {DOLLAR, LAND} else "EUR"
    game.table = f"t{nth}"
    if game.source == "SHOE":
        shoe.decks.append(game.deck)
    source = "SHOE" if game.source == "SHOE" else "FEED"
    table = {"table": game.table, "ruleset": game.ruleset, "currency": currency, "card_source": source}
    await client.done("/v1/tables", {**table, "ante_min": 100, "ante_max": 10_000})
    opened = await client.done(f"/v1/tables/{game.table}/rounds")
    game.round, game.commitment = opened["round"], opened["commitment"]
    for seat in (1, 2):
        player = f"p{nth}-{seat}"
        game.players.append(player)
        await client.done("/v1/players", {"player": player, "currency": currency})
        deposit = {"amount": 100_000, "currency": currency, "transaction_id": f"d-{player}"}
        await client.done(f"/v1/players/{player}/deposits", deposit)
        wager = {"player": player, "ante": 1_000} | ({} if game.is_shared else {"seat": seat})
        await client.done(f"/v1/rounds/{game.round}/wagers", wager)
    await client.done(f"/v1/rounds/{game.round}/close")
    await (_scan(client, game) if game.source in {"SCANS", "BEGUN"} else _deal(client, game))
    if game.source != "BEGUN":
        await client.done(f"/v1/rounds/{game.round}/decisions", {"player": game.players[0], "decision": "call"})


async def _scan(client: Client, game: Game) -> None:
    """Card by card, to the end or for the first six only."""
    deal = game.scans[:6] if game.source == "BEGUN" else game.scans
    for said in await scan_cards(client, game.round, deal, MISREAD):
        assert not leaks(said, HIDDEN, hidden_hands()), said


async def _deal(client: Client, game: Game) -> None:
    """The deal, before and after others that are refused."""
    path = f"/v1/rounds/{game.round}/deal"
    if game.source == "FEED":
        twice = {**game.deal, "dealer": [*game.dealer[:3], game.dealer[1], game.dealer[4]]}
        assert (await client.post(path, twice)).json()["code"] == "DUPLICATE_CARD"
    answer = await client.post(path, game.deal, "k-" + game.round)
    assert answer.status_code == 200, answer.text
    again = await client.post(path, game.deal, "k-" + game.round)
    assert (again.content, again.headers["Idempotency-Replayed"]) == (answer.content, "true")
    other = await client.post(path, {"dealer": game.dealer}, "k-" + game.round)
    assert other.json()["code"] == "IDEMPOTENCY_MISMATCH"
    late = await client.post(path, game.deal)
    assert late.json()["code"] == "WRONG_PHASE"
    for said in (answer, other, late):
        assert not leaks(said.content, HIDDEN, hidden_hands()), said.text


def hidden_hands() -> list[Sequence[str]]:
    return [*HANDS.values(), DEALER]


def dump(database: Database) -> bytes:
    """The whole database as `pg_dump` writes it."""
    program = database.cluster.programs / "pg_dump"
    return subprocess.run([program, "--dbname", database.superuser], capture_output=True, check=True).stdout


async def answers(client: Client, games: Sequence[Game]) -> dict[str, bytes]:
    """What every GET of the service says about these games, but the players' own views."""
    document = (await client.get("/openapi.json")).json()
    found: dict[str, bytes] = {}
    for template in (path for path, calls in document["paths"].items() if "get" in calls):
        for path in {path for game in games for path in _paths(template, game)}:
            answer = await client.get(path)
            found[path] = answer.content + json.dumps(dict(answer.headers)).encode()
            assert answer.status_code < 500, answer.text
    found["feed"] = (await client.get("/v1/events", after=0, limit=1_000)).content
    found["lookup"] = b"".join([(await client.get("/v1/rounds", table=game.table)).content for game in games])
    return found


def _paths(template: str, game: Game) -> Iterator[str]:
    if template == "/v1/rounds/{round}/players/{player}":
        return
    for player in game.players:
        names = {"player": player, "round": game.round, "table": game.table, "transaction_id": f"d-{player}"}
        yield template.format_map(defaultdict(lambda: "none", names))  # and of all else something unheard of


async def folded(database: Database) -> None:
    """Until every read model has all events."""

    def done() -> bool:
        with database.connect("projector") as conn:
            return conn.execute(
                "SELECT bool_and(position = (SELECT max(notification_id) FROM stored_events)) FROM view_progress"
            ).fetchone() == (True,)

    await until(done)


async def check_hidden_cards(
    client: Client, database: Database, shoe: StackedShoe, logged: Callable[[], str], told: Callable[[Game], None]
) -> None:
    """Rounds of all games from shoe and feed: before showdown no card that is not public is readable, and after it the
    same cards stand in clear. `logged`: all that was logged until now; `told` each game that was looked at. The server
    logs every statement. AssertionError where a card can be read.
    """
    games = [Game(ruleset, source) for ruleset in SEATS for source in SOURCES]
    for nth, game in enumerate(games):
        await begin(client, game, shoe, nth)
    await folded(database)
    await _nothing_is_readable(client, database, games)
    for game in games:
        await _own_views_show_own_cards(client, game)
    server_log = database.cluster.log.read_bytes()
    assert b"Parameters: $1 = " in server_log
    assert not leaks(server_log, HIDDEN, hidden_hands())
    assert not leaks(logged().encode(), HIDDEN, hidden_hands())
    for game in games:
        if game.source == "BEGUN" or game is games[-2]:
            await client.done(f"/v1/rounds/{game.round}/void", {"reason": "a malfunction"})
        else:
            await client.done(f"/v1/rounds/{game.round}/settle")
    await folded(database)
    for game in games:
        await (_is_opened_as_far_as_it_went if game.source == "BEGUN" else _stands_in_clear)(client, game)
        told(game)
    assert leaks(dump(database), HIDDEN, []) == {f'"{card}"' for card in HIDDEN}


async def _nothing_is_readable(client: Client, database: Database, games: Sequence[Game]) -> None:
    stored = dump(database)
    assert b"COPY studbook.stored_events" in stored
    assert not leaks(stored, HIDDEN, hidden_hands())
    assert SALT.hex().encode() not in stored
    for game in games:
        # whoever knows all other cards must not be able to try out the rest against what is stored of the request
        path = f"/v1/rounds/{game.round}"
        guesses = [(f"{path}/cards", one) for one in (*game.scans, {**game.scans[0], "card": MISREAD})]
        guesses += [(f"{path}/cards/corrections", correction_of(game.scans[0])), (f"{path}/deal", game.deal)]
        for to, body in guesses:
            guess = fingerprint("POST", to, json.loads(json.dumps(body)))
            assert not body or guess.hex().encode() not in stored, "a guess of hidden cards can be confirmed"
    found = await answers(client, games)
    found |= await everything_sent(client, database)
    assert len(found) > 50
    assert len(found["stream"]) > len(found["webhook"]) > len(games) * 1_000
    for path, said in found.items():
        assert not leaks(said, HIDDEN, hidden_hands()), path
        assert SALT.hex().encode() not in said, path
    assert b"v1." not in found["feed"]
    assert UP.encode() in found[f"/v1/rounds/{games[0].round}"]


async def _own_views_show_own_cards(client: Client, game: Game) -> None:
    for seat, player in enumerate(game.players, 1):
        answer = await client.get(f"/v1/rounds/{game.round}/players/{player}")
        own = () if game.source == "BEGUN" else SHARED if game.is_shared else HANDS[seat]
        assert tuple(answer.json()["cards"] or ()) == own
        others = [hand for hand in hidden_hands() if hand != own]
        assert not leaks(answer.content, HIDDEN - set(own), others)


async def _stands_in_clear(client: Client, game: Game) -> None:
    shown = (await client.get(f"/v1/rounds/{game.round}")).json()
    cards = shown["cards"]
    assert tuple(cards["dealer"]) == game.dealer
    if game.source == "SHOE":
        assert tuple(cards["deck"]) == game.deck
        assert check_commitment(game.commitment or "", cards["deck"], cards["salt"])
        assert game.commitment == shown["commitment"]
    events = (await client.get(f"/v1/rounds/{game.round}/events")).content
    for hand in [game.dealer] if game.is_shared else [game.dealer, *HANDS.values()]:
        assert leaks(events, hand, []) == {f'"{card}"' for card in hand}


async def _is_opened_as_far_as_it_went(client: Client, game: Game) -> None:
    """What was scanned before the round was broken off, with what was misread."""
    events = (await client.get(f"/v1/rounds/{game.round}/events")).json()["items"]
    (opened,) = [one["data"] for one in events if one["type"] == "studbook.round.scans_opened.v1"]
    assert opened["cards"] == game.scans[:6]
    assert [(one["read"], one["card"]) for one in opened["misread"]] == [(MISREAD, game.scans[0]["card"])]
    (note,) = (await client.get(f"/v1/rounds/{game.round}")).json()["misread"]
    assert (note["read"], note["card"], note["reason"]) == (MISREAD, game.scans[0]["card"], "misread")
