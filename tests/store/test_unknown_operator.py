"""A mistyped operator is told, and never shown as one without activity."""

from __future__ import annotations

import pytest

from adapters.embedded import Cluster
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
