"""`python -m tests.contract.write`: plays the examples and writes everything that is made from the contract.

That is api/static/examples.json, docs/openapi.json, the generated part of api/client, and docs/errors.md. An example
that still fits the document stays as it is; `--fresh` plays all of them again. A change that breaks clients (a path,
field or value that is gone, a new demand) is named and nothing is written, unless `--incompatible` says that it is
meant.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import httpx2

from api.examples import FILE, show_all
from tests.contract import evening, office
from tests.contract.client_methods import methods
from tests.contract.client_types import Operation, bodies, models, refusals
from tests.contract.compat import incompatible
from tests.contract.errors_page import PAGE, page
from tests.contract.fit import faults
from tests.contract.record import Recorder
from tests.contract.schema import enums_inlined
from tests.house.tree import ROOT
from tests.http.contract import Contract
from tests.postgres import shared_folder
from tests.service import KEY, start_service, stop_service

DOCUMENT = ROOT / "docs" / "openapi.json"
CLIENT = ROOT / "api" / "client"


def operations(document: dict[str, Any]) -> list[Operation]:
    """Method, path and description of each call, in the document's order."""
    return [(m.upper(), path, told) for path, calls in document["paths"].items() for m, told in calls.items()]


def client_files(document: dict[str, Any]) -> dict[str, str]:
    """The generated part of the client: path below api/client to text."""
    document = enums_inlined(document)
    calls = operations(document)
    written = {
        **models(document, calls),
        **bodies(document, calls),
        **methods(document, calls),
        "refusals.py": refusals(),
    }
    return {name: _formatted(text) for name, text in written.items()}


def _formatted(text: str) -> str:
    """As the house formats, imports in order."""
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    sorting = [*ruff, "check", "--quiet", "--fix", "--select", "I,F401", "--stdin-filename", "api/client/x.py", "-"]
    tidy = subprocess.run(sorting, input=text, capture_output=True, text=True, check=False, cwd=ROOT).stdout
    formatting = [*ruff, "format", "--quiet", "--stdin-filename", "api/client/x.py", "-"]
    return subprocess.run(formatting, input=tidy, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def as_text(document: Any) -> str:
    """JSON as it is committed."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write_client(document: dict[str, Any]) -> None:
    """Write the generated part of the client anew."""
    for folder in ("models", "methods", "bodies"):
        shutil.rmtree(CLIENT / folder, ignore_errors=True)
        (CLIENT / folder).mkdir(parents=True)
    for name, text in client_files(document).items():
        (CLIENT / name).write_text(text, "utf-8")


def served(url: str) -> dict[str, Any]:
    """The document of a running service, without its examples."""
    document: dict[str, Any] = httpx2.get(f"{url}/openapi.json", timeout=120).json()
    return bare(document)


def bare(node: Any) -> Any:
    """A document without the examples of api/examples.py."""
    if isinstance(node, dict):
        is_content = "schema" in node
        return {key: bare(one) for key, one in node.items() if not (is_content and key in {"example", "examples"})}
    return [bare(one) for one in node] if isinstance(node, list) else node


def played(url: str, document: dict[str, Any], *, fresh: bool) -> tuple[dict[str, Any], list[str]]:
    """Examples of every operation, and names of those whose success is a sample."""
    contract = Contract(document)
    headers = {"Authorization": f"Bearer {KEY}"}
    with httpx2.Client(base_url=url, headers=headers, timeout=120) as client:
        call = Recorder(client, contract)
        evening.play(call)
        office.play(call)
        sampled = call.fill()
    names = {told["operationId"] for _, _, told in operations(document)}
    new = json.loads(public(json.dumps(call.played)))
    kept = {} if fresh or not FILE.exists() else json.loads(FILE.read_text("utf-8"))
    good = {name: one for name, one in kept.items() if name in names and not faults(contract, name, one)}
    return {name: good.get(name, new[name]) for name in sorted(names)}, sorted(set(sampled) - good.keys())


def public(text: str) -> str:
    """Played examples without what looks like a secret, though nothing is left that it would open."""
    text = re.sub(r"sb_[0-9a-f]{16}_[0-9a-f]{64}", f"sb_0123456789abcdef_{'0' * 64}", text)
    text = re.sub(r"whsec_[A-Za-z0-9+/=]+", "whsec_" + "A" * 32, text)
    return text.replace("demo-engineer", "engineer-1")


def main(arguments: list[str]) -> int:
    """Write everything; 1 when a change would break clients and was not said to be meant."""
    folder = shared_folder() / f"contract-{uuid.uuid4().hex[:10]}"
    process, url = start_service(folder)
    try:
        document = served(url)
        breaks = incompatible(json.loads(DOCUMENT.read_text("utf-8")), document) if DOCUMENT.exists() else []
        if breaks and "--incompatible" not in arguments:
            print("this would break clients; nothing is written:", *breaks, sep="\n  ")
            return 1
        examples, sampled = played(url, document, fresh="--fresh" in arguments)
    finally:
        stop_service(process)
        shutil.rmtree(folder, ignore_errors=True)
    show_all(document, examples)
    FILE.write_text(as_text(examples), "utf-8")
    DOCUMENT.write_text(as_text(document), "utf-8")
    write_client(document)
    PAGE.write_text(page(), "utf-8")
    if sampled:
        print("not played, so their success is a sample of the schema:", *sampled, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
