"""Files for finance and auditors: any report, the journal and the events, in the formats that their tools read.

To add a format: one file here (or in `adapters/export_files`, where a library is needed) and one line in `kinds.py`.
"""
