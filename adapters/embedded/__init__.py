"""A real PostgreSQL out of a wheel: found, started under a plain account, shared by processes, stopped by the last.

    with Cluster.start(default_data_dir(os.environ)) as cluster:
        migrate(cluster.settings().conninfo("owner"))

Linux and macOS. Only the wheel's programs are used, never its Python code.
"""

import sys

from adapters.embedded.errors import EmbeddedError

if sys.platform == "win32":
    raise EmbeddedError("embedded database: Linux and macOS only: give a --database-url")

from adapters.embedded.cluster import Cluster
from adapters.embedded.folders import default_data_dir

__all__ = ["Cluster", "EmbeddedError", "default_data_dir"]
