"""Reads of a table's chat: as all see it, as one player does, and as moderators and auditors do (S0-39, S0-46, C30).

A text is read from the store of its own; it is gone from every answer at the moment at which it is 90 days old, whether
or not it has been removed yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from domain.errors import NotFound
from domain.frozen import dataclass
from domain.messages import Author, is_kept, seal_of
from domain.rounds.notices import TEXTS, Notice
from domain.rules import ChatPolicy
from domain.variants import ruleset
from domain.views.chat import CHATS, SYSTEM, Gone, Mode, Said, gone_key, mode_key, said_group
from domain.views.lobby import LOBBY, LobbyTable, table_key
from domain.views.model import RowKey, place
from domain.views.players import PLAYERS, PlayerRow, player_key
from domain.views.rounds import ROUNDS, RoundRow, round_key
from services.ports import Text
from services.ports_reads import Snapshot
from services.queries.pages import Scope, Turn, group_scope, scan_page
from services.queries.reads import Reads


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A message (`message`, by PLAYER or HOUSE) or a notice about a round (`round` and `notice`, by SYSTEM). The text
    of a withdrawn message is null.
    """

    at: str
    by: str
    player: str | None
    message: str | None
    text: str | None
    withdrawn: bool
    round: str | None
    notice: str | None
    position: int


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A page of a chat, newest first. `may_write` is of the player asked for, null where none is. What a player hides
    is left out, so that a page may be short, or empty, while `next` leads on.
    """

    table: str
    chat: str
    may_write: bool | None
    items: tuple[ChatLine, ...]
    next: str | None
    position: int


@dataclass(frozen=True, slots=True)
class LoggedLine:
    """A line with what moderators need: the text of a withdrawn message too, when and why it was withdrawn, and whether
    the text is the one that its event sealed (null for a notice).
    """

    at: str
    by: str
    player: str | None
    message: str | None
    text: str | None
    intact: bool | None
    withdrawn_at: str | None
    withdrawn_reason: str | None
    round: str | None
    notice: str | None
    position: int


@dataclass(frozen=True, slots=True)
class ChatLog:
    """A page of a chat's log of 90 days, newest first."""

    table: str
    chat: str
    chat_reason: str | None
    items: tuple[LoggedLine, ...]
    next: str | None
    position: int


@dataclass(frozen=True, slots=True)
class Asked:
    """Which table's chat, the page, and past which position; the answer holds at least `min_position`."""

    table: str
    turn: Turn
    after: int = 0
    min_position: int | None = None


Row = tuple[RowKey, Said, Gone | None, Text | None]


async def chat(reads: Reads, operator: str, asked: Asked, player: str | None = None) -> ChatAnswer:
    """The chat as all may see it, or as `player` wants to: others' messages may be hidden (S0-44). Raises NotFound,
    Invalid, Unavailable.
    """
    models = {CHATS.name, LOBBY.name, PLAYERS.name, ROUNDS.name}
    async with reads.views.reading(operator, models, asked.min_position) as snapshot:
        known = await _table(snapshot, asked.table)
        mode = (await _mode(snapshot, known)).mode
        who = None if player is None else await _player(snapshot, player)
        rows, after = await _rows(reads, snapshot, asked, "chat")
        lines = tuple(_line(row) for row in rows if who is None or not _is_hidden(row[1], who))
        may = None if who is None else _may_write(who, asked.table, mode) and not await _is_hand_out(snapshot, known)
        return ChatAnswer(asked.table, mode, may, lines, after, snapshot.position)


async def chat_log(reads: Reads, operator: str, asked: Asked) -> ChatLog:
    """Everything of the last 90 days, withdrawn messages too (S3-22, C30). Raises NotFound, Invalid, Unavailable."""
    async with reads.views.reading(operator, {CHATS.name, LOBBY.name}, asked.min_position) as snapshot:
        mode = await _mode(snapshot, await _table(snapshot, asked.table))
        rows, after = await _rows(reads, snapshot, asked, "chat-log")
        lines = tuple(_logged(row) for row in rows)
        return ChatLog(asked.table, mode.mode, mode.reason, lines, after, snapshot.position)


async def _table(snapshot: Snapshot, table: str) -> LobbyTable:
    known = await snapshot.get(LOBBY.name, table_key(table), LobbyTable)
    if known is None:
        raise NotFound("no such table", field="table")
    return known


async def _mode(snapshot: Snapshot, known: LobbyTable) -> Mode:
    found = await snapshot.get(CHATS.name, mode_key(known.terms.table), Mode)
    return found or Mode(ruleset(known.terms.ruleset).chat.value, None)


async def _is_hand_out(snapshot: Snapshot, known: LobbyTable) -> bool:
    """Whether a hand keeps the chat closed to players where hands may not be talked about (S2-02)."""
    if ruleset(known.terms.ruleset).chat is ChatPolicy.ON or known.open_round is None:
        return False
    row = await snapshot.get(ROUNDS.name, round_key(known.open_round), RoundRow)
    return row is not None and (row.up_card is not None or row.scanned > 0)


async def _player(snapshot: Snapshot, player: str) -> PlayerRow:
    found = await snapshot.get(PLAYERS.name, player_key(player), PlayerRow)
    if found is None:
        raise NotFound("no such player", field="player")
    return found


async def _rows(reads: Reads, snapshot: Snapshot, asked: Asked, name: str) -> tuple[Sequence[Row], str | None]:
    """One page of lines that are not yet 90 days old; older ones are no line of any page."""
    whole = group_scope(CHATS.name, Said, said_group(asked.table))
    scope = Scope(CHATS.name, Said, RowKey(whole.first.grp, place(asked.after) + "\x01"), whole.end, newest_first=True)
    found, after = await scan_page(snapshot, scope, asked.turn, (name, asked.table, asked.after))
    now = reads.clock.now()
    kept = [(key, said) for key, said in found if is_kept(datetime.fromisoformat(said.at), now)]
    ids = [said.message for _, said in kept if said.message is not None]
    gone = await snapshot.get_many(CHATS.name, [gone_key(asked.table, one) for one in ids], Gone)
    texts = await snapshot.texts(ids)
    rows = [_row(key, said, gone, texts) for key, said in kept]
    return rows, after if len(kept) == len(found) else None


def _row(key: RowKey, said: Said, gone: Mapping[RowKey, Gone], texts: Mapping[str, Text]) -> Row:
    table = key.grp.partition("/")[2]
    message = said.message or ""
    return key, said, gone.get(gone_key(table, message)), texts.get(message)


def _is_hidden(said: Said, who: PlayerRow) -> bool:
    return who.settings.hide_chat and said.by == Author.PLAYER.value and said.player != who.player


def _may_write(who: PlayerRow, table: str, mode: str) -> bool:
    at_table = any(one.table == table for one in who.tables)
    return mode == "ON" and at_table and not who.off_chat and not who.disabled


def _line(row: Row) -> ChatLine:
    key, said, gone, text = row
    shown = _told(said, text) if gone is None else None
    return ChatLine(
        said.at, said.by, said.player, said.message, shown, gone is not None, said.round, said.notice, int(key.key)
    )


def _logged(row: Row) -> LoggedLine:
    key, said, gone, text = row
    intact = None if said.by == SYSTEM else text is not None and seal_of(text.text, text.salt) == said.seal
    return LoggedLine(
        said.at,
        said.by,
        said.player,
        said.message,
        _told(said, text),
        intact,
        None if gone is None else gone.at,
        None if gone is None else gone.reason,
        said.round,
        said.notice,
        int(key.key),
    )


def _told(said: Said, text: Text | None) -> str | None:
    if said.notice is not None:
        return TEXTS[Notice(said.notice)]
    return None if text is None else text.text
