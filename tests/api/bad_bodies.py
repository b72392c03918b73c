"""Bodies that must be refused, each with the status and field it must be refused with (F17, bug rows 27 to 76).

MARK stands in many of them and may come back in no answer.
"""

from __future__ import annotations

MARK = "Zq9-mark<>"

GOOD = b'{"player":"p1","ante":1000,"side":{"progressive":50}}'


def wager(**fields: str) -> bytes:
    """A wager with these fields as raw JSON in place of the good ones."""
    raw = {"player": '"p1"', "ante": "1000"} | fields
    return ("{" + ",".join(f'"{name}":{value}' for name, value in raw.items()) + "}").encode()


def nested(depth: int) -> bytes:
    """A wager whose `side` makes the whole body `depth` deep."""
    return wager(side="[" * (depth - 1) + "]" * (depth - 1))


NO_OBJECT: dict[str, bytes] = {
    "empty": b"",
    "blank": b"   \n",
    "null": b"null",
    "true": b"true",
    "number": b"17",
    "string": f'"{MARK}"'.encode(),
    "array": b"[]",
    "array of objects": b"[" + GOOD + b"]",
    "text": MARK.encode(),
    "form": b"player=p1&ante=1000",
    "xml": b"<wager/>",
    "cut off": GOOD[:-1],
    "cut in a string": GOOD[:12],
    "two objects": GOOD + GOOD,
    "trailing text": GOOD + MARK.encode(),
    "trailing NUL": GOOD + b"\0",
    "trailing comma": b'{"player":"p1","ante":1000,}',
    "comment": b'{"player":"p1",/* x */"ante":1000}',
    "single quotes": b"{'player':'p1'}",
    "unquoted key": b"{player:1}",
    "BOM": b"\xef\xbb\xbf" + GOOD,
    "UTF-16": GOOD.decode().encode("utf-16"),
    "latin-1": '{"player":"\xe9"}'.encode("latin-1"),
    "overlong UTF-8": b'{"player":"\xc0\xaf"}',
    "surrogate in UTF-8": b'{"player":"\xed\xa0\x80"}',
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "bytes": bytes(range(256)),
    "NaN": wager(ante="NaN"),
    "-NaN": wager(ante="-NaN"),
    "Infinity": wager(ante="Infinity"),
    "-Infinity": wager(ante="-Infinity"),
    "1e400": wager(ante="1e400"),
    "-1e400": wager(ante="-1e400"),
    "5,000 digits": wager(ante="9" * 5000),
    "leading zero": wager(ante="0100"),
    "plus sign": wager(ante="+100"),
    "hexadecimal": wager(ante="0x10"),
    "underscore": wager(ante="1_000"),
    "bare point": wager(ante=".5"),
    "lone surrogate": wager(reason=r'"\ud800"'),
    "low surrogate first": wager(reason=r'"\udc00\ud800"'),
    "raw NUL in a string": wager(reason='"a\0b"'),
    "raw line feed in a string": wager(reason='"a\nb"'),
    "bad escape": wager(reason=r'"\x41"'),
    "short escape": wager(reason=r'"\u00"'),
    "depth 33": nested(33),
    "depth 1,500": nested(1500),
    "20,000 brackets": b"[" * 20_000 + b"]" * 20_000,
    "20,000 open brackets": b"[" * 20_000,
    "20,000 objects": b'{"a":' * 10_000,
    "33 objects": b'{"a":' * 33 + b"1" + b"}" * 33,
}
"""400 INVALID: not a JSON object, or none that is safe to read."""

DUPLICATES: dict[str, tuple[bytes, str]] = {
    "twice": (b'{"player":"p1","ante":100,"ante":1}', "ante"),
    "twice the same value": (b'{"player":"p1","ante":1,"ante":1}', "ante"),
    "escaped": (rb'{"player":"p1","ante":100,"\u0061nte":1}', "ante"),
    "nested": (b'{"player":"p1","ante":1,"side":{"progressive":1,"progressive":2}}', "progressive"),
    "in an array": (b'{"player":"p1","ante":1,"x":[{"a":1},{"b":1,"b":1}]}', "b"),
    "hidden by a colon": (b'{"player":"p:1","ante":1,"ante":2}', "ante"),
    "odd name": (f'{{"{MARK}":1,"{MARK}":2}}'.encode(), "?"),
}
"""400 INVALID with the key that came twice."""

BAD_FIELDS: dict[str, tuple[bytes, str]] = {
    "2^63": (wager(ante="9223372036854775808"), "ante"),
    "-2^63 - 1": (wager(ante="-9223372036854775809"), "ante"),
    "2^64": (wager(ante="18446744073709551616"), "ante"),
    "100 digits": (wager(ante="9" * 100), "ante"),
    "1e300": (wager(ante="1e300"), "ante"),
    "huge below": (wager(side='{"progressive":1e19}'), "side.progressive"),
    "huge in an array": (wager(side="[1,1e19]"), "side[1]"),
    "10^15 + 1": (wager(ante="1000000000000001"), "ante"),
    "zero": (wager(ante="0"), "ante"),
    "minus zero": (wager(ante="-0"), "ante"),
    "negative": (wager(ante="-1"), "ante"),
    "half": (wager(ante="0.5"), "ante"),
    "float": (wager(ante="10.0"), "ante"),
    "exponent": (wager(ante="1e3"), "ante"),
    "string": (wager(ante='"1000"'), "ante"),
    "string NaN": (wager(ante='"NaN"'), "ante"),
    "Arabic digits": (wager(ante='"\u0661\u0662"'), "ante"),
    "true": (wager(ante="true"), "ante"),
    "null": (wager(ante="null"), "ante"),
    "array": (wager(ante="[1000]"), "ante"),
    "object": (wager(ante="{}"), "ante"),
    "missing": (b'{"player":"p1"}', "ante"),
    "unknown field": (wager(stake="1"), "stake"),
    "odd field": (b'{"player":"p1","ante":1,"' + MARK.encode() + b'":1}', "?"),
    "long field": (b'{"player":"p1","ante":1,"' + b"x" * 2000 + b'":1}', "?"),
    "capital field": (b'{"player":"p1","Ante":1,"ante":1}', "Ante"),
    "player with a slash": (wager(player='"a/b"'), "player"),
    "player with a quote": (wager(player='"o\';drop table x--"'), "player"),
    "player empty": (wager(player='""'), "player"),
    "player of 65": (wager(player='"' + "p" * 65 + '"'), "player"),
    "player with line feed": (wager(player=r'"p1\n"'), "player"),
    "player number": (wager(player="1"), "player"),
    "player of 60 kB": (wager(player='"' + MARK * 6000 + '"'), "player"),
    "player NUL": (wager(player=r'"a\u0000b"'), "player"),
    "reason NUL": (wager(reason=r'"a\u0000b"'), "reason"),
    "key NUL": (rb'{"player":"p1","ante":1,"a\u0000":1}', "?"),
    "reason blank": (wager(reason='"  "'), "reason"),
    "reason escape code": (wager(reason=r'"\u001b[31m"'), "reason"),
    "reason of 501": (wager(reason='"' + "r" * 501 + '"'), "reason"),
    "currency small": (wager(currency='"eur"'), "currency"),
    "currency unknown": (wager(currency='"QQQ"'), "currency"),
    "currency gold": (wager(currency='"XAU"'), "currency"),
    "currency of four decimals": (wager(currency='"CLF"'), "currency"),
    "rate number": (wager(rate="0.4"), "rate"),
    "rate of seven decimals": (wager(rate='"0.1234567"'), "rate"),
    "rate above 1": (wager(rate='"1.000001"'), "rate"),
    "rate NaN": (wager(rate='"NaN"'), "rate"),
    "seat 0": (wager(seat="0"), "seat"),
    "seat string": (wager(seat='"1"'), "seat"),
    "side number": (wager(side="5"), "side"),
    "side unknown": (wager(side='{"jackpot":5}'), "side.jackpot"),
    "side negative": (wager(side='{"progressive":-1}'), "side.progressive"),
}
"""422 INVALID with the field."""
