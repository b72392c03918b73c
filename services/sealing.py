"""Sealing a gaming day, and checking what was sealed: the documents, and what must agree in them.

A seal says which rounds ended in a day without naming one: how many, and the root of the tree over them. A proof is a
seal with the way from one round to that root.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.errors import Invalid
from domain.frozen import dataclass
from domain.merkle import path, root
from domain.seals import HASH_BYTES, SALT_BYTES, Inclusion, leaf_of

SEAL: Final = "studbook-seal/1"
PROOF: Final = "studbook-proof/1"
SIGNED_AS: Final = "studbook-seal"
"""`typ` in the header of a seal's signature."""

_SIGNED: Final = (
    "type", "operator", "day", "zone", "starts_at", "ends_at", "rounds", "root", "position", "hash", "sealed_at",
)  # fmt: skip

_KEY: Final = frozenset({"kty", "crv", "x", "kid"})
_PROOF: Final = frozenset({"type", "seal", "inclusion"})
_INCLUSION: Final = frozenset({"operator", "round", "salt", "events", "index", "rounds", "path"})
_EVENT: Final = frozenset({"position", "hash"})
"""The fields of a public key, of a proof, of its inclusion, and of an event in that."""

Salted = Callable[[str], bytes]
"""The salt of a round's leaf."""
Read = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""What a signature holds, by the public key that stands beside it; Invalid when it does not hold."""


@dataclass(frozen=True, slots=True)
class DayRound:
    """A round that ended in the day, with position and stored hash of its events and its seats', in order."""

    round: str
    events: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A seal, or a proof of one round, that holds; `key` names the public key that signed it."""

    operator: str
    day: str
    rounds: int
    root: str
    key: str
    round: str | None = None


def leaves(operator: str, rounds: Sequence[DayRound], salted: Salted) -> list[bytes]:
    """The day's leaves, in the order in which its rounds ended."""
    return [leaf_of(operator, one.round, salted(one.round), one.events) for one in rounds]


def root_of(operator: str, rounds: Sequence[DayRound], salted: Salted) -> str:
    """The day's root, in hex."""
    return root(leaves(operator, rounds, salted)).hex()


def inclusion_of(operator: str, rounds: Sequence[DayRound], index: int, salted: Salted) -> dict[str, Any]:
    """The proof that the round at `index` is one of the day's, as JSON."""
    own = rounds[index]
    return inclusion_in(operator, own, salted(own.round), leaves(operator, rounds, salted), index)


def inclusion_in(operator: str, own: DayRound, salt: bytes, hashes: Sequence[bytes], index: int) -> dict[str, Any]:
    """The same from the leaves of the day, when the other rounds are not at hand."""
    return {
        "operator": operator,
        "round": own.round,
        "salt": salt.hex(),
        "events": [{"position": position, "hash": hashed.hex()} for position, hashed in own.events],
        "index": index,
        "rounds": len(hashes),
        "path": [one.hex() for one in path(hashes, index)],
    }


def signed_part(seal: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a seal that its signature is over. Invalid names one that is missing."""
    for name in (*_SIGNED, "key", "signature"):
        if name not in seal:
            raise Invalid("it is missing", field=name)
    if unknown := sorted(seal.keys() - {*_SIGNED, "key", "signature"}):
        raise Invalid("a seal has no such field", field=unknown[0])
    return {name: seal[name] for name in _SIGNED}


def check_seal(seal: Mapping[str, Any], read: Read) -> Checked:
    """A seal whose signature is over just what it says. Invalid names what does not hold."""
    said = signed_part(seal)
    if said["type"] != SEAL:
        raise Invalid(f"a seal is of the type {SEAL}", field="type")
    signed = read(str(seal["signature"]), _mapping(seal["key"], "key"))
    for name in _SIGNED:
        if type(signed.get(name)) is not type(said[name]) or signed.get(name) != said[name]:
            raise Invalid("it is not what was signed", field=name)
    rounds = said["rounds"]
    if type(rounds) is not int:
        raise Invalid("it is no whole number", field="rounds")
    _only(seal["key"], _KEY, "key.")
    key = str(seal["key"].get("kid"))
    return Checked(str(said["operator"]), str(said["day"]), rounds, str(said["root"]), key)


def check_proof(document: Mapping[str, Any], read: Read) -> Checked:
    """A proof whose path leads from its round to the root of its seal, and that seal. Invalid names what is wrong."""
    if document.get("type") != PROOF:
        raise Invalid(f"a proof is of the type {PROOF}", field="type")
    _only(document, _PROOF, "")
    seal = check_seal(_mapping(document.get("seal"), "seal"), read)
    shown = _inclusion(_mapping(document.get("inclusion"), "inclusion"))
    if (shown.operator, shown.rounds) != (seal.operator, seal.rounds):
        raise Invalid("it is of another day than the seal", field="inclusion")
    try:
        led = shown.root().hex()
    except ValueError as fault:
        raise Invalid(str(fault), field="inclusion.path") from None
    if led != seal.root:
        raise Invalid("it does not lead to the root that was signed", field="inclusion.path")
    return Checked(seal.operator, seal.day, seal.rounds, seal.root, seal.key, shown.round)


def _inclusion(made: Mapping[str, Any]) -> Inclusion:
    _only(made, _INCLUSION, "inclusion.")
    events = made.get("events")
    if not isinstance(events, list) or not events:
        raise Invalid("a round has events", field="inclusion.events")
    name = "events"
    try:
        pairs = tuple((_number(one["position"]), _bytes(one["hash"], HASH_BYTES)) for one in events)
        positions = [position for position, _ in pairs]
        if positions != sorted(set(positions)) or positions[0] < 1 or any(one.keys() != _EVENT for one in events):
            raise ValueError
        name = "salt"
        salt = _bytes(made["salt"], SALT_BYTES)
        name = "path"
        siblings = tuple(_bytes(one, HASH_BYTES) for one in made["path"])
        name = "index"
        index, rounds = _number(made["index"]), _number(made["rounds"])
        name = "round"
        return Inclusion(_text(made["operator"]), _text(made["round"]), salt, pairs, index, rounds, siblings)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        raise Invalid("it is not what it must be", field=f"inclusion.{name}") from None


def _only(made: Mapping[str, Any], names: frozenset[str], where: str) -> None:
    """What stands beside the fields that are checked would be shown as if it were."""
    if unknown := sorted(made.keys() - names):
        raise Invalid("there is no such field", field=f"{where}{unknown[0]}")


def _bytes(text: object, length: int) -> bytes:
    """In the one form that is written, so that each document has one form."""
    if not isinstance(text, str) or len(found := bytes.fromhex(text)) != length or found.hex() != text:
        raise ValueError
    return found


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _mapping(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Invalid("a JSON object is needed", field=name)
    return value
