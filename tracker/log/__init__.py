"""The event store: the append-only log, its bytes, its hash chain and the database that holds it. Knows no
rule.
"""
