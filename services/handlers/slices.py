"""How much of a large round one append carries."""

from __future__ import annotations

from typing import Final

SEATS_PER_APPEND: Final = 500
"""How many seats one append decides for, pays or undoes; a larger round goes on in further appends."""
