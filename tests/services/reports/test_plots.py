"""Pictures of reports: whole SVG documents that say in words what they show."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest

from services.drawing import scaled, steps, thinned
from services.ports import Recorded
from services.reports.catalogue import REPORTS
from services.reports.plots import PLOTS
from tests.services.reports.conftest import Evening
from tests.support.bookkeeping import spread
from tests.support.reported import printed_of

SVG = "{http://www.w3.org/2000/svg}"
EXPONENTS = {"EUR": 2, "USD": 2}


def drawn(name: str, events: Sequence[Recorded]) -> ET.Element:
    return ET.fromstring(PLOTS[name](printed_of(REPORTS[name], events), EXPONENTS))


def texts(root: ET.Element) -> list[str]:
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", PLOTS)
def test_a_picture_has_a_title_and_says_what_it_shows_and_nothing_lies_outside(name: str, an_evening: Evening) -> None:
    root = drawn(name, spread(an_evening.events, datetime(2026, 1, 2, tzinfo=UTC), timedelta(hours=1)))
    assert root.get("role") == "img"
    title, about = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert about is not None
    assert title.text
    assert about.text
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    for one in root.iter(f"{SVG}rect"):
        assert 0 <= int(one.get("x", "0")) <= width
        assert 0 <= int(one.get("y", "0")) + int(one.attrib["height"]) <= height
    assert all(
        0 <= int(one.attrib["x"]) <= width and 0 <= int(one.attrib["y"]) <= height for one in root.iter(f"{SVG}text")
    )


def test_the_meter_of_each_pool_is_drawn_with_its_awards_and_contributions(an_evening: Evening) -> None:
    root = drawn("jackpot-history", spread(an_evening.events, datetime(2026, 1, 2, tzinfo=UTC), timedelta(minutes=5)))
    said = texts(root)
    assert {"euro", "spare", "land"} <= set(said)
    assert "straight flush 1250.00" in said
    assert "901.44 to 1001.60 USD" in said, "between an award and its reset nobody sees the meter empty"
    tips = ["".join(one.itertext()) for one in root.iter(f"{SVG}title")]
    assert "royal flush 1000.80" in tips
    assert "0.40" in tips


def test_handle_and_ggr_of_each_day_are_bars_with_their_figures(an_evening: Evening) -> None:
    root = drawn("daily-revenue", spread(an_evening.events, datetime(2026, 1, 2, tzinfo=UTC), timedelta(hours=4)))
    printed = printed_of(REPORTS["daily-revenue"], an_evening.events)
    for row in printed.table("days").objects():
        handle, ggr = (int(row[name] or 0) for name in ("handle_minor", "ggr_minor"))
        assert f"handle {handle / 100:.2f}, GGR {ggr / 100:.2f}" in texts(root)


def test_R29_the_band_of_each_wager_is_drawn_with_its_verdict_in_words(an_evening: Evening) -> None:
    root = drawn("rtp-control", an_evening.events)
    said = texts(root)
    assert {"live-5plus1-v1 SIDE", "land-progressive-v1 PROGRESSIVE", "FEW HANDS"} <= set(said)
    tips = ["".join(one.itertext()) for one in root.iter(f"{SVG}title")]
    assert any("theory 91.44 %" in one for one in tips)


@pytest.mark.parametrize("name", PLOTS)
def test_R27_nothing_to_draw_is_said(name: str) -> None:
    assert any("No activity" in one for one in texts(drawn(name, [])))


def test_a_line_of_very_many_steps_keeps_its_heights_and_its_end() -> None:
    points = [(nth // 100, nth * 7919 % 1_000) for nth in range(10_000)]
    few = thinned(points)
    assert len(few) <= 400
    assert few[-1] == points[-1]
    for x in range(100):
        column = [y for at, y in points if at == x]
        kept = [y for at, y in few if at == x]
        assert (min(kept), max(kept)) == (min(column), max(column))
    assert steps([(0, 5), (3, 5), (3, 1)], "#000").startswith('<path d="M0 5H3V5H3V1"')
    assert scaled(5, 5, 5, 10, 20) == 10
