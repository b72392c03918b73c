"""`studbook seal`: the seal of a gaming day, proofs of its rounds, and what a day's seal is when it is made anew."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from adapters.anchors.folder import Folder
from adapters.anchors.leaves import Leaf, leaves_path, leaves_text
from adapters.clock import SystemClock
from adapters.database.connections import connect
from adapters.database.errors import StartRefused
from adapters.database.migrations import schema_state
from adapters.database.settings import Role
from adapters.day_reading import DayReader, LogDay
from adapters.signing import Signer
from api.main.anchor_settings import prepare_folder
from api.main.database import prepare
from api.main.environment import ANCHOR_DIR, anchor_folder, environment, operators_zone
from api.main.faults import told
from api.main.place import Place
from api.main.seal_files import read_seal, seal_path, write_whole
from api.main.signed import keys_of_folder, read_signed
from domain.errors import Invalid, NotFound
from domain.merkle import root as merkle_root
from domain.views.model import time_text
from services.calendar import day_bounds
from services.sealing import PROOF, SEAL, SIGNED_AS, DayRound, check_seal, inclusion_of, leaves, root_of

Progress = Callable[[str, int, int], None]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Sealed:
    """A day's seal, where it lies, and whether it lay there before."""

    seal: Mapping[str, Any]
    path: Path
    is_new: bool

    @property
    def is_before_the_log(self) -> bool:
        """Whether the log had no event yet when the day ended."""
        return int(self.seal["position"]) == 0


class DaySealer:
    """Seals days of one operator, and proves their rounds. `now` for tests."""

    def __init__(self, reader: DayReader, folder: Folder, signers: list[Signer], operator: str, zone: ZoneInfo) -> None:
        self._reader = reader
        self._folder = folder
        self._signers = {one.key_id: one for one in signers}
        self._operator = operator
        self._zone = zone

    def path(self, day: date) -> Path:
        """Where the seal of a day lies."""
        return seal_path(self._folder, self._operator, day)

    def seal(self, day: date, now: datetime, progress: Callable[[int], None]) -> Sealed:
        """Seal a day that is over; a day that is sealed is held against its seal. Invalid where it may not be sealed,
        or is not what was sealed."""
        starts, ends = self._over(day, now)
        path = self.path(day)
        signer = self._signer_of(path)
        found = self._reader.day(starts, ends)
        rounds = self._rounds(found, progress)
        hashes = leaves(self._operator, rounds, self._salts(signer, day))
        root = merkle_root(hashes).hex()
        beside = leaves_text(self._leaves(rounds, hashes, self._salts(signer, day)))
        if path.exists():
            same = self._same(path, found, len(rounds), root)
            if not leaves_path(path).exists():
                write_whole(leaves_path(path), beside)
            return same
        said = {
            "type": SEAL, "operator": self._operator, "day": day.isoformat(), "zone": self._zone.key,
            "starts_at": starts.isoformat(), "ends_at": ends.isoformat(), "rounds": len(rounds), "root": root,
            "position": found.upto, "hash": found.hash.hex(), "sealed_at": time_text(now),
        }  # fmt: skip
        seal = {**said, "key": signer.public, "signature": signer.sign(said, SIGNED_AS)}
        write_whole(leaves_path(path), beside)
        write_whole(path, json.dumps(seal, indent=1, ensure_ascii=False) + "\n")
        return Sealed(seal, path, True)

    def _over(self, day: date, now: datetime) -> tuple[datetime, datetime]:
        """When a day that is over began and ended. Invalid says why another one cannot be sealed."""
        zone = self._zone_of(day)
        try:
            starts, ends = day_bounds(day, zone)
        except OverflowError:
            raise Invalid(f"{day} is no day that can be sealed", field="day") from None
        until = f"it ends at {time_text(ends)} (midnight in {zone.key}) and cannot be sealed before"
        if now < starts:
            raise Invalid(f"{day} has not begun: {until}", field="day")
        if now < ends:
            raise Invalid(f"{day} is not over: {until}", field="day")
        return starts, ends

    def prove(self, round_id: str, progress: Callable[[int], None]) -> dict[str, Any]:
        """The proof of a round whose day is sealed. NotFound for a round that has not ended, Invalid without a seal."""
        ended = self._reader.round_ended(self._operator, round_id)
        if ended is None:
            raise NotFound(f"no round {round_id} of {self._operator} that has ended", field="proof")
        day = ended.astimezone(self._zone).date()
        path = self.path(day)
        if not path.exists():
            raise Invalid(f"the day of this round, {day}, is not sealed: studbook seal --day {day} does", field="proof")
        seal = read_seal(path)
        found = self._reader.day(*day_bounds(day, self._zone_of(day)))
        rounds = self._rounds(found, progress)
        salted = self._salts(self._signer_of(path), day)
        self._same(path, found, len(rounds), root_of(self._operator, rounds, salted))
        index = next((at for at, one in enumerate(rounds) if one.round == round_id), None)
        if index is None:
            raise Invalid(
                f"the round is not in the day {day} that was sealed, in the zone {seal['zone']}", field="proof"
            )
        return {"type": PROOF, "seal": seal, "inclusion": inclusion_of(self._operator, rounds, index, salted)}

    def _zone_of(self, day: date) -> ZoneInfo:
        """The zone that a day was sealed in, else the one of now."""
        path = self.path(day)
        try:
            return ZoneInfo(str(read_seal(path).get("zone"))) if path.exists() else self._zone
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise Invalid(f"{path} names no zone that is known here", field="zone") from None

    def _rounds(self, day: LogDay, progress: Callable[[int], None]) -> list[DayRound]:
        return [DayRound(name, events) for name, events in self._reader.rounds(self._operator, day, progress)]

    def _leaves(
        self, rounds: Sequence[DayRound], hashes: Sequence[bytes], salted: Callable[[str], bytes]
    ) -> list[Leaf]:
        return [Leaf(one.round, salted(one.round), hashed) for one, hashed in zip(rounds, hashes, strict=True)]

    def _salts(self, signer: Signer, day: date) -> Callable[[str], bytes]:
        where = f"salt of a round\0{self._operator}\0{day.isoformat()}\0"
        return lambda round_id: signer.secret_for(where + round_id)

    def _signer_of(self, path: Path) -> Signer:
        """The key in use, or the one that signed the seal that is there: the salts come from it."""
        if not path.exists():
            return next(iter(self._signers.values()))
        wanted = check_seal(read_seal(path), read_signed(keys_of_folder(self._folder, self._signers))).key
        if wanted not in self._signers:
            raise Invalid(f"the key {wanted} that signed {path} is not here", field="key")
        return self._signers[wanted]

    def _same(self, path: Path, day: LogDay, rounds: int, root: str) -> Sealed:
        seal = read_seal(path)
        now = {"rounds": rounds, "root": root, "position": day.upto, "hash": day.hash.hex()}
        wrong = [name for name, value in now.items() if seal[name] != value]
        if wrong:
            raise DayDiffers(f"the log does not hold the day that was sealed in {path}: {', '.join(wrong)} differ")
        return Sealed(seal, path, False)


class DayDiffers(Exception):
    """A day is not what its seal says."""


@told()
def with_sealer(database_url: str | None, data_dir: Path | None, operator: str, work: Callable[[DaySealer], _T]) -> _T:
    """Do work with the sealer of an operator, on one snapshot of the database."""
    with ExitStack() as stack:
        prepare(Place(database_url, data_dir), stack)
        folder = anchor_folder()
        if folder is None:
            raise StartRefused(f"seals lie beside the anchors: give --anchor-dir or set {ANCHOR_DIR}")
        prepare_folder(folder)
        conn = stack.enter_context(connect(environment().settings.conninfo(Role.PROJECTOR, "studbook seal")))
        schema_state(conn)
        stack.enter_context(conn.transaction())
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        _require_operator(conn.execute("SELECT 1 FROM operators WHERE operator = %s", [operator]).fetchone(), operator)
        return work(DaySealer(DayReader(conn), folder, folder.signers(os.environ), operator, operators_zone()))


def now() -> datetime:
    """The time."""
    return SystemClock().now()


def _require_operator(row: object, operator: str) -> None:
    if row is None:
        raise Invalid(f"no operator {operator}", field="operator")
