"""Reports for finance and auditors: each a pure fold of the log into tables, whose every cell is a sum of parts that
single events gave (R4 to R6, R17, R23, R25, R27 to R29).

To add a report: one file here, one line in `catalogue.py`.
"""
