"""Read models: pure folds of the log. A new report is a new file and a line here."""

from __future__ import annotations

from typing import Any, Final

from domain.views.approvals import APPROVALS
from domain.views.balances import BALANCES
from domain.views.chat import CHATS
from domain.views.histories import HISTORIES
from domain.views.jackpots import JACKPOTS
from domain.views.lobby import LOBBY
from domain.views.model import Model
from domain.views.open_rounds import OPEN_ROUNDS
from domain.views.players import PLAYERS
from domain.views.rounds import ROUNDS

MODELS: Final[dict[str, Model[Any]]] = {
    model.name: model
    for model in (BALANCES, HISTORIES, JACKPOTS, ROUNDS, LOBBY, OPEN_ROUNDS, PLAYERS, CHATS, APPROVALS)
}
"""Every read model by its name."""
