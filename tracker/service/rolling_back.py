"""Which slots a roll back strikes: those of a battle, perhaps with its aftermath, or all after an entry."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tracker.campaign import records
from tracker.campaign.rulings.redecision import slots_of
from tracker.log import database
from tracker.projections import queries
from tracker.service.disputes import FIXED, Disputes
from tracker.service.refusals import NoSuchBattle, NothingToRollBack


class RollingBack(Disputes):
    """Finds what is struck in bulk. That it is one ruling like any other, arbitration knows."""

    def slots_of_battle(self, campaign: str, name: str, *, aftermath: bool = False) -> tuple[int, ...]:
        """The slots of a battle that still count: what its report recorded, and what was played within it.

        With its `aftermath` those, too, that post-battle files of the battle recorded.
        """
        with database.reading(self.engine) as connection:
            rows = queries.battles(connection, campaign)
            row = next((one for one in rows if name in (one["battle"], str(one["number"]))), None)
            if row is None:
                raise NoSuchBattle(battle=name, known=tuple(str(one["battle"]) for one in rows))
            listed = queries.entries(connection, campaign, battle=row["battle"])
        found = {int(one["slot"]) for one in listed}
        opening = int(row["slot"])
        report = self.report_of(campaign, str(row["battle"]))
        if report is not None and report[0] <= opening <= report[1]:
            found |= set(range(report[0], report[1] + 1))
        after = f"post:{row['battle']}" if aftermath else ""
        return self._counting(campaign, sorted(found), f"battle {row['battle']}", after=after)

    def slots_after(self, campaign: str, entry: int) -> tuple[int, ...]:
        """The slots after an entry that still count."""
        entries = self.store.head(campaign).entries
        if not 1 <= entry <= entries:
            raise self.no_such_event(campaign, entry)
        return self._counting(campaign, range(entry + 1, entries + 1), f"the log after entry {entry}")

    def _counting(
        self, campaign: str, slots: Iterable[int], what: str, *, after: str = ""
    ) -> tuple[int, ...]:
        wanted = set(slots)
        found = tuple(
            one.slot
            for one in slots_of(self.log.live(campaign, after_slot=min(wanted, default=1) - 1))
            if one.header is not None
            and (one.slot in wanted or _sent_under(one.header, after))
            and not isinstance(one.header.command, FIXED)
        )
        if not found:
            raise NothingToRollBack(what=what)
        return found


def _sent_under(header: records.DecisionTaken, key: str) -> bool:
    """Whether an entry came under this key, or one that begins with it: 'post:b3', 'post:b3:rats#2'."""
    return (
        bool(key)
        and header.sent is not None
        and re.match(f"{re.escape(key)}(?:[:#]|$)", header.sent.key) is not None
    )
