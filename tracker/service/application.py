"""The hall: play, rule, ask. The one storey that knows the clock, makes ids and rolls dice.

`records` opens and reads, `play` decides and appends, `arbitration` rules, `audits` checks.
"""

from tracker.service.audit import Audits
from tracker.service.explanations import Explanations
from tracker.service.pending import PendingOutcomes
from tracker.service.policies import PolicyRulings
from tracker.service.post_battle import PostBattle
from tracker.service.witnesses import Witnesses


class Tracker(PolicyRulings, PostBattle, Audits, PendingOutcomes, Explanations, Witnesses):
    """One database, and all that can be done with the campaigns in it."""
