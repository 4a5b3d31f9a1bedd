"""The wizard's side of a report: which questions make up an entry, which answers are open, how it is written.

Everything here is read off the documents' own models and asked of `decide`; nothing is known twice.
"""
