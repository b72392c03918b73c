"""The projector: folds the log into the read models, rebuilds them, and checks them against the log."""

from adapters.projector.building import RebuildRefused
from adapters.projector.checks import Difference, compare_models, dump_hash
from adapters.projector.facts import FactReader
from adapters.projector.loop import Projector, run_projector
from adapters.projector.pools import stored_pools
from adapters.projector.rebuild import Rebuilt, rebuild
from adapters.projector.skipping import Skip, SkipRefused, skip, skips

__all__ = [
    "Difference",
    "FactReader",
    "Projector",
    "RebuildRefused",
    "Rebuilt",
    "Skip",
    "SkipRefused",
    "compare_models",
    "dump_hash",
    "rebuild",
    "run_projector",
    "skip",
    "skips",
    "stored_pools",
]
