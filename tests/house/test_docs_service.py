"""Examples of the documentation that need a running service: each page gets a fresh one, and plays from top to end."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.console import Block, environment, run_block
from tests.house.test_docs import BLOCKS
from tests.house.tree import ROOT
from tests.postgres import shared_folder
from tests.service import KEY, start_service, stop_service

SERVED = [block for block in BLOCKS if block.needs == "service"]
PAGES = sorted({block.page for block in SERVED})


@pytest.fixture
def fresh_service(tmp_path: Path) -> Iterator[dict[str, str]]:
    """What an example finds in its environment: address and key of a service that has seen nothing yet."""
    data_dir = shared_folder() / f"docs-{uuid.uuid4().hex[:10]}"
    process, url = start_service(data_dir)
    yield environment(tmp_path, URL=url, KEY=KEY, STUDBOOK_DATA_DIR=str(data_dir))
    stop_service(process)
    shutil.rmtree(data_dir, ignore_errors=True)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_work_one_after_the_other(page: str, fresh_service: dict[str, str]) -> None:
    blocks: list[Block] = [block for block in SERVED if block.page == page]
    for block in blocks:
        run_block(block, ROOT, fresh_service)


def test_the_readme_calls_a_running_service() -> None:
    assert "README.md" in PAGES
