"""A real PostgreSQL out of a wheel: found, started under a plain account, shared by processes, stopped by the last.

    with Cluster.start(default_data_dir(os.environ)) as cluster:
        migrate(cluster.settings().conninfo("owner"))

Linux and macOS. Only the wheel's programs are used, never its Python code.
"""

from adapters.embedded.cluster import Cluster
from adapters.embedded.errors import EmbeddedError
from adapters.embedded.folders import default_data_dir

__all__ = ["Cluster", "EmbeddedError", "default_data_dir"]
