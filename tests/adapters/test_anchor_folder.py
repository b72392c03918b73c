"""The folder of anchors and its keys, and the place elsewhere that anchors are sent to."""

from __future__ import annotations

import os
import secrets
import shutil
import threading
from pathlib import Path

import pytest

from adapters.anchors.address import sink_fault
from adapters.anchors.folder import Folder, FolderFault
from adapters.anchors.sink import Sink
from adapters.database.errors import StartRefused
from api.main.anchor_settings import check_anchor_settings
from api.main.environment import ANCHOR_DIR, EMBEDDED_DIR
from api.main.witness import Witness, witnessed
from tests.adapters.event_store_support import opened
from tests.adapters.noting import Noting, wait
from tests.postgres import Database
from tests.support.receiver import receiving


async def test_the_sink_gets_each_anchor_in_order_whatever_it_answers_first(database: Database, tmp_path: Path) -> None:
    async with opened(database.conninfo("writer")) as log:
        noting = Noting(database, log, tmp_path)
        for _ in range(3):
            await noting.put(5)
            noting.anchor()
    with receiving() as receiver:
        receiver.answers = lambda _: 500 if len(receiver.got) == 2 else 204
        stop = threading.Event()
        for _ in range(2):  # the second begins where the first ended
            sink = Sink(noting.folder, receiver.url)
            thread = threading.Thread(target=sink.run, args=(stop,))
            thread.start()
            receiver.wait(4)
            wait(lambda: b'"number": 3' in noting.folder.sent.read_bytes())
            stop.set()
            thread.join(30)
            stop.clear()
    first, second, third = noting.lines()
    assert [got.body.decode() for got in receiver.got] == [first, second, second, third]
    assert receiver.got[0].headers["content-type"] == "application/jose"


@pytest.mark.parametrize(
    ("url", "is_good"),
    [
        ("https://anchors.example/studbook", True), ("http://127.0.0.1:8080/", True),
        ("http://anchors.example/", False),
        ("https://user:word@anchors.example/", False), ("ftp://anchors.example/", False), ("https://", False),
        ("http://[", False),
    ],
)  # fmt: skip
def test_anchors_are_sent_over_https_or_within_the_machine(url: str, is_good: bool) -> None:
    assert (sink_fault(url) is None) is is_good


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"STUDBOOK_ANCHOR_URL": "https://anchors.example"}, "needs STUDBOOK_ANCHOR_DIR"),
        ({"STUDBOOK_ANCHOR_URL": "http://anchors.example", "STUDBOOK_ANCHOR_DIR": "a"}, "an address like https://"),
        ({"STUDBOOK_EMBEDDED_DIR": "{}", "STUDBOOK_ANCHOR_DIR": "{}/cluster/anchors"}, "inside the database"),
        ({"STUDBOOK_ANCHOR_DIR": "{}/file"}, "is no folder"),
    ],
)
def test_settings_with_which_nothing_could_be_anchored_are_refused(
    tmp_path: Path, settings: dict[str, str], says: str
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartRefused, match=says):
        check_anchor_settings({name: value.format(tmp_path) for name, value in settings.items()})
    assert not check_anchor_settings({})
    assert check_anchor_settings({"STUDBOOK_EMBEDDED_DIR": str(tmp_path)})
    assert (tmp_path / "anchors" / "anchor.key").exists()


def test_the_folder_is_refused_where_others_may_write(tmp_path: Path) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    with pytest.raises(FolderFault, match="others may write"):
        Folder(open_to_all).make()
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderFault, match="is no folder"):
        Folder(tmp_path / "file").make()


def test_the_key_file_is_for_its_owner_alone_and_its_public_half_is_published(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "anchors")
    folder.make()
    (signer,) = folder.signers({})
    folder.publish([signer])
    assert oct(folder.key.stat().st_mode & 0o777) == "0o600"
    assert folder.public_keys() == folder.trusted({}) == [signer.public]
    assert '"d"' not in folder.public.read_text()
    other = secrets.token_urlsafe(32)
    (named,) = folder.signers({"STUDBOOK_ANCHOR_KEY": other})
    folder.publish([named])
    assert [one["kid"] for one in folder.public_keys()] == [signer.key_id, named.key_id]
    os.unlink(folder.key)
    assert folder.trusted({}) == folder.public_keys()


def test_F21_a_folder_of_anchors_that_is_gone_is_missed_wherever_the_data_lies(tmp_path: Path) -> None:
    for name, chosen in (("inside", None), ("beside", tmp_path / "elsewhere")):
        data = tmp_path / name
        data.mkdir()
        environ = {EMBEDDED_DIR: str(data)}
        assert witnessed(5, None, environ) == Witness(), "never anchored"
        assert check_anchor_settings(environ if chosen is None else {**environ, ANCHOR_DIR: str(chosen)})
        assert witnessed(5, None, environ).folder == (chosen or data / "anchors").resolve()
        moved = tmp_path / f"{name}-moved"
        data.rename(moved)  # what lies within it has moved with it
        environ = {EMBEDDED_DIR: str(moved)}
        assert witnessed(5, None, environ).findings == ()
        shutil.rmtree(chosen or moved / "anchors")
        (found,) = witnessed(5, None, environ).findings
        assert (found.check, found.position, "is gone" in found.reason) == ("anchors", 1, True)
        assert witnessed(0, None, environ).findings == (), "nothing was there to be anchored"
