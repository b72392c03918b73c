"""The invariants I1 to I10 of the reliability table, each by itself over what is there after a fault."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from domain.money import MICRO
from domain.rounds.events import RoundCancelled, RoundOpened, RoundSettled, RoundVoided
from domain.tables import Pace
from domain.views import MODELS
from domain.wallets.events import Deposited, Withdrawn
from tests.faults import money
from tests.faults.calls import Calls
from tests.faults.evidence import Evidence

SHOWN: Final = 5
"""Breaches of one invariant that are told; the rest are counted."""

AUTO_SECONDS: Final = 60

Findings = dict[str, list[str]]


def judge(evidence: Evidence, calls: Calls | None, *, after: datetime | None = None) -> Findings:
    """All that can be judged from this evidence. `after`: when the last fault ended; None: none did."""
    found: Findings = {
        "I1": money.sums(evidence.events),
        "I3": effects(evidence, calls),
        "I4": money.below_zero(evidence.events),
        "I5": money.pools(evidence.events),
        "I7": versions(evidence),
        "I8": chain(evidence),
        "I9": unfinished(evidence, after),
    }
    if evidence.projections:
        found["I7"] += positions(evidence)
        if all(one.stopped is None for one in evidence.projections):  # else nothing was folded anew, as I7 tells
            found["I6"] = projections(evidence)
    if calls is not None:
        found["I2"] = lost(evidence, calls)
        found["I10"] = answers(evidence, calls)
    return {code: shortened(found[code]) for code in sorted(found, key=lambda code: int(code[1:]))}


def lost(evidence: Evidence, calls: Calls) -> list[str]:
    """I2: every acknowledged command is there, with the answer that was given."""
    found = []
    for command, reply in calls.acknowledged.items():
        kept = evidence.kept.get((command.operator, command.key))
        if kept is None:
            if not _by_transaction(evidence, reply.content):
                found.append(f"{command.path} with key {command.key} was acknowledged and is not there")
        elif kept.body is not None and (kept.status, kept.body) != (reply.status, reply.content):
            found.append(
                f"{command.path} with key {command.key} answered {reply.content[:80]!r}, kept {kept.body[:80]!r}"
            )
    return found


def _by_transaction(evidence: Evidence, content: bytes) -> bool:
    """An earlier request with the same transaction id gave this answer; its own key keeps it."""
    return any(one.body == content for one in evidence.kept.values())


def effects(evidence: Evidence, calls: Calls | None) -> list[str]:
    """I3: a command id has one effect at most, a refused one has none."""
    causes: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    moves: Counter[tuple[str, str]] = Counter()
    for one in evidence.events:
        if one.meta.idempotency_key is not None:
            causes[one.meta.operator, one.meta.idempotency_key].add(one.meta.causation)
        if isinstance(one.event, Deposited | Withdrawn):
            moves[one.meta.operator, one.event.transaction_id] += 1
    found = [f"key {key} of {who} had {len(made)} effects" for (who, key), made in causes.items() if len(made) > 1]
    found += [f"transaction {name} of {who} moved money {n} times" for (who, name), n in moves.items() if n > 1]
    if calls is None:
        return found
    accepted = {(one.operator, one.key) for one in calls.acknowledged}
    return found + [
        f"{one.path} with key {one.key} was refused and had an effect"
        for one in calls.refused
        if (one.operator, one.key) in causes and (one.operator, one.key) not in accepted
    ]


def projections(evidence: Evidence) -> list[str]:
    """I6: the read models folded anew from position 0 are the live ones, byte for byte."""
    found = [f"{one.name}: live {one.live[:12]}, rebuilt {one.rebuilt[:12]}" for one in evidence.projections
             if one.live != one.rebuilt]  # fmt: skip
    missing = set(MODELS) - {one.name for one in evidence.projections}
    return found + [f"{name} is not there" for name in sorted(missing)]


def versions(evidence: Evidence) -> list[str]:
    """I7, the log: versions of each stream 1..n, positions without a gap."""
    seen: Counter[str] = Counter()
    found = []
    for place, row in enumerate(evidence.rows, start=1):
        seen[row.stream] += 1
        if row.version != seen[row.stream]:
            found.append(f"{row.stream}: version {row.version} where {seen[row.stream]} was to come")
        if row.position != place:
            found.append(f"position {row.position} stands in place {place}")
            return found
    return found


def positions(evidence: Evidence) -> list[str]:
    """I7, the read models: each has handled every position up to the head (twice would break I6)."""
    return [
        f"{one.name} stands at {one.position} of {evidence.head}" + (f", stopped: {one.stopped}" if one.stopped else "")
        for one in evidence.projections
        if one.position != evidence.head or one.stopped
    ]


def chain(evidence: Evidence) -> list[str]:
    """I8: the chain holds, and head and count are those that were noted outside."""
    fault = evidence.verdict.fault
    return [] if fault is None else [f"position {fault.position}: {fault.reason}"]


def unfinished(evidence: Evidence, after: datetime | None) -> list[str]:
    """I9: AUTO rounds end within 60 s after the fault, MANUAL ones after `abandon_seconds`; no stuck hold."""
    opened: dict[tuple[str, str], RoundOpened] = {}
    touched: dict[tuple[str, str], datetime] = {}
    ended: dict[tuple[str, str], datetime] = {}
    for one in evidence.events:
        match one.event:
            case RoundOpened(round=name):
                opened[one.meta.operator, name] = one.event
            case RoundSettled(round=name) | RoundCancelled(round=name) | RoundVoided(round=name):
                ended.setdefault((one.meta.operator, name), one.recorded_at)
        touched[one.meta.operator, one.meta.correlation] = one.recorded_at
    found = []
    for place, event in opened.items():
        end = ended.get(place, evidence.at)
        if event.terms.pace is Pace.AUTO:
            if after is not None and event.opened_at <= after and end > after + timedelta(seconds=AUTO_SECONDS):
                found.append(f"AUTO round {event.round} has not ended {AUTO_SECONDS} s after the fault")
            continue
        patience = timedelta(seconds=event.terms.abandon_seconds + AUTO_SECONDS)
        if end > max(touched.get(place, event.opened_at), event.opened_at) + patience:
            found.append(f"round {event.round} was not given up after {event.terms.abandon_seconds} s")
    return found + _stuck(evidence, {name for _, name in set(opened) - set(ended)})


def _stuck(evidence: Evidence, still_open: Collection[str]) -> list[str]:
    """Money on game in a round that has ended."""
    return [
        f"player {player} holds {micro / MICRO:g} in round {round_}, which has ended"
        for (player, round_), micro in money.held_by_round(evidence.events).items()
        if micro and round_ not in still_open
    ]


def answers(evidence: Evidence, calls: Calls) -> list[str]:
    """I10: no 2xx that is not durable; while it is down only 503 with Retry-After; no other 5xx."""
    found = list(calls.wrong)
    for command, reply in calls.acknowledged.items():
        position = _position(reply.content)
        if position > evidence.head:
            found.append(f"key {command.key} was told position {position}, the log ends at {evidence.head}")
    return found + [f"{one.path} with key {one.key} never had an answer" for one in calls.unanswered]


def _position(content: bytes) -> int:
    _, _, tail = content.rpartition(b'"position":')
    digits = tail.strip().split(b"}", 1)[0].split(b",", 1)[0].strip()
    return int(digits) if digits.isdigit() else 0


def shortened(found: Collection[str]) -> list[str]:
    listed = list(found)
    more = len(listed) - SHOWN
    return listed if more <= 0 else [*listed[:SHOWN], f"and {more} more"]
