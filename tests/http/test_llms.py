"""/llms.txt is short, needs no key, and leads where it says; docs/llms.txt is the same with the repository's pages."""

from __future__ import annotations

import re

import httpx2

from tests.house.tree import ROOT
from tests.http.contract import Contract
from tests.service import Service

LINK = re.compile(r"\[[^\]]+\]\(([^)]+)\)")


def test_llms_txt_is_served_without_a_key_and_every_link_of_it_answers(service: Service) -> None:
    with httpx2.Client(base_url=service.url, timeout=120) as client:
        page = client.get("/llms.txt")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/plain; charset=utf-8")
        assert page.text.startswith("# studbook\n\n> ")
        assert len(page.text) < 4_000
        links = LINK.findall(page.text)
        assert len(links) > 3
        assert {link: client.get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_the_repositorys_llms_txt_begins_with_the_served_one_and_its_links_are_there(service: Service) -> None:
    text = (ROOT / "docs" / "llms.txt").read_text("utf-8")
    served = httpx2.get(f"{service.url}/llms.txt", timeout=120).text
    assert text.startswith(served)
    links = LINK.findall(text.removeprefix(served))
    assert len(links) > 5
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_every_path_that_llms_txt_names_is_a_call(contract: Contract) -> None:
    text = (ROOT / "docs" / "llms.txt").read_text("utf-8")
    calls = {(method, path) for method, path in re.findall(r"`(GET|POST) (/v1/[a-z_{}/-]+)`", text)}
    assert calls
    assert calls <= {(one.method, one.path) for one in contract.operations()}
    steps = {path.rpartition("/")[2] for _, path in calls} | set(re.findall(r"`\.\.\./([a-z]+)`", text))
    assert steps >= {"wagers", "close", "deal", "decisions", "settle"}
