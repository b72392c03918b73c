"""A bundle: the whole log in one file, byte for byte, to look at elsewhere or to load into an empty store."""

from adapters.bundle.form import BundleFault, Manifest
from adapters.bundle.loading import Loader
from adapters.bundle.reading import read_bundle
from adapters.bundle.writing import write_bundle

__all__ = ["BundleFault", "Loader", "Manifest", "read_bundle", "write_bundle"]
