"""Whole stories: a fixed one that holds one of everything, and as many others as there are seeds."""

from __future__ import annotations

from random import Random

from domain.wallets.events import VoidPolicy
from tests.domain.views.endings import cancel, settle, void
from tests.domain.views.story import OPERATOR, Story

PLAYERS = ("ann", "bob", "cid", "dee")


def round_id(number: int) -> str:
    """Ids that sort by time, as ours do."""
    return f"01993c5e-0000-7000-8000-{number:012d}"


def up_to_the_deal(story: Story, number: int, table: str, players: tuple[str, ...] = ("ann", "bob")) -> str:
    """A round in which each of `players` has one ante and one side wager, and the cards lie."""
    name = round_id(number)
    story.open_round(table, name)
    for seat, player in enumerate(players, 1):
        story.bet(name, player, seat if table == "T1" else None)
    story.close(name)
    story.deal(name)
    return name


def a_round() -> Story:
    """Two players have bet, the cards lie, nobody has decided."""
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    return story


def a_settled_round() -> Story:
    """Ann called, won and got a prize; Bob folded."""
    story = a_round()
    story.decide(round_id(1), "ann", call=True)
    story.decide(round_id(1), "bob", call=False)
    settle(story, round_id(1), "ann")
    return story


def one_of_everything() -> Story:
    """Settled, cancelled, voided early, voided late, undone, and still open."""
    story = Story().open_house(PLAYERS)
    ends = (settle, cancel, void, _settle_and_void)
    for number, end in enumerate(ends):
        name = up_to_the_deal(story, number, "T1")
        story.decide(name, "ann", call=True)
        story.decide(name, "bob", call=False)
        end(story, name)
    story.withdraw("ann", 500)
    story.propose("ann", -100)
    story.propose("bob", -100, is_rejected=True)
    last = round_id(9)
    story.open_round("T0", last)
    action = story.bet(last, "cid", None)
    story.bet(last, "dee", None)
    story.undo(last, "cid", action)
    return story


def _settle_and_void(story: Story, name: str) -> None:
    settle(story, name, "ann")
    void(story, name, VoidPolicy.CLAW_BACK)


def random_story(seed: int, rounds: int = 6, operator: str = OPERATOR) -> Story:
    """Rounds on both tables, one after the other on each, with everything that may happen to them."""
    dice = Random(seed)
    story = Story(operator).open_house(PLAYERS)
    for number in range(rounds):
        table = dice.choice(("T0", "T1"))
        name = round_id(number)
        story.open_round(table, name)
        for seat, player in enumerate(dice.sample(PLAYERS, dice.randint(1, 4)), 1):
            action = story.bet(name, player, seat if table == "T1" else None, side=dice.random() < 0.7)
            if dice.random() < 0.3:
                story.undo(name, player, action)
        if dice.random() < 0.2:
            cancel(story, name)
            continue
        story.close(name)
        story.deal(name)
        for player in story.players(name):
            story.decide(name, player, call=dice.random() < 0.7)
        if dice.random() < 0.2:
            void(story, name)
            continue
        lit = [one.player for one in story.shares.get(name, ())]
        settle(story, name, lit[0] if lit and dice.random() < 0.4 else None)
        if dice.random() < 0.3:
            void(story, name, dice.choice(tuple(VoidPolicy)))
        story.deposit(dice.choice(PLAYERS), dice.randint(1, 10_000))
        story.propose(dice.choice(PLAYERS), -100, is_rejected=dice.random() < 0.5)
    return story
