"""Events as bytes and back: stable names, exact types, old versions read for ever."""

from adapters.codec.errors import CodecError
from adapters.codec.events import CODEC, Decoded, EventCodec
from adapters.codec.names import NAMES
from adapters.codec.upcasters import UPCASTERS, Json, Upcaster

__all__ = ["CODEC", "NAMES", "UPCASTERS", "CodecError", "Decoded", "EventCodec", "Json", "Upcaster"]
