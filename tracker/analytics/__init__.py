"""Analytics: logs of many campaigns as columns, what is counted over them, and seasons played again.

Reads logs and writes files. Records nothing.
"""
