"""Alert rules and dashboard name metrics that a running service tells, with labels that they have."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import yaml
from prometheus_client.parser import text_string_to_metric_families

from api.main.figures import METRICS_TOKEN
from tests.deploy.files import DEPLOY
from tests.deploy.installation import TOKEN, Installation
from tests.house.tree import ROOT

METRIC = re.compile(r"\b(?:studbook|process)_[a-z_]+\b")
OF_LABELS = re.compile(r"\bby \(([^)]*)\)|[{,](\w+)(?:=~|!~|!=|=)\"")
NOT_OURS = {"instance", "job", "le", "worker"}
"""Labels that Prometheus adds, that every histogram has, or that several serving processes have."""

RULES: list[dict[str, Any]] = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))["groups"][0][
    "rules"
]
BOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "studbook.json").read_text("utf-8"))


def expressions() -> Iterator[str]:
    yield from (one["expr"] for one in RULES)
    yield from (target["expr"] for panel in BOARD["panels"] for target in panel["targets"])


def names_and_labels(url: str) -> tuple[set[str], set[str]]:
    """What the running service tells: names of samples, and names of labels."""
    answer = httpx2.get(f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=120)
    names: set[str] = set()
    labels: set[str] = set()
    for family in text_string_to_metric_families(answer.text):
        names.add(f"{family.name}_total" if family.type == "counter" else family.name)
        if family.type == "histogram":
            names |= {f"{family.name}_{part}" for part in ("bucket", "sum", "count")}
        labels |= {label for one in family.samples for label in one.labels}
    return names, labels


def test_every_metric_and_label_of_rules_and_dashboard_is_told_by_a_running_service(installed: Installation) -> None:
    assert METRICS_TOKEN in installed.environ
    installed.play()
    assert httpx2.get(f"{installed.url}/v1/nothing", timeout=120).status_code == 401
    until = time.monotonic() + 30
    while not {"phase", "balance"} <= (found := names_and_labels(installed.url))[1]:
        assert time.monotonic() < until, "the timers never told of the open round and its pool"
        time.sleep(0.2)
    names, labels = found
    wanted = {name for one in expressions() for name in METRIC.findall(one)}
    assert len(wanted) > 15
    assert sorted(wanted - names) == []
    named = {
        word.strip() for one in expressions() for found in OF_LABELS.findall(one) for word in "".join(found).split(",")
    }
    assert sorted(named - labels - NOT_OURS) == []


def test_every_metric_of_ours_is_on_the_dashboard_or_in_a_rule_or_beside_the_point() -> None:
    text = (ROOT / "api" / "metrics.py").read_text("utf-8")
    ours = set(re.findall(r'"(studbook_[a-z_]+)"', text))
    shown = {re.sub(r"_(bucket|sum|count)$", "", name) for one in expressions() for name in METRIC.findall(one)}
    assert sorted(ours - shown) == []


def test_the_runbook_says_of_every_alert_what_to_do() -> None:
    page = (ROOT / "docs" / "runbook.md").read_text("utf-8")
    assert [one["alert"] for one in RULES if f"`{one['alert']}`" not in page] == []
    assert [one["title"] for one in BOARD["panels"] if one["title"] not in page] == []


def test_every_alert_says_how_urgent_it_is_and_what_is_wrong() -> None:
    for one in RULES:
        assert one["labels"]["severity"] in {"page", "ticket"}
        assert one["annotations"]["summary"]


def test_every_panel_says_what_it_shows_and_stands_in_a_place_of_its_own() -> None:
    places = set()
    for panel in BOARD["panels"]:
        assert panel["description"].endswith(".")
        at = panel["gridPos"]
        cells = {(at["x"] + dx, at["y"] + dy) for dx in range(at["w"]) for dy in range(at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not cells & places, panel["title"]
        places |= cells
