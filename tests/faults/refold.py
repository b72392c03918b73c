"""I6 for a log that grows: the read models folded once more, from the rows of one snapshot to those of the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from psycopg import Connection

from adapters.codec import CODEC
from adapters.projector.facts import Seen
from adapters.projector.folding import Rows, fold, plan
from adapters.projector.storage import Generation, live_generations, load_rows, prepare_session
from adapters.view_store.rows import encode_row
from domain.ids import stream_operator
from domain.rounds.events import RoundOpened
from domain.views import MODELS
from domain.views.model import Fact, RowKey
from services.ports import Recorded

ROWS_AT_ONCE: Final = 5_000

_STORED: Final = """
    SELECT w.operator, w.grp, w.key, r.body FROM unnest(%s::text[], %s::text[], %s::text[]) AS w (operator, grp, key)
    LEFT JOIN LATERAL (SELECT body FROM view_rows r WHERE r.model = %s AND r.generation = %s
        AND r.operator = w.operator AND r.grp = w.grp AND r.key = w.key LIMIT 1) r ON true"""


@dataclass(slots=True)
class _Fold:
    """A model between two snapshots: its rows as far as they were looked at, None where there is none."""

    old: Generation
    new: Generation
    rows: Rows = field(default_factory=dict)
    changed: Rows = field(default_factory=dict)


@dataclass(slots=True)
class Refold:
    """`begin` with a snapshot, `take` the events past the last one, `end`."""

    stopped: list[str] = field(default_factory=list)
    """Read models that stand still, or lost what they had: they break I7."""
    _before: Connection | None = None
    _now: Connection | None = None
    _old: dict[str, Generation] = field(default_factory=dict)
    _folds: list[_Fold] = field(default_factory=list)
    _openings: dict[str, RoundOpened] = field(default_factory=dict)
    _waiting: list[Seen] = field(default_factory=list)
    """Facts past the position of a model in the snapshot: for the next look."""

    def begin(self, conn: Connection) -> None:
        """A look at this snapshot."""
        prepare_session(conn)
        live = {one.model.name: one for one in live_generations(conn, list(MODELS.values()))}
        self.stopped = [f"{name} is not there" for name in MODELS if name not in live]
        for name, one in live.items():
            before = self._old.get(name, Generation(one.model, one.number, 0))
            if one.stopped is not None:
                self.stopped.append(f"{name} stopped: {one.stopped}")
            if one.position < before.position or one.number != before.number:
                self.stopped.append(f"{name} fell from {before.position} to {one.position}")
            self._folds.append(_Fold(before, one))
        self._now = conn
        self._advance(self._waiting)

    def take(self, events: Sequence[Recorded]) -> None:
        """The next events of the log."""
        batch = [self._seen(one) for one in events]
        self._advance(batch)
        least = self._least()
        self._waiting += [seen for seen in batch if seen.position > least]

    def end(self) -> list[str]:
        """What differs."""
        assert self._now is not None
        found = [text for one in self._folds for text in _differences(self._now, one)]
        self._old = {one.new.model.name: one.new for one in self._folds}
        least = self._least()
        self._waiting = [seen for seen in self._waiting if seen.position > least]
        self._folds = []
        self.close()
        self._before, self._now = self._now, None
        return found

    def close(self) -> None:
        """Let the snapshot of the last look go."""
        if self._before is not None:
            self._before.close()

    def forget(self, rounds: set[str]) -> None:
        """Nothing more will happen to these rounds."""
        for name in rounds:
            self._openings.pop(name, None)

    def _least(self) -> int:
        """Up to here every model has folded in this snapshot."""
        return min((one.new.position for one in self._folds), default=0)

    def _advance(self, batch: Sequence[Seen]) -> None:
        for one in self._folds:
            mine = [seen for seen in batch if one.old.position < seen.position <= one.new.position]
            if mine:
                self._fold(one, mine)

    def _fold(self, one: _Fold, batch: Sequence[Seen]) -> None:
        planned = plan(one.new.model, batch, batch[0].position - 1)
        missing = {name: keys - one.rows.get(name, {}).keys() for name, keys in planned.wanted().items()}
        if self._before is not None:
            stored = load_rows(self._before, one.old, missing)
            for name, keys in missing.items():
                one.rows.setdefault(name, {}).update(dict.fromkeys(keys) | stored.get(name, {}))
        folded = fold(one.new.model, planned, one.rows)
        if folded.fault is not None:
            self.stopped.append(f"{one.new.model.name} cannot be folded past {folded.fault}")
        for name, rows in folded.changed.items():
            one.changed.setdefault(name, {}).update(rows)

    def _seen(self, one: Recorded) -> Seen:
        operator = stream_operator(one.stream)
        if isinstance(one.event, RoundOpened):
            self._openings[one.event.round] = one.event
        opened = self._openings.get(getattr(one.event, "round", ""))
        return Fact(
            one.position, one.stream, operator, one.recorded_at, one.entry, one.meta.causation,
            CODEC.name(one.event), one.event, opened,
        )  # fmt: skip


def _differences(conn: Connection, one: _Fold) -> list[str]:
    """Rows that the fold changed and that are stored in another form."""
    found = []
    places = [(operator, key) for operator, rows in one.changed.items() for key in rows]
    for first in range(0, len(places), ROWS_AT_ONCE):
        some = places[first : first + ROWS_AT_ONCE]
        columns = [operator for operator, _ in some], [key.grp for _, key in some], [key.key for _, key in some]
        stored = conn.execute(_STORED, [*columns, one.new.model.name, one.new.number])
        for operator, grp, key, body in stored:
            row = one.changed[operator][RowKey(grp, key)]
            if (None if body is None else bytes(body)) != (None if row is None else encode_row(row)):
                found.append(f"{one.new.model.name}: {grp} {key} is stored as something else than the log says")
    return found
