from __future__ import annotations

from dataclasses import asdict

from domain.rounds.events import Phase, RoundPaused, RoundResumed, ShowdownHeld
from domain.views.histories import seat_group
from domain.views.lobby import table_key
from domain.views.open_rounds import open_round_key
from domain.views.rounds import game_key, round_key, table_group
from domain.wallets.events import VoidPolicy
from tests.domain.views.endings import CARDS, cancel, facts_of, settle, void
from tests.domain.views.folds import folded, group
from tests.domain.views.plots import round_id, up_to_the_deal
from tests.domain.views.story import DECK, SEALED, START, Story

NAME = round_id(1)


def lobby(story: Story, table: str = "T1"):  # type: ignore[no-untyped-def]  # the row's own type
    return folded("tables", facts_of(story.told))[table_key(table)]


def test_F32_no_row_of_any_model_shows_a_hidden_card_before_the_showdown() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    for model in ("rounds", "histories", "jackpots", "tables", "open_rounds", "balances"):
        text = str([asdict(row) for row in folded(model, facts_of(story.told)).values()])
        assert SEALED not in text
        assert not [card for card in DECK if f"'{card}'" in text and card != "As"]


def test_S0_07_the_up_card_is_shown_from_the_deal_on_and_all_cards_after_the_showdown() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    dealt = folded("rounds", facts_of(story.told))[round_key(NAME)]
    assert (dealt.phase, dealt.up_card, dealt.cards) == (Phase.DECIDING, "As", None)
    settle(story, NAME)
    shown = folded("rounds", facts_of(story.told))[round_key(NAME)]
    assert (shown.phase, shown.cards, shown.dealer_hand) == (Phase.SETTLED, CARDS, "PAIR")


def test_S0_28_between_showdown_and_settlement_a_round_is_paying() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    settle(story, NAME)
    facts = facts_of(story.told)
    (shown,) = [fact.position for fact in facts if isinstance(fact.event, ShowdownHeld)]
    assert folded("rounds", facts[:shown])[round_key(NAME)].phase is Phase.PAYING


def test_S0_46_a_pause_says_why_and_the_round_goes_on_where_it_stood() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    story.begin()
    stream = f"demo/round/{NAME}"
    story.say(stream, RoundPaused(NAME, "camera", START))
    paused = folded("rounds", facts_of(story.told))[round_key(NAME)]
    assert (paused.phase, paused.pause_reason) == (Phase.PAUSED, "camera")
    story.say(stream, RoundResumed(NAME, "fixed", START, None, None))
    resumed = folded("rounds", facts_of(story.told))[round_key(NAME)]
    assert (resumed.phase, resumed.pause_reason) == (Phase.DECIDING, None)


def test_S0_40_a_game_number_and_a_table_lead_to_the_round() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    rows = folded("rounds", facts_of(story.told))
    number = rows[round_key(NAME)].game_number
    assert rows[game_key(number)].round == NAME
    assert [one.round for one in group(rows, table_group("T1"))] == [NAME]


def test_a_void_keeps_the_seats_and_their_results_and_says_who_and_why() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    settle(story, NAME, "ann")
    void(story, NAME, VoidPolicy.CLAW_BACK)
    rows = folded("rounds", facts_of(story.told))
    note = rows[round_key(NAME)].void
    assert (note.stage, note.reason, note.policy, note.approver) == (
        "AFTER_SETTLEMENT",
        "misdeal",
        "CLAW_BACK",
        "boss",
    )
    parts = group(folded("histories", facts_of(story.told)), seat_group(NAME))
    assert [(one.play.player, one.play.voided) for one in parts] == [("ann", True), ("bob", True)]


def test_the_round_knows_which_events_of_its_pool_are_its_own() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    settle(story, NAME, "ann")
    facts = facts_of(story.told)
    pool = [one.position for one in facts if one.stream == "demo/jackpot/J1" and one.opened is not None]
    assert len(pool) == 2
    assert folded("rounds", facts)[round_key(NAME)].pool_positions == tuple(pool)


def test_S0_48_the_lobby_shows_taken_seats_and_a_seat_without_wagers_is_free() -> None:
    story = Story().open_house()
    story.open_round("T1", NAME)
    story.bet(NAME, "ann", 1)
    action = story.bet(NAME, "bob", 3)
    story.bet(NAME, "ann", 1)
    assert (lobby(story).seats, lobby(story).players) == ((1, 3), 2)
    story.undo(NAME, "bob", action)
    assert (lobby(story).seats, lobby(story).players) == ((1,), 1)


def test_S0_02_players_of_a_shared_hand_are_counted_without_seats() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T0")
    assert (lobby(story, "T0").seats, lobby(story, "T0").players) == ((), 2)


def test_the_lobby_forgets_a_round_that_is_over_and_a_late_void_does_not_touch_the_next_one() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    settle(story, NAME)
    assert (lobby(story).open_round, lobby(story).phase) == (None, None)
    assert lobby(story).last_ended_at is not None
    story.open_round("T1", round_id(2))
    story.bet(round_id(2), "ann", 1)
    before = lobby(story)
    void(story, NAME, VoidPolicy.CLAW_BACK)
    after = lobby(story)
    assert (after.open_round, after.phase, after.seats) == (round_id(2), Phase.BETTING_OPEN, (1,))
    assert after.game_number == before.game_number


def test_the_lobby_keeps_no_seats_of_rounds_that_are_over() -> None:
    story = Story().open_house()
    for number, ending in enumerate((settle, cancel, void)):
        ending(story, up_to_the_deal(story, number, "T1"))
    assert set(folded("tables", facts_of(story.told))) == {table_key("T0"), table_key("T1")}


def test_I9_a_round_is_incomplete_until_it_is_settled_cancelled_or_void() -> None:
    for ending in (settle, cancel, void):
        story = Story().open_house()
        up_to_the_deal(story, 1, "T1")
        row = folded("open_rounds", facts_of(story.told))[open_round_key(NAME)]
        assert (row.operator, row.table, row.phase, row.abandon_seconds) == ("demo", "T1", Phase.DECIDING, 3_600)
        ending(story, NAME)
        assert folded("open_rounds", facts_of(story.told)) == {}


def test_R20_every_command_on_a_round_is_seen_by_the_clock_that_gives_it_up() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    before = folded("open_rounds", facts_of(story.told))[open_round_key(NAME)].last_command_at
    story.decide(NAME, "ann", call=True)
    after = folded("open_rounds", facts_of(story.told))[open_round_key(NAME)].last_command_at
    assert after > before


def test_a_void_after_the_settlement_makes_no_round_incomplete_again() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    settle(story, NAME)
    void(story, NAME, VoidPolicy.CLAW_BACK)
    assert folded("open_rounds", facts_of(story.told)) == {}
