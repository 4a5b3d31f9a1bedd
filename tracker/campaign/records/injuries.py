"""Results that outlive the battle: lasting injuries, experience, death."""

from __future__ import annotations

from tracker.campaign.cards import fighter_on_card, gone_for_good, in_battle, on_fighter
from tracker.campaign.fighters import InjurySuffered
from tracker.campaign.records.declaring import Event, Wording, event
from tracker.campaign.records.kinds import FighterId, GangId, Note, RowId
from tracker.campaign.state import CampaignState
from tracker.records import replace

_ORDINALS = {2: "2nd", 3: "3rd"}


def payment_key(activation: str, attacker: str, victim: str) -> str:
    """The key that remembers, until the battle ends, that an activation has had its XP for a victim."""
    return f"{activation}|{attacker}|{victim}"


@event("LastingInjurySuffered")
class LastingInjurySuffered(Event):
    """One row of a lasting injury table was applied. `counts_as` is the row it counted as, if another.
    `within` is the row that caused this further roll ('multiple_injuries'). `occurrence` counts from 1.
    """

    fighter: FighterId
    by: FighterId | None
    table: str
    cell: str | None
    injury: RowId
    name: str
    counts_as: RowId | None
    occurrence: int
    within: RowId | None
    battle: int | None
    section: str

    def in_words(self, wording: Wording) -> str:
        cell = f" ({self._cell(wording)})" if self.cell is not None else ""
        again = ""
        if self.occurrence > 1:
            again = f" for the {_ORDINALS.get(self.occurrence, f'{self.occurrence}th')} time"
        within = f", one of {wording.title(self.within)}" if self.within is not None else ""
        counts = f", counts as {wording.title(self.counts_as)}" if self.counts_as is not None else ""
        suffers = f"{wording.fighter(self.fighter)} suffers {wording.text(self.name)}"
        return f"{suffers}{cell}{again}{wording.by(self.by, 'from')}{within}{counts}"

    def _cell(self, wording: Wording) -> str:
        """'46' as people say it: '4-6'."""
        cell = self.cell or ""
        return "-".join(cell) if len(cell) == 2 and cell.isdecimal() else wording.text(cell)

    def apply(self, state: CampaignState) -> CampaignState:
        suffered = InjurySuffered(
            injury=self.injury, name=self.name, counted_as=self.counts_as or self.injury, battle=self.battle
        )
        had = fighter_on_card(state, self.fighter).injuries
        return on_fighter(state, self.fighter, injuries=(*had, suffered))


@event("WentIntoConvalescence")
class WentIntoConvalescence(Event):
    """A fighter takes no post-battle action and works no territory; they may fight the next battle."""

    sentence = "{fighter} goes into Convalescence"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, convalescing=True)


@event("ConvalescenceEnded")
class ConvalescenceEnded(Event):
    """Convalescence ended, because a battle of the gang began."""

    sentence = "{fighter} is back from Convalescence"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, convalescing=False)


@event("WentIntoRecovery")
class WentIntoRecovery(Event):
    """A fighter misses this post-battle sequence and the gang's next battle. `battle` is the one it started
    in.
    """

    sentence = "{fighter} goes into Recovery and misses the {game.gang}'s next battle"

    fighter: FighterId
    battle: int

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, recovering_since=self.battle)


@event("RecoveryEnded")
class RecoveryEnded(Event):
    """Recovery ended after the battle that the fighter missed."""

    sentence = "{fighter} is back from Recovery"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, recovering_since=None)


@event("CharacteristicChanged")
class CharacteristicChanged(Event):
    """A printed number changed for good. The fighter's cost stays."""

    fighter: FighterId
    characteristic: str
    before: int
    after: int
    why: RowId

    def in_words(self, wording: Wording) -> str:
        before = wording.characteristic_value(self.characteristic, self.before)
        after = wording.characteristic_value(self.characteristic, self.after)
        changed = f"{wording.characteristic(self.characteristic)} {before} -> {after}"
        return f"{wording.fighter(self.fighter)}: {changed} ({wording.title(self.why)})"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        changed = {**fighter.characteristics, self.characteristic: self.after}
        fitted = fighter.fitted
        # A bionic is fitted first and then gives its name to what it raises.
        if fitted and fitted[-1].name == self.why:
            raised = replace(fitted[-1], improves=(*fitted[-1].improves, self.characteristic))
            fitted = (*fitted[:-1], raised)
        return on_fighter(state, self.fighter, characteristics=changed, fitted=fitted)


@event("CharacteristicKept")
class CharacteristicKept(Event):
    """A number was at its limit, so the change was not applied; everything else was. `with_characteristic` is
    another one at its limit that spares this one too.
    """

    fighter: FighterId
    characteristic: str
    value: int
    why: RowId
    with_characteristic: str | None = None

    def in_words(self, wording: Wording) -> str:
        value = wording.characteristic_value(self.characteristic, self.value)
        limit = "its limit"
        if self.with_characteristic is not None:
            limit = f"as {wording.characteristic(self.with_characteristic)} is at its limit"
        kept = f"{wording.characteristic(self.characteristic)} stays {value}, {limit}"
        return f"{wording.fighter(self.fighter)}: {kept} ({wording.title(self.why)})"


@event("SkillGained")
class SkillGained(Event):
    """A fighter gained a skill by injury. `against` limits it to battles against one gang."""

    fighter: FighterId
    skill: RowId
    against: GangId | None
    why: RowId

    def in_words(self, wording: Wording) -> str:
        against = f" against {wording.gang(self.against)}" if self.against is not None else ""
        skill = f"{wording.title(self.skill)}{against}"
        return f"{wording.fighter(self.fighter)} gains {skill} ({wording.title(self.why)})"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        if self.against is not None:
            return on_fighter(state, self.fighter, grudges=(*fighter.grudges, self.against))
        return on_fighter(state, self.fighter, skills=(*fighter.skills, self.skill))


@event("CapturePending")
class CapturePending(Event):
    """A fighter might be captured: an escape roll in the Wrap-up decides. They cannot fight until then."""

    fighter: FighterId
    captor: str | None

    def in_words(self, wording: Wording) -> str:
        captor = f" by {wording.anyone(self.captor)}" if self.captor is not None else ""
        return f"{wording.fighter(self.fighter)} might be captured{captor}: the escape roll is still to come"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, capture_pending=True, captor=self.captor)


@event("CriticalInjuryPending")
class CriticalInjuryPending(Event):
    """A fighter dies unless the Doc treats them in the post-battle sequence. They cannot fight until then."""

    sentence = "{fighter} is Critically Injured and dies unless the Doc helps"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, critical=True)


@event("FighterDied")
class FighterDied(Event):
    """Dead, for good."""

    sentence = "{fighter} dies ({why})"

    fighter: FighterId
    why: RowId

    def apply(self, state: CampaignState) -> CampaignState:
        return gone_for_good(state, self.fighter, "dead")


@event("ExperienceGained")
class ExperienceGained(Event):
    """A fighter gained XP, with its cause. `victim` and `activation` keep one activation from paying
    twice.
    """

    fighter: FighterId
    amount: int
    reason: Note
    victim: FighterId | None = None
    activation: Note | None = None
    section: str = ""

    def in_words(self, wording: Wording) -> str:
        return f"{wording.fighter(self.fighter)} gains {self.amount} XP: {self.cause(wording)}"

    def cause(self, wording: Wording) -> str:
        """Why XP was gained; the enemy is named where the reason does not do so itself."""
        reason = wording.words(self.reason)
        if self.victim is None or wording.unmarked(self.victim) in reason:
            return reason
        return f"{reason} ({wording.fighter(self.victim)})"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        state = on_fighter(state, self.fighter, experience=fighter.experience + self.amount)
        if self.activation is None or self.victim is None or state.under_way is None:
            return state
        key, paid = payment_key(self.activation, self.fighter, self.victim), state.under_way.paid
        return in_battle(state, paid={**paid, key: paid.get(key, 0) + self.amount})
