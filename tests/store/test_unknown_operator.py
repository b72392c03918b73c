"""A mistyped operator, player, round or pool is told, and never shown as one without activity."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from adapters.database.connections import connect
from adapters.embedded import Cluster
from adapters.keys import ensure_operator
from api.cli import main
from domain.errors import Invalid
from services.replay.selecting import Where
from tests.postgres import new_database
from tests.store.commands import studbook


@pytest.mark.parametrize(
    "command",
    [["report", "trial-balance"], ["export", "trial-balance"], ["reconcile"], ["access"]],
    ids=["report", "export", "reconcile", "access"],
)
def test_an_operator_that_is_not_there_is_one_line_and_exit_code_2(
    cluster: Cluster, template: str, command: list[str]
) -> None:
    with new_database(cluster, template) as database:
        done = studbook(database, *command, "--operator", "nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "studbook: there is no operator 'nobody'\n"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["player-statement", "--player", "nobody"], "player: demo has no player 'nobody'"),
        (["incident", "--round", "nonsense"], "round: demo has no round 'nonsense'"),
        (["statement", "--account", "av/nobody"], "account: demo has no player 'nobody'"),
        (["statement", "--account", "m/nopool"], "account: demo has no pool 'nopool'"),
        (
            ["statement", "--account", "avv/ann"],
            "accounts are cash, av, held, review, REV, CON, FUND, LOSS, ADJ, m, res, ovf, pay, such as av/ann or REV/",
        ),
        (["trial-balance", "--currency", "euro"], "currency: 'euro' is no currency that this service counts in"),
    ],
)
def test_what_a_report_is_asked_about_must_be_there(
    cluster: Cluster, template: str, asked: list[str], told: str
) -> None:
    with new_database(cluster, template) as database:
        with connect(database.conninfo("writer")) as conn:
            ensure_operator(conn, "demo", "named")
        done = studbook(database, "report", *asked, "--operator", "demo")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr in {f"studbook: {told}\n", f"studbook: {told.partition(': ')[2]}\n"}


def test_a_replay_of_a_rule_set_that_is_none_is_refused_and_not_found_equal_to_the_cent() -> None:
    with pytest.raises(Invalid, match="euro-progressive-v1") as refusal:
        Where(ruleset="euro-progresive-v1")
    assert refusal.value.field == "ruleset"
    assert Where(ruleset="0" * 64).ruleset == "0" * 64


@pytest.mark.parametrize(
    "command",
    [
        ["verify"],
        ["report", "trial-balance"],
        ["export", "trial-balance"],
        ["reconcile"],
        ["replay", "--all"],
        ["evidence", "some-round"],
        ["rebuild"],
        ["access"],
        ["keys", "list", "--operator", "demo"],
        ["seal", "--operator", "demo", "--day", "2026-11-29"],
    ],
    ids=lambda words: words[0],
)
def test_a_data_folder_that_holds_no_database_is_told_and_none_is_made_there(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(os, "environ", {"HOME": str(tmp_path), "STUDBOOK_ANCHOR_DIR": str(tmp_path)})
    mistyped = tmp_path / "dtaa"
    with pytest.raises(SystemExit) as left:
        main([*command, "--data-dir", str(mistyped)])
    told = capsys.readouterr()
    assert (left.value.code, told.out) == (2, "")
    assert told.err == f"studbook: data-dir: no database lies in {mistyped}: `studbook serve` makes one\n"
    assert not mistyped.exists()
