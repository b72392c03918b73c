"""What makes an event a significant one, and what it changed from and to (R23)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, Final, NamedTuple

from domain import approvals, chat, gaming, messages, players, reconciliations, table_events, transactions
from domain.frozen import dataclass
from domain.jackpots import upkeep
from domain.jackpots.events import Awarded, PoolOpened, PoolReset, PoolTerms, RoundResettled
from domain.money import MICRO
from domain.rounds import events as rounds
from domain.rounds.scans import ScanCorrected
from domain.seats.events import SeatSettled, WagerPlaced
from domain.wallets.events import Adjusted, BalanceWentNegative, TransactionReversed
from services.ports import Told

HASH: Final = 12
"""Characters of a hash that are enough to tell it by."""


class Note(NamedTuple):
    """What a significant event is; `amounts` are before and after in micro-units of `currency`."""

    what: str
    currency: str = ""
    before: str = ""
    after: str = ""
    amounts: tuple[int, int] | None = None
    approver: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """What was before: parameters of pools, limits of players, the software that opened rounds; give it every event. A
    wager or win of `large_micro` is a significant event too.
    """

    large_micro: int
    terms: dict[str, PoolTerms] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def note(self, told: Told) -> Note | None:
        """What the event is, None where it is none of these."""
        event = told.one.event
        match event:
            case WagerPlaced() if event.hold_minor * MICRO >= self.large_micro:
                return Note("large wager", _currency(told), amounts=(0, event.hold_minor * MICRO))
            case SeatSettled() if event.returned_minor * MICRO >= self.large_micro:
                return Note("large win", event.currency, amounts=(0, event.returned_minor * MICRO))
            case Awarded() if event.prize_minor * MICRO >= self.large_micro:
                return Note(
                    "large jackpot", event.currency, after=event.category, amounts=(0, event.prize_minor * MICRO)
                )
            case PoolOpened() | PoolReset() | upkeep.TermsChanged() | RoundResettled():
                return self._terms(event)
            case rounds.RoundOpened():
                before, after = self._now("software", f"{event.software_version}, build {event.build[:HASH]}")
                return Note("software changed", before=before, after=after) if before not in {"", after} else None
            case players.LimitChanged():
                return Note("own limit changed", "", *self._now(f"limit/{event.player}", _limit(event)))
            case _:
                said = SAYS.get(type(event))
                return None if said is None else said(event, told)

    def _now(self, name: str, text: str) -> tuple[str, str]:
        """What stood under a name, and what stands there now."""
        before = self.texts.get(name, "")
        self.texts[name] = text
        return before, text

    def _terms(self, event: PoolOpened | PoolReset | upkeep.TermsChanged | RoundResettled) -> Note | None:
        """Parameters that took force; those that wait are told when they are asked for, and again when they do."""
        terms, known = event.terms, self.terms.get(event.terms.jackpot)
        self.terms[terms.jackpot] = terms
        if isinstance(event, PoolOpened):
            return Note("pool opened", terms.currency, after=_words(terms))
        before, after = _changed(known, terms)
        if not isinstance(event, upkeep.TermsChanged):
            return Note("parameters took force", terms.currency, before, after) if after else None
        waiting = "" if event.waiting is None else _changed(terms, event.waiting)[1]
        told = ", ".join(one for one in (after, f"waiting: {waiting}" if waiting else "") if one)
        return Note("parameters changed", terms.currency, before or _changed(event.waiting, terms)[1], told)


def _words(terms: PoolTerms) -> str:
    return ", ".join(f"{one.name} {getattr(terms, one.name)}" for one in fields(PoolTerms) if one.name != "jackpot")


def _changed(old: PoolTerms | None, new: PoolTerms) -> tuple[str, str]:
    """What differs, as it was and as it is. Amounts are minor units, rates millionths."""
    if old is None:
        return "", ""
    names = [one.name for one in fields(PoolTerms) if getattr(old, one.name) != getattr(new, one.name)]
    before, after = (", ".join(f"{name} {getattr(one, name)}" for name in names) for one in (old, new))
    return before, after


def _currency(told: Told) -> str:
    return "" if told.opened is None else told.opened.terms.currency


def _plain(what: str, before: str = "", after: str = "") -> Callable[[Any, Told], Note]:
    return lambda _event, _told: Note(what, before=before, after=after)


def _of_round(what: str) -> Callable[[Any, Told], Note]:
    def said(event: Any, told: Told) -> Note:
        before = getattr(event, "stage", None)
        words = [str(getattr(event, name, None) or "") for name in ("policy", "evidence")]
        return Note(what, _currency(told), before.value if before else "", ", ".join(filter(None, words)))

    return said


def _adjusted(event: Adjusted, _told: Told) -> Note:
    after = event.available_after_minor * MICRO
    return Note("balance adjusted", event.currency, amounts=(after - event.amount_minor * MICRO, after))


def _reversed(event: TransactionReversed, _told: Told) -> Note:
    after = event.available_after_minor * MICRO
    amounts = after - event.amount_minor * MICRO, after
    return Note("transaction rolled back", event.currency, event.transaction_id, amounts=amounts)


def _negative(event: BalanceWentNegative, _told: Told) -> Note:
    return Note(
        "balance below zero", event.currency, after=event.round or "", amounts=(0, event.available_minor * MICRO)
    )


def _corrected(event: upkeep.Corrected, _told: Told) -> Note:
    move = event.move
    account = event.account.name.lower()
    after: int = getattr(move, f"{account}_after_micro")
    amounts = after - getattr(move, f"{account}_micro"), after
    return Note(f"{account} corrected", event.currency, amounts=amounts)


def _sent(event: upkeep.TransferredOut, _told: Told) -> Note:
    account = event.account.name.lower()
    after: int = getattr(event.move, f"{account}_after_micro")
    amounts = after - getattr(event.move, f"{account}_micro"), after
    return Note(f"{account} transferred", event.currency, after=f"to {event.to}", amounts=amounts)


def _got(event: upkeep.TransferredIn, _told: Told) -> Note:
    after = event.move.meter_after_micro
    amounts = after - event.move.meter_micro, after
    return Note("transfer received", event.currency, before=f"from {event.source}", amounts=amounts)


def _prize(what: str, after: str) -> Callable[[Any, Told], Note]:
    return lambda event, _: Note(
        what, event.currency, "PENDING", after, amounts=(0, event.prize_minor * MICRO if after == "PAID" else 0)
    )


def _limit(event: players.LimitChanged) -> str:
    limit = "none" if event.ante_max_minor is None else str(event.ante_max_minor)
    return f"highest ante {limit}, from {event.effective_at:%Y-%m-%d %H:%M %Z}"


def _table(event: table_events.TableOpened, _told: Told) -> Note:
    """The rules that its rounds are played under, with the hash that tells one text of them from another (R24)."""
    terms = event.terms
    after = f"{terms.ruleset} {terms.ruleset_hash[:HASH]}, ante {terms.ante_min_minor} to {terms.ante_max_minor}"
    return Note("table opened", terms.currency, after=after)


def _prepared(event: reconciliations.ReconciliationPrepared, _told: Told) -> Note:
    return Note(f"gaming day {event.day} prepared", after=f"breaks found: {len(event.breaks)}")


def _resolved(event: reconciliations.BreakResolved, _told: Told) -> Note:
    after = ", ".join(filter(None, (event.resolution.value, event.reference, event.note)))
    return Note("break resolved", before=f"{event.day}, {event.break_id}", after=after)


def _sealed(event: reconciliations.ReconciliationSealed, _told: Told) -> Note:
    after = f"prepared by {event.prepared_by}, SEALED"
    return Note(f"gaming day {event.day} sealed", before="PREPARED", after=after, approver=event.approver)


def _proposal(event: approvals.Proposal, _told: Told) -> Note:
    return Note(f"proposed: {approvals.call_of(event).value}", after="OPEN")


def _decided(event: approvals.Decision, _told: Told) -> Note:
    status = {
        approvals.ProposalApproved: "APPROVED",
        approvals.ProposalRejected: "REJECTED",
        approvals.ProposalWithdrawn: "WITHDRAWN",
    }[type(event)]
    return Note(f"proposal {status.lower()}", before="OPEN", after=status, approver=event.by)


SAYS: Final[Mapping[type[Any], Callable[[Any, Told], Note]]] = {
    rounds.RoundVoided: _of_round("round voided"),
    rounds.RoundCancelled: _of_round("round cancelled"),
    rounds.RoundUndoing: _of_round("round is being undone"),
    rounds.WagersVoided: _of_round("wagers voided"),
    rounds.CardsCorrected: _of_round("round resettled"),
    rounds.ReviewsResolved: _of_round("reviews resolved"),
    rounds.RoundPaused: _of_round("round paused"),
    rounds.RoundResumed: _of_round("round resumed"),
    ScanCorrected: _of_round("scanned card corrected"),
    Adjusted: _adjusted,
    TransactionReversed: _reversed,
    BalanceWentNegative: _negative,
    transactions.TransactionTombstoned: _plain("rollback of an unknown transaction"),
    upkeep.Corrected: _corrected,
    upkeep.TransferredOut: _sent,
    upkeep.TransferredIn: _got,
    upkeep.PoolDisabled: _plain("pool disabled", "ENABLED", "DISABLED"),
    upkeep.PoolEnabled: _plain("pool enabled", "DISABLED", "ENABLED"),
    upkeep.AwardVerified: _prize("prize verified", "PAID"),
    upkeep.AwardRefused: _prize("prize refused", "REFUSED"),
    table_events.TableOpened: _table,
    table_events.TableDisabled: _plain("table disabled", "ENABLED", "DISABLED"),
    table_events.TableEnabled: _plain("table enabled", "DISABLED", "ENABLED"),
    gaming.GamingDisabled: _plain("gaming disabled", "ENABLED", "DISABLED"),
    gaming.GamingEnabled: _plain("gaming enabled", "DISABLED", "ENABLED"),
    gaming.OneDeviceSet: _plain("one device set"),
    players.PlayerDisabled: _plain("player disabled", "ENABLED", "DISABLED"),
    players.PlayerEnabled: _plain("player enabled", "DISABLED", "ENABLED"),
    players.ChatRemoved: _plain("player off chat", "ON", "OFF"),
    players.ChatRestored: _plain("player on chat again", "OFF", "ON"),
    chat.ChatModeSet: _plain("chat mode set"),
    messages.MessageWithdrawn: _plain("chat message withdrawn", "SHOWN", "WITHDRAWN"),
    reconciliations.ReconciliationPrepared: _prepared,
    reconciliations.BreakResolved: _resolved,
    reconciliations.ReconciliationSealed: _sealed,
    approvals.VoidProposed: _proposal,
    approvals.ResettlementProposed: _proposal,
    approvals.CorrectionProposed: _proposal,
    approvals.TransferProposed: _proposal,
    approvals.PrizeDecisionProposed: _proposal,
    approvals.AdjustmentProposed: _proposal,
    approvals.SignOffProposed: _proposal,
    approvals.ProposalApproved: _decided,
    approvals.ProposalRejected: _decided,
    approvals.ProposalWithdrawn: _decided,
}
"""By the class of an event: what it is."""
