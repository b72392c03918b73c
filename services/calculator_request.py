"""Reading a line of the settlement calculator: strict JSON into cards, stakes and decisions.

Whatever is wrong raises Invalid and its detail begins with the field; no float, boolean or text passes for an
amount, no name may stand twice, no card may lie twice, and nothing unknown is passed over.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Final

from domain.cards import HAND_SIZE, check_distinct, parse_cards, shown
from domain.errors import Invalid
from domain.frozen import dataclass
from domain.money import AMOUNT_MINOR_MAX, POOL_MINOR_LIMIT
from domain.rules import HandMode, RuleSet, SideKind
from domain.settlement import DecidedBy, Decision, Stakes, decide_for_absent
from domain.variants import ruleset

LINE_BYTES_MAX: Final = 8 * 1024 * 1024
"""The longest line that is read; a shared hand with ten thousand seats takes about a seventh of it."""

ID_LENGTH_MAX: Final = 200

_SEAT_FIELDS: Final = frozenset({"player", "ante", "side", "decision"})
_LINE_FIELDS: Final = frozenset({"id", "ruleset", "dealer", "meter", "reset"})
_DECISIONS: Final = ("call", "fold", "timeout")


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of the line: cards in the order dealt, stakes, and what was decided by whom."""

    cards: tuple[str, ...]
    stakes: Stakes
    decision: Decision
    decided_by: DecidedBy


@dataclass(frozen=True, slots=True)
class Request:
    """A line that is right. `many` tells the form with `seats`; meter and reset are 0 where no wager needs them."""

    ruleset: RuleSet
    dealer: tuple[str, ...]
    seats: tuple[Seat, ...]
    many: bool
    meter_minor: int
    reset_minor: int


class _Repeated(dict[str, object]):
    """A JSON object in which a name stood twice."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        left = Counter(name for name, _ in pairs)
        self.twice = next(name for name, times in left.items() if times > 1)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Repeated(pairs)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object)


def parse_line(line: bytes) -> dict[str, object]:
    """The JSON object on the line, names that stand twice still to be refused; Invalid when it is none."""
    if len(line) > LINE_BYTES_MAX:
        raise Invalid(f"line: longer than {LINE_BYTES_MAX} bytes", field="line")
    try:
        request: object = _DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise Invalid("line: not UTF-8", field="line") from wrong
    except RecursionError as wrong:
        raise Invalid("line: nested too deeply", field="line") from wrong
    except ValueError as wrong:  # JSONDecodeError, or an integer of more digits than Python reads
        reason = wrong.msg if isinstance(wrong, json.JSONDecodeError) else "a number is too long"
        raise Invalid(f"line: not JSON ({reason})", field="line") from wrong
    if not isinstance(request, dict):
        raise Invalid("line: a JSON object is needed", field="line")
    return request


def read_id(request: dict[str, object]) -> str:
    """The line's own name, which its answer repeats."""
    found = request.get("id")
    if not isinstance(found, str) or not 1 <= len(found) <= ID_LENGTH_MAX:
        raise Invalid(f"id: a text of 1 to {ID_LENGTH_MAX} characters is needed", field="id")
    if any("\ud800" <= character <= "\udfff" for character in found):
        raise Invalid("id: half of a surrogate pair is no text", field="id")
    return found


def read_request(body: dict[str, object]) -> Request:
    """The deal and the seats that a line holds; Invalid that names the field when something is wrong."""
    many = "seats" in body
    _check_fields(body, _LINE_FIELDS | ({"seats"} if many else _SEAT_FIELDS), "")
    rules = ruleset(_text(body, "ruleset"))
    dealer = parse_cards(_list(body, "dealer"), "dealer", HAND_SIZE)
    bodies = _seat_bodies(rules, body) if many else [("", body)]
    seats = _seats(rules, dealer, bodies)
    meter, reset = _pool(rules, body, needed=any(seat.stakes.progressive_minor for seat in seats))
    return Request(rules, dealer, tuple(seats), many, meter, reset)


def _seat_bodies(rules: RuleSet, request: dict[str, object]) -> list[tuple[str, dict[str, object]]]:
    """The seats as they stand, each with the words that lead to it in a message."""
    listed = _list(request, "seats")
    if not listed:
        raise Invalid("seats: at least one seat is needed", field="seats")
    if rules.seats is not None and len(listed) > rules.seats:
        raise Invalid(f"seats: {rules.name} has {rules.seats} seats, {len(listed)} given", field="seats")
    bodies: list[tuple[str, dict[str, object]]] = []
    for index, body in enumerate(listed):
        where = f"seats[{index}]"
        if not isinstance(body, dict):
            raise Invalid(f"{where}: a JSON object is needed", field=where)
        _check_fields(body, _SEAT_FIELDS, f"{where}.")
        bodies.append((f"{where}.", body))
    return bodies


def _seats(rules: RuleSet, dealer: tuple[str, ...], bodies: list[tuple[str, dict[str, object]]]) -> list[Seat]:
    seats: list[Seat] = []
    dealt = dealer
    for where, body in bodies:
        seat = _seat(rules, body, where)
        if seats and rules.hand_mode is HandMode.SHARED:
            if set(seat.cards) != set(seats[0].cards):
                raise Invalid(f"{where}player: {rules.name} has one hand for all seats", field=f"{where}player")
        else:
            dealt = (*dealt, *seat.cards)
            check_distinct(dealt, f"{where}player")
        seats.append(seat)
    return seats


def _seat(rules: RuleSet, body: dict[str, object], where: str) -> Seat:
    cards = parse_cards(_list(body, "player", where), f"{where}player", HAND_SIZE)
    ante = _amount(body, "ante", where, least=1, most=AMOUNT_MINOR_MAX)
    stakes = _stakes(rules, ante, body.get("side", {}), where)
    match _text(body, "decision", where):
        case "call":
            return Seat(cards, stakes, Decision.CALL, DecidedBy.PLAYER)
        case "fold":
            return Seat(cards, stakes, Decision.FOLD, DecidedBy.PLAYER)
        case "timeout":
            decision = decide_for_absent(rules.timeout_policy, rules, cards)
            return Seat(cards, stakes, decision, DecidedBy.SYSTEM)
        case other:
            one_of = ", ".join(_DECISIONS)
            raise Invalid(f"{where}decision: {shown(other)} is none of {one_of}", field=f"{where}decision")


def _stakes(rules: RuleSet, ante: int, side: object, where: str) -> Stakes:
    if not isinstance(side, dict):
        raise Invalid(f"{where}side: a JSON object is needed", field=f"{where}side")
    kind = rules.side_kind.value
    _check_fields(side, frozenset({kind}), f"{where}side.")
    if not side:
        return Stakes(ante)
    stake = _amount(side, kind, f"{where}side.", least=1, most=AMOUNT_MINOR_MAX)
    if rules.side_kind is SideKind.FIVE_PLUS_ONE:
        return Stakes(ante, five_plus_one_minor=stake)
    if rules.progressive is not None and stake != rules.progressive.stake_minor:
        field = f"{where}side.{kind}"
        raise Invalid(f"{field}: the stake is {rules.progressive.stake_minor}, {stake} given", field=field)
    return Stakes(ante, progressive_minor=stake)


def _pool(rules: RuleSet, request: dict[str, object], needed: bool) -> tuple[int, int]:
    """Meter and reset, which go with a progressive wager; without one they may stay away."""
    for field in ("meter", "reset"):
        if field in request and rules.progressive is None:
            raise Invalid(f"{field}: {rules.name} has no progressive pool", field=field)
        if field not in request and needed:
            raise Invalid(f"{field}: a progressive wager needs it", field=field)
    if not needed and "meter" not in request and "reset" not in request:
        return 0, 0
    return (
        _amount(request, "meter", "", least=0, most=POOL_MINOR_LIMIT),
        _amount(request, "reset", "", least=0, most=POOL_MINOR_LIMIT),
    )


def _check_fields(body: dict[str, object], known: frozenset[str], where: str) -> None:
    if isinstance(body, _Repeated):
        raise Invalid(f"{where}{_plain(body.twice)}: the name stands twice", field=where + body.twice)
    for name in body:
        if name not in known:
            raise Invalid(
                f"{where}{_plain(name)}: unknown here, known are {', '.join(sorted(known))}", field=where + name
            )


def _plain(name: str) -> str:
    return name if name.isascii() and name.isidentifier() and len(name) <= 40 else shown(name)


def _text(body: dict[str, object], name: str, where: str = "") -> str:
    found = body.get(name)
    if not isinstance(found, str):
        raise Invalid(f"{where}{name}: a text is needed", field=where + name)
    return found


def _list(body: dict[str, object], name: str, where: str = "") -> list[str]:
    found = body.get(name)
    if not isinstance(found, list):
        raise Invalid(f"{where}{name}: a list is needed", field=where + name)
    return found


def _amount(body: dict[str, object], name: str, where: str, least: int, most: int) -> int:
    """A whole number of minor units within the bounds; no float, no boolean, no text."""
    found = body.get(name)
    if type(found) is not int:
        raise Invalid(f"{where}{name}: a whole number of minor units is needed, not {shown(found)}", field=where + name)
    if not least <= found <= most:
        raise Invalid(f"{where}{name}: {shown(found)} does not lie from {least} to {most}", field=where + name)
    return found
