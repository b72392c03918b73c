"""The folder of anchors: whose it must be, and what lies in it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from adapters.anchors.folder import Folder, FolderFault


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
