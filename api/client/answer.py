"""What every model of an answer is."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """An answer of the service. A field that a later version of the service adds is kept, and is no error."""

    model_config = ConfigDict(extra="allow", frozen=True)
