"""The second settlement: what a round pays, worked out again by somebody who never saw how the first does it.

Written from the pages of the four games and the page of the ledger alone. It imports nothing of this program and
shares no table, no hand ranking and no name with the first; a fault would have to be made twice, by two readers, to
pass both. `studbook replay` and the certificates of return settle with it. Where the two differ in a cent, one of
them misread a row, and the row decides. Keep it so: mend it from the pages, never from the first.

All stakes, prizes and payouts are minor units; what a pool holds is micro-units (10^-6 of a minor unit).
"""

from domain.second_settlement.calculator import answer
from domain.second_settlement.pages import GAMES, Game
from domain.second_settlement.purse import Move, Pool
from domain.second_settlement.ranking import HANDS, best_of, qualifies, value_of
from domain.second_settlement.rounds import Round, Seat, SeatResult, order_of_payment, settle

__all__ = [
    "GAMES", "HANDS", "Game", "Move", "Pool", "Round", "Seat", "SeatResult",
    "answer", "best_of", "order_of_payment", "qualifies", "settle", "value_of",
]  # fmt: skip
