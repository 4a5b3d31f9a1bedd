"""Policies in time: a house rule adopted or repealed from a battle that is recorded already, and what-ifs.

Such a change is a ruling: the slot of that battle's opening is decided again with the change in its command,
so that it stands from there on in the order of play, and every later slot is decided again from its own dice.
A what-if does the same and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from tracker.campaign import decide as deciding
from tracker.campaign import records
from tracker.campaign.next_die import Outcome, next_die_outcomes
from tracker.campaign.rulings import End, Rejudged, SlotJudged, Treatment, rejudge, slots_of
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.log import database
from tracker.projections import queries
from tracker.records import Record, replace
from tracker.rules import shelf
from tracker.service.arbitration import Arbitration, skip_until
from tracker.service.play import adoption
from tracker.service.refusals import NoSuchBattle, PolicyNotHeld
from tracker.service.terms import Answer, Terms


class WhatIf(Record):
    """The season as it would have gone. `voided` are entries that adopted or repealed what is asked about."""

    from_battle: int
    rejudged: Rejudged
    before: CampaignState
    after: CampaignState
    voided: tuple[int, ...] = ()

    def next_die(self, one: SlotJudged) -> tuple[Outcome, ...]:
        """What the first die that a slot lacks would come out as."""
        if one.needed is None or one.command is None or one.state is None:
            return ()
        rulebook = deciding.rulebook_for(one.state, one.command, shelf.rulebook)
        purpose = rulebook.book.purposes.get(one.needed.purpose)
        return next_die_outcomes(
            one.state,
            one.command,
            one.dice,
            one.needed,
            purpose.special if purpose is not None else None,
            shelf.rulebook,
            entry=one.slot.slot,
        )


class PolicyRulings(Arbitration):
    """House rules with a past battle as their start, and seasons under others."""

    def is_past(self, campaign: str, battle: int | None) -> bool:
        """Whether a change from this battle on would move what is recorded."""
        return battle is not None and battle in {number for number, _ in self._openings(campaign)}

    def adoption_ruling(
        self,
        campaign: str,
        *,
        from_battle: int,
        adopt: Sequence[str] = (),
        repeal: Sequence[str] = (),
        overrides: Sequence[str] = (),
        reason: str = "",
    ) -> records.HouseRules:
        """The change that a ruling brings. Raises NoSuchBattle or UnknownPolicy."""
        self._opening(campaign, from_battle)
        return records.HouseRules(
            from_battle=from_battle,
            adopting=tuple(
                adoption(one, from_battle=from_battle, reason=reason, overrides=overrides) for one in adopt
            ),
            repealing=tuple(
                records.RepealPolicy(policy=one.partition("@")[0], from_battle=from_battle, reason=reason)
                for one in repeal
            ),
        )

    def terms(
        self, campaign: str, state: CampaignState, dispute: OpenDispute, answer: Answer, *, roll: bool
    ) -> Terms:
        """The terms of an answer, house rules among them."""
        terms = super().terms(campaign, state, dispute, answer, roll=roll)
        if answer.house_rules is None:
            return terms
        change = answer.house_rules
        slot, command = self._changed_opening(campaign, change)
        treatments = dict(terms.treatments)
        # A later battle that adopts the same by ruling need not: it holds already.
        again = self._later_changes(
            campaign, slot, adopted={_id(one.text) for one in change.adopting}, repealed=set()
        )
        for number, changed in {**again, slot: command}.items():
            if changed is not None:
                treatments[number] = replace(treatments.get(number, Treatment()), command=changed)
        return replace(
            terms,
            treatments=treatments,
            command=replace(
                terms.command, house_rules=answer.house_rules, outcome=_words(answer.house_rules)
            ),
        )

    def what_if(
        self,
        campaign: str,
        *,
        from_battle: int = 1,
        adopt: Sequence[str] = (),
        without: Sequence[str] = (),
        overrides: Sequence[str] = (),
    ) -> WhatIf:
        """Decide the season again under other house rules, and write nothing.

        What nobody can say, for dice that were never rolled or what cannot follow, goes on as it was played.
        """
        head, before = self.load(campaign)
        first, _ = self._opening(campaign, from_battle)
        at = self.state_before(campaign, first)
        unwanted = {one.partition("@")[0] for one in without}
        there = {one.policy for one in at.policies if one.holds_for(from_battle)}
        wanted = {one.partition("@")[0] for one in adopt}
        own = {one.text.policy for one in self._opening(campaign, from_battle)[1].adopting or ()}
        later = self._later_changes(campaign, first, adopted=wanted | unwanted, repealed=unwanted)
        for policy in sorted(unwanted - there - own):
            if not self._later_changes(campaign, first, adopted={policy}, repealed=set()):
                raise PolicyNotHeld(policy=policy, from_battle=from_battle, held=tuple(sorted(there)))
        change = self.adoption_ruling(
            campaign,
            from_battle=from_battle,
            adopt=adopt,
            repeal=sorted(unwanted & there),
            overrides=overrides,
            reason="what if",
        )
        slot, command = self._changed_opening(campaign, change, without=unwanted | wanted)
        treatments = {number: Treatment(held=True, insisted=how) for number, how in before.kept.items()}
        voided = tuple(number for number, changed in later.items() if changed is None)
        treatments |= {
            number: Treatment(void=True) if changed is None else Treatment(command=changed)
            for number, changed in later.items()
        }
        treatments[slot] = replace(treatments.get(slot, Treatment()), command=command)
        base, state = self.snapshot_before(campaign, slot)
        slots = slots_of(self.log.live(campaign, after_slot=base, as_of_entry=head.entries))
        end = End(entry=head.entries, state=before)
        found = rejudge(*skip_until(state, slots, slot), treatments, shelf.rulebook, end=end)
        moved = tuple(one for one in found.slots if one.slot.slot not in voided)
        return WhatIf(
            from_battle=from_battle,
            rejudged=replace(found, slots=moved),
            before=before,
            after=found.state,
            voided=voided,
        )

    def _changed_opening(
        self, campaign: str, change: records.HouseRules, *, without: AbstractSet[str] = frozenset()
    ) -> tuple[int, records.OpenBattle]:
        """The slot of the battle's opening, and its command with the change. Raises what refuses the change.

        `without` are policies that the battle itself adopts by an earlier ruling, and should not.
        """
        slot, command = self._opening(campaign, change.from_battle)
        mine = {one.policy for one in change.repealing} | without
        adopted = tuple(one for one in command.adopting or () if one.text.policy not in mine)
        undone = {one.text.policy for one in command.adopting or ()} & mine
        repealed = tuple(one for one in change.repealing if one.policy not in undone)
        changed = replace(
            command,
            adopting=(*adopted, *change.adopting) or None,
            repealing=(*(command.repealing or ()), *repealed) or None,
        )
        deciding.rulebook_for(self.state_before(campaign, slot), changed, shelf.rulebook)
        return slot, changed

    def _opening(self, campaign: str, number: int) -> tuple[int, records.OpenBattle]:
        """The slot that a battle opens in, by the battle's number, and its command. Raises NoSuchBattle."""
        openings = self._openings(campaign)
        slot = next((slot for battle, slot in openings if battle == number), None)
        if slot is None:
            raise NoSuchBattle(battle=str(number), known=tuple(str(battle) for battle, _ in openings))
        header = self.slot_now(campaign, slot).header
        assert header is not None, "a battle on the board is not void"
        assert isinstance(header.command, records.OpenBattle), "a battle opens with its command"
        return slot, header.command

    def _openings(self, campaign: str) -> list[tuple[int, int]]:
        with database.reading(self.engine) as connection:
            rows = queries.battles(connection, campaign)
        return [(int(row["number"]), int(row["slot"])) for row in rows]

    def _later_changes(
        self, campaign: str, first: int, *, adopted: AbstractSet[str], repealed: AbstractSet[str]
    ) -> dict[int, records.OpenBattle | None]:
        """The later slots that adopt ('id' or 'id@version') or repeal one of these: None for one that does
        nothing else, and for a battle's opening its command without it."""
        with database.reading(self.engine) as connection:
            rows = queries.entries_touching(
                connection, campaign, fighters=set(), events={"PolicyAdopted", "PolicyRepealed"}
            )
        found: dict[int, records.OpenBattle | None] = {}
        for row in rows:
            if row["struck_by"] is not None or row["slot"] <= first:
                continue
            header = self.slot_now(campaign, row["slot"]).header
            command = header.command if header is not None else None
            if (isinstance(command, records.AdoptPolicy) and _is_one_of(command.text, adopted)) or (
                isinstance(command, records.RepealPolicy) and command.policy in repealed
            ):
                found[row["slot"]] = None
            elif isinstance(command, records.OpenBattle):
                fewer = replace(
                    command,
                    adopting=tuple(one for one in command.adopting or () if not _is_one_of(one.text, adopted))
                    or None,
                    repealing=tuple(one for one in command.repealing or () if one.policy not in repealed)
                    or None,
                )
                if fewer != command:
                    found[row["slot"]] = fewer
        return found


def _id(text: records.PolicyText) -> str:
    return f"{text.policy}@{text.version}"


def _is_one_of(text: records.PolicyText, named: AbstractSet[str]) -> bool:
    return text.policy in named or _id(text) in named


def _words(change: records.HouseRules) -> str:
    """'from battle 2 on: adopts templates-spill@1, repeals stray-shots-on-a-6'."""
    said = [f"adopts {_id(one.text)}" for one in change.adopting]
    said += [f"repeals {one.policy}" for one in change.repealing]
    return f"from battle {change.from_battle} on: {', '.join(said)}"
