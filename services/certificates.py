"""Certificates of return: what a rule set gives back, from counts of every deal that ship with the program.

`services/certified/NAME.json` holds whole numbers only, each file pinned here by its SHA-256. `studbook rtp NAME
--recompute` counts all 19,933,230,517,200 deals anew and must arrive at the same bytes. Figures are of optimal play
at one seat, as exact fractions (`domain.returns`); where a float stands, it is the fraction's nearest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from domain.errors import Invalid
from domain.frozen import dataclass
from domain.returns import (
    DEALS,
    HANDS_OF_FIVE,
    OUTCOMES,
    WITH_UP_CARD,
    Counts,
    Theory,
    break_even_meter,
    progressive_parts,
    side_wager,
    theories,
)
from domain.rules import ruleset_hash
from domain.second_settlement import GAMES, HANDS, Game
from domain.variants import ruleset as ruleset_named

SHA256: Final[Mapping[str, str]] = {
    "live-5plus1-v1": "51c33b6df5c6d2e30dd10c6968b67d0c37f83ee26a695fd33100accf3ec88c7b",
    "euro-progressive-v1": "f2968985f3aeb5996947fb664443f170cdd7d63d2cd21615ac511d8c4bd31198",
    "dollar-jackpot-v1": "f92ee23740678fb70232fd914f82838d422086c7f9b6e959054dd5181c059413",
    "land-progressive-v1": "040d7bd41961a2a0347585e4c2aefef6c5f2b3b7f34e8b4ee40470dcc279a3bf",
}
"""Rule set to the hash of its file of counts."""
METER_MINOR_LIMIT: Final = 9 * 10**9
"""No meter reaches this (docs/ledger.md, Units)."""


class CertificateDamaged(Exception):
    """The shipped counts are not those that are pinned, or not of the rule set as it is published."""


@dataclass(frozen=True, slots=True)
class Certified:
    """A rule set's counts as they ship."""

    ruleset: str
    ruleset_hash: str
    data_sha256: str
    counts: Counts


@cache
def certified(ruleset: str) -> Certified:
    """The shipped counts of a rule set.

    Raises Invalid for an unknown name, CertificateDamaged where file, hash and rule set do not fit together.
    """
    current = ruleset_hash(ruleset_named(ruleset))
    data = shipped(ruleset)
    found = sha256(data).hexdigest()
    if found != SHA256[ruleset]:
        raise CertificateDamaged(f"the counts of {ruleset} have SHA-256 {found}, {SHA256[ruleset]} is pinned")
    read = json.loads(data)
    if read["ruleset_hash"] != current:
        raise CertificateDamaged(
            f"the counts are of {ruleset} with hash {read['ruleset_hash']}, published is {current}"
        )
    counts = Counts(
        tuple(tuple(read["main"][hand][outcome] for outcome in OUTCOMES) for hand in HANDS),
        *(tuple(read[name][hand] for hand in HANDS) for name in ("called", "own", "best_of_six")),
    )
    return Certified(ruleset, current, found, counts)


def shipped(ruleset: str) -> bytes:
    """The file of counts of a published rule set."""
    return files("services").joinpath("certified", f"{ruleset}.json").read_bytes()


def encoded(ruleset: str, counts: Counts) -> bytes:
    """Counts as the file that ships: equal counts, equal bytes."""
    data = {
        "ruleset": ruleset,
        "ruleset_hash": ruleset_hash(ruleset_named(ruleset)),
        "deals": DEALS,
        "main": {hand: dict(zip(OUTCOMES, row, strict=True)) for hand, row in zip(HANDS, counts.main, strict=True)},
        "hands_with_up_card": WITH_UP_CARD,
        "called": _by_hand(counts.called),
        "hands_of_five": HANDS_OF_FIVE,
        "own": _by_hand(counts.own),
        "best_of_six": _by_hand(counts.best_of_six),
    }
    return json.dumps(data, indent=1).encode() + b"\n"


def theory(ruleset: str, meter_minor: int | None = None) -> Mapping[str, Theory]:
    """Return and variance by kind of wager: ANTE, CALL, MAIN, and SIDE or PROGRESSIVE (R4, R29).

    A progressive wager is taken at this meter, in whole minor units; None: at the lowest parameters, with nothing on
    the meter but what the rule set itself guarantees.
    """
    return theories(ruleset, certified(ruleset).counts, _meter(meter_minor))


def certificate(ruleset: str, meter_minor: int | None = None) -> dict[str, Any]:
    """All figures of a rule set as `studbook rtp --json` prints them."""
    held = certified(ruleset)
    found = theory(ruleset, meter_minor)
    main, counts = found["MAIN"], held.counts
    total = 1 + (main.rtp - 1) / main.stake_mean
    frequency = Fraction(sum(counts.called), WITH_UP_CARD)
    shown: dict[str, Any] = {
        "ruleset": ruleset,
        "ruleset_hash": held.ruleset_hash,
        "data_sha256": held.data_sha256,
        "deals": DEALS,
        "rtp_ante": float(main.rtp),
        "rtp_total_wager": float(total),
        "house_edge": float(1 - main.rtp),
        "std_dev": _root(main.variance),
        "call_frequency": float(frequency),
        "stake_mean": float(main.stake_mean),
        "exact": {
            "rtp_ante": str(main.rtp),
            "rtp_total_wager": str(total),
            "house_edge": str(1 - main.rtp),
            "variance": str(main.variance),
            "call_frequency": str(frequency),
            "stake_mean": str(main.stake_mean),
        },
        "outcomes": {name: sum(row[n] for row in counts.main) for n, name in enumerate(OUTCOMES)},
        "outcomes_by_hand": {
            hand: dict(zip(OUTCOMES, row, strict=True)) for hand, row in zip(HANDS, counts.main, strict=True)
        },
        "wagers": {kind: _wager(one) for kind, one in found.items()},
        "side_bets": _side_bets(ruleset, counts),
        "published": _published(ruleset, found, total),
    }
    if "PROGRESSIVE" in found:
        shown["progressive"] = _progressive(ruleset, counts, _meter(meter_minor))
    return shown


def _meter(meter_minor: int | None) -> int:
    if meter_minor is not None and not 0 <= meter_minor < METER_MINOR_LIMIT:
        raise Invalid(f"meter: is a whole number of minor units from 0 to {METER_MINOR_LIMIT - 1}", field="meter")
    return meter_minor or 0


def _side_bets(ruleset: str, counts: Counts) -> dict[str, Any]:
    found = side_wager(ruleset, counts)
    if found is None:
        return {}
    return {"five_plus_one": _wager(found) | {"deals": WITH_UP_CARD, "hands": _by_hand(counts.best_of_six)}}


def _progressive(ruleset: str, counts: Counts, meter_minor: int) -> dict[str, Any]:
    """Parts at a meter and at the lowest (G 4.7.1 c), and the meter from which the wager alone returns its stake."""
    return {
        "deals": HANDS_OF_FIVE,
        "hands": _by_hand(counts.own),
        "stake": GAMES[ruleset].price,
        "prizes": _prizes(GAMES[ruleset]),
        "at_lowest": _parts(ruleset, counts, 0),
        "at_meter": _parts(ruleset, counts, meter_minor),
        "break_even_meter": break_even_meter(ruleset, counts),
    }


def _prizes(game: Game) -> dict[str, dict[str, Any]]:
    """The return as a function of the meter: a hand wins `amount`, or `share` of the meter in whole minor units and no
    less than `floor`; the return is the sum over hands of its deals times its prize, by all deals times the stake.
    """
    found: dict[str, dict[str, Any]] = {HANDS[hand]: {"amount": amount} for hand, amount in (game.fixed or {}).items()}
    shares = {"STRAIGHT_FLUSH": "1/10"} if game.ten_percent else {}
    for hand, share in (shares | {"ROYAL_FLUSH": "1"}).items():
        found[hand] = {"share": share, "floor": (game.floors or {}).get(HANDS.index(hand), 0)}
    return found


def _parts(ruleset: str, counts: Counts, meter_minor: int) -> dict[str, Any]:
    parts = progressive_parts(ruleset, counts, meter_minor)
    total = sum(parts.values(), Fraction(0))
    return {
        "meter": meter_minor,
        "rtp": float(total),
        "parts": {name: float(part) for name, part in parts.items()},
        "exact": {"rtp": str(total)} | {name: str(part) for name, part in parts.items()},
    }


def _published(ruleset: str, found: Mapping[str, Theory], total: Fraction) -> list[dict[str, Any]]:
    """What the rule set's page states, beside what was counted, both in hundredths of a per cent (S0-23, C31)."""
    by_base = {"ante": found["MAIN"].rtp, "total wager": total}
    if "SIDE" in found:
        by_base["5+1 bonus"] = found["SIDE"].rtp
    return [
        {"base": one.base, "published_bp": one.basis_points, "counted_bp": round(by_base[one.base] * 10_000)}
        for one in ruleset_named(ruleset).returns
    ]


def _wager(one: Theory) -> dict[str, Any]:
    return {
        "rtp": float(one.rtp),
        "std_dev": _root(one.variance),
        "exact": {"rtp": str(one.rtp), "variance": str(one.variance)},
    }


def _root(variance: Fraction) -> float:
    with localcontext(prec=40):
        return float((Decimal(variance.numerator) / Decimal(variance.denominator)).sqrt())


def _by_hand(counts: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(HANDS, counts, strict=True))
