"""Work on a round of many seats that takes more than one append: the next slice of it, whoever began it."""

from __future__ import annotations

from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.variants import ruleset
from services.answers import PhaseAnswer, SettleAnswer, VoidAnswer
from services.commands import PayOn
from services.desk import Desk
from services.handlers.absent import absent, decide_for
from services.handlers.settling import answer_of, pay_next
from services.handlers.slices import SEATS_PER_APPEND
from services.handlers.undoing import undo_on
from services.opening import open_known


def pay_on(desk: Desk, command: PayOn) -> PhaseAnswer | SettleAnswer | VoidAnswer:
    """Decide for the next who are absent, pay the next seats, or undo them; with the last slice the round has ended.

    Where somebody else has done the last, and may even have voided the round since, there is nothing to do.
    """
    round_ = desk.round(command.round)
    rounds.check_phase(round_, Phase.DECIDING, Phase.PAYING, *rounds.ENDED)
    if round_.undoing is not None:
        return undo_on(desk, round_, round_.undoing)
    if round_.phase is Phase.PAYING:
        return pay_next(desk, round_)
    if round_.phase is Phase.SETTLED:
        return answer_of(round_, ruleset(round_.terms.ruleset))
    if round_.phase is Phase.DECIDING:
        _decide_for_next(desk, round_)
    return PhaseAnswer(round_.round, round_.phase.value)


def _decide_for_next(desk: Desk, round_: Round) -> None:
    """One slice of the absent; the last one is left to the settlement itself."""
    rules = ruleset(round_.terms.ruleset)
    undecided = absent(desk, round_)
    cards = open_known(desk.seals, round_, rules)
    if len(undecided) <= SEATS_PER_APPEND or cards is None:
        return
    decide_for(desk, round_, rules, cards, undecided[:SEATS_PER_APPEND])
    if len(undecided) > 2 * SEATS_PER_APPEND:
        desk.unfinished = round_.round
