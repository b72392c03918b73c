"""The exporter: makes the files that operators ask for, in a process of its own."""

from adapters.exporter.loop import Exporter, Failed, Stopped, Work

__all__ = ["Exporter", "Failed", "Stopped", "Work"]
