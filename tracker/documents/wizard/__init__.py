"""The wizard's model of a report: the questions of an entry, the legal answers, and the writing of the file.

Everything is derived from the documents' models or tried on `decide`.
"""
