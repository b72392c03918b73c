"""compose.yaml and the Containerfile hold together with the program; no container is started here."""

from __future__ import annotations

import re
from typing import Any

import pytest
from typer.main import get_command

from api.cli import app
from tests.deploy.files import DEPLOY, compose
from tests.house.tree import ROOT

KNOWN = {
    "image", "build", "command", "environment", "volumes", "healthcheck", "depends_on", "restart", "stop_grace_period",
    "read_only", "tmpfs", "cap_drop", "security_opt", "ports",
}  # fmt: skip
"""Keys of a service in the Compose specification, those that are used here."""

SERVICES: dict[str, dict[str, Any]] = compose()["services"]
OURS = sorted(name for name, one in SERVICES.items() if one["image"] == "studbook")
SECRET = re.compile(r"PASSWORD|KEY|TOKEN")


def test_only_keys_of_the_specification_are_used() -> None:
    assert {key for one in SERVICES.values() for key in one} <= KNOWN
    assert {key for key in compose() if not key.startswith("x-")} == {"name", "services", "volumes"}


def test_what_a_service_waits_for_is_there() -> None:
    for one in SERVICES.values():
        for other, how in one.get("depends_on", {}).items():
            assert other in SERVICES
            assert how["condition"] in {"service_healthy", "service_completed_successfully"}
            assert how["condition"] != "service_healthy" or "healthcheck" in SERVICES[other]


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_a_command_of_the_program_with_options_that_it_has(name: str) -> None:
    word, *options = SERVICES[name]["command"]
    command = get_command(app).commands[word]  # type: ignore[attr-defined]  # a group has commands
    command.make_context(word, options)


@pytest.mark.parametrize("name", OURS)
def test_no_service_has_more_secrets_than_it_needs(name: str) -> None:
    secrets = {key for key in SERVICES[name]["environment"] if SECRET.search(key)}
    assert "STUDBOOK_BACKUP_PASSWORD" not in secrets
    assert ("STUDBOOK_OWNER_PASSWORD" in secrets) is (name == "migrate")
    if name in {"project", "migrate"}:
        assert len(secrets) == 1
    for key, value in SERVICES[name]["environment"].items():
        assert not SECRET.search(key) or value.startswith("${"), f"{key} is written into the file"


@pytest.mark.parametrize("name", OURS)
def test_a_service_cannot_write_to_its_image_nor_gain_rights(name: str) -> None:
    one = SERVICES[name]
    assert (one["read_only"], one["cap_drop"]) == (True, ["ALL"])
    assert "no-new-privileges:true" in one["security_opt"]


def test_files_that_are_mounted_or_copied_are_there() -> None:
    mounted = [one.split(":")[0] for service in SERVICES.values() for one in service.get("volumes", [])]
    assert [one for one in mounted if one.startswith(".") and not (DEPLOY / one).exists()] == []
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    lock = re.search(r"ARG LOCK=(\w+)", text)
    assert lock is not None
    copied = re.findall(r"^COPY (?!--from)(\S+) ", text, re.MULTILINE)
    assert [one for one in copied if not (ROOT / one.replace("${LOCK}", lock[1])).exists()] == []
    assert (ROOT / "requirements" / "otel.txt").exists()


def test_the_container_does_not_run_as_root() -> None:
    lines = (DEPLOY / "Containerfile").read_text("utf-8").splitlines()
    assert "USER studbook" in lines
    assert 'ENTRYPOINT ["studbook"]' in lines[lines.index("USER studbook") :]
