"""`studbook replay`, on the projector's login: it reads all events of the log and writes nothing."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from time import monotonic
from typing import Final
from zoneinfo import ZoneInfo

from adapters.database.connections import connect
from adapters.database.migrations import schema_state
from adapters.database.settings import Role
from adapters.event_store.rounds import UnreadableStory
from api.fields import exponent_of
from api.main.database import prepare
from api.main.environment import environment, operators_zone
from api.main.faults import told
from api.main.garbage import settle_down, settled_down
from api.main.place import Place
from api.main.round_reader import RoundReader
from domain.errors import Invalid, Unavailable
from domain.frozen import dataclass
from domain.variants import ruleset
from services.replay.checking import check
from services.replay.counterfactual import Otherwise
from services.replay.ranging import Tally, Unread, line_of
from services.replay.replay import Replay, replay
from services.replay.selecting import Where
from services.replay.story import RoundStory

STRETCH: Final = 20_000
"""Positions that one process takes at a time."""

ALONE: Final = 2 * STRETCH
"""Up to so many positions a range is read by this process alone: another one takes a second to begin."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how far it is, and how far it goes."""

zone = operators_zone
"""The operators' zone, in which gaming days begin. StartRefused when STUDBOOK_ZONE names none."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked of a range: which rounds, under which other rule set (None: no other), and whether to list them."""

    where: Where
    zone: ZoneInfo
    other: str | None = None
    is_listed: bool = False

    def __post_init__(self) -> None:
        if self.other is not None:
            ruleset(self.other)  # Invalid for none that is published


@dataclass(frozen=True, slots=True)
class Ranged:
    """What a range came to, over how many positions of the log and in which time."""

    tally: Tally
    otherwise: Otherwise
    positions: int
    processes: int
    seconds: float


@told()
def replay_round(place: Place, name: str, operator: str | None) -> Replay:
    """The replay of the round with this id or game number. NotFound, Unavailable."""
    with _reader(place) as (reader, _):
        with _told():
            story = reader.story(reader.find(name, operator))
        try:
            return replay(story, exponent_of(story.opened.terms.currency), reader.log.head())
        except Exception as fault:  # whatever events that are none of ours do to a replay is a finding about them
            raise Unavailable(_unlike(story, fault)) from None


def _unlike(story: RoundStory, fault: Exception) -> str:
    """Why a round cannot be replayed: no program of ours wrote it."""
    return f"round {story.round}: its events make no round ({type(fault).__name__}: {' '.join(str(fault).split())})"


@contextmanager
def _told() -> Iterator[None]:
    """What ends the work is told in one line."""
    try:
        yield
    except (UnreadableStory, BrokenProcessPool) as fault:
        raise Unavailable(" ".join(str(fault).split())) from None


@told()
def replay_range(place: Place, ask: Ask, processes: int, progress: Progress) -> Ranged:
    """Every round that is meant, settled again by so many processes. Unavailable."""
    begun = monotonic()
    with _reader(place) as (reader, conninfo), settled_down(), _told():
        operators = reader.log.operators()
        if ask.where.operator is not None and ask.where.operator not in operators:
            raise Invalid(f"there is no operator {ask.where.operator!r}", field="operator")
        first = 0 if ask.where.begin is None else reader.log.before(ask.where.begin)
        last = reader.log.head() if ask.where.end is None else reader.log.before(ask.where.end)
        tally, otherwise = Tally(), Otherwise()
        used = 1 if last - first <= ALONE else processes
        for at, part in _parts(reader, conninfo, ask, first, last, processes=used):
            tally.merge(part[0])
            otherwise.merge(part[1])
            progress("events", at - first, last - first)
        return Ranged(tally, otherwise, max(last - first, 0), used, monotonic() - begun)


_Part = tuple[Tally, Otherwise]


def _parts(
    reader: RoundReader, conninfo: str, ask: Ask, first: int, last: int, *, processes: int
) -> Iterator[tuple[int, _Part]]:
    """What each stretch came to, in order, with where it ends."""
    places = list(pairwise([*range(first, last, STRETCH), last])) if last > first else []
    if processes == 1:
        for after, upto in places:
            yield upto, _stretch(reader, ask, after, upto)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _begin, (conninfo, ask)) as pool:
        for (_, upto), part in zip(places, pool.map(_work, places), strict=True):
            yield upto, part


_OWN: list[tuple[RoundReader, Ask]] = []
"""In a process that helps: its reader, and what is asked."""


def _begin(conninfo: str, ask: Ask) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends this process
    _OWN.append((RoundReader(connect(conninfo)), ask))
    settle_down()


def _work(stretch: tuple[int, int]) -> _Part:
    ((reader, ask),) = _OWN
    return _stretch(reader, ask, *stretch)


def _stretch(reader: RoundReader, ask: Ask, after: int, upto: int) -> _Part:
    tally, otherwise = Tally(), Otherwise()
    for story in reader.stories(after, upto, ask.where.takes_opening):
        if not ask.where.takes(story):
            continue
        try:
            verdict = check(story)
        except Exception as fault:  # the same, and the other rounds are replayed
            reader.unread.append(Unread(story.positions[0], _unlike(story, fault)))
            continue
        tally.add(story, verdict)
        if ask.is_listed:
            tally.listed.append(line_of(story, verdict))
        if ask.other is not None:
            otherwise.add(story, verdict, ask.other, ask.zone)
    tally.unread, reader.unread = reader.unread, []
    return tally, otherwise


@contextmanager
def _reader(place: Place) -> Iterator[tuple[RoundReader, str]]:
    with ExitStack() as stack:
        prepare(place, stack)
        conninfo = environment().settings.conninfo(Role.PROJECTOR, "studbook replay")
        conn = stack.enter_context(connect(conninfo))
        schema_state(conn)
        yield RoundReader(conn), conninfo
