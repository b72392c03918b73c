"""What hypothesis draws for the machine: terms of a house and steps of a history."""

from __future__ import annotations

from hypothesis import strategies as st

from domain.pools import MultiWinnerPolicy, PrizeFunding
from tests.support.machine import STEPS, Step, Terms

any_step = st.builds(Step, st.sampled_from(STEPS), st.integers(0, 3), st.integers(1, 3), st.integers(0, 215))
any_terms = st.builds(
    Terms,
    seed=st.sampled_from([0, 30, 100_000]),
    reset=st.sampled_from([0, 20, 70_000]),
    room=st.sampled_from([0, 15, 10**9]),
    increment_ppm=st.sampled_from([400_000, 333_333, 700_001]),
    reserve_ppm=st.sampled_from([0, 123_457, 299_999]),
    funding=st.sampled_from(PrizeFunding),
    winners=st.sampled_from(MultiWinnerPolicy),
    threshold=st.sampled_from([None, 0, 5_000]),
    call_reserve=st.sampled_from(["FULL", "NONE"]),
)
