"""Ratios, bars and checks, worked out by hand."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from api.bench.checks import fast_enough, wagers_equal
from api.bench.client import percentile
from api.bench.cpu import per_thousand, spent
from api.bench.faults import BenchFailed
from api.bench.figures import BARS, KEYS, medians, ratios, unknown
from api.bench.page import BEGIN, END, figures, with_figures
from api.bench.plot import plot, times
from api.bench.report import limit, shown, verdict
from tests.bench.recorded import MEASURED, result


def by_name() -> dict[str, Any]:
    return {one.bar.name: one for one in ratios(MEASURED)}


def test_a_ratio_is_the_median_of_the_ratios_of_the_same_repeat() -> None:
    found = by_name()["http_to_noop"]
    assert (found.value, found.least, found.most) == (0.5, 0.25, 0.8)  # 3/6, 4/5, 2/8: not 3,000 / 6,000 of medians


def test_a_bar_is_reached_at_its_number_and_an_aim_at_its_own() -> None:
    found = by_name()
    assert (found["http_to_noop"].met, found["http_to_noop"].aimed) == (True, False)
    assert (found["http_to_tpcb"].value, found["http_to_tpcb"].met) == (0.6, True)


def test_where_less_is_better_the_bar_is_the_most() -> None:
    found = by_name()
    replay, lag = found["replay_large_to_small"], found["lag_p99_ms"]
    assert (replay.value, replay.met, replay.aimed) == (1.5, True, False)
    assert (lag.value, lag.met, lag.aimed) == (120.0, True, False)


def test_what_was_not_measured_has_no_ratio() -> None:
    assert set(by_name()) == {"http_to_noop", "http_to_tpcb", "replay_large_to_small", "lag_p99_ms"}


def test_a_figure_is_the_median_of_its_repeats() -> None:
    assert medians(MEASURED)["http_wagers_per_s"] == 3_000.0
    assert list(medians(MEASURED)) == [key for key in KEYS if key in MEASURED]


def test_every_bar_is_made_of_known_figures() -> None:
    assert unknown([key for bar in BARS for key in bar.keys]) == []
    assert unknown(["http_wagers_per_s", "wagers"]) == ["wagers"]


def test_a_wager_too_few_or_too_many_in_the_ledger_is_no_result() -> None:
    assert wagers_equal(7, 7, "main") == {"answered_201": 7, "in_ledger": 7}
    for ledger in (6, 8):
        with pytest.raises(BenchFailed, match=f"7 wagers were answered 201 on main, and its ledger holds {ledger}"):
            wagers_equal(7, ledger, "main")


def test_a_client_that_is_the_limit_is_no_result() -> None:
    assert fast_enough(20_000, [9_000, 10_000, 11_000], 2.0)["times_noop"] == 2.0
    with pytest.raises(BenchFailed, match="the client is the limit"):
        fast_enough(19_999, [9_000, 10_000, 11_000], 2.0)


def test_a_percentile_of_few_values_is_one_of_them() -> None:
    assert percentile([], 99) == 0.0
    assert percentile([3.0], 99) == 3.0
    assert math.isclose(percentile([float(one) for one in range(101)], 99), 99.0)


def test_the_drawing_is_well_formed_and_has_a_bar_and_an_aim_for_every_ratio() -> None:
    root = ET.fromstring(plot(result()))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    texts = [one.text for one in root.iter(f"{space}text")]
    assert all(one["title"] in texts for one in result()["ratios"].values())
    assert len(list(root.iter(f"{space}path"))) == len(result()["ratios"])
    assert "one round's replay at 2 M / at 20 k" in texts


def test_a_bar_in_the_drawing_ends_on_its_line_where_the_value_is_the_bar() -> None:
    found = result()["ratios"]
    assert times(found["http_to_noop"], 0.5) == 1.0
    assert times(found["lag_p99_ms"], 500) == 2.0  # half of what may be is twice as good


def test_the_page_takes_the_figures_between_its_marks_and_nothing_else_changes() -> None:
    page = with_figures(f"before\n{BEGIN}\nold\n{END}\nafter\n", result())
    assert page == f"before\n{BEGIN}\n{figures(result())}\n{END}\nafter\n"
    assert with_figures(page, result()) == page
    with pytest.raises(BenchFailed, match="no place for figures"):
        with_figures("before\n", result())


def test_the_page_says_who_spends_the_processors_time() -> None:
    assert figures(result()).endswith("|---|---|\n| serve | 0.2 |")


def test_processor_time_is_that_of_the_process_and_of_its_children() -> None:
    roots = {"mine": os.getpid()}
    before = spent(roots)
    if not Path("/proc/self/stat").exists():  # then it is not told, and no table is made of it
        assert before == {}
        return
    with subprocess.Popen([sys.executable, "-c", "sum(range(10**7)); input()"], stdin=subprocess.PIPE) as child:
        until = time.monotonic() + 60
        while spent(roots).get("mine children", 0.0) <= before.get("mine children", 0.0):
            assert time.monotonic() < until
        assert "mine" in before
        child.kill()
    assert per_thousand({"a": 1.0}, {"a": 2.0, "b": 0.5}, 500) == {"a": 2.0, "b": 1.0}


def test_words_for_people() -> None:
    found = result()["ratios"]
    assert verdict(found["http_to_noop"]) == "reached"
    assert limit(found["lag_p99_ms"], "bar") == "at most 1000"
    assert (shown(12_345.6), shown(0.51234)) == ("12,346", "0.512")
