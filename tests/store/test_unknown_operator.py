"""A mistyped operator, player, round or pool is told, and never shown as one without activity."""

from __future__ import annotations

import pytest

from adapters.database.connections import connect
from adapters.embedded import Cluster
from adapters.keys import ensure_operator
from tests.postgres import new_database
from tests.store.commands import studbook


@pytest.mark.parametrize(
    "command",
    [["report", "trial-balance"], ["export", "trial-balance"], ["reconcile"]],
    ids=["report", "export", "reconcile"],
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
