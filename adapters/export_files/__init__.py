"""Writers of files: text, XLSX, Parquet; each tells nobody anything but what it was given."""

from adapters.export_files.parquet import ExtraMissing, SqlRefused, query, write_parquet
from adapters.export_files.text import hash_of, write_text
from adapters.export_files.xlsx import SheetFull, write_xlsx

__all__ = [
    "ExtraMissing",
    "SheetFull",
    "SqlRefused",
    "hash_of",
    "query",
    "write_parquet",
    "write_text",
    "write_xlsx",
]
