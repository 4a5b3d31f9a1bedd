"""An append-only record of a skirmish campaign: what was rolled, what was decided, and what it led to.

Knows its own version, and imports nothing, so that `arbitrator --version` answers at once.
"""

__version__ = "0.3.0"
