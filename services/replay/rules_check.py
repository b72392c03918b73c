"""A round was played under the rule set that is published under its name, and its money is booked under that one."""

from __future__ import annotations

from domain.rounds.events import RoundOpened
from domain.rules import RuleSet, ruleset_hash
from domain.seats.events import SeatResettled, SeatSettled, SeatVoided
from domain.tables import TableTerms
from services.replay.sheet import Place, Sheet
from services.replay.story import RoundStory


def check_published(sheet: Sheet, story: RoundStory, rules: RuleSet) -> None:
    """The hash that the opening holds is that of the rule set."""
    published, said = ruleset_hash(rules), story.opened.terms.ruleset_hash
    if said != published:
        at = next(one.position for one in story.recorded if isinstance(one.event, RoundOpened))
        sheet.note(Place(at), "RULES", "hash of the rule set", published, said)


def check_booked(sheet: Sheet, at: Place, terms: TableTerms, event: SeatSettled | SeatResettled | SeatVoided) -> None:
    """A seat's money stands on the accounts of the round's rule set, in its currency."""
    for what, expected, told in (
        ("rule set that it is booked under", terms.ruleset, event.ruleset),
        ("currency", terms.currency, event.currency),
    ):
        if told != expected:
            sheet.note(at, "RULES", what, expected, told)
