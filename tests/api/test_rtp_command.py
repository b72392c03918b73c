"""`studbook rtp`: figures for programs, tables for people, and a count that must agree."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from api.cli import main
from api.main import certifying
from services.certificates import certificate, shipped

NAME = "dollar-jackpot-v1"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["rtp", *arguments])
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_json_is_the_certificate(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, NAME, "--json", "--meter", "25000000")
    assert (code, err) == (0, "")
    assert json.loads(out) == certificate(NAME, 25_000_000)


def test_people_see_returns_and_the_break_even_meter(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "live-5plus1-v1")
    assert "96.29632 %" in out
    assert "page says 91.44 % (5+1 bonus), counted 91.44 %" in out
    assert "from a meter of 21804740 minor units on" in run(capsys, NAME)[1]


def test_an_unknown_rule_set_and_a_bad_meter_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["nope"], ["nope", "--recompute"], [NAME, "--meter=-5"], [NAME, "--meter=x"]):
        code, out, err = run(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert ("meter" if "nope" not in arguments else "ruleset") in err


def test_a_count_that_differs_fails_the_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(data: bytes) -> Callable[..., bytes]:
        return lambda _name, _progress: data

    monkeypatch.setattr(certifying, "counted", found(shipped(NAME)))
    code, out, _ = run(capsys, NAME, "--recompute", "--json")
    assert (code, json.loads(out)["recomputed"]["equal"]) == (0, True)
    monkeypatch.setattr(certifying, "counted", found(shipped(NAME) + b" "))
    code, out, _ = run(capsys, NAME, "--recompute", "--json")
    assert (code, json.loads(out)["recomputed"]["equal"]) == (1, False)


def test_the_counts_themselves_can_be_had(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(SystemExit):
        main(["rtp", NAME, "--data"])
    assert capfdbinary.readouterr().out == shipped(NAME)


def test_without_numpy_a_recount_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("adapters.optimal_play", "adapters.enumeration"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    code, out, err = run(capsys, NAME, "--recompute")
    assert (code, out) == (2, "")
    assert err == "studbook: counting needs NumPy (the extra certify): pip install numpy\n"
    assert run(capsys, NAME)[0] == 0, "the shipped counts need nothing"
