"""What rule sets return: the published figures come out, and figures of other authors too."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from domain.errors import Invalid
from domain.returns import DEALS, HANDS_OF_FIVE, WITH_UP_CARD
from domain.second_settlement import GAMES
from domain.variants import RULESETS
from services import certificates
from services.certificates import CertificateDamaged, certificate, certified, encoded, shipped, theory

NAMES = list(RULESETS)
LIVE, EURO, DOLLAR, LAND = "live-5plus1-v1", "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1"


def test_S0_23_the_published_returns_come_out() -> None:
    shown = certificate(LIVE)
    assert f"{shown['rtp_ante']:.2%}" == "96.30%"
    assert f"{shown['rtp_total_wager']:.2%}" == "98.19%"
    assert f"{shown['side_bets']['five_plus_one']['rtp']:.2%}" == "91.44%"
    assert [(one["base"], one["published_bp"]) for one in shown["published"]] == [
        ("ante", 9630), ("total wager", 9819), ("5+1 bonus", 9144),
    ]  # fmt: skip
    assert all(one["published_bp"] == one["counted_bp"] for one in shown["published"])


def test_C31_both_bases_tell_the_same_edge() -> None:
    shown = certificate(LIVE)
    assert Fraction(shown["exact"]["house_edge"]) / (1 - Fraction(shown["exact"]["rtp_total_wager"])) == Fraction(
        shown["exact"]["stake_mean"]
    )
    assert f"{shown['stake_mean']:.3f}" == "2.045"


def test_the_land_game_is_the_one_that_others_have_worked_out() -> None:
    """House edge 5.224 % of the ante and 2.555 % of the money at risk, deviation 2.24: the textbook pay table."""
    shown = certificate(LAND)
    assert (f"{shown['house_edge']:.3%}", f"{1 - shown['rtp_total_wager']:.3%}") == ("5.224%", "2.555%")
    assert f"{shown['std_dev']:.2f}" == "2.24"
    assert f"{shown['call_frequency']:.2%}" == "52.23%"


@pytest.mark.parametrize("name", NAMES)
def test_every_deal_is_counted_once(name: str) -> None:
    counts = certified(name).counts
    assert DEALS == comb(52, 5) * 47 * comb(46, 4) == 19_933_230_517_200
    assert sum(map(sum, counts.main)) == DEALS == sum(certificate(name)["outcomes"].values())
    assert (sum(counts.own), sum(counts.best_of_six)) == (HANDS_OF_FIVE, WITH_UP_CARD)
    for row, own, called in zip(counts.main, counts.own, counts.called, strict=True):
        assert sum(row) == own * 47 * comb(46, 4)
        assert sum(row[1:]) == called * comb(46, 4)
    assert counts.own[::-1][:6] == (4, 36, 624, 3744, 5108, 10200)


@pytest.mark.parametrize("name", NAMES)
def test_equal_counts_are_equal_bytes(name: str) -> None:
    assert encoded(name, certified(name).counts) == shipped(name)


def test_changed_counts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "shipped", lambda name: shipped(name).replace(b'"FOLD": 0', b'"FOLD": 1', 1))
    with pytest.raises(CertificateDamaged, match="SHA-256"):
        certified.__wrapped__(LAND)


def test_counts_of_another_rule_set_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "shipped", lambda _: shipped(LAND))
    monkeypatch.setattr(certificates, "SHA256", {DOLLAR: certificates.SHA256[LAND]})
    with pytest.raises(CertificateDamaged, match="hash"):
        certified.__wrapped__(DOLLAR)


def test_an_ante_and_its_call_add_up_to_the_main_game() -> None:
    for name in NAMES:
        found = theory(name)
        calls = found["MAIN"].stake_mean - 1
        assert found["ANTE"].rtp + calls * found["CALL"].rtp - calls == found["MAIN"].rtp


def test_G_4_7_1_a_progressive_wager_at_the_lowest_parameters() -> None:
    """003 guarantees 100,000.00 and 10,000.00 whatever the meter; 002 and 004 no more than their fixed prizes."""
    fixed = {name: certificate(name)["progressive"]["at_lowest"] for name in (EURO, DOLLAR, LAND)}
    assert fixed[EURO]["exact"]["rtp"] == str(
        Fraction(
            36 * 125_000 + 624 * 25_000 + 3744 * 2_500 + 5108 * 1_500 + 10_200 * 300 + 54_912 * 200, 50 * 2_598_960
        )
    )
    assert fixed[DOLLAR]["exact"]["rtp"] == str(
        Fraction(4 * 10**7 + 36 * 10**6 + 624 * 50_000 + 3744 * 10_000 + 5108 * 5_000, 100 * 2_598_960)
    )
    assert fixed[LAND]["parts"]["percent_10"] == fixed[LAND]["parts"]["percent_100"] == 0


@pytest.mark.parametrize(("name", "meter"), [(EURO, 19_695_900), (DOLLAR, 21_804_740), (LAND, 26_320_530)])
def test_a_progressive_wager_returns_its_stake_from_its_break_even_meter_on(name: str, meter: int) -> None:
    assert certificate(name)["progressive"]["break_even_meter"] == meter
    assert theory(name, meter)["PROGRESSIVE"].rtp >= 1 > theory(name, meter - 1)["PROGRESSIVE"].rtp


@pytest.mark.parametrize("name", [EURO, DOLLAR, LAND])
@pytest.mark.parametrize("meter", [0, 7, 10_000_009, 123_456_789])
def test_the_return_can_be_worked_out_for_any_meter_from_what_is_printed(name: str, meter: int) -> None:
    pool = certificate(name, meter)["progressive"]
    won = sum(
        pool["hands"][hand] * (prize.get("amount") or max(prize["floor"], int(meter * Fraction(prize["share"]))))
        for hand, prize in pool["prizes"].items()
    )
    assert str(Fraction(won, pool["deals"] * pool["stake"])) == pool["at_meter"]["exact"]["rtp"]


def test_a_meter_pays_whole_minor_units_and_floors_hold() -> None:
    low, high = (theory(DOLLAR, meter)["PROGRESSIVE"].rtp for meter in (9_999_999, 10_000_001))
    assert low == theory(DOLLAR)["PROGRESSIVE"].rtp
    assert high - low == Fraction(4, 100 * HANDS_OF_FIVE), "one more minor unit for a royal, none yet for the tenth"


@pytest.mark.parametrize("meter", [-1, 9 * 10**9])
def test_a_meter_that_cannot_be_is_refused(meter: int) -> None:
    with pytest.raises(Invalid, match="meter"):
        theory(LAND, meter)


def test_the_second_settlement_has_the_rule_sets_that_are_published() -> None:
    assert list(GAMES) == NAMES
