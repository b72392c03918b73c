"""The name under which each event is stored: `kind.what.vN`, `kind` being the kind of the stream that holds it.

A name never changes and is never used again. When an event's fields change, its class gets the next version here
and `upcasters.py` gets the way from the old one; the old golden file stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from domain import chat, gaming, messages, players, tables, transactions
from domain.jackpots import events as jackpots
from domain.jackpots import upkeep
from domain.rounds import events as rounds
from domain.rounds import scans
from domain.seats import events as seats
from domain.wallets import events as wallets

NAMES: Final[Mapping[str, type[Any]]] = {
    "wallet.opened.v1": wallets.WalletOpened,
    "wallet.deposited.v1": wallets.Deposited,
    "wallet.withdrawn.v1": wallets.Withdrawn,
    "wallet.funds_held.v1": wallets.FundsHeld,
    "wallet.funds_released.v1": wallets.FundsReleased,
    "wallet.stakes_settled.v1": wallets.StakesSettled,
    "wallet.prize_paid.v1": wallets.PrizePaid,
    "wallet.outcome_reversed.v1": wallets.OutcomeReversed,
    "wallet.held_money_decided.v1": wallets.HeldMoneyDecided,
    "wallet.adjusted.v1": wallets.Adjusted,
    "wallet.transaction_reversed.v1": wallets.TransactionReversed,
    "wallet.balance_went_negative.v1": wallets.BalanceWentNegative,
    "wallet.carried.v1": wallets.WalletCarried,
    "player.registered.v1": players.PlayerRegistered,
    "player.disabled.v1": players.PlayerDisabled,
    "player.enabled.v1": players.PlayerEnabled,
    "player.joined_table.v1": players.TableJoined,
    "player.left_table.v1": players.TableLeft,
    "player.settings_changed.v1": players.SettingsChanged,
    "player.limit_changed.v1": players.LimitChanged,
    "player.chat_removed.v1": players.ChatRemoved,
    "player.chat_restored.v1": players.ChatRestored,
    "player.carried.v1": players.PlayerCarried,
    "transaction.recorded.v1": transactions.TransactionRecorded,
    "transaction.rolled_back.v1": transactions.TransactionRolledBack,
    "transaction.tombstoned.v1": transactions.TransactionTombstoned,
    "table.opened.v1": tables.TableOpened,
    "table.round_started.v1": tables.RoundStarted,
    "table.round_ended.v1": tables.RoundEnded,
    "table.disabled.v1": tables.TableDisabled,
    "table.enabled.v1": tables.TableEnabled,
    "table.seat_reserved.v1": tables.SeatReserved,
    "table.seat_freed.v1": tables.SeatFreed,
    "table.played_alone.v1": tables.PlayedAlone,
    "table.carried.v1": tables.TableCarried,
    "round.opened.v1": rounds.RoundOpened,
    "round.betting_closed.v1": rounds.BettingClosed,
    "round.dealt.v1": rounds.Dealt,
    "round.showdown.v1": rounds.ShowdownHeld,
    "round.settled.v1": rounds.RoundSettled,
    "round.award_decided.v1": rounds.AwardDecided,
    "round.paused.v1": rounds.RoundPaused,
    "round.resumed.v1": rounds.RoundResumed,
    "round.cancelled.v1": rounds.RoundCancelled,
    "round.voided.v1": rounds.RoundVoided,
    "round.undoing.v1": rounds.RoundUndoing,
    "round.wagers_voided.v1": rounds.WagersVoided,
    "round.reviews_resolved.v1": rounds.ReviewsResolved,
    "round.cards_corrected.v1": rounds.CardsCorrected,
    "round.card_scanned.v1": scans.CardScanned,
    "round.scan_corrected.v1": scans.ScanCorrected,
    "round.scans_opened.v1": scans.ScansOpened,
    "seat.wager_placed.v1": seats.WagerPlaced,
    "seat.action_undone.v1": seats.ActionUndone,
    "seat.passed.v1": seats.SeatPassed,
    "seat.wagers_rejected.v1": seats.WagersRejected,
    "seat.decided.v1": seats.SeatDecided,
    "seat.settled.v1": seats.SeatSettled,
    "seat.prize_decided.v1": seats.PrizeDecided,
    "seat.voided.v1": seats.SeatVoided,
    "seat.review_resolved.v1": seats.ReviewResolved,
    "seat.resettled.v1": seats.SeatResettled,
    "jackpot.opened.v1": jackpots.PoolOpened,
    "jackpot.contributed.v1": jackpots.Contributed,
    "jackpot.awarded.v1": jackpots.Awarded,
    "jackpot.reset.v1": jackpots.PoolReset,
    "jackpot.round_mirrored.v1": jackpots.RoundMirrored,
    "jackpot.round_resettled.v1": jackpots.RoundResettled,
    "jackpot.corrected.v1": upkeep.Corrected,
    "jackpot.transferred_out.v1": upkeep.TransferredOut,
    "jackpot.transferred_in.v1": upkeep.TransferredIn,
    "jackpot.terms_changed.v1": upkeep.TermsChanged,
    "jackpot.disabled.v1": upkeep.PoolDisabled,
    "jackpot.enabled.v1": upkeep.PoolEnabled,
    "jackpot.award_verified.v1": upkeep.AwardVerified,
    "jackpot.award_refused.v1": upkeep.AwardRefused,
    "jackpot.carried.v1": jackpots.PoolCarried,
    "gaming.disabled.v1": gaming.GamingDisabled,
    "gaming.enabled.v1": gaming.GamingEnabled,
    "gaming.one_device_set.v1": gaming.OneDeviceSet,
    "chat.mode_set.v1": chat.ChatModeSet,
    "message.posted.v1": messages.MessagePosted,
    "message.withdrawn.v1": messages.MessageWithdrawn,
}
