"""Commands as calls of the REST contract: method, path, body. What only timers ask has no call."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from api.routes import ROWS
from services import commands as c

CALLS = {f"{row.method} {row.path}": row for row in ROWS}
"""Every command route by method and path."""

Wire = tuple[str, str, dict[str, Any]]


def wire(command: c.Command) -> Wire:
    """The call that is this command; fields that are None are left out. Raises LookupError where there is none."""
    method, path, body = _of_rounds(command) or _of_the_house(command)
    stated = {"handpay_threshold"} if getattr(command, "handpay_stated", False) else set()
    stated |= {"ante_max"} if isinstance(command, c.SetLimit) else set()
    return method, path, {name: value for name, value in body.items() if value is not None or name in stated}


def in_bulk(command: c.Command, key: str, *, atomic: bool) -> Wire:
    """The bulk call of which this command is the one item, under its own key."""
    method, path, body = wire(command)
    item = {**body, "key": key}
    if isinstance(command, c.DepositFunds):
        return method, "/v1/deposits/bulk", {"deposits": [{**item, "player": command.player}], "atomic": atomic}
    return method, f"{path}/bulk", {path.rpartition("/")[2]: [item], "atomic": atomic}


def _of_rounds(command: c.Command) -> Wire | None:
    at = f"/v1/rounds/{getattr(command, 'round', '')}"
    match command:
        case c.PlaceWager(_, player, seat, ante, five, progressive, session):
            side = {"five_plus_one": five or None, "progressive": progressive or None}
            side = {name: stake for name, stake in side.items() if stake}
            body = {"player": player, "seat": seat, "ante": ante or None, "side": side or None, "session": session}
            return "POST", f"{at}/wagers", body
        case c.UndoWager() | c.DoubleWagers() | c.RepeatWagers() | c.PassRound() | c.LeaveRound():
            what = {"UndoWager": "undo", "DoubleWagers": "double", "RepeatWagers": "repeat", "PassRound": "pass"}
            return "POST", f"{at}/{what.get(type(command).__name__, 'leave')}", {"player": command.player}
        case c.CloseBetting():
            return "POST", f"{at}/close", {}
        case c.Deal(_, shared, seats, dealer):
            return "POST", f"{at}/deal", {"player": shared, "seats": _seats(seats), "dealer": dealer}
        case c.ScanCard(_, to, number, card, hold):
            return "POST", f"{at}/cards", {"to": to, "number": number, "card": card, "hold": hold}
        case c.CorrectScan(_, to, number, card, reason):
            body = {"to": to, "number": number, "card": card, "reason": reason}
            return "POST", f"{at}/cards/corrections", body
        case c.Decide(_, player, decision):
            return "POST", f"{at}/decisions", {"player": player, "decision": decision.value.lower()}
        case c.Settle(_, dealer):
            return "POST", f"{at}/settle", {"dealer": dealer}
        case c.Pause(_, reason) | c.Resume(_, reason):
            return "POST", f"{at}/{type(command).__name__.lower()}", {"reason": reason}
        case c.Void() | c.Resolve() | c.Resettle():
            return _of_voids(at, command)
    return None


def _seats(seats: tuple[tuple[int, tuple[str, ...]], ...] | None) -> dict[str, tuple[str, ...]] | None:
    return None if seats is None else {str(seat): cards for seat, cards in seats}


def _of_voids(at: str, command: c.Void | c.Resolve | c.Resettle) -> Wire:
    match command:
        case c.Void(_, reason, policy, approver, evidence, dry_run, wagers):
            body = {"reason": reason, "policy": policy, "approver": approver, "evidence": evidence}
            return "POST", f"{at}/void", {**body, "dry_run": dry_run, "wagers": wagers or None}
        case c.Resolve(_, policy):
            return "POST", f"{at}/void/resolve", {"policy": policy}
        case c.Resettle(_, shared, seats, dealer, policy, reason, approver):
            body = {"player": shared, "seats": _seats(seats), "dealer": dealer, "policy": policy}
            return "POST", f"{at}/resettle", {**body, "reason": reason, "approver": approver}


def _of_the_house(command: c.Command) -> Wire:
    match command:
        case c.RegisterPlayer(player, currency):
            return "POST", "/v1/players", {"player": player, "currency": currency}
        case c.DepositFunds(player, amount, currency, name) | c.WithdrawFunds(player, amount, currency, name):
            kind = "deposits" if isinstance(command, c.DepositFunds) else "withdrawals"
            body = {"amount": amount, "currency": currency, "transaction_id": name}
            return "POST", f"/v1/players/{player}/{kind}", body
        case c.RollBackTransaction(name):
            return "POST", f"/v1/transactions/{name}/rollback", {}
        case c.AdjustBalance(player, amount, reason, approver):
            body = {"amount": amount, "reason": reason, "approver": approver}
            return "POST", f"/v1/players/{player}/adjustments", body
        case c.OpenTable() | c.OpenRound() | c.JoinTable() | c.LeaveTable():
            return _of_tables(command)
        case c.SetSettings(player) | c.SetLimit(player):
            kind = "settings" if isinstance(command, c.SetSettings) else "limits"
            body = {name.removesuffix("_minor"): value for name, value in asdict(command).items() if name != "player"}
            return "PATCH", f"/v1/players/{player}/{kind}", body
        case c.SetService(scope, name, disable, reason):
            return "POST", "/v1/disable" if disable else "/v1/enable", {
                "scope": scope, "id": name or None, "reason": reason,
            }  # fmt: skip
        case c.SetOneDevice():
            return "POST", "/v1/one-device", asdict(command)
        case c.PostMessage() | c.Announce() | c.SetChat() | c.WithdrawMessage() | c.SetVoice():
            return _of_chats(command)
        case c.PrepareDay() | c.ResolveBreak() | c.SignOff():
            return _of_days(command)
        case c.DecideApproval(name, approves, reason):
            body = {"decision": "APPROVE" if approves else "REJECT", "reason": reason}
            return "POST", f"/v1/approvals/{name}", body
    return _of_pools(command)


def _of_days(command: c.ReconciliationCommand) -> Wire:
    at = f"/v1/reconciliations/{command.day}"
    match command:
        case c.PrepareDay(day, position, head, state, totals, breaks):
            pools = [{name: str(value) for name, value in asdict(one).items()} for one in totals]
            rows = [{**asdict(one), "position": one.log_position} for one in breaks]
            for row in rows:
                del row["log_position"]
            body = {"day": day, "log_position": position, "chain_head": head, "state_hash": state}
            return "POST", "/v1/reconciliations", {**body, "pools": pools, "breaks": rows}
        case c.ResolveBreak(_, name, resolution, reference, note):
            body = {"resolution": resolution, "reference": reference, "note": note}
            return "POST", f"{at}/breaks/{name}/resolve", body
        case c.SignOff(_, reason, approver):
            return "POST", f"{at}/sign-off", {"reason": reason, "approver": approver}


def _of_chats(command: c.ChatCommand) -> Wire:
    at = f"/v1/tables/{getattr(command, 'table', '')}"
    match command:
        case c.PostMessage(_, player, text, _, session):
            return "POST", f"{at}/chat", {"player": player, "text": text, "session": session}
        case c.Announce(_, text):
            return "POST", f"{at}/announcements", {"text": text}
        case c.SetChat(_, mode, reason):
            return "PATCH", f"{at}/chat", {"chat": mode, "reason": reason}
        case c.WithdrawMessage(_, message, reason):
            return "POST", f"{at}/chat/{message}/withdraw", {"reason": reason}
        case c.SetVoice(player, may_write, reason):
            what = "restore" if may_write else "remove"
            return "POST", f"/v1/players/{player}/chat/{what}", {"reason": reason}


def _of_tables(command: c.OpenTable | c.OpenRound | c.JoinTable | c.LeaveTable) -> Wire:
    match command:
        case c.OpenTable():
            return "POST", "/v1/tables", {name.removesuffix("_minor"): of for name, of in asdict(command).items()}
        case c.OpenRound(table):
            return "POST", f"/v1/tables/{table}/rounds", {}
        case c.JoinTable(table, player, seat, session, instead_of):
            body = {"player": player, "seat": seat, "session": session, "instead_of": instead_of}
            return "POST", f"/v1/tables/{table}/join", body
        case c.LeaveTable(table, player, session, seat):
            return "POST", f"/v1/tables/{table}/leave", {"player": player, "session": session, "seat": seat}


def _of_pools(command: c.Command) -> Wire:
    at = f"/v1/jackpots/{getattr(command, 'jackpot', '')}"
    match command:
        case c.OpenJackpot(terms):
            body = {name.removesuffix("_minor"): value for name, value in asdict(terms).items()}
            rates = {f"{name}_rate": _rate(body.pop(f"{name}_ppm")) for name in ("increment", "reserve")}
            return "POST", "/v1/jackpots", {**body, **rates}
        case c.CorrectJackpot() | c.TransferJackpot():
            kind = "transfers" if isinstance(command, c.TransferJackpot) else "corrections"
            body = {**asdict(command), "amount_micro": str(command.amount_micro), "jackpot": None}
            return "POST", f"{at}/{kind}", body
        case c.ChangeJackpot(_, reset, None, None, ceiling, funding, policy, _, threshold, reason):
            body = {"reset": reset, "ceiling": ceiling, "fixed_prize_funding": funding, "multi_winner_policy": policy}
            return "PATCH", at, {**body, "handpay_threshold": threshold, "reason": reason}
        case c.VerifyPrize(_, award, reason, approver) | c.RefusePrize(_, award, reason, approver):
            what = "verify" if isinstance(command, c.VerifyPrize) else "refuse"
            return "POST", f"{at}/awards/{award}/{what}", {"reason": reason, "approver": approver}
    raise LookupError(f"{type(command).__name__} has no call")


def _rate(ppm: int) -> str:
    return f"{ppm // 1_000_000}.{ppm % 1_000_000:06d}"
