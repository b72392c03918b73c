"""F32: database dump, server log, our own log, read models and every answer, looked through before the decision.

No undealt and no face-down card is in any of them, in clear, hexadecimal or base64; after the showdown the same cards
stand there. What is sealed opens with the service's key alone.
"""

from __future__ import annotations

import asyncio
import logging
from io import StringIO
from typing import Final
from unittest.mock import patch

from adapters.vault import Vault, key_id
from domain.errors import Unavailable
from domain.rounds.events import RoundOpened
from tests.faults.evidence import Evidence
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground, judged
from tests.postgres import Database
from tests.store.hidden import SEATS, SOURCES, TALKATIVE, Game, check_hidden_cards
from tests.store.in_process import serving
from tests.support.fixtures import StackedShoe

ROUNDS: Final = len(SOURCES) * len(SEATS)
"""Of each game one from a shoe, and from a studio whole hands, single cards, and a deal that was broken off."""
OTHER_KEY: Final = bytes(32)


async def looked_through(trial: Trial, database: Database, logged: StringIO) -> None:
    """The service in this process, so that every line of its log is seen."""

    def told(game: Game) -> None:
        trial.progress(trial.done + 1, f"{game.ruleset}, {game.source}")

    shoe = StackedShoe()
    with patch("api.main.application.Shoe", lambda: shoe):
        async with serving(database) as client:
            await check_hidden_cards(client, database, shoe, logged.getvalue, told)


def run(trial: Trial) -> None:
    logged = StringIO()
    handler, root = logging.StreamHandler(logged), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with ground(trial, settings=TALKATIVE) as database:
            asyncio.run(looked_through(trial, database, logged))
            evidence = judged(trial, database)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    trial.figure("sealed", sealed_stays_sealed(trial, evidence))
    trial.figure("log lines", logged.getvalue().count("\n"))


def sealed_stays_sealed(trial: Trial, evidence: Evidence) -> int:
    """Another key opens no deck; how many were tried."""
    other = Vault({key_id(OTHER_KEY): OTHER_KEY}, key_id(OTHER_KEY))
    decks = [(one.event, one.stream) for one in evidence.events if isinstance(one.event, RoundOpened)]
    tried = 0
    for opened, stream in decks:
        if opened.sealed_deck is None:
            continue
        tried += 1
        try:
            other.open_deck(opened.sealed_deck, stream)
            trial.expect(False, f"the deck of {opened.round} was opened with another key")
        except Unavailable:
            pass
    trial.expect(tried > 0, "no deck was sealed")
    return tried


FAULT: Final = Fault("F32", "hidden cards looked for everywhere", ROUNDS, ROUNDS, "rounds", run)
