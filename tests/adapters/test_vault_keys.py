"""Where card keys come from: the variable, or a private file beside the embedded database; else no start (F32)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.vault import VaultError, key_id, to_base64url
from adapters.vault_keys import (
    CARD_KEY_FILE,
    CARD_KEY_VARIABLE,
    WEBHOOK_KEY_FILE,
    WEBHOOK_KEY_VARIABLE,
    load_or_create_key_file,
    new_key_text,
    vault_from_environment,
    vault_from_text,
    webhook_vault,
)
from domain.errors import Invalid

ROOT = Path(__file__).resolve().parents[2]
KEY, OLD = bytes(range(32)), bytes(range(32, 64))
KEY_TEXT, OLD_TEXT = to_base64url(KEY), to_base64url(OLD)


def test_the_variable_may_hold_one_bare_key() -> None:
    for text in (KEY_TEXT, KEY_TEXT + "=", f" {KEY_TEXT}\n"):
        assert vault_from_environment(None, {CARD_KEY_VARIABLE: text}).current == key_id(KEY)


def test_of_several_keys_the_first_seals_and_all_open() -> None:
    sealed = vault_from_text(OLD_TEXT, "x").seal_cards(["As"], "c")
    text = f"{key_id(KEY)}:{KEY_TEXT}, {key_id(OLD)}:{OLD_TEXT}"
    vault = vault_from_environment(None, {CARD_KEY_VARIABLE: text})
    assert vault.current == key_id(KEY)
    assert vault.open_cards(sealed, "c") == ("As",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "entry 1"),
        (" ", "entry 1"),
        (KEY_TEXT[:-1], "entry 1"),
        (KEY_TEXT + "A", "entry 1"),
        (KEY_TEXT + ",", "entry 2"),
        (f"{KEY_TEXT},hunter2", "entry 2"),
        (KEY.hex(), "entry 1"),
        (f"00000000:{KEY_TEXT}", key_id(KEY)),
        (f":{KEY_TEXT}", key_id(KEY)),
        (f"{KEY_TEXT},{KEY_TEXT}", "twice"),
        (to_base64url(bytes(32)), "not random"),
        (to_base64url(b"ab" * 16), "not random"),
    ],
)
def test_a_wrong_variable_is_refused_and_its_text_not_shown(text: str, words: str) -> None:
    with pytest.raises(Invalid, match=words) as refusal:
        vault_from_environment(None, {CARD_KEY_VARIABLE: text})
    assert refusal.value.field == CARD_KEY_VARIABLE
    assert KEY_TEXT[:-1] not in refusal.value.detail
    assert "hunter2" not in refusal.value.detail


def test_a_set_variable_wins_over_the_file_even_when_it_is_wrong(tmp_path: Path) -> None:
    load_or_create_key_file(tmp_path / CARD_KEY_FILE)
    assert vault_from_environment(tmp_path, {CARD_KEY_VARIABLE: KEY_TEXT}).current == key_id(KEY)
    with pytest.raises(Invalid):
        vault_from_environment(tmp_path, {CARD_KEY_VARIABLE: ""})


def test_with_a_dsn_and_no_variable_the_start_is_refused() -> None:
    with pytest.raises(Invalid, match="is not set") as refusal:
        vault_from_environment(None, {})
    assert refusal.value.field == CARD_KEY_VARIABLE


def test_with_the_embedded_database_a_private_key_file_is_made_once(tmp_path: Path) -> None:
    first = vault_from_environment(tmp_path, {})
    file = tmp_path / CARD_KEY_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [CARD_KEY_FILE]
    sealed = first.seal_cards(["As"], "c")
    second = vault_from_environment(tmp_path, {})
    assert second.open_cards(sealed, "c") == ("As",)


def test_the_key_file_is_private_whatever_the_umask(tmp_path: Path) -> None:
    for mask in (0o000, 0o277):
        before = os.umask(mask)
        try:
            load_or_create_key_file(tmp_path / f"{mask}.key")
        finally:
            os.umask(before)
        assert (tmp_path / f"{mask}.key").stat().st_mode & 0o777 == 0o600


def test_the_key_files_line_serves_as_the_variable(tmp_path: Path) -> None:
    vault = load_or_create_key_file(tmp_path / CARD_KEY_FILE)
    text = (tmp_path / CARD_KEY_FILE).read_text()
    assert vault_from_environment(None, {CARD_KEY_VARIABLE: text}).current == vault.current


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644, 0o610])
def test_a_key_file_that_others_may_touch_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / CARD_KEY_FILE
    load_or_create_key_file(file)
    file.chmod(mode)
    with pytest.raises(Invalid, match=f"mode {mode:o}"):
        load_or_create_key_file(file)


def test_a_key_file_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a file of a user who is neither this one nor root
    file = tmp_path / CARD_KEY_FILE
    load_or_create_key_file(file)
    if os.geteuid() == 0:
        os.chown(file, 12_345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    with pytest.raises(Invalid, match="belongs to user"):
        load_or_create_key_file(file)


def test_a_key_file_that_is_a_link_a_folder_or_a_pipe_is_refused(tmp_path: Path) -> None:
    load_or_create_key_file(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir(mode=0o700)
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name in ("link", "dangling", "folder", "pipe"):
        with pytest.raises(Invalid, match=name) as refusal:
            load_or_create_key_file(tmp_path / name)
        assert refusal.value.field == "card_key_file"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"hunter2", b"A" * 100_000])
def test_a_key_file_with_something_else_inside_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / CARD_KEY_FILE
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(Invalid, match=r"card\.key"):
        load_or_create_key_file(file)
    assert file.read_bytes() == content


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="none"):
        load_or_create_key_file(tmp_path / "none" / CARD_KEY_FILE)


def test_a_new_key_file_does_not_open_what_another_key_sealed(tmp_path: Path) -> None:
    sealed = vault_from_text(KEY_TEXT, "x").seal_cards(["As"], "c")
    with pytest.raises(VaultError, match=key_id(KEY)):
        load_or_create_key_file(tmp_path / CARD_KEY_FILE).open_cards(sealed, "c")


def test_new_keys_are_named_by_their_hash_and_all_different() -> None:
    texts = {new_key_text() for _ in range(100)}
    assert len(texts) == 100
    assert all(vault_from_text(text, "x").current == text.partition(":")[0] for text in texts)


def test_processes_that_start_at_once_end_with_one_key(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from adapters.vault_keys import load_or_create_key_file as load;"
        "sys.stdin.read(1); print(load(Path(sys.argv[1])).current)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / CARD_KEY_FILE)]
    pipe = subprocess.PIPE
    started = [subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) for _ in range(4)]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("x")
        process.stdin.flush()
    answers = [process.communicate(timeout=300)[0].strip() for process in started]
    assert len(set(answers)) == 1
    assert len(answers[0]) == 8
    assert [path.name for path in tmp_path.iterdir()] == [CARD_KEY_FILE]


def test_webhooks_have_a_key_of_their_own_and_none_where_there_is_none(tmp_path: Path) -> None:
    other = new_key_text()
    vault = webhook_vault(None, {WEBHOOK_KEY_VARIABLE: other, CARD_KEY_VARIABLE: KEY_TEXT})
    assert vault is not None
    assert vault.current == other.partition(":")[0]
    assert webhook_vault(None, {CARD_KEY_VARIABLE: KEY_TEXT}) is None
    assert webhook_vault(None, {WEBHOOK_KEY_VARIABLE: ""}) is None
    # and beside an embedded database it is a file that holds another key than that of cards
    ours, cards = webhook_vault(tmp_path, {}), vault_from_environment(tmp_path, {})
    assert ours is not None
    assert ours.current != cards.current
    assert (tmp_path / WEBHOOK_KEY_FILE).stat().st_mode & 0o777 == 0o600
    with pytest.raises(VaultError, match=WEBHOOK_KEY_VARIABLE):
        ours.open_text(cards.seal_text("2c", "lucky/round-1/deck"), "lucky/round-1/deck")


def test_the_key_of_cards_is_no_key_of_webhooks() -> None:
    with pytest.raises(Invalid, match="holds the key of cards") as refusal:
        webhook_vault(None, {WEBHOOK_KEY_VARIABLE: f"{new_key_text()},{KEY_TEXT}", CARD_KEY_VARIABLE: KEY_TEXT})
    assert refusal.value.field == WEBHOOK_KEY_VARIABLE
