"""What is on its way into the log: reports that are still answered, and reports to be agreed on.

Rows beside the log. Knows no question, no rule and no right.
"""
