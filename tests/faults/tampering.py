"""Ways to change a log behind its back, as lists of rows: what is left, and what must be found."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.anchors.reading import payload_of
from adapters.signing import Signer
from domain.chain import GENESIS, RawEvent, link

Rows = Sequence[RawEvent]
Lines = Sequence[str]


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it was written, with its anchors and the key that signed them; `stranger` is somebody else's key."""

    rows: Rows
    lines: Lines
    signer: Signer
    stranger: Signer

    @property
    def anchored(self) -> int:
        """Up to where anchors vouch."""
        return payload_of(self.lines[-1]).position


@dataclass(frozen=True, slots=True)
class Tampered:
    """What somebody made of it. `at` is the first bad position, which the check of this name must find; `within`: as
    the end of a range, where the chain was made anew and only an anchor tells."""

    rows: Rows
    lines: Lines
    at: int
    check: str = "chain"
    within: bool = False


Kind = Callable[[Log, random.Random], Tampered]


def _differs(log: Log, rows: Rows) -> Tampered:
    """The first row that is not what it was."""
    pairs = zip(log.rows, rows, strict=False)
    at = next((nth for nth, (was, now) in enumerate(pairs) if was != now), min(len(log.rows), len(rows)))
    return Tampered(rows, log.lines, at + 1)


def _with(log: Log, *changed: RawEvent, old: Sequence[int] = ()) -> Tampered:
    """Rows in place of those at these positions (their own by default), read in order of position as ever."""
    gone = set(old) or {one.position for one in changed}
    return _differs(log, sorted([*(one for one in log.rows if one.position not in gone), *changed]))


def _pick(log: Log, dice: random.Random) -> RawEvent:
    return dice.choice(log.rows)


def _two(log: Log, dice: random.Random) -> tuple[RawEvent, RawEvent]:
    """Two events of different streams."""
    while True:
        one, other = dice.sample(log.rows, 2)
        if one.stream != other.stream:
            return one, other


def byte_changed(log: Log, dice: random.Random) -> Tampered:
    row = _pick(log, dice)
    at = dice.randrange(len(row.state))
    return _with(log, row._replace(state=row.state[:at] + bytes([row.state[at] ^ 1]) + row.state[at + 1 :]))


def amount_changed(log: Log, dice: random.Random) -> Tampered:
    row = dice.choice([one for one in log.rows if b'"amount_minor":1' in one.state])
    return _with(log, row._replace(state=row.state.replace(b'"amount_minor":1', b'"amount_minor":9', 1)))


def deleted(log: Log, dice: random.Random) -> Tampered:
    at = dice.randrange(len(log.rows) - 1)
    return _differs(log, [*log.rows[:at], *log.rows[at + 1 :]])


def inserted(log: Log, dice: random.Random) -> Tampered:
    """A copy of an event behind another one; all that follows moves on by one."""
    row, place = _pick(log, dice), dice.randint(1, len(log.rows))
    moved = [one._replace(position=one.position + (one.position > place)) for one in log.rows]
    return _differs(log, sorted([*moved, row._replace(position=place + 1, version=row.version + 1)]))


def appended(log: Log, dice: random.Random) -> Tampered:
    """A copy of an event at the end, with the next numbers and some hash."""
    row, last = _pick(log, dice), log.rows[-1]
    version = max(one.version for one in log.rows if one.stream == row.stream) + 1
    new = row._replace(position=last.position + 1, version=version, sequence=last.sequence + 1, hash=dice.randbytes(32))
    return _differs(log, [*log.rows, new])


def reordered(log: Log, dice: random.Random) -> Tampered:
    one, other = _two(log, dice)
    return _with(log, one._replace(position=other.position), other._replace(position=one.position))


def states_swapped(log: Log, dice: random.Random) -> Tampered:
    one, other = _two(log, dice)
    return _with(log, one._replace(state=other.state), other._replace(state=one.state))


def streams_swapped(log: Log, dice: random.Random) -> Tampered:
    one, other = _two(log, dice)
    return _with(
        log,
        one._replace(stream=other.stream, version=other.version),
        other._replace(stream=one.stream, version=one.version),
    )


def names_swapped(log: Log, dice: random.Random) -> Tampered:
    one, other = _two(log, dice)
    while one.name == other.name:
        one, other = _two(log, dice)
    return _with(log, one._replace(name=other.name), other._replace(name=one.name))


def version_changed(log: Log, dice: random.Random) -> Tampered:
    row = _pick(log, dice)
    return _with(log, row._replace(version=row.version + dice.choice((1, 7, 2**40))))


def sequence_changed(log: Log, dice: random.Random) -> Tampered:
    row = _pick(log, dice)
    return _with(log, row._replace(sequence=row.sequence + 1))


def positions_shifted(log: Log, dice: random.Random) -> Tampered:
    """From some event on every position is one higher."""
    place = _pick(log, dice).position
    return _differs(log, [one._replace(position=one.position + (one.position >= place)) for one in log.rows])


def operator_renamed(log: Log, dice: random.Random) -> Tampered:
    """An event is put into the same stream of another operator."""
    row = _pick(log, dice)
    return _with(log, row._replace(stream="rival" + row.stream[row.stream.index("/") :], operator="rival"))


def filed_elsewhere(log: Log, dice: random.Random) -> Tampered:
    return _with(log, _pick(log, dice)._replace(operator="rival"))


def hash_changed(log: Log, dice: random.Random) -> Tampered:
    return _with(log, _pick(log, dice)._replace(hash=dice.randbytes(32)))


def tail_cut(log: Log, dice: random.Random) -> Tampered:
    return _differs(log, log.rows[: dice.randrange(log.anchored)])


def stream_dropped(log: Log, dice: random.Random) -> Tampered:
    stream = dice.choice([one.stream for one in log.rows if one.stream != log.rows[-1].stream])
    return _differs(log, [one for one in log.rows if one.stream != stream])


def stream_dropped_and_closed_up(log: Log, dice: random.Random) -> Tampered:
    """A whole stream is gone, and what is left is numbered and chained anew."""
    stream = dice.choice([one.stream for one in log.rows[: log.anchored]])
    return _anew(log, [one for one in log.rows if one.stream != stream])


def changed_and_rechained(log: Log, dice: random.Random) -> Tampered:
    """Bytes are changed without another meaning, and every hash from there on is made anew."""
    row = log.rows[dice.randrange(log.anchored)]
    return _anew(log, _with(log, row._replace(state=row.state + b" ")).rows)


def deleted_and_rechained(log: Log, dice: random.Random) -> Tampered:
    at = dice.randrange(log.anchored)
    return _anew(log, [*log.rows[:at], *log.rows[at + 1 :]])


def inserted_and_rechained(log: Log, dice: random.Random) -> Tampered:
    at = dice.randrange(log.anchored)
    return _anew(log, [*log.rows[:at], dice.choice(log.rows), *log.rows[at:]])


def rechained_from_the_start(log: Log, dice: random.Random) -> Tampered:
    first = log.rows[0]
    return _anew(log, [first._replace(state=first.state + b" " * dice.randint(1, 9)), *log.rows[1:]])


def money_made_behind_the_last_anchor(log: Log, dice: random.Random) -> Tampered:
    """Where no anchor vouches yet, an amount is changed and the chain made anew: the ledger does not agree."""
    mine = [one for one in log.rows[log.anchored :] if b'"amount_minor":1' in one.state and "/wallet/" in one.stream]
    row = dice.choice(mine)
    more = str(dice.randint(2, 9)).encode()
    changed = row._replace(state=row.state.replace(b'"amount_minor":1', b'"amount_minor":' + more, 1))
    made = _anew(log, _with(log, changed).rows)
    return Tampered(made.rows, made.lines, row.position, "ledger")


def closing_entry_changed(log: Log, dice: random.Random) -> Tampered:
    """The same with a closing entry, from which a stream would be read on."""
    row = next(one for one in log.rows[log.anchored :] if one.name == "wallet.carried.v1")
    more = b'"available_after_minor":' + str(dice.randint(1, 9)).encode()
    made = _anew(log, _with(log, row._replace(state=row.state.replace(b'"available_after_minor":', more, 1))).rows)
    return Tampered(made.rows, made.lines, row.position, "ledger")


def emptied(log: Log, dice: random.Random) -> Tampered:
    """A column of an event holds nothing any more."""
    row = _pick(log, dice)
    column = dice.choice([name for name in RawEvent._fields if name != "position"])
    nothing: dict[str, Any] = {column: None}
    return _with(log, row._replace(**nothing))


def time_turned_back(log: Log, dice: random.Random) -> Tampered:
    """Behind the last anchor an event is dated back, and the chain made anew."""
    return _told_otherwise(log, dice, rb'"recorded_at":"20', b'"recorded_at":"19')


def recorded_by_another_operator(log: Log, dice: random.Random) -> Tampered:
    """Behind the last anchor an event says that it is another operator's, and the chain is made anew."""
    return _told_otherwise(log, dice, rb'"operator":"', b'"operator":"x')


def _told_otherwise(log: Log, dice: random.Random, old: bytes, new: bytes) -> Tampered:
    row = dice.choice(log.rows[log.anchored :])
    made = _anew(log, _with(log, row._replace(state=row.state.replace(old, new, 1))).rows)
    return Tampered(made.rows, made.lines, row.position, "ledger")


ROW_KINDS: tuple[Kind, ...] = (
    byte_changed, amount_changed, deleted, inserted, appended, reordered, states_swapped, streams_swapped,
    names_swapped, version_changed, sequence_changed, positions_shifted, operator_renamed, filed_elsewhere,
    hash_changed, tail_cut, stream_dropped, stream_dropped_and_closed_up, changed_and_rechained,
    deleted_and_rechained, inserted_and_rechained, rechained_from_the_start, money_made_behind_the_last_anchor,
    closing_entry_changed, emptied, time_turned_back, recorded_by_another_operator,
)  # fmt: skip


def _anew(log: Log, rows: Rows) -> Tampered:
    """These events with numbers and hashes as if nothing else had ever been written."""
    last, versions, sequences, made = GENESIS, dict[str, int](), dict[str, int](), list[RawEvent]()
    for position, row in enumerate(rows, 1):
        version = versions[row.stream] = versions.get(row.stream, 0) + 1
        sequence = sequences[row.operator] = sequences.get(row.operator, 0) + 1
        last = link(
            last, stream=row.stream, version=version, name=row.name, position=position, sequence=sequence,
            state=row.state,
        )  # fmt: skip
        made.append(row._replace(position=position, version=version, sequence=sequence, hash=last))
    found = _differs(log, made)
    return Tampered(found.rows, found.lines, found.at, within=True)
