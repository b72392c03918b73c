"""`studbook evidence`, on the projector's login: it reads all events of the log and writes nothing."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

from adapters.anchors.folder import Folder, FolderFault
from adapters.clock import SystemClock
from adapters.database.connections import connect
from adapters.database.errors import StartRefused
from adapters.database.migrations import schema_state
from adapters.database.settings import Role
from adapters.day_reading import DayReader
from adapters.event_store.rounds import UnreadableStory
from adapters.evidence_keys import evidence_signers
from adapters.signing import Signer
from api.fields import exponent_of
from api.main.database import prepare
from api.main.environment import anchor_folder, environment, operators_zone, software_version
from api.main.faults import told
from api.main.pack_anchors import anchors_around
from api.main.place import Place
from api.main.round_reader import RoundReader
from api.main.sealing import DayDiffers, DaySealer
from domain.chain import GENESIS
from domain.errors import Invalid, NotFound, Unavailable
from domain.frozen import dataclass
from domain.views.model import time_text
from services.evidence.making import NO_KEY, Around, in_order, pack_of, require_opened, signed
from services.evidence.pack import SEATS_MOST, PackAnchors, PackMade, PackPart
from services.replay.scanning import RoundKey
from services.replay.story import RoundStory

Pages = Iterator[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Packs:
    """Makes packs out of the whole log."""

    reader: RoundReader
    signer: Signer
    day_proof: Callable[[RoundKey], Mapping[str, Any] | None]
    anchors: Callable[[int, int], PackAnchors | None]

    def of(self, name: str, operator: str | None) -> Pages:
        """The packs of the round with this id or game number, each with at most SEATS_MOST seats. NotFound, WrongPhase
        before its cards are open, Unavailable.
        """
        key = self.reader.find(name, operator)
        seats = self.reader.seats(key)
        require_opened(self._story(key, ()))
        proof = self.day_proof(key)
        count = max(1, -(-len(seats) // SEATS_MOST))
        for nth in range(count):
            story = self._story(key, seats[nth * SEATS_MOST : (nth + 1) * SEATS_MOST])
            part = PackPart(story.players, nth == 0, str(nth + 2) if nth + 1 < count else None)
            yield self._pack(story, part, proof)

    def _story(self, key: RoundKey, seats: Collection[str]) -> RoundStory:
        players = {one.split("/", 2)[2].split(".", 1)[1] for one in seats}
        try:
            return self.reader.part(key, list(seats), players)
        except UnreadableStory as fault:
            raise Unavailable(str(fault)) from None

    def _pack(self, story: RoundStory, part: PackPart, proof: Mapping[str, Any] | None) -> dict[str, Any]:
        log = self.reader.log
        found = log.stored(story.positions)
        before = {0: GENESIS, **log.hashes([one.position - 1 for one in found])}
        made = PackMade(time_text(SystemClock().now()), getpass.getuser(), software_version(), log.head())
        anchors = self.anchors(story.positions[0], story.positions[-1])
        around = Around(made, part, exponent_of(story.opened.terms.currency), proof, anchors)
        return signed(pack_of(story, in_order(story, found, before.get), around), self.signer)


@told()
def with_packs(place: Place, work: Callable[[Packs], None], note: Callable[[str], None]) -> None:
    """Do work with packs, on one snapshot of the database. `note` is told why a proof of the day is left out."""
    with ExitStack() as stack:
        prepare(place, stack)
        env = environment()
        signers = evidence_signers(env.embedded_dir)
        if not signers:
            raise Unavailable(NO_KEY)
        conn = stack.enter_context(connect(env.settings.conninfo(Role.PROJECTOR, "studbook evidence")))
        schema_state(conn)
        stack.enter_context(conn.transaction())
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        folder = anchor_folder()

        def proof(key: RoundKey) -> Mapping[str, Any] | None:
            return None if folder is None else _day_proof(DayReader(conn), folder, key, note)

        def anchors(first: int, last: int) -> PackAnchors | None:
            return None if folder is None else _anchors(folder, first, last, note)

        work(Packs(RoundReader(conn), signers[0], proof, anchors))


def _anchors(folder: Folder, first: int, last: int, note: Callable[[str], None]) -> PackAnchors | None:
    try:
        return anchors_around(folder, first, last)
    except (OSError, ValueError, FolderFault) as fault:
        note(f"without anchors: {fault}")
        return None


def _day_proof(reader: DayReader, folder: Folder, key: RoundKey, note: Callable[[str], None]) -> dict[str, Any] | None:
    """The proof that the sealed day holds the round; None, and why, where it is not sealed yet."""
    if not (folder.path / "seals" / key.operator).is_dir():
        return None
    try:
        sealer = DaySealer(reader, folder, folder.signers(os.environ), key.operator, operators_zone())
        return sealer.prove(key.round, lambda _: None)
    except (Invalid, NotFound, DayDiffers) as fault:
        note(f"without a proof of the day: {fault}")
        return None


def public_keys(place: Place) -> dict[str, Any]:
    """The public keys that packs are signed with, then those of anchors and sealed days, as a JWK set."""
    with ExitStack() as stack:
        prepare(place, stack)
        own = [one.public for one in evidence_signers(environment().embedded_dir)]
        folder = anchor_folder()
        try:
            others = folder.public_keys() if folder is not None and folder.public.exists() else []
        except FolderFault as fault:
            raise StartRefused(str(fault)) from None
        return {"keys": [dict(one) for one in {one["kid"]: one for one in (*own, *others)}.values()]}
